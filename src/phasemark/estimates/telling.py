"""What is to be said of a choice of points: why so many, and what a user must know of them."""

from __future__ import annotations

import numpy as np

from phasemark.errors import counted
from phasemark.estimates.planning import Expected
from phasemark.estimates.proxy import OF_WHOLE_RUN
from phasemark.model import Intervals, Points
from phasemark.model.points import TYPICAL
from phasemark.points.warmup import FACTOR

#: What a plan goes by where nothing was measured.
_BY_PROXY = (
    f"a proxy from the distances to the centres, as if CPI deviated by {OF_WHOLE_RUN:.0%} over the whole run"
)

_BIASED = (
    "such points may be biased, and nothing shows in which program: `phasemark points --guard 20` tells by "
    "how much, `--budget 40` takes random points, without bias"
)


def bias(chosen: Points) -> tuple[str, ...]:
    """What is to be known of points that are typical of their phases."""
    if chosen.method not in TYPICAL or len(chosen) == chosen.is_guard.sum():
        return ()
    if chosen.guard is None:
        return (_BIASED,)
    n = int(chosen.is_guard.sum())
    return (f"{counted(n, 'guard')} among them: they weigh nothing, and tell how far the others are off",)


def checked(chosen: Points) -> tuple[str, ...]:
    """Which points are simulated again, and how."""
    n = 0 if chosen.check is None else int(np.count_nonzero(chosen.check))
    if not n:
        return ()
    return (
        f"the warm-up is checked at {counted(n, 'point')}: `phasemark simulate --warmup-check`, or for "
        f"another simulator `export --warmup-check`, takes these again, with {FACTOR} times the warm-up",
    )


def capped(chosen: Points, budget: int | None) -> tuple[str, ...]:
    """That a budget is more than there is to choose from."""
    if budget is None or budget <= len(chosen):
        return ()
    every = counted(len(chosen), "interval")
    return (f"the budget of {budget:,} is more than there are: all {every} to choose from are points",)


def tails(chosen: Points, intervals: Intervals) -> tuple[str, ...]:
    """Which points are shorter than the others, since simulators take each to be as long as any."""
    tails = len(chosen.tails(intervals))
    if not tails:
        return ()
    return (
        f"{tails:,} of the points {'is a tail' if tails == 1 else 'are tails'}, shorter than the others: "
        f"{chosen.tails_in_words(intervals)}",
    )


def forecast(off: float, bar: float, confidence: str) -> str:
    """How far off CPI is expected to be, and what error bar it will have."""
    if off == bar:
        said = f"CPI's error bar is forecast at +-{bar:.2%} ({confidence})"
    else:
        said = (
            f"CPI is expected within +-{off:.2%} ({confidence}), and its error bar, which allows for what no "
            f"point saw, is forecast at +-{bar:.2%}"
        )
    return f"{said}; the real one is what `phasemark estimate` says once these points are measured"


def source(expected: Expected, use_pilot: bool, *, again: bool) -> str:
    """What the deviations within strata rest on; `again`: and that more of them may be asked for."""
    if expected.source == "pilot":
        return f"deviations within strata: from {int(expected.measured.sum()):,} intervals measured so far"
    if not use_pilot:
        return f"deviations within strata: {_BY_PROXY}, whatever was measured"
    # Of a budget, what is measured tells the error bar, but asks for no further points.
    then = "; simulate these points, then give the same command again" if again else ""
    return f"deviations within strata: {_BY_PROXY}; nothing was measured yet{then}"


def kept(kept: int) -> str:
    """That so many points were measured before."""
    return (
        f"{counted(kept, 'point')} measured before {'is' if kept == 1 else 'are'} kept, whatever the target; "
        "--no-pilot (use_pilot=False) starts anew"
    )


def more(more: dict[int, int], *, least: bool) -> str:
    """How many more points of which strata; `least`: of some as many as tell a deviation."""
    if not more:
        return "no more points are needed than were measured before"
    count, of = sum(more.values()), len(more)
    each = f"in {of:,} {'stratum' if of == 1 else 'strata'}"
    why = " (a stratum has two at least, since of one no deviation is known)" if least else ""
    return f"{count:,} more {'point is' if count == 1 else 'points are'} needed, {each}{why}"
