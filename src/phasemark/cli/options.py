"""Options of the steps after profiling, which several commands take."""

from __future__ import annotations

import math
from typing import Annotated

import typer

from phasemark.errors import UsageError

MaxK = Annotated[int, typer.Option(help="Largest number of phases to try.")]
K = Annotated[int | None, typer.Option("--k", "-k", help="Exactly so many phases.")]
Search = Annotated[str, typer.Option(help="all, binary, or a step: which k to try.")]
Threshold = Annotated[float, typer.Option(help="Part of the score's range that the k taken must reach.")]
Select = Annotated[
    str,
    typer.Option(
        metavar="CRITERION",
        help="Which k to take: bic-threshold, bic-correlated, calinski-harabasz, explained, noise-floor, "
        "silhouette or elbow.",
    ),
]
Dims = Annotated[int, typer.Option(help="Dimensions to project to.")]
Seed = Annotated[int, typer.Option(help="Of the projection and of k-means.")]
Confidence = Annotated[str, typer.Option(metavar="SHARE", help="Of the error bars, as 95% or 0.95.")]
Coverage = Annotated[
    str,
    typer.Option(metavar="SHARE", help="Keep the largest phases that make up so much, as 95% or 0.95."),
]


def share(text: str) -> float:
    """What `2%` or `0.02` says.

    Raises:
        UsageError: neither.
    """
    try:
        value = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise UsageError(f"{text!r} is no share", hint="write 2% or 0.02")
    return value


def search(text: str) -> int | str:
    """What --search says: a step as a number, other words as they are."""
    return int(text) if text.isdecimal() else text
