"""Runs with the states of a model, as small as a person can check."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from tests.views import counted, synthetic

from phasemark.model import StateMachine
from phasemark.views import Analysis


def states(
    moves: Sequence[Sequence[float]] | None, shares: Sequence[float], columns: int = 3
) -> StateMachine:
    """States that begin in the first one, and of which each spends all in the first block."""
    n = len(shares)
    start = np.zeros(n)
    start[0] = 1
    table = None if moves is None else np.array(moves, float)
    return StateMachine(
        start, table, np.array(shares, float), np.arange(n + 1), np.zeros(n), np.ones(n), columns,
        -12.5, 4, converged=True, evidence=1000.0,
    )  # fmt: skip


def counted_by_hand(ordered: bool = True) -> Analysis:
    """The run that a person can count, with a fourth state that no interval is in."""
    run = counted.run()
    moves = [[0.5, 0.25, 0.25, 0], [0.2, 0.2, 0.599, 0.001], [0, 0, 1, 0], [0.25, 0.25, 0.25, 0.25]]
    found = states(moves if ordered else None, [30 / 93, 13 / 93, 50 / 93, 0])
    return replace(run, phases=replace(run.phases, states=found))


def of_pattern(pattern: Sequence[int], unused: int = 0, **options: bool) -> Analysis:
    """A made-up program that goes through these phases."""
    return with_states(synthetic.run(pattern, **options), unused)


def with_states(run: Analysis, unused: int = 0) -> Analysis:
    """The run, whose phases are states: what follows what is as counted, each phase nine tenths sure."""
    labels, k = run.phases.labels, run.phases.k
    moves = np.full((k + unused, k + unused), 1e-9)
    np.add.at(moves, (labels[:-1], labels[1:]), 1.0)
    shares = np.append(run.shares, np.zeros(unused))
    found = states(moves / moves.sum(axis=1, keepdims=True), shares, run.profile.vectors.columns)
    posterior = np.full((len(labels), k), 0.1 / max(1, k - 1))
    posterior[np.arange(len(labels)), labels] = 0.9 if k > 1 else 1.0
    return replace(run, phases=replace(run.phases, states=found, posterior=posterior))
