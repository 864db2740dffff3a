"""Words for a machine: a paragraph that says what a program does, to someone who never saw such a picture."""

from __future__ import annotations

import math

from phasemark.errors import counted
from phasemark.views.machine import TRACE, Machine, State
from phasemark.views.machine_names import is_place

#: Parts that have a name, if a share is within _NEAR of it.
_PARTS = (
    *((0.1, "a tenth"), (0.2, "a fifth"), (0.25, "a quarter"), (0.3, "three tenths"), (1 / 3, "a third")),
    *((0.4, "two fifths"), (0.5, "half"), (0.6, "three fifths"), (2 / 3, "two thirds")),
    *((0.7, "seven tenths"), (0.75, "three quarters"), (0.8, "four fifths"), (0.9, "nine tenths")),
)
_NEAR = 0.018
#: The least share of a state that leads.
_LEADING = 0.095
#: States that are told of one by one, and the least share of one worth it.
_TOLD, _WORTH = 3, 0.03
#: States of a chain that is told in one sentence.
_CHAIN = 10
#: The longest round that is told, and how sure it must be.
_ROUND, _SURE = 6, 0.6
#: Stretches of the run that are told in order have this share of it at least.
_STRETCH = 0.01
#: What follows so seldom is not told one by one.
_SELDOM = 0.1
#: What follows so often follows always.
_SURELY = 0.995
#: What was seen fewer times is told in numbers: a share of a handful of changes looks like a law.
_FEW = 20


def reading(machine: Machine) -> str:
    """The machine, read aloud: a paragraph."""
    states = machine.states
    if len(states) == 1:
        parts = [f"All of the run is alike: {_code(states[0])}."]
    elif not machine.ordered:
        parts = _mixture(machine)
    elif 0 < len(machine.course) <= 2 * len(states):
        parts = _story(machine)
    else:
        parts = _rounds(machine)
    parts += _nameless(states)
    if machine.unused:
        verb = "is" if machine.unused == 1 else "are"
        total = counted(len(states) + machine.unused, "state")
        parts.append(f"Of the model's {total} {machine.unused:,} {verb} not used.")
    return " ".join(parts)


def _nameless(states: list[State]) -> list[str]:
    """What names are that are none."""
    found = next((state.short for state in states if is_place(state.short)), "")
    where = "its module and address stand" if ":0x" in found else "its module and offset stand"
    return [f"Where code has no name, {where} for it, as {found}."] if found else []


def _mixture(machine: Machine) -> list[str]:
    said = [f"state {s.number} ({s.title}, {percent(s.share)})" for s in _by_share(machine)[:_TOLD]]
    return [
        f"The run is a mixture of {counted(len(machine.states), 'kind')} of work, above all {_list(said)}.",
        "A mixture says how much of each there is, but not what follows what.",
    ]


def _story(machine: Machine) -> list[str]:
    """A program that hardly comes back to anything: its states in the order of the run."""
    long = sum(length for _, length in machine.course)
    course = [one for i, one in enumerate(machine.course) if not i or one[1] >= _STRETCH * long]
    course = [stretch for i, stretch in enumerate(course) if not i or stretch[0] != course[i - 1][0]]
    told: set[int] = set()
    said: list[str] = []
    for state, length in course[:_CHAIN]:
        again, introduced = ("again ", "") if state in told else ("", f", {machine.states[state].title}")
        of = "" if said else " of the run"
        said.append(f"{again}state {state}{introduced} ({percent(length / long)}{of})")
        told.add(state)
    if len(course) > _CHAIN:
        said.append(counted(len(course) - _CHAIN, "more stretch", "more stretches"))
    once = all(state.visits == 1 for state in machine.states)
    closing = "It does one thing after the other" + (" and comes back to none" if once else "")
    return [f"The run begins in {'; then '.join(said)}.", f"{closing}."]


