"""Two runs in words: how much longer one takes, and which phases make it so."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from phasemark.model import Profile
from phasemark.parallel import Comparison
from phasemark.views.scaling import named

#: Phases that are told one by one.
MOST = 4
#: Runs whose times differ by less take equally long.
_EQUAL = 0.002
#: A part of a phase's change that is less than this of it is not worth a word.
_PART = 0.1


def of_two_alike(profile: Profile) -> bool:
    """Whether a profile is of two runs with equally many threads."""
    table = profile.interval_table
    run = table.run[table.first_of_thread()]
    _, threads = np.unique(run, return_counts=True)
    return len(threads) == 2 and int(threads[0]) == int(threads[1])


def reading(found: Comparison, names: Sequence[str] = (), titles: Sequence[str] = ()) -> list[str]:
    """What there is to say, one sentence each, the whole first.

    Args:
        found: of two runs.
        names: of the phases' hottest functions, as far as they are known.
        titles: what phases are called, as `Phases.titles`; none: by number.
    """
    told = [phase for phase in found.order() if found.kinds[phase] != "alike"]
    worth = [phase for phase in told if _matters(found, phase)]
    out = [_whole(found), *(_phase(found, phase, named(phase, names, titles)) for phase in worth[:MOST])]
    rest = worth[MOST:]
    if rest:
        change = float(np.nansum(found.change[rest]))
        differ = "phase differs" if len(rest) == 1 else "phases differ"
        out.append(f"{len(rest)} further {differ}: {_signed(change, found)} together")
    if not worth:
        out.append("no phase differs by 1% of the time")
    return [*out, *_of_what(found)]


def _matters(found: Comparison, phase: int) -> bool:
    """New and gone phases may be tiny."""
    return not abs(float(found.change[phase])) < 0.01 * float(found.whole.max())


def _whole(found: Comparison) -> str:
    before, after = found.whole.tolist()
    what = found.unit
    if not before or not after:
        return f"{before:.4g} {what} before, {after:.4g} after"
    times = after / before
    if abs(times - 1) < _EQUAL:
        said = f"both take equally long: {before:.4g} {what} before, {after:.4g} after"
    else:
        said = f"{times:.3g} times the {what}: {before:.4g} before, {after:.4g} after"
    if found.cycles is None:
        return said
    work = found.instructions.sum(axis=1)
    cpi = found.whole_cpi
    times = f"{work[1] / work[0]:.3g}"
    executed = "as many instructions" if times == "1" else f"{times} times the instructions"
    return f"{said}; {executed}, CPI {cpi[0]:.3g} and {cpi[1]:.3g}"


def _phase(found: Comparison, phase: int, title: str) -> str:
    kind = found.kinds[phase]
    before, after = (found.shares[row, phase] for row in (0, 1))
    if kind == "new":
        return f"{title} is new: {after:.1%} of the time after"
    if kind == "gone":
        return f"{title} is gone: it took {before:.1%} of the time before"
    if kind == "unknown":
        return f"{title} was not measured in both runs"
    verb = "takes longer" if kind == "grew" else "takes less"
    times = float(found.time[1, phase] / found.time[0, phase])
    said = f"{title} {verb}: {_signed(float(found.change[phase]), found)}, {times:.3g} times as much"
    return said if found.cycles is None else f"{said}, {_why(found, phase)}"


def _why(found: Comparison, phase: int) -> str:
    """Whether it executes more, or takes longer for each instruction."""
    change = float(found.change[phase])
    work, speed = float(found.by_work[phase]), float(found.by_speed[phase])
    instructions = float(found.instructions[1, phase] / found.instructions[0, phase])
    executes = f"{instructions:.3g} times the instructions"
    cpi = f"CPI {found.cpi[0, phase]:.3g} before and {found.cpi[1, phase]:.3g} after"
    if abs(work) < _PART * abs(change):
        return f"at equal work: {cpi}"
    if abs(speed) < _PART * abs(change):
        return f"because of the work: {executes}"
    return f"{executes}, {cpi}"


def _signed(change: float, found: Comparison) -> str:
    return f"{change:+.3g} {found.unit}, {change / float(found.whole[0] or 1):+.1%} of all before"


def _of_what(found: Comparison) -> list[str]:
    out = []
    if found.unit == "instructions":
        out.append("only instructions are compared: profile both with --timing to compare cycles")
    worst = float(found.unmeasured.max(initial=0))
    if worst > 0:
        out.append(f"cycles of up to {worst:.1%} of a run's instructions were not measured")
    return out
