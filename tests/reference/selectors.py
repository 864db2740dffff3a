"""The eight choices of points of "Probabilistic generative models", section 1.3, dense and slow, and its
two estimates of what was not simulated. Smoothed as in src/phasemark/points/observed.py."""

from __future__ import annotations

import math

SMALL = 1e-6


def mean_by(counts, weights, shares):
    """What a phase executes: the mean of rows by weight and by how much each belongs to it; None: nothing."""
    sums = [0.0] * len(counts[0])
    for row, weight, share in zip(counts, weights, shares, strict=True):
        for d, o in enumerate(row):
            sums[d] += share * weight * o / sum(row) if sum(row) else 0
    whole = sum(sums)
    return [x / whole for x in sums] if whole > 0 else None


def smoothed(p, background):
    return [(1 - SMALL) * x + SMALL * b for x, b in zip(p, background, strict=True)]


def thetas(counts, weights, membership):
    """theta of each phase, and of the whole run."""
    background = mean_by(counts, weights, [1.0] * len(counts))
    own = [mean_by(counts, weights, column) for column in zip(*membership, strict=True)]
    return [smoothed(background if p is None else p, background) for p in own], background


def log_likelihood(row, theta):
    if not sum(row):
        return -math.inf
    value = math.lgamma(sum(row) + 1)
    for o, p in zip(row, theta, strict=True):
        value -= math.lgamma(o + 1)
        if o:
            value += o * math.log(p)
    return value


def divergence(p, q):
    return sum(x * math.log(x / y) for x, y in zip(p, q, strict=True) if x)


def scores(method, run, membership):
    """Of each interval for each phase what is to be least, tuples: intervals x phases.

    Args:
        method: its name.
        run: counts (rows of blocks), weights and labels of the intervals.
        membership: probability of each phase, intervals x phases.
    """
    theta, background = thetas(run[0], run[1], membership)
    states = range(len(theta))
    return [[_score(method, run, t, s, (membership[t][s], theta[s], background)) for s in states]
            for t in range(len(run[0]))]  # fmt: skip


def _score(method, run, t, s, state):
    (counts, weights, labels), (posterior, theta, background) = run, state
    row = counts[t]
    if method.startswith("max-likelihood"):
        return (-log_likelihood(row, theta),)
    if method == "max-posterior":
        return (-posterior, -log_likelihood(row, theta))
    if not sum(row):
        return (math.inf,)
    if method == "cluster-center":
        members = [o for o, label, w in zip(counts, labels, weights, strict=True) if label == s and w > 0]
        if not members:
            return (math.inf,)
        center = [sum(column) / len(members) for column in zip(*members, strict=True)]
        return (sum((o - c) ** 2 for o, c in zip(row, center, strict=True)),)
    n = [o / sum(row) for o in row]
    return {
        "obs-model-dist-1": lambda: (sum(abs(x - p) for x, p in zip(n, theta, strict=True)),),
        "obs-model-dist-2": lambda: (sum((x - p) ** 2 for x, p in zip(n, theta, strict=True)),),
        "obs-model-dist-3": lambda: (divergence(n, theta),),
        "obs-model-dist-4": lambda: (divergence(n, theta) + divergence(theta, smoothed(n, background)),),
    }[method]()


def candidates(method, labels, possible, s):
    """T_s, or all intervals where the paper looks among all."""
    everywhere = method in ("max-likelihood-2", "max-posterior")
    return [t for t, label in enumerate(labels) if possible[t] and (everywhere or label == s)]


def curve(membership, lengths, simulated, values):
    """The estimated events of each interval: EPM1 with memberships of 0 and 1, EPM2 with posteriors.

    Args:
        membership: intervals x states.
        lengths: of the intervals.
        simulated: (state, interval) of each point.
        values: events of each interval; only those of points are looked at.
    """
    rates = {}
    for s in {s for s, _ in simulated}:
        own = [t for state, t in simulated if state == s]
        rates[s] = sum(values[t] for t in own) / sum(lengths[t] for t in own)
    measured = {t for _, t in simulated}
    return [
        values[t] if t in measured else lengths[t] * sum(p[s] * rate for s, rate in rates.items())
        for t, p in enumerate(membership)
    ]
