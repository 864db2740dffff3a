"""SimPoint's flags: their defaults, limits and rules, each once."""

from __future__ import annotations

from pathlib import Path

import pytest

from phasemark.errors import UsageError
from phasemark.simpoint.flags import NAMES, SWITCHES, Flags
from phasemark.simpoint.parsing import parse

FV = "-loadFVFile f"

#: As SimPoint 3.2 has them, but for the start, the sample and the cache, which are ours.
DEFAULTS = {
    "dim": 15,
    "iters": 100,
    "numInitSeeds": 5,
    "initkm": "incremental",
    "bicThreshold": 0.9,
    "coveragePct": 1.0,
    "sampleSize": -1,
    "fixedLength": "on",
    "seedkm": 493575226,
    "seedproj": 2042712918,
    "seedsample": 385089224,
    "inputVectorsGzipped": False,
    "saveAll": False,
    "noCache": False,
    "verbose": 0,
}


def test_what_is_not_said_is_as_simpoint_has_it() -> None:
    assert {name: getattr(Flags(), name) for name in NAMES if getattr(Flags(), name) is not None} == DEFAULTS
    assert {name for name in NAMES if DEFAULTS.get(name) is False} == set(SWITCHES)


@pytest.mark.parametrize(
    ("line", "name", "value"),
    [
        ("-k 3 -numFVs 1 -FVDim 2", "numFVs", 1),
        ("-k 3 -numFVs 3 -FVDim 1", "FVDim", 1),
        ("-maxK 1", "maxK", 1),
        ("-k 1", "k", [1]),
        ("-k 1000000", "k", [10**6]),
        ("-k 3 -dim 1", "dim", 1),
        ("-k 3 -dim 65536", "dim", 2**16),
        ("-k 3 -dim noProject", "dim", None),
        ("-k 3 -iters 1", "iters", 1),
        ("-k 3 -iters 2147483647", "iters", 2**31 - 1),
        ("-k 3 -iters off", "iters", None),
        ("-k 3 -numInitSeeds 1", "numInitSeeds", 1),
        ("-k 3 -numInitSeeds 1000000", "numInitSeeds", 10**6),
        ("-k 3 -initkm samp", "initkm", "sample"),
        ("-k 3 -initkm ff", "initkm", "furthest"),
        ("-k 3 -initkm incremental", "initkm", "incremental"),
        ("-k 3 -initkm kmeans++", "initkm", "kmeans++"),
        ("-k 3 -bicThreshold 0", "bicThreshold", 0),
        ("-k 3 -bicThreshold 1", "bicThreshold", 1),
        ("-k 3 -saveSimpoints s -coveragePct 0", "coveragePct", 0),
        ("-k 3 -saveSimpointWeights w -coveragePct 1", "coveragePct", 1),
        ("-k 3 -sampleSize -1", "sampleSize", -1),
        ("-k 3 -sampleSize 1", "sampleSize", 1),
        ("-k 3 -sampleSize 1 -seedsample -4", "seedsample", -4),
        ("-k 3 -fixedLength off", "fixedLength", "off"),
        ("-k 3 -fixedLength on", "fixedLength", "on"),
        ("-k 3 -seedkm -5", "seedkm", -5),
        ("-k 3 -seedproj 0", "seedproj", 0),
        ("-k 3 -verbose 0", "verbose", 0),
        ("-k 3 -saveAll", "saveAll", True),
        ("-k 3 -noCache", "noCache", True),
        ("-k 3 -inputVectorsGzipped", "inputVectorsGzipped", True),
        ("-k 3 -loadVectorWeights w -fixedLength off", "loadVectorWeights", Path("w")),
        ("-k search -maxK 4", "k", None),
        ("-k 1:1", "k", [1]),
        ("-k 1:5:3", "k", [1]),
        ("-k 3:2:1", "k", [3, 1]),
        ("-k 3 -k 5", "k", [5]),
    ],
)
def test_the_least_and_the_most_that_a_flag_takes(line: str, name: str, value: object) -> None:
    assert getattr(parse(f"{FV} {line}".split()), name) == value


