"""Provenance: what made a value."""

from __future__ import annotations

import json
import shlex
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from phasemark.errors import DataError, UsageError
from phasemark.model import _show

#: The unit of counts that sum to the length of their interval.
INSTRUCTIONS = "instructions"


@dataclass(frozen=True, repr=False)
class Provenance:
    """Where a profile comes from.

    Attributes:
        tool: what recorded the vectors: `phasemark-valgrind`, `exp-bbv`, `gem5`, `simpoint` ...
        tool_version: its version, empty where not known.
        phasemark: version of phasemark that wrote or read them.
        command: the program that ran, with its arguments; empty where not known.
        unit: what a count counts: `instructions`, which sum to the length of the interval; or others, as
            `samples`, which do not.
        block_definition: what a block is, in a few words; profiles that differ in it are not mixed.
        interval: interval length asked for, in instructions; None where it is not known.
        complete: False when the run was cut short (killed, disk full) and the profile holds a beginning.
        warnings: what a user should know, one sentence each.
        details: everything else, values that JSON can hold.
    """

    tool: str
    tool_version: str = ""
    phasemark: str = ""
    command: tuple[str, ...] = ()
    unit: str = INSTRUCTIONS
    block_definition: str = ""
    interval: int | None = None
    complete: bool = True
    warnings: tuple[str, ...] = ()
    details: dict[str, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        facts: dict[str, object] = {"tool": f"{self.tool} {self.tool_version}".strip()}
        if self.command:
            facts["command"] = shlex.join(self.command)
        facts["interval"] = self.interval
        if not self.complete:
            facts["complete"] = False
        if self.warnings:
            facts["warnings"] = len(self.warnings)
        return _show.line(self, **facts)

    @property
    def length_unit(self) -> str:
        """What lengths and positions of intervals are in: `instructions`; of samples perhaps another."""
        return str(self.details.get("length_unit", INSTRUCTIONS))

    def length_in_words(self, count: int) -> str:
        """`1 instruction`, `2,000 nanoseconds`."""
        return f"{count:,} {self.length_unit.removesuffix('s') if count == 1 else self.length_unit}"

    def require_instructions(self, what: str) -> None:
        """See that positions are such that a program can be run to them.

        Args:
            what: that needs it, as `to simulate`.

        Raises:
            UsageError: they are in another unit.
        """
        if self.length_unit != INSTRUCTIONS:
            raise UsageError(
                f"{what}, positions must be in instructions, and those of this profile are in "
                f"{self.length_unit}",
                hint="profile the program with a collector that counts, which is the default",
            )

    def warn(self, *sentences: str) -> Provenance:
        """The same with more warnings."""
        return replace(self, warnings=(*self.warnings, *sentences))

    def to_json(self) -> str:
        """One JSON object, keys sorted."""
        return json.dumps(asdict(self), sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> Provenance:
        """Read what to_json wrote; unknown keys go to `details`.

        Raises:
            DataError: not such an object.
        """
        try:
            raw = json.loads(text)
            known = {k: raw.pop(k) for k in list(raw) if k in cls.__dataclass_fields__}
            known["command"] = tuple(known.get("command", ()))
            known["warnings"] = tuple(known.get("warnings", ()))
            known["details"] = {**known.get("details", {}), **raw}
            return cls(**known)
        except (ValueError, TypeError, AttributeError) as error:
            raise DataError(f"provenance is no JSON object of the known form ({error})") from error
