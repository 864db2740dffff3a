"""hierarchy.h5: a Hierarchy in HDF5, and what it was made from.

/                attributes: format, format_version, levels, made_by (JSON)
/nodes/          run, thread, level, parent, start, end, kind
[/phases/LEVEL/  as in model.h5, with an attribute model (JSON)]
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from phasemark.errors import DataError
from phasemark.model import Hierarchy
from phasemark.store import columns, hdf5, phases_store
from phasemark.store.stored import Group

__all__ = ["FORMAT", "FORMAT_VERSION", "StoredHierarchy", "read", "write"]

FORMAT = "phasemark-hierarchy"
FORMAT_VERSION = 1

_NODES = ("run", "thread", "level", "parent", "start", "end", "kind")


@dataclass(frozen=True)
class StoredHierarchy:
    """A hierarchy as a file has it.

    Attributes:
        hierarchy: intervals within intervals.
        made_by: the options it was made with, and the seals of the files it was made from.
    """

    hierarchy: Hierarchy
    made_by: Mapping[str, Any] = field(default_factory=dict)


def write(path: str | Path, stored: StoredHierarchy) -> str:
    """Write a hierarchy, whole or not at all; equal ones give equal bytes.

    Returns:
        The file's seal.

    Raises:
        WorkError: the file cannot be written.
    """
    hierarchy = stored.hierarchy

    def fill(file: Any) -> None:
        file.attrs["format"] = FORMAT
        file.attrs["format_version"] = FORMAT_VERSION
        file.attrs["levels"] = hierarchy.depth
        file.attrs["made_by"] = json.dumps(dict(stored.made_by), sort_keys=True)
        columns.put_each(file.create_group("nodes"), hierarchy, _NODES)
        for level, phases in enumerate(hierarchy.phases):
            group = file.create_group(f"phases/{level}")
            group.attrs["model"] = json.dumps(phases.model, sort_keys=True)
            phases_store.put(group, phases)

    return hdf5.write(path, fill)


def read(path: str | Path) -> StoredHierarchy:
    """Read a hierarchy.

    Raises:
        DataError: none, of a newer format, damaged, or breaking an invariant; names the file.
    """
    return _read(path, sealed=True)


def read_unsealed(path: str | Path) -> StoredHierarchy:
    """As `read`, of a file without its digest: only in a process that may be stopped.

    Raises:
        DataError: as `read`.
    """
    return _read(path, sealed=False)


def _read(path: str | Path, *, sealed: bool) -> StoredHierarchy:
    again = "run `phasemark intervals DIR` again"
    with hdf5.reading(path, "a hierarchy", hint=again, sealed=sealed) as file:
        if file.text("format", "") != FORMAT or file.integer("format_version") > FORMAT_VERSION:
            raise DataError("no hierarchy that this phasemark can read", hint=again)
        nodes = file.group("nodes")
        fields: dict[str, Any] = {name: nodes.integers(name) for name in _NODES}
        depth = file.integer("levels")
        phases = _phases(file.group("phases"), depth) if "phases" in file else ()
        hierarchy = Hierarchy(**fields, depth=depth, phases=phases)
        return StoredHierarchy(hierarchy, dict(json.loads(file.text("made_by"))))


def _phases(file: Group, depth: int) -> tuple[Any, ...]:
    groups = [file.group(str(level)) for level in range(depth)]
    return tuple(phases_store.taken(group, dict(json.loads(group.text("model")))) for group in groups)
