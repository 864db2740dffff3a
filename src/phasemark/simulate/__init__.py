"""Points or a whole run -> Metrics: the built-in timing model."""
