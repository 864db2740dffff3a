"""models.csv and models-points.csv: rows come back, `check` knows them, and what cannot be is named."""

from __future__ import annotations

import dataclasses
import math
from pathlib import Path

import pytest

from phasemark.checking import check_file
from phasemark.errors import DataError
from phasemark.store import models_csv
from phasemark.store.models_csv import FitRow, PointsRow

FITS = (
    FitRow("simpoint", "projected", 8, 1, 8, -2.25, -2.5),
    FitRow("hmm", "full", 8, 1, 5, -2.125, -2.5, held_out=-3.0, own=-2.0, cov=0.25),
)
POINTS = (
    PointsRow("simpoint", "projected", 8, 1, "nearest", "epm1", 8, 0.01, 1.5, 1.25, math.inf, 0.02, 0.0625),
    PointsRow("hmm", "full", 8, 1, "nearest", "epm2", 5, 0.5, math.nan, math.nan, math.nan, -0.01, math.nan),
)


def as_text(rows: tuple[FitRow | PointsRow, ...]) -> list[str]:
    return [repr(row) for row in rows]  # NaN is not equal to itself


def test_rows_come_back_and_check_knows_them(tmp_path: Path) -> None:
    fits, points = tmp_path / "models.csv", tmp_path / "other.csv"
    models_csv.write(fits, FITS, made_by={"command": "models"})
    models_csv.write_points(points, POINTS)
    assert as_text(models_csv.read(fits)) == as_text(FITS)
    assert as_text(models_csv.read_points(points)) == as_text(POINTS)
    assert POINTS[1].key == FITS[1].key
    assert fits.read_text().splitlines()[1:3] == [
        "model,representation,states,seed,used,log_likelihood,bic,held_out,own,cov",
        "simpoint,projected,8,1,8,-2.25,-2.5,,,",
    ]
    assert check_file(fits).found == "models: 2 fits"
    assert check_file(points).found == "points of models: 2 estimates"


def test_a_value_changed_by_hand_is_noticed_and_a_file_of_before_is_read(tmp_path: Path) -> None:
    fits, points = tmp_path / "models.csv", tmp_path / "models-points.csv"
    models_csv.write(fits, FITS)
    models_csv.write_points(points, POINTS)
    for path, read, value, other in (
        (fits, models_csv.read, "-2.25", "-2.125"),
        (points, models_csv.read_points, "0.0625", "0.0620"),
    ):
        text = path.read_text()
        assert text.count(value) == 1
        path.write_text(text.replace("\n", "\r\n"))  # as a spreadsheet may leave it
        assert len(read(path)) == 2
        path.write_text(text.replace(value, other))
        with pytest.raises(DataError, match="no longer those that were written") as caught:
            read(path)
        assert caught.value.hint == "run `phasemark models` again"
        lines = text.splitlines(keepends=True)
        path.write_text("".join(lines[:-1]))  # a row less
        with pytest.raises(DataError, match="no longer those"):
            read(path)
        path.write_text(text.replace(value, other).replace("checksum: ", "was: "))  # of an older version
        assert len(read(path)) == 2


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"used": 0}, "a fit without a state"),
        ({"states": -1}, "a fit without a state"),
        ({"log_likelihood": math.nan}, "a likelihood that cannot be"),
        ({"bic": -math.inf}, "a likelihood that cannot be"),
        ({"held_out": 0.5}, "a likelihood that cannot be"),
        ({"bic": -2.0}, "a likelihood that cannot be"),
        ({"held_out": -math.inf}, "a value that cannot be"),
        ({"cov": -0.25}, "a value that cannot be"),
        ({"own": math.inf}, "a value that cannot be"),
        ({"model": "simpoint", "representation": "projected"}, "the same fit stands twice"),
    ],
)
def test_a_fit_that_cannot_be_is_named(tmp_path: Path, change: dict[str, object], why: str) -> None:
    models_csv.write(tmp_path / "m", (FITS[0], dataclasses.replace(FITS[1], **change)))  # type: ignore[arg-type]
    with pytest.raises(DataError, match=f"m, row 1: {why}"):
        models_csv.read(tmp_path / "m")


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"points": 0}, "a choice without a point"),
        ({"share": 1.5}, "a choice without a point"),
        ({"interval_error": -0.5}, "an error that cannot be"),
        ({"interval_error": math.inf}, "an error that cannot be"),
        ({"error": -math.inf}, "an error that cannot be"),
        ({"low": 2.0, "high": 1.0}, "an error that cannot be"),
    ],
)
def test_an_estimate_that_cannot_be_is_named(tmp_path: Path, change: dict[str, object], why: str) -> None:
    models_csv.write_points(tmp_path / "m", (POINTS[0], dataclasses.replace(POINTS[1], **change)))  # type: ignore[arg-type]
    with pytest.raises(DataError, match=f"m, row 1: {why}"):
        models_csv.read_points(tmp_path / "m")
