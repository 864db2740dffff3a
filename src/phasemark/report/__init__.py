"""An analysed run as one self-contained page, for people who look rather than read.

`data` packs what is shown, `page` makes the document, `assets/` holds its style and scripts.
"""

from phasemark.report.write import write, write_page

__all__ = ["write", "write_page"]


def __dir__() -> list[str]:
    return sorted(__all__)
