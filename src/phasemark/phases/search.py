"""Which k to evaluate, and which to take."""

from __future__ import annotations

from collections.abc import Callable, Mapping

#: Number of clusters -> score.
Scores = Mapping[int, float]


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
