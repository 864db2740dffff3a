"""run.json: what made the files of a run, and which files those are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from phasemark._version import __version__
from phasemark.errors import DataError, shown
from phasemark.reading import RECORD, content


def entry_as_kept(values: dict[str, Any]) -> dict[str, Any]:
    """An entry as run.json holds it."""
    return dict(json.loads(json.dumps({"phasemark": __version__, **values})))


def as_text(entries: dict[str, dict[str, Any]], files: dict[str, int]) -> str:
    """What run.json says of these entries and files."""
    content: dict[str, Any] = {"format": "phasemark-run", "steps": entries}
    if files:
        content["files"] = dict(sorted(files.items()))
    return json.dumps(content, indent=2) + "\n"


def read_steps(path: str | Path) -> dict[str, dict[str, Any]]:
    """The entries of a run.json.

    Raises:
        DataError: it is no such file.
    """
    return _read(path)[0]


def read_files(path: str | Path) -> dict[str, int]:
    """The files that a run.json tells of, with their sizes in bytes; those of earlier phasemarks tell none.

    Raises:
        DataError: it is no such file.
    """
    return _read(path)[1]


def _read(path: str | Path) -> tuple[dict[str, dict[str, Any]], dict[str, int]]:
    held = content(path, RECORD)
    try:
        record = json.loads(held.decode("utf-8"))
        entries = {str(step): dict(entry) for step, entry in record["steps"].items()}
        return entries, {str(name): int(size) for name, size in record.get("files", {}).items()}
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise DataError(
            f"is no run.json of phasemark ({shown(str(error), 200)})",
            path=path,
            hint="remove it and run again",
        ) from error