def _rounds(machine: Machine) -> list[str]:
    """A program that comes back to what it did."""
    states, ranked = machine.states, _by_share(machine)
    first, told = ranked[0], {ranked[0].number}
    parts = [_beginning(machine, told), _opening(machine, first)]
    parts.append(f"{_stay(first)}{_then(machine, first, told)}.")
    found = _round(machine, first, told)
    parts += found
    others = [state for state in ranked[1:] if state.share >= _WORTH and not (found and state.number in told)]
    for state in others[:_TOLD]:
        name = "" if state.number in told else f", {state.title},"
        told.add(state.number)
        said = f"State {state.number}{name} is {percent(state.share)} of the run{_length(state)}"
        parts.append(f"{said}{_then(machine, state, told)}.")
    rest = [state for state in states if state.number not in told]
    if rest:
        one = len(rest) == 1
        more = "One more state makes" if one else f"{len(rest):,} more states make"
        parts.append(f"{more} up {percent(sum(state.share for state in rest))}.")
    return parts


def _beginning(machine: Machine, told: set[int]) -> str:
    """Where the run begins, or its threads."""
    said = _list([f"state {start}{_introduced(machine, start, told)}" for start in machine.starts])
    if len(machine.starts) > 1:
        return f"Threads begin in {said}."
    if not machine.course:
        return f"Every thread begins in {said}."
    start = machine.states[machine.starts[0]]
    once = ", to which it does not come back" if start.visits == 1 and start.left else ""
    return f"The run begins in {said}{once}."


def _opening(machine: Machine, first: State) -> str:
    if first.share < _LEADING:
        of = f"the largest of {counted(len(machine.states), 'state')}, {first.number}"
        return f"No state leads: {of}, is {percent(first.share)} of the run, {_code(first)}."
    said = _part(first.share)
    return f"{said[0].upper()}{said[1:]} of the run is spent in state {first.number}: {_code(first)}."


def _stay(state: State) -> str:
    if state.intervals is None or state.instructions is None or math.isinf(state.intervals):
        return "Once there, the program stays"
    long = instructions(state.instructions)
    if state.intervals < 1.5:
        return f"It stays there for one interval at a time ({long})"
    return f"Once there, the program stays for {round(state.intervals):,} intervals on average ({long})"


def _then(machine: Machine, state: State, told: set[int]) -> str:
    """What follows a state: `; then always comes state 2 (fill_window, 7%)`; of few changes in numbers."""
    few = state.left < _FEW
    if not machine.moves(state.number) or (few and not state.followed):
        return ""
    moves = _few_moves(state) if few else _moves(machine, state)
    said = [f"state {target}{_introduced(machine, target, told)}" for target, _ in moves]
    if few and len(said) == 1:
        return f"; then comes {said[0]}, {_every(state.left)}"
    if len(said) == 1 and moves[0][1] >= _SURELY:
        return f"; then always comes {said[0]}"
    whole = state.left if few else 1.0
    rest = whole - sum(share for _, share in moves)
    others = len(state.followed if few else machine.moves(state.number)) - len(moves)
    if rest >= (1 if few else TRACE):
        moves.append((-1, rest))
        said.append("another" if others < 2 else f"one of {others:,} others")
    often = [_often(share, state.left if few else None, i == 0) for i, (_, share) in enumerate(moves)]
    comes = [
        f"{how}{'' if i else ' comes'} {what}" for i, (how, what) in enumerate(zip(often, said, strict=True))
    ]
    return f"; then {_list(comes)}"


def _few_moves(state: State) -> list[tuple[int, float]]:
    """The states that followed one most often, and how many times."""
    return [(target, float(times)) for target, times in state.followed[:_TOLD]]


def _moves(machine: Machine, state: State) -> list[tuple[int, float]]:
    """The states that follow one most often, and their shares as the model has them."""
    moves = machine.moves(state.number)
    often = [move for move in moves if move.share >= _SELDOM]
    return [(move.target, move.share) for move in (often or moves)[:_TOLD]]


