"""An analysed run, prepared for the eye: what figures and the page draw.

`Analysis` holds the values that belong together, `read` takes them from a run's folder. The other files
prepare one thing to look at each; they know neither Matplotlib nor HTML.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from phasemark import _lazy

if TYPE_CHECKING:
    from phasemark.views.analysis import Analysis
    from phasemark.views.behaviour import Behaviour, Difference
    from phasemark.views.estimates import MetricEstimate
    from phasemark.views.reading import Analysed, as_analysis, read
    from phasemark.views.same_code import SameCode

#: Loaded when first named: who prints a table needs no more than `views.text`.
_MODULES = {
    "Analysed": "reading",
    "Analysis": "analysis",
    "Behaviour": "behaviour",
    "Difference": "behaviour",
    "MetricEstimate": "estimates",
    "SameCode": "same_code",
    "as_analysis": "reading",
    "read": "reading",
}

__all__ = [
    "Analysed",
    "Analysis",
    "Behaviour",
    "Difference",
    "MetricEstimate",
    "SameCode",
    "as_analysis",
    "read",
]


__getattr__ = _lazy.names(__name__, _MODULES)


def __dir__() -> list[str]:
    return sorted(__all__)
