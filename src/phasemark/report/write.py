"""Write: from a run's folder to report.html."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from phasemark.model import Profile
from phasemark.plots import run as runs
from phasemark.report import data, page
from phasemark.store.atomic import write_text
from phasemark.store.folder import Folder


def write(folder: str | Path, output: str | Path | None = None) -> Path:
    """Write the report of an analysed run; equal inputs give equal bytes.

    Args:
        folder: holds profile.h5, model.h5 and points.csv.
        output: the page; by default report.html in the folder.

    Returns:
        The page's path.

    Raises:
        DataError: a file is missing or breaks an invariant; names it and the mend.
        WorkError: the page cannot be written.
    """
    run = runs.read(folder)
    run = replace(run, profile=_annotated(run.profile))
    output = Path(output) if output is not None else Folder(folder).report
    write_text(output, page.render(data.collect(run)))
    return output


def _annotated(profile: Profile) -> Profile:
    """The profile with functions and lines, as far as its modules can still be read."""
    if profile.block_table.function is not None:
        return profile
    from phasemark.symbols import annotate

    return replace(profile, block_table=annotate(profile.block_table))