def _next(machine: Machine, state: State) -> tuple[int, float] | None:
    """What follows a state most often, and its share: as seen where that is few, else as the model has it."""
    moves = machine.moves(state.number)
    if not moves:
        return None
    if state.left < _FEW:
        return (state.followed[0][0], state.followed[0][1] / state.left) if state.followed else None
    return moves[0].target, moves[0].share


def _round(machine: Machine, first: State, told: set[int]) -> list[str]:
    """The way that leads from a state back to it, where it is often the same; of few changes, always."""
    way, at, shares = [first.number], first.number, list[float]()
    while len(way) <= _ROUND:
        following = _next(machine, machine.states[at])
        if following is None:
            return []
        at = following[0]
        shares.append(following[1])
        if at in way:
            break
        way.append(at)
    few = any(machine.states[state].left < _FEW for state in way)
    sure, back = math.prod(shares), math.prod(shares[1:])
    if at != first.number or sure < (_SURELY if few else _SURE) or len(way) > _ROUND:
        return []
    after = [f"state {state}{_introduced(machine, state, told)}" for state in way[2:]]
    told.update(way)
    often = "" if back >= _SURELY else f" in {percent(back)} of cases"
    returns = sum(dict(state.followed).get(first.number, 0) for state in machine.states)
    times = f"{returns:,} times" if returns > 1 else "once"
    if not after:
        return [f"From there it goes back{often}; it comes back {times} in this run."]
    comes = "comes" if len(after) == 1 else "come"
    way_back = f"and it is back in state {first.number}; it comes back {times} in this run."
    return [f"After that{often} {comes} {_list(after)}, {way_back}"]


def _length(state: State) -> str:
    if state.intervals is None or math.isinf(state.intervals):
        return ""
    return f", {counted(max(1, round(state.intervals)), 'interval')} at a time"


def _introduced(machine: Machine, state: int, told: set[int]) -> str:
    """A state's name behind its number, the first time."""
    if state in told:
        return ""
    told.add(state)
    return f" ({machine.states[state].title}, {percent(machine.states[state].share)})"


def _code(state: State) -> str:
    where = "mostly" if state.hot >= 0.5 else "above all"
    return f"{where} {state.short} ({percent(state.hot)} of its instructions)"


def _by_share(machine: Machine) -> list[State]:
    return sorted(machine.states, key=lambda state: (-state.share, state.number))


def _part(share: float) -> str:
    if share >= 0.985:
        return "nearly all"
    near = min(_PARTS, key=lambda part: abs(part[0] - share))
    return near[1] if abs(near[0] - share) <= _NEAR else percent(share)


def _every(times: int) -> str:
    """Every one of a few times."""
    return "the one time it was left" if times == 1 else "both times" if times == 2 else f"all {times} times"


def _often(share: float, of: int | None, first: bool) -> str:
    """How often, of what a state is left for: `4 of 7 times`, or a share of all cases."""
    if of is not None:
        return f"{round(share)} of {of} times"
    return f"in {percent(min(share, 0.99))}{' of cases' if first else ''}"


def percent(share: float) -> str:
    """A share in words: `46%`."""
    return f"{share:.0%}" if share >= 0.01 else "less than 1%"


def _list(said: list[str]) -> str:
    return said[0] if len(said) == 1 else f"{', '.join(said[:-1])} and {said[-1]}"


def instructions(n: float) -> str:
    """`9.3 million instructions`."""
    for size, unit in ((1e12, " trillion"), (1e9, " billion"), (1e6, " million"), (1e3, ",000")):
        if n >= 10 * size or (n >= size and unit != ",000"):
            value = f"{n / size:.0f}" if unit == ",000" or n >= 10 * size else f"{n / size:.1f}"
            return f"{value}{unit} instructions"
    return counted(round(n), "instruction")
