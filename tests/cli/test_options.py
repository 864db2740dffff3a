"""What the texts of options mean."""

from __future__ import annotations

from pathlib import Path

import pytest
import typer
from tests.cli.runs import BASE, analysed
from tests.commands import run

from phasemark.cli import options
from phasemark.errors import UsageError


def test_shares() -> None:
    shares = ("2%", "0.02", "95%", "100%", "1", "-3%", "150%", "0")
    assert [options.share("--coverage", text) for text in shares] == [
        0.02,
        0.02,
        0.95,
        1.0,
        1.0,
        -0.03,
        1.5,
        0.0,
    ]


@pytest.mark.parametrize("text", ["", "%", "much", "nan", "inf%", "2 percent", "1%%"])
def test_what_is_no_share(text: str) -> None:
    with pytest.raises(UsageError, match=r"is no share\n  hint: write 2% or 0\.02"):
        options.share("--coverage", text)


@pytest.mark.parametrize(
    ("text", "hint"), [("2", "2%, or 0.02"), ("95", "95%, or 0.95"), ("1.5", "1.5%, or 0.015")]
)
def test_more_than_the_whole_needs_a_percent_sign(text: str, hint: str) -> None:
    with pytest.raises(UsageError, match=f"{text} is more than the whole\n  hint: write {hint}"):
        options.share("--coverage", text)


def test_a_step_of_the_search_is_a_number() -> None:
    assert [options.search(text) for text in ("all", "binary", "5", "-5")] == ["all", "binary", 5, "-5"]


def test_counts_take_units() -> None:
    texts = ("5", "1M", "1.5m", "10k", "2G", "1_000", "-3", 7)
    assert [options.count(text) for text in texts] == [5, 10**6, 1_500_000, 10_000, 2 * 10**9, 1000, -3, 7]


@pytest.mark.parametrize("text", ["", "x", "1x", "1.5", "1,5", "M", "0.0001k", "9" * 5000, "\u0661"])
def test_what_is_no_count(text: str) -> None:
    with pytest.raises(typer.BadParameter, match="is no whole number; write it as 500000, 500k, 1M or 2G"):
        options.count(text)


@pytest.mark.parametrize(
    "words",
    [
        "points x --warmup",
        "points x --budget",
        "points x --per-phase",
        "points x --seed",
        "simulate x --warmup",
        "import x -o y --instructions",
        "import x -o y --dump",
        "phases x --max-k",
        "phases x -k",
        "phases x --dims",
        "phases x --restarts",
        "phases x --sample-size",
        "phases x --seeds",
        "estimate x --seeds",
        "quality x --largest",
    ],
)
def test_every_option_that_counts_takes_units(words: str, tmp_path: Path) -> None:
    told = run(*words.split(), "1M", cwd=tmp_path)
    assert (
        "x: there is no such file or folder" in told.stderr
        or "of metrics" in told.stderr
        or "x: there is no such file\n" in told.stderr
    )
    told = run(*words.split(), "1x", cwd=tmp_path)
    assert told.returncode == 2 and "'1x' is no whole number" in told.stderr


@pytest.mark.parametrize(
    "words",
    [
        "phases",
        "points",
        "simulate",
        "estimate",
        "quality",
        "report",
        "export --to simpoint",
        "plot all -o x.svg",
    ],
)
def test_a_folder_that_is_not_there_is_said_alike(words: str, tmp_path: Path) -> None:
    name, *more = words.split()
    told = run(name, "nosuch", *more, cwd=tmp_path)
    said = "phasemark: nosuch: there is no such file or folder\n  hint: name the folder of a run\n"
    assert told.returncode == 3 and told.stderr == said
    (tmp_path / "a b").mkdir()
    told = run(name, "a b", *more, cwd=tmp_path)
    assert told.returncode == 3 and told.stderr.startswith("phasemark: a b/")
    assert "hint: run `phasemark profile`" in told.stderr or "'a b'` first" in told.stderr


@pytest.mark.parametrize(
    "words", ["points", "simulate", "estimate", "quality", "report", "export --to simpoint"]
)
def test_a_file_stands_for_the_run_made_of_it(words: str, tmp_path: Path) -> None:
    name, *more = words.split()
    (tmp_path / "x.bb").write_bytes(BASE.read_bytes())
    told = run(name, "x.bb", *more, cwd=tmp_path)
    assert told.returncode == 3
    assert told.stderr == (
        "phasemark: x.bb: is no folder of a run, and x.bb.phasemark is not beside it\n"
        "  hint: run `phasemark phases x.bb` first, which makes it of a file of vectors\n"
    )
    analysed(tmp_path / "x.bb.phasemark")
    told = run(name, "x.bb", *more, cwd=tmp_path)
    assert "x.bb.phasemark/" in told.stdout + told.stderr or told.returncode == 0
    told = run(name, "x.bb.phasemark/points.csv", *more, cwd=tmp_path)
    assert told.returncode == 3 and "hint: name the folder: x.bb.phasemark\n" in told.stderr


@pytest.mark.parametrize(
    "words",
    [
        "check nosuch",
        "import nosuch -o out",
        "import nosuch --metrics -o out",
        "import a.bb --stats nosuch -o out",
        "points out --from nosuch",
        "simpoint -loadFVFile nosuch -k 5",
    ],
)
def test_a_file_that_is_not_there_is_said_alike(words: str, tmp_path: Path) -> None:
    (tmp_path / "a.bb").write_text("T:1:100\n")
    told = run(*words.split(), cwd=tmp_path)
    said = (told.stderr or told.stdout).removeprefix("phasemark: ").removeprefix("wrong  ")
    assert told.returncode == 3 and said.startswith("nosuch: there is no such file")
    assert not (tmp_path / "out").exists()


def test_the_help_of_points_tells_of_strata(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "400")
    said = " ".join(run("points", "--help").stdout.split())
    assert "Points in all, two of each of as many strata as that allows" in said
    assert "how much each stratum varies" in said and "strata, which may cross phases" in said
