"""Choice: of the metrics to draw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from phasemark.errors import DataError

T = TypeVar("T")

#: The kinds of figures that show metrics.
KINDS = ("lanes", "metrics", "hierarchy", "quality", "estimate")


def chosen(known: Mapping[str, T], metrics: Sequence[str]) -> list[T]:
    """What is known of these metrics, in their order.

    Raises:
        DataError: nothing is known of one.
    """
    for name in metrics:
        if name not in known:
            raise DataError(f"nothing is known of the metric {name!r}", hint=f"choose of {', '.join(known)}")
    return [known[name] for name in metrics]
