"""The states of a mixture or a hidden Markov model: how good the fit is, how long they last, what follows."""

from __future__ import annotations

import textwrap
from typing import Any

import numpy as np

from phasemark.cli.printing.text import finite
from phasemark.errors import counted
from phasemark.model import Phases, shares
from phasemark.views.text import aligned

#: What a model is called in a sentence.
_NAMES = {"mixture": "mixture", "hmm": "hidden Markov model", "hsmm": "hidden semi-Markov model"}
#: Moves to other states that a line has room for, and the least worth telling.
_MOST_MOVES, _LEAST_MOVE = 3, 0.05
#: Columns of a sentence.
_WIDTH = 80

#: How the number of states was chosen, in words.
_CRITERIA = {"bic": "BIC", "held-out": "likelihood of held-out intervals"}


def summary(phases: Phases) -> dict[str, Any] | None:
    """What the model says of its states, as values that JSON can hold; None of a model without."""
    states = phases.states
    if states is None:
        return None
    moves = states.transitions
    return {
        "model": str(phases.model.get("method", "")),
        "states": len(states),
        "used": states.used,
        "unused": len(states) - states.used,
        "tried": [int(k) for k in phases.scores],
        "select": str(phases.model.get("select", "bic")),
        "log_likelihood": states.log_likelihood,
        "steps": states.steps,
        "converged": states.converged,
        "evidence": states.evidence,
        "state_shares": states.shares.tolist(),
        "durations": None if moves is None else list(map(finite, states.durations().tolist())),
        "transitions": None if moves is None else moves.tolist(),
    }


def lines(of_states: dict[str, Any]) -> list[str]:
    """The fit in a few lines."""
    name = _NAMES.get(of_states["model"], of_states["model"])
    unused = of_states["unused"]
    parts = [f"{name} of {counted(of_states['states'], 'state')}"]
    if unused:
        parts.append(f"{unused:,} of them unused")
    if len(of_states["tried"]) > 1:
        tried = [f"{k:,}" for k in of_states["tried"]]
        parts.append(
            f"the best of {', '.join(tried[:-1])} and {tried[-1]} by {_CRITERIA[of_states['select']]}"
        )
    parts.append(f"a mean interval counting for {counted(round(of_states['evidence']), 'instruction')}")
    settled = "converged" if of_states["converged"] else "not converged"
    steps = counted(of_states["steps"], "step")
    said = textwrap.wrap(", ".join(parts), _WIDTH, break_long_words=False, break_on_hyphens=False)
    return [*said, f"log likelihood {of_states['log_likelihood']:,.1f} after {steps}, {settled}"]


def table(of_states: dict[str, Any], intervals: int) -> list[str]:
    """A row a used state: its share, how long it lasts and what follows; empty of a mixture.

    Args:
        of_states: what `summary` says.
        intervals: of the run: a state that lasts longer is one to stay in.
    """
    if of_states["transitions"] is None:
        return []
    rows = [["state", "share", "lasts", "then"]]
    moves = np.array(of_states["transitions"])
    for state in range(of_states["used"]):
        lasts = of_states["durations"][state]
        ends = lasts is None or lasts > intervals
        share = shares.written(of_states["state_shares"][state])
        then = "" if ends else _moves(moves[state], state)
        rows.append([str(state), share, "to the end" if ends else f"{lasts:,.1f}", then])
    heading = "states, how many intervals they last on average, and what follows them:"
    return ["", heading, "", *aligned(rows, left=[3])]


def _moves(row: np.ndarray[Any, Any], state: int) -> str:
    others = row.copy()
    others[state] = 0.0
    leaving = others.sum()
    if leaving <= 0:
        return ""
    others /= leaving
    order = np.argsort(-others, kind="stable")[:_MOST_MOVES]
    return ", ".join(f"{to} ({others[to]:.0%})" for to in order if others[to] >= _LEAST_MOVE)
