"""A profile that came from another tool: the result, and what run.json says of it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from phasemark.model import Profile
from phasemark.store.folder import Folder
from phasemark.workflow.result import Result


@dataclass(frozen=True, repr=False)
class VectorResult(Result):
    """Vectors of another tool that became a run's profile.

    Attributes:
        folder: of the run.
        profile: as it was written.
        files: that were read.
        discarded: what became of files that were made from another profile, one phrase each.
    """

    folder: Folder
    profile: Profile
    files: tuple[Path, ...]
    discarded: tuple[str, ...] = ()

    @property
    def notes(self) -> tuple[str, ...]:
        """What the user should know, one sentence each."""
        return self.profile.provenance.warnings


def described(profile: Profile) -> dict[str, Any]:
    """An imported profile in few words, as run.json has it."""
    provenance = profile.provenance
    return {
        "tool": provenance.tool,
        "files": provenance.details["files"],
        "instructions": profile.instructions,
        **({} if provenance.length_unit == "instructions" else {"length_unit": provenance.length_unit}),
        "intervals": len(profile.interval_table),
        "threads": int(profile.interval_table.first_of_thread().sum()),
        "blocks": len(profile.block_table),
        "interval": provenance.interval,
        "missing_instructions": provenance.details["missing_instructions"],
        "warnings": list(provenance.warnings),
    }
