"""An analysed run, prepared for the eye: what figures and the page draw.

`Analysis` holds the values that belong together, `read` takes them from a run's folder. The other files
prepare one thing to look at each; they know neither Matplotlib nor HTML.
"""

from phasemark.views.analysis import Analysis
from phasemark.views.estimates import MetricEstimate
from phasemark.views.reading import Analysed, as_analysis, read

__all__ = ["Analysed", "Analysis", "MetricEstimate", "as_analysis", "read"]


def __dir__() -> list[str]:
    return sorted(__all__)
