"""Code vectors with event rates beside them, number by number."""

from __future__ import annotations

import math


def combined(
    code: list[list[float]], events: list[list[float]], weights: list[float], share: float
) -> list[list[float]]:
    """Each event standardised; together they have `share` of the variance."""

    def mean(column: list[float]) -> float:
        return sum(w * x for w, x in zip(weights, column, strict=True))

    def variance(column: list[float]) -> float:
        middle = mean(column)
        return mean([(x - middle) ** 2 for x in column])

    columns = [list(column) for column in zip(*events, strict=True)]
    of_code = sum(variance(list(column)) for column in zip(*code, strict=True))
    wanted = share / (1 - share) * of_code
    varying = [column for column in columns if max(column) > min(column)]
    rows = [list(row) for row in code]
    for column in columns:
        deviation = math.sqrt(variance(column)) if column in varying else 0.0
        for row, x in zip(rows, column, strict=True):
            standard = (x - mean(column)) / deviation if deviation else 0.0
            row.append(standard * math.sqrt(wanted / len(varying)) if varying else 0.0)
    return rows
