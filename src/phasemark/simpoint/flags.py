"""The flags of SimPoint 3.2, with its defaults."""

# ruff: noqa: N815 (an attribute carries the name of its flag)

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path

__all__ = ["NAMES", "SWITCHES", "Flags"]


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


#: Of all flags, in the order of `Flags`.
NAMES = tuple(field.name for field in fields(Flags))

#: Those that take no value.
SWITCHES = ("inputVectorsGzipped", "saveAll", "noCache")
