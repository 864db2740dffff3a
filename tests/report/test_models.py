"""Models side by side as the page is given them, of damaged files too."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.fuzz.bends import bent
from tests.views import comparisons, synthetic

from phasemark import plots
from phasemark.errors import DataError
from phasemark.report import page
from phasemark.report.models import models
from phasemark.store import models_csv
from phasemark.store.models_csv import FitRow
from phasemark.views import Analysis, compared
from phasemark.views.compared import Compared


@pytest.fixture(scope="module")
def run() -> Analysis:
    return synthetic.run((0, 1) * 3)


def shown(run: Analysis, of: Compared) -> dict[str, Any]:
    made = models(replace(run, compared=of))
    assert made is not None
    page.script_json(made)  # JSON has no NaN
    return made


def test_charts_hold_means_over_seeds_and_a_fit_each_against_likelihood(run: Analysis) -> None:
    made = shown(run, comparisons.compared())
    assert made["series"] == [{"model": "simpoint", "sees": "projected"}, {"model": "hmm", "sees": "full"}]
    likely, against, first, second = made["charts"]
    assert likely["marks"] == [
        [0, 4, 4, -2.0, -2.0, -2.0],
        [1, 4, 4, pytest.approx(-1.7), -1.8, -1.6],
        [1, 8, 8, -1.5, -1.5, -1.5],
    ]
    assert [mark[:4] for mark in against["marks"]] == [
        [0, 4, -2.0, 8], [1, 4, -1.8, 20], [1, 4, -1.6, 10], [1, 8, -1.5, 5],
    ]  # fmt: skip
    assert first["said"] == "CPI of an interval, cluster-center, epm1"
    assert second["marks"][1] == [1, 4, 3.5, pytest.approx(15), 10, 20]
    assert [column["name"] for column in made["columns"]] == [
        "likelihood", "BIC", "error (obs-model-dist-1, epm1)",
    ]  # fmt: skip
    assert made["fits"][2] == {"series": 1, "states": 4, "seed": 2, "used": 3, "values": [-1.6, -1.7, 0.1]}
    assert made["others"] == ["hmm (full)"] and made["verdicts"][0]["wins"] == [(1, 1)]
    assert made["verdicts"][-1]["value"] == "5.00 %"


def test_there_is_nothing_without_a_comparison_and_no_table_without_simpoint(run: Analysis) -> None:
    assert models(run) is None
    assert models(replace(run, compared=Compared(()))) is None
    of = comparisons.compared()
    alone = shown(run, replace(of, fits=of.fits[1:], points=()))
    assert alone["verdicts"] == [] and len(alone["charts"]) == 1


def test_two_thousand_states_and_one_fit_are_drawn(run: Analysis) -> None:
    many = Compared((FitRow("hmm", "full", 2000, 1, 1999, -1e-12, -1e6),))
    assert shown(run, many)["charts"][0]["marks"] == [[0, 2000, 2000, -1e-12, -1e-12, -1e-12]]
    assert plots.figure(replace(run, compared=many), "models").axes


def test_damaged_files_give_words_or_a_whole_page(run: Analysis, tmp_path: Path) -> None:
    """Truncated, with other numbers, NaN, rows twice and columns missing: with a checksum and without."""
    of = comparisons.compared()
    fits, points = tmp_path / "models.csv", tmp_path / "models-points.csv"
    models_csv.write(fits, of.fits, made_by={"metric": "cpi"})
    models_csv.write_points(points, of.points)
    texts = {path: path.read_bytes().replace(b"checksum: ", b"was: ") for path in (fits, points)}
    refused = 0
    for trial in range(300):
        chance = random.Random(trial)
        path = (fits, points)[trial % 2]
        for each, text in texts.items():
            each.write_bytes(damaged(text, chance) if each == path else text)
        try:
            page.script_json(models(replace(run, compared=compared.read(fits, points))))
        except DataError as error:
            assert error.path in (fits, points) and error.hint is not None
            refused += 1
    assert 50 < refused < 300


def damaged(text: bytes, chance: random.Random) -> bytes:
    """One value replaced, a row left out, twice or cut, a column gone; or what any file may suffer."""
    lines = text.decode().splitlines(keepends=True)
    at, cut = chance.randrange(1, len(lines)), chance.randrange(len(text))
    cells = lines[at].rstrip("\n").split(",")
    column = chance.randrange(len(cells))
    cells[column] = chance.choice(
        ["nan", "inf", "-inf", "-1", "0", "1e308", "-1e308", "2000", "", "x", "9" * 30, "0x1"]
    )
    without = "".join(",".join(line.split(",")[1:]) for line in lines)
    return chance.choice(
        [
            "".join([*lines[:at], ",".join(cells) + "\n", *lines[at + 1 :]]).encode(),
            "".join([*lines[:at], *lines[at + 1 :]]).encode(),
            "".join([*lines, lines[at]]).encode(),
            text[:cut],
            without.encode(),
            bent(text, chance),
        ]
    )


def test_values_beyond_what_a_page_can_hold_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "models.csv"
    models_csv.write(path, (FitRow("hmm", "full", 1, 1, 1, -1.0, -2.0, own=-math.inf),))
    with pytest.raises(DataError, match=r"models\.csv, row 0: a value that cannot be"):
        models_csv.read(path)
