"""The flags of SimPoint 3.2: read as it reads them, but refused aloud."""

# ruff: noqa: N815 (an attribute carries the name of its flag)

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from phasemark.errors import UsageError

__all__ = ["Flags", "parse"]


@dataclass
class Flags:
    """Values of the flags; the attribute is the flag's name. None: not given."""

    loadFVFile: Path | None = None
    loadVectorsTxtFmt: Path | None = None
    loadVectorsBinFmt: Path | None = None
    inputVectorsGzipped: bool = False
    numFVs: int | None = None
    FVDim: int | None = None
    k: list[int] | None = None
    maxK: int | None = None
    dim: int | None = 15
    iters: int | None = 100
    numInitSeeds: int = 5
    initkm: str = "incremental"
    bicThreshold: float = 0.9
    coveragePct: float = 1.0
    sampleSize: int = -1
    fixedLength: str = "on"
    seedkm: int = 493575226
    seedproj: int = 2042712918
    seedsample: int = 385089224
    loadInitCtrs: Path | None = None
    loadInitLabels: Path | None = None
    loadVectorWeights: Path | None = None
    loadProjMatrixTxtFmt: Path | None = None
    loadProjMatrixBinFmt: Path | None = None
    saveSimpoints: Path | None = None
    saveSimpointWeights: Path | None = None
    saveLabels: Path | None = None
    saveInitCtrs: Path | None = None
    saveFinalCtrs: Path | None = None
    saveVectorsTxtFmt: Path | None = None
    saveVectorsBinFmt: Path | None = None
    saveVectorWeights: Path | None = None
    saveProjMatrixTxtFmt: Path | None = None
    saveProjMatrixBinFmt: Path | None = None
    saveAll: bool = False
    noCache: bool = False
    verbose: int = 0

    @property
    def projected(self) -> Path | None:
        """The file of projected vectors, where one is loaded."""
        return self.loadVectorsTxtFmt or self.loadVectorsBinFmt

    @property
    def matrix(self) -> Path | None:
        """The file of the projection matrix, where one is loaded."""
        return self.loadProjMatrixTxtFmt or self.loadProjMatrixBinFmt


def parse(arguments: Sequence[str]) -> Flags:
    """Read a command line of SimPoint 3.2; the last of two equal flags counts.

    Raises:
        UsageError: an unknown flag, a value that makes no sense, or flags that exclude one another;
            names the flag and a hint.
    """
    flags = Flags()
    given: set[str] = set()
    rest = list(arguments)
    while rest:
        name = _flag_name(rest.pop(0))
        given.add(name)
        if name in _SWITCHES:
            setattr(flags, name, True)
            continue
        if not rest:
            raise UsageError(f"-{name} needs a value", hint=f"write -{name} {_META.get(name, 'FILE')}")
        setattr(flags, name, _value(name, rest.pop(0)))
    _check(flags, given)
    return flags


def _flag_name(argument: str) -> str:
    name = argument[1:]
    if argument.startswith("-") and name in _NAMES:
        return name
    if not argument.startswith("-"):
        raise UsageError(f"{argument!r} belongs to no flag", hint="every value follows its flag")
    import difflib  # loads much, for a mistake alone

    near = difflib.get_close_matches(name.lstrip("-"), _NAMES, 1)
    hint = f"did you mean -{near[0]}?" if near else "`phasemark simpoint --help` lists the flags"
    raise UsageError(f"unknown flag {argument}", hint=hint)


def _value(name: str, text: str) -> Any:
    try:
        return _PARSERS.get(name, Path)(text)
    except ValueError:
        raise UsageError(f"-{name} {text} makes no sense", hint=f"write -{name} {_META[name]}") from None


def _ks(text: str) -> list[int] | None:
    if text == "search":
        return None
    return [k for part in text.split(",") for k in _range(part)]


def _range(text: str) -> list[int]:
    numbers = [int(number) for number in text.split(":")]
    if len(numbers) == 1:
        numbers *= 2
    if len(numbers) > 3 or min(numbers[0], numbers[-1]) < 1 or (len(numbers) == 3 and not numbers[1]):
        raise ValueError
    if max(numbers) > _MOST:
        raise ValueError
    start, stop = numbers[0], numbers[-1]
    step = abs(numbers[1]) if len(numbers) == 3 else 1
    return list(range(start, stop + 1, step)) if start <= stop else list(range(start, stop - 1, -step))


def _whole(least: int, most: int | None = None) -> Callable[[str], int]:
    def parse_whole(text: str) -> int:
        if int(text) < least or (most is not None and int(text) > most):
            raise ValueError
        return int(text)

    return parse_whole


def _whole_or(word: str, most: int) -> Callable[[str], int | None]:
    return lambda text: None if text == word else _whole(1, most)(text)


def _share(text: str) -> float:
    if not 0 <= float(text) <= 1:
        raise ValueError
    return float(text)


def _one_of(**meanings: str) -> Callable[[str], str]:
    def parse_word(text: str) -> str:
        if text not in meanings:
            raise ValueError
        return meanings[text]

    return parse_word