@pytest.mark.parametrize(
    ("name", "text", "form"),
    [
        ("numFVs", "0", "N"),
        ("FVDim", "0", "N"),
        ("maxK", "0", "K, at least 1"),
        ("k", "0", "search, K"),
        ("k", "1000001", "search, K"),
        ("k", "1:1:1:1", "search, K"),
        ("k", "5:0:1", "search, K"),
        ("k", "0:3", "search, K"),
        ("k", "3:0", "search, K"),
        ("k", "1:1000001:2", "search, K"),
        ("k", "1,", "search"),
        ("dim", "65537", "D, from 1 to 65,536"),
        ("dim", "0", "D, from"),
        ("iters", "0", "N, from 1"),
        ("iters", "2147483648", "N, from 1"),
        ("numInitSeeds", "0", "N, from 1"),
        ("numInitSeeds", "1000001", "N, from 1"),
        ("initkm", "random", "samp, ff"),
        ("bicThreshold", "-0.1", "T, from 0"),
        ("bicThreshold", "1.1", "T, from 0"),
        ("bicThreshold", "nan", "T"),
        ("coveragePct", "-0.1", "P, from 0"),
        ("coveragePct", "1.01", "P, from 0"),
        ("sampleSize", "-2", "N, or -1"),
        ("fixedLength", "1", "on "),
        ("seedkm", "1.5", "a whole number"),
        ("seedproj", "x", "a whole number"),
        ("seedsample", "x", "a whole number"),
        ("verbose", "-1", "N, from 0"),
    ],
)
def test_what_is_beyond_is_refused_with_what_the_flag_takes(name: str, text: str, form: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse([*FV.split(), f"-{name}", text])
    assert caught.value.message == f"-{name} {text} makes no sense"
    assert caught.value.hint.startswith(f"write -{name} {form}")


def test_a_flag_at_the_end_lacks_its_value() -> None:
    with pytest.raises(UsageError, match="-k needs a value\n  hint: write -k search, K"):
        parse([*FV.split(), "-k"])
    with pytest.raises(UsageError, match="-saveLabels needs a value\n  hint: write -saveLabels FILE"):
        parse([*FV.split(), "-saveLabels"])


STARTS = ("loadInitCtrs", "loadInitLabels")
MATRICES = ("loadProjMatrixTxtFmt", "loadProjMatrixBinFmt", "saveProjMatrixTxtFmt", "saveProjMatrixBinFmt")
CHOICES = ("k", "maxK", "numInitSeeds", "seedkm", "initkm", "bicThreshold")
VALUES = {
    "k": "3",
    "maxK": "3",
    "numInitSeeds": "3",
    "seedkm": "3",
    "initkm": "ff",
    "bicThreshold": "0.5",
    "dim": "3",
    "seedproj": "3",
    "numFVs": "3",
    "FVDim": "3",
}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *((start, flag) for start in STARTS for flag in CHOICES),
        ("loadInitCtrs", "loadInitLabels"),
        *(("loadVectorsTxtFmt", flag) for flag in ("dim", "seedproj", "numFVs", "FVDim", *MATRICES)),
        *(("loadVectorsBinFmt", flag) for flag in ("dim", "seedproj", "numFVs", "FVDim", *MATRICES)),
        ("loadProjMatrixTxtFmt", "loadProjMatrixBinFmt"),
        ("loadProjMatrixTxtFmt", "seedproj"),
        ("loadProjMatrixBinFmt", "seedproj"),
    ],
)
def test_flags_that_exclude_one_another(one: str, other: str) -> None:
    words = [] if one.startswith("loadVectors") else FV.split()
    for flag in (one, other):
        words += [f"-{flag}", VALUES.get(flag, "x")]
    with pytest.raises(
        UsageError, match=f"^-{one} and -{other} exclude one another\n  hint: leave out -{other}$"
    ):
        parse(words)


@pytest.mark.parametrize("flag", ["seedproj", *MATRICES])
def test_without_projection_no_flag_of_it_means_anything(flag: str) -> None:
    with pytest.raises(UsageError, match="-dim noProject needs no"):
        parse(f"{FV} -k 3 -dim noProject -{flag} 3".split())


def test_what_says_enough_is_taken() -> None:
    for line in (
        f"{FV} -loadInitCtrs c",
        f"{FV} -loadInitLabels c",
        "-loadVectorsTxtFmt v -fixedLength on -k 3",
        "-loadVectorsBinFmt v -loadVectorWeights w -k 3",
        f"{FV} -k 3 -loadProjMatrixTxtFmt p",
    ):
        parse(line.split())
    assert parse(["-loadVectorsBinFmt", "v", "-fixedLength", "on", "-k", "3"]).projected == Path("v")
    assert parse(["-loadVectorsTxtFmt", "v", "-fixedLength", "on", "-k", "3"]).projected == Path("v")
    assert parse(f"{FV} -k 3 -loadProjMatrixBinFmt p".split()).matrix == Path("p")
    with pytest.raises(UsageError, match="-numFVs and -FVDim go together"):
        parse(f"{FV} -k 3 -FVDim 3".split())
    with pytest.raises(UsageError, match="-seedsample has no effect"):
        parse(f"{FV} -k 3 -seedsample 3 -sampleSize -1".split())


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "a search over k needs its upper end\n  hint: add -maxK K, or say -k"),
        ("-k 3 -maxK 5", "-maxK has no effect beside -k\n  hint: leave out -maxK"),
        ("-k 3 -numFVs 3", "-numFVs and -FVDim go together\n  hint: give both, or none"),
        (
            "-k 3 -loadVectorWeights w -fixedLength on",
            "-fixedLength on and -loadVectorWeights exclude one another\n  hint: say -fixedLength off",
        ),
        ("-k 3 -seedsample 3", "-seedsample has no effect\n  hint: add -sampleSize N"),
        ("-k 3 -sampleSize 0", "-sampleSize 0 makes no sense\n  hint: write -sampleSize N, or -1 for all"),
        (
            "-k 3 -coveragePct 0.5",
            "-coveragePct has no effect\n  hint: add -saveSimpoints or -saveSimpointWeights",
        ),
    ],
)
def test_a_flag_without_effect_is_named(line: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse(f"{FV} {line}".split())
    assert str(caught.value) == message
