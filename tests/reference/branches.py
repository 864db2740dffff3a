"""Branches that nothing foretold, in plain Python: a counter for each branch and history, and a target."""

from __future__ import annotations

from collections.abc import Iterable

HISTORY = 12

#: A conditional branch that is taken or not, or the target of a jump by address.
Outcome = bool | int


def surprises(branches: Iterable[tuple[int, Outcome]]) -> int:
    """How many of a thread's branches, in order, went another way than foretold."""
    counters: dict[tuple[int, int], int] = {}
    targets: dict[int, int] = {}
    history = found = 0
    for address, outcome in branches:
        if isinstance(outcome, bool):
            counter = counters.get((address, history), 0)
            found += (counter >= 2) != outcome
            counters[address, history] = min(counter + 1, 3) if outcome else max(counter - 1, 0)
            history = (history << 1 | outcome) % 2**HISTORY
        else:
            found += targets.get(address, 0) != outcome
            targets[address] = outcome
    return found
