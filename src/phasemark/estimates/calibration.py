"""How much a metric is expected to vary within strata and phases, by what these were found in.

Intervals of one stratum are the more alike the more is known of them: strata of code hold intervals that do
other things with memory, strata of behaviour hardly do. And a sample that is balanced
(phasemark.points.balance) is nearer to the run the more its vectors tell.
"""

from __future__ import annotations

from typing import NamedTuple

from phasemark.signatures import CODE_AND_BEHAVIOUR


class Calibration(NamedTuple):
    """Factors of error bars and plans, fitted to two suites of programs (docs/adr/0068, 0074).

    Attributes:
        factor: deviation of a metric within a stratum, per spread and deviation over the whole run
            (phasemark.estimates.proxy).
        feared: how many intervals unlike their stratum an error bar allows for, of as many as there are
            points and one more (phasemark.estimates.strangers).
        expected: how many of them a plan allows for; None: as many, since plans are of the error bar itself.
        falls: the power with which that share falls with the points. Where strata tell intervals apart that
            would be strangers, more points leave fewer of them for two reasons.
        balanced: variance of a balanced sample, as a share of what it is by the deviations within strata.
        nearest: distance of a phase's mean to the intervals nearest to its centre, per spread and deviation
            over the whole run.
    """

    factor: float
    feared: float
    expected: float | None
    falls: int
    balanced: float
    nearest: float

    @property
    def planned(self) -> float:
        """How many intervals unlike their stratum a plan allows for."""
        return self.feared if self.expected is None else self.expected

    def of_sample(self, balanced: float) -> float:
        """The variance of a sample, as a share of what it is by the deviations within strata.

        Args:
            balanced: share of its points that are a balanced sample; the others came later, at random.
        """
        return 1 - (1 - self.balanced) * balanced


#: Of code, of random points of phases, and where nobody says what they were found in. Another
#: machine's events may be none of those that matter on this one.
OF_CODE = Calibration(factor=2.0, feared=3.0, expected=1.0, falls=1, balanced=1.0, nearest=1.5)

#: Of code and behaviour.
OF_BEHAVIOUR = Calibration(factor=0.8, feared=6.0, expected=None, falls=2, balanced=0.5, nearest=0.6)


def of(signature: str | None) -> Calibration:
    """What to expect of strata, or phases, that were found in a signature (Points.signature)."""
    return OF_BEHAVIOUR if signature == CODE_AND_BEHAVIOUR else OF_CODE
