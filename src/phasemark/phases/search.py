"""Which k to evaluate, and which to take."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from phasemark.errors import counted

#: Number of clusters -> score.
Scores = Mapping[int, float]

#: Most iterations of a run where none are said.
NO_LIMIT = 2**31 - 1


def most_phases(n: int) -> int:
    """The largest k worth a search among n intervals: two for each phase, to have a variance, and one more.

    Beyond it the error vanishes, and the score with it rises without bound.
    """
    return max(1, (n - 1) // 2)


def most_variable(n: int, most: int) -> int:
    """The largest k to try among n intervals of variable length: their square root, `most` at most.

    "Variable-length intervals", section 7.1.
    """
    return max(1, min(math.isqrt(n), most))


def candidates(restarts: int) -> int:
    """Candidates of each kind for a k that grows out of the one before."""
    # With one a restart, single k had up to 2.7% more squared error than independent runs find.
    return 2 * restarts


def attainable(asked: Sequence[int], distinct: Callable[[int], int]) -> tuple[list[int], list[str]]:
    """Those of the k asked for that intervals allow, each once, and what a user should know of it.

    Args:
        asked: at least one k.
        distinct: the number of different vectors, counted no further than a limit.
    """
    ks = list(dict.fromkeys(asked))
    different = distinct(max(ks))
    if max(ks) <= different:
        return ks, []
    note = (
        f"the intervals hold only {counted(different, 'different vector')}, so at most "
        f"{counted(different, 'phase')} {'was' if different == 1 else 'were'} tried"
    )
    return [k for k in ks if k <= different] or [different], [note]


def choose(scores: Scores, threshold: float) -> int:
    """The smallest k whose score reaches min + threshold x (max - min) of all scores.

    Range-based, over the evaluated k: "Discovering and exploiting program phases", as SimPoint 3.2 does it.
    """
    bar = score_bar(scores, threshold)
    return min(k for k, score in scores.items() if score >= bar)


def score_bar(scores: Scores, threshold: float) -> float:
    """The score that `choose` asks for; never above the highest."""
    low, high = min(scores.values()), max(scores.values())
    return min(low + threshold * (high - low), high)


def every(max_k: int, step: int = 1) -> list[int]:
    """1, 1 + step ... up to max_k."""
    return list(range(1, max_k + 1, step))


def binary(max_k: int, threshold: float, evaluate: Callable[[int], float]) -> dict[int, float]:
    """SimPoint 3.2's binary search over k: about log2(max_k) + 2 values instead of max_k.

    1, max_k and their middle are evaluated; then, while the window has a middle, the half above the last
    k when the best score came after the worst one and the last score is below the bar, else the half
    below it.

    Returns:
        k -> score, in the order of evaluation.
    """
    scores: dict[int, float] = {}

    def visit(k: int) -> int:
        if k not in scores:
            scores[k] = evaluate(k)
        return k

    low, high = 1, max_k
    visit(low)
    visit(high)
    last = visit((low + high) // 2)
    while True:
        order = list(scores)
        best, worst = max(order, key=lambda k: scores[k]), min(order, key=lambda k: scores[k])
        later = order.index(best) > order.index(worst)
        if later and scores[last] < score_bar(scores, threshold):
            low, following = last, (last + high) // 2
        else:
            high, following = last, (last + low) // 2
        if high - low <= 1:
            return scores
        last = visit(following)
