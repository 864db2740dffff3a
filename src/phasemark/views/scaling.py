"""Scaling in words: how much faster more threads are, and which phases keep the program from more."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from phasemark.errors import counted
from phasemark.parallel import Scaling

#: Phases that are told one by one.
MOST = 3
#: Less of the time than this is not said to be lost.
_LEAST_LOST = 0.005
#: A program that makes as much of its threads scales; nothing limits it that is worth a word.
_NEARLY_PERFECT = 0.95


def reading(found: Scaling, names: Sequence[str] = (), titles: Sequence[str] = ()) -> list[str]:
    """What there is to say, one sentence each, the plain facts first.

    Args:
        found: of one run or several.
        names: of the phases' hottest functions, as far as they are known.
        titles: what phases are called, as `Phases.titles`; none: by number.
    """
    called = [named(phase, names, titles) for phase in range(found.elapsed.shape[1])]
    out = _of_one(found, called) if len(found.runs) == 1 else _of_several(found, called)
    return [*out, *_of_what(found)]


def _of_one(found: Scaling, called: Sequence[str]) -> list[str]:
    threads = int(found.threads[0])
    if threads == 1:
        return ["one run of one thread: runs with more threads would tell how it scales"]
    mean = float(np.nansum(found.active[0] * found.shares[0]))
    out = [f"of {counted(threads, 'thread')} {mean:.2g} run at once, on average over the time"]
    order = np.argsort(-found.shares[0], kind="stable")
    alone = [int(p) for p in order if found.active[0, p] < mean and found.shares[0, p] >= 0.01][:MOST]
    for phase in alone:
        out.append(
            f"{called[phase]} takes {found.shares[0, phase]:.1%} of the time, in which "
            f"{found.active[0, phase]:.2g} run at once"
        )
    return out


def _of_several(found: Scaling, called: Sequence[str]) -> list[str]:
    base, row = found.base, found.widest
    few, many = int(found.threads[base]), int(found.threads[row])
    if few == many:
        return [f"all runs have {counted(few, 'thread')}: runs with other numbers would tell how it scales"]
    speedup, efficiency = float(found.whole_speedup[row]), float(found.whole_efficiency[row])
    out = [
        f"from {counted(few, 'thread')} to {many:,} the program is {speedup:.3g} times as fast: "
        f"{efficiency:.0%} of perfect scaling"
    ]
    limits = [] if efficiency >= _NEARLY_PERFECT else found.limits()
    for phase in limits[:MOST]:
        out.append(_limit(found, phase, called[phase]))
    if len(limits) > MOST:
        rest = found.shares[row][limits[MOST:]].sum()
        further = counted(len(limits) - MOST, "further phase")
        out.append(f"{further} worse than the program: {rest:.1%} of the time")
    if not limits:
        out.append("no phase that takes its time scales worse than the program")
    return out


def _limit(found: Scaling, phase: int, called: str) -> str:
    base, row = found.base, found.widest
    share, before = float(found.shares[row, phase]), float(found.shares[base, phase])
    many = counted(int(found.threads[row]), "thread")
    what = f"{called} takes {share:.1%} of the time with {many}"
    if not found.elapsed[base, phase]:
        return f"{what}, and is not there with {int(found.threads[base])}"
    speedup, efficiency = float(found.speedup[row, phase]), float(found.efficiency[row, phase])
    lost = float(found.lost[row, phase] / found.time[row])
    saved = f"; scaling perfectly would save {lost:.1%} of the time" if lost >= _LEAST_LOST else ""
    return (
        f"{what}, {before:.1%} with {int(found.threads[base])}: {_faster(speedup)}, "
        f"{efficiency:.0%} of perfect{saved}"
    )


def _faster(speedup: float) -> str:
    """Two in a hundred more or less are not worth a number."""
    return "no faster" if 0.98 < speedup < 1.02 else f"{speedup:.3g} times as fast"


def _of_what(found: Scaling) -> list[str]:
    out = []
    if found.unit == "instructions":
        out.append(
            "time is counted in instructions, threads side by side: what makes some slower does not show"
        )
    worst = float(found.unmeasured.max(initial=0))
    if worst > 0:
        out.append(f"cycles of up to {worst:.1%} of a run's instructions were not measured")
    return out


def named(phase: int, names: Sequence[str], titles: Sequence[str] = ()) -> str:
    """`phase 3 (smooth)`."""
    name = names[phase] if phase < len(names) else ""
    title = titles[phase] if phase < len(titles) else f"phase {phase}"
    return f"{title} ({name})" if name else title
