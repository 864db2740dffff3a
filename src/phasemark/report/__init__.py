"""A run's folder as one self-contained page, for people who look rather than read.

`data` gathers what is shown, `page` makes the document, `assets/` holds its style and scripts.
"""

from phasemark.report.write import write

__all__ = ["write"]
