"""Choosing k at the bend of the error curve."""

from __future__ import annotations

import numpy as np

from phasemark.phases.selection.evidence import Evidence


def elbow(evidence: Evidence) -> int:
    """The k farthest below the straight line between the ends of the error curve, both axes logarithmic.

    Satopaa, Albrecht, Irwin and Raghavan, 'Finding a "kneedle" in a haystack', 2011; on logarithmic axes,
    since without phases the error falls as a power of k, which is a straight line there.
    The first k without error ends the curve, and is taken.
    """
    perfect = evidence.errors <= evidence.least_error
    if len(evidence.ks) == 1 or perfect.any():
        return int(evidence.ks[np.argmax(perfect)])
    x, y = np.log(evidence.ks), np.log(evidence.errors)
    line = y[0] + (y[-1] - y[0]) * (x - x[0]) / (x[-1] - x[0])
    return int(evidence.ks[np.argmax(line - y)])
