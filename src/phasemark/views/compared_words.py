"""Words for models side by side: what one sees, and what it comes to."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from phasemark.errors import counted
from phasemark.views.compared import Compared
from phasemark.views.measures import label
from phasemark.views.text import percent
from phasemark.views.verdicts import Verdict, verdicts

#: Criterion -> what it is called.
_TITLES = {
    "log_likelihood": "likelihood of the run",
    "bic": "BIC",
    "held_out": "held-out likelihood",
    "cov": "CoV within phases",
    "interval_error": "error of single intervals (E_I)",
}
#: Fits from which on it is said whether likelihood tells errors, and from which rank correlation on it does.
_FITS, _TELLING = 6, 0.5


def lead(shown: Compared) -> str:
    """What the charts show."""
    said = (
        "A line is a model and what it saw of the run, as phasemark models compared them. Likelihood is how "
        "well its phases describe the run, in nats per instruction of evidence: nearer to 0 is better."
    )
    if shown.points:
        said += f" Errors are those of {error_named(shown)} as told by its points: lower is better."
        ways = [*([shown.of_likelihood] if shown.of_likelihood else []), *shown.ways]
        other = {model for model, seen in shown.series for way in ways if shown.stands_in((model, seen), way)}
        if other:
            said += (
                f" Where {' and '.join(sorted(other))} has no such points, those nearest are shown, by epm1."
            )
    return said


def error_named(shown: Compared) -> str:
    """What errors are of: `CPI of an interval`."""
    of = label(shown.metric) if shown.metric else "the metric"
    return f"{of} of {'an interval' if shown.by_interval else 'the run'}"


def reading(shown: Compared) -> str:
    """What it comes to: the best by likelihood, the best by error, and whether the one tells the other."""
    found = {one.criterion: one for one in verdicts(shown.fits, shown.points)}
    said = [
        f"{_capital(sentences(found[name])[0])}."
        for name in ("held_out" if "held_out" in found else "bic", "interval_error")
        if name in found
    ]
    return " ".join([*said, *relation(shown)])


def criterion(verdict: Verdict) -> str:
    """What it is the best by."""
    return _TITLES[verdict.criterion]


def value(verdict: Verdict, number: float) -> str:
    """A value of its criterion."""
    return percent(number) if verdict.criterion in ("cov", "interval_error") else nats(number)


def best(verdict: Verdict) -> str:
    """`hmm (full) with 8 states`."""
    return f"{verdict.model} ({verdict.representation}) with {counted(verdict.states, 'state')}"


def sentences(verdict: Verdict) -> list[str]:
    """The best by a criterion, and how the others stand beside SimPoint."""
    how = f", {verdict.how}" if verdict.how else ""
    text = f"best by {criterion(verdict)}: {best(verdict)}{how}: {value(verdict, verdict.value)}"
    if verdict.nothing_better:
        text += "; none is better than SimPoint's best"
    elif not math.isnan(verdict.baseline):
        text += f"; the best of SimPoint {value(verdict, verdict.baseline)}"
    wins = [f"{name} {won} of {of} times" for name, (won, of) in verdict.better.items()]
    by = f", by {verdict.how_compared}" if verdict.how_compared else ""
    return [text, *([f"better than SimPoint of as many states{by}: {', '.join(wins)}"] if wins else [])]


def relation(shown: Compared) -> list[str]:
    """Whether likelier fits have smaller errors, by ranks ("Probabilistic generative models", figure 2)."""
    errors = np.array([shown.error_of_fit(fit) for fit in shown.fits])
    likely = np.array([fit.log_likelihood for fit in shown.fits])
    known = np.isfinite(errors)
    if known.sum() < _FITS:
        return []
    of = float(_rank_correlation(likely[known], errors[known]))
    if math.isnan(of):
        return []
    if of <= -_TELLING:
        said = "The likelier a fit, the smaller its error"
    elif of >= _TELLING:
        said = "The likelier a fit, the larger its error"
    else:
        said = "Likelihood hardly tells which fit has small errors"
    return [f"{said}: rank correlation {of:+.2f} over {known.sum():,} fits."]


def nats(value: float) -> str:
    """A likelihood; `-` where it is not known."""
    return "-" if math.isnan(value) else f"{value:.4f}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _rank_correlation(x: NDArray[np.float64], y: NDArray[np.float64]) -> float:
    """Spearman's; NaN where one is the same everywhere."""
    ranks = [_ranks(values) for values in (x, y)]
    spreads = [rank - rank.mean() for rank in ranks]
    norm = math.sqrt(float(np.square(spreads[0]).sum() * np.square(spreads[1]).sum()))
    return float(spreads[0] @ spreads[1]) / norm if norm else math.nan


def _ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """From 0; equal values share the mean of their ranks."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(counts) - (counts + 1) / 2)[inverse])
