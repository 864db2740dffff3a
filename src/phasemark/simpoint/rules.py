"""Which of SimPoint's flags go together: the old tool's rules, and that none is without effect."""

from __future__ import annotations

from phasemark.errors import UsageError
from phasemark.simpoint.flags import Flags

__all__ = ["require"]

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


def require(flags: Flags, given: set[str]) -> None:
    """See that flags go together.

    Args:
        flags: with their values.
        given: names of those that were given.

    Raises:
        UsageError: no input or several, flags that exclude one another, or one that has no effect.
    """
    inputs = [name for name in ("loadFVFile", "loadVectorsTxtFmt", "loadVectorsBinFmt") if name in given]
    if len(inputs) != 1:
        what = f"{' and '.join(f'-{name}' for name in inputs)} are given" if inputs else "no input is given"
        raise UsageError(what, hint="give one of -loadFVFile, -loadVectorsTxtFmt, -loadVectorsBinFmt")
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
