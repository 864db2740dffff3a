"""Other tools' basic block vectors: one module a dialect, found by content through `registry`."""