#: What is larger is a mistake: it would be waited for, for ever.
_MOST, _MOST_DIMS, _MOST_ITERATIONS = 10**6, 2**16, 2**31 - 1

_NAMES = tuple(field.name for field in fields(Flags))
_SWITCHES = ("inputVectorsGzipped", "saveAll", "noCache")
_PARSERS: dict[str, Callable[[str], Any]] = {
    "numFVs": _whole(1),
    "FVDim": _whole(1),
    "k": _ks,
    "maxK": _whole(1),
    "dim": _whole_or("noProject", _MOST_DIMS),
    "iters": _whole_or("off", _MOST_ITERATIONS),
    "numInitSeeds": _whole(1, _MOST),
    "initkm": _one_of(samp="sample", ff="furthest", incremental="incremental", **{"kmeans++": "kmeans++"}),
    "bicThreshold": _share,
    "coveragePct": _share,
    "sampleSize": _whole(-1),
    "fixedLength": _one_of(on="on", off="off"),
    "seedkm": int,
    "seedproj": int,
    "seedsample": int,
    "verbose": _whole(0),
}
_META = {
    "numFVs": "N",
    "FVDim": "N",
    "k": "search, K, FROM:TO, FROM:STEP:TO, or several with commas; each from 1 to 1,000,000",
    "maxK": "K, at least 1",
    "dim": "D, from 1 to 65,536, or noProject",
    "iters": "N, from 1 to 2,147,483,647, or off",
    "numInitSeeds": "N, from 1 to 1,000,000",
    "initkm": "samp, ff, kmeans++ or incremental",
    "bicThreshold": "T, from 0 to 1",
    "coveragePct": "P, from 0 to 1",
    "sampleSize": "N, or -1 for all",
    "fixedLength": "on (equal weights) or off (weights by length)",
    "seedkm": "a whole number",
    "seedproj": "a whole number",
    "seedsample": "a whole number",
    "verbose": "N, from 0",
}

_LOADED_STARTS = ("loadInitCtrs", "loadInitLabels")
_MATRICES = ("loadProjMatrixTxtFmt", "loadProjMatrixBinFmt", "saveProjMatrixTxtFmt", "saveProjMatrixBinFmt")

#: Flags of the left exclude those of the right: the old tool's rules.
_EXCLUSIONS = (
    (_LOADED_STARTS, ("k", "maxK", "numInitSeeds", "seedkm", "initkm", "bicThreshold")),
    (("loadInitCtrs",), ("loadInitLabels",)),
    (("loadVectorsTxtFmt", "loadVectorsBinFmt"), ("dim", "seedproj", "numFVs", "FVDim", *_MATRICES)),
    (("loadProjMatrixTxtFmt",), ("loadProjMatrixBinFmt", "seedproj")),
    (("loadProjMatrixBinFmt",), ("seedproj",)),
)


def _check(flags: Flags, given: set[str]) -> None:
    inputs = [name for name in ("loadFVFile", "loadVectorsTxtFmt", "loadVectorsBinFmt") if name in given]
    if len(inputs) != 1:
        said = f"{' and '.join(f'-{name}' for name in inputs)} are given" if inputs else "no input is given"
        raise UsageError(said, hint="give one of -loadFVFile, -loadVectorsTxtFmt, -loadVectorsBinFmt")
    for left, right in _EXCLUSIONS:
        for one in sorted(given.intersection(left)):
            for other in sorted(given.intersection(right)):
                raise UsageError(f"-{one} and -{other} exclude one another", hint=f"leave out -{other}")
    _check_companions(flags, given)


def _check_companions(flags: Flags, given: set[str]) -> None:
    searching = flags.k is None and not given.intersection(_LOADED_STARTS)
    rules = (
        (searching and flags.maxK is None, "a search over k needs its upper end", "add -maxK K, or say -k"),
        (not searching and "maxK" in given, "-maxK has no effect beside -k", "leave out -maxK"),
        (("numFVs" in given) != ("FVDim" in given), "-numFVs and -FVDim go together", "give both, or none"),
        (
            flags.projected is not None and not given.intersection(("fixedLength", "loadVectorWeights")),
            "nothing says whether the weights of the projected vectors count",
            "add -fixedLength off to take them, or -fixedLength on for equal weights",
        ),
        (
            "loadVectorWeights" in given and "fixedLength" in given and flags.fixedLength == "on",
            "-fixedLength on and -loadVectorWeights exclude one another",
            "say -fixedLength off",
        ),
        (
            flags.dim is None and bool(given.intersection((*_MATRICES, "seedproj"))),
            "-dim noProject needs no projection matrix and no -seedproj",
            "leave them out",
        ),
        ("seedsample" in given and flags.sampleSize < 1, "-seedsample has no effect", "add -sampleSize N"),
        (flags.sampleSize == 0, "-sampleSize 0 makes no sense", "write -sampleSize N, or -1 for all"),
        (
            "coveragePct" in given and not given.intersection(("saveSimpoints", "saveSimpointWeights")),
            "-coveragePct has no effect",
            "add -saveSimpoints or -saveSimpointWeights",
        ),
    )
    for broken, message, hint in rules:
        if broken:
            raise UsageError(message, hint=hint)
