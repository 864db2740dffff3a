"""Every combination beside SimPoint with as many points, and what follows from it over all programs.

Programs are the sample: an interval says what another program like these might give. Seeds and numbers of
states of one program are averaged first.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

Results = dict[str, list[dict[str, Any]]]

#: What a combination is, whatever the number of states.
COMBINATION = ["way", "selector", "estimator"]

#: Errors: of the whole run's CPI, and of the intervals'.
ERRORS = ("error", "off")
CONFIDENCE = 0.95


def frame(results: Results) -> pd.DataFrame:
    """A row for each program, seed, combination, number of states and draw of random points.

    Columns: program, seed, way, model, states, selector, estimator, draw; points; error, off (absolute, of
    CPI) and the same of the baseline with as many points (error_base, off_base, points_base) and of the
    difference (error_more, off_more); covered and half_width of CPI, covered_METRIC of all.
    """
    return pd.DataFrame(list(_rows(results)))


def _rows(results: Results) -> Iterator[dict[str, Any]]:
    for program, seeds in results.items():
        for seed, result in enumerate(seeds, 1):
            base = result["baseline"]
            counts = [row["points"] for row in base]
            for row in result["rows"]:
                as_many = base[max(bisect_right(counts, row["points"]) - 1, 0)]
                one, other = _measured(row), _measured(as_many)
                yield {
                    "program": program,
                    "seed": seed,
                    "way": row["way"],
                    "model": row["way"].split()[0],
                    "states": row["states"],
                    "selector": row["selector"],
                    "estimator": row["estimator"],
                    "draw": row["draw"],
                    **one,
                    **{f"{name}_base": other[name] for name in ("points", *ERRORS)},
                    **{f"{name}_more": one[name] - other[name] for name in ERRORS},
                    "half_width": row["half_width"]["cpi"],
                    **{f"covered_{name}": float(held) for name, held in row["covered"].items()},
                }


def _measured(row: dict[str, Any]) -> dict[str, float]:
    return {
        "points": row["points"],
        "error": abs(row["errors"]["cpi"]),
        "off": np.nan if row["off"] is None else row["off"],
    }


@dataclass(frozen=True)
class Mean:
    """A mean over programs.

    Attributes:
        mean, half_width: of its 95% interval (Student's t over programs); NaN of a single program.
        p: of the mean being 0.
        below, above: in how many programs it is less or more than 0.
    """

    mean: float
    half_width: float
    p: float
    below: int
    above: int

    @classmethod
    def of(cls, values: pd.Series) -> Mean:
        """Of one number a program."""
        from scipy.stats import t

        found = values.dropna().to_numpy(float)
        n = len(found)
        mean = float(found.mean()) if n else np.nan
        below, above = int((found < 0).sum()), int((found > 0).sum())
        if n < 2:
            return cls(mean, np.nan, np.nan, below, above)
        error = float(found.std(ddof=1) / np.sqrt(n))
        half = float(t.ppf((1 + CONFIDENCE) / 2, n - 1)) * error
        p = float(2 * t.sf(abs(mean) / error, n - 1)) if error else float(mean == 0)
        return cls(mean, half, p, below, above)


def over_programs(rows: pd.DataFrame, column: str) -> Mean:
    """The mean over programs of a column's mean over a program's rows."""
    return Mean.of(rows.groupby("program")[column].mean())


def comparisons(rows: pd.DataFrame, column: str) -> pd.DataFrame:
    """A row for each combination of a mixture or a hidden Markov model, the best first.

    Columns: those of a combination, then mean, half_width, p, below, above, holm.

    `holm`: p after Holm's correction for as many comparisons as there are rows.
    """
    models = rows[rows["model"] != "simpoint"]
    means = models.groupby([*COMBINATION, "program"])[f"{column}_more"].mean()
    found = [
        {**dict(zip(COMBINATION, key, strict=True)), **vars(Mean.of(some))}
        for key, some in means.groupby(level=COMBINATION)
    ]
    table = pd.DataFrame(found).sort_values(["mean", *COMBINATION]).reset_index(drop=True)
    return table.assign(holm=holm(table["p"].to_numpy(float)))


def holm(p: Any) -> Any:
    """Holm's step-down correction of p values ("A simple sequentially rejective test", 1979)."""
    p = np.asarray(p, float)
    order = np.argsort(p)
    steps = (len(p) - np.arange(len(p))) * p[order]
    out = np.empty(len(p))
    out[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return out


def chosen_elsewhere(rows: pd.DataFrame, column: str) -> pd.DataFrame:
    """For each program the combination that is best over all others, and what it gives here: program, way,
    selector, estimator, more.

    That a combination is the best of hundreds on the programs by which it was chosen proves nothing.
    """
    models = rows[rows["model"] != "simpoint"]
    wide = models.pivot_table(f"{column}_more", "program", COMBINATION)
    found = []
    for program in wide.index:
        best = wide.drop(index=program).mean().idxmin()
        found.append(
            {"program": program, **dict(zip(COMBINATION, best, strict=True)), "more": wide.loc[program, best]}
        )
    return pd.DataFrame(found)


def between(rows: pd.DataFrame, one: str, other: str, column: str) -> Mean:
    """How much more one way's column is than another's, at equal states, selector, estimator and seed."""
    key = ["program", "seed", "states", "selector", "estimator", "draw"]
    first, second = (rows[rows["way"] == way].set_index(key)[column] for way in (one, other))
    return Mean.of((first - second).groupby("program").mean())
