"""Write: from a run's folder to report.html."""

from __future__ import annotations

from pathlib import Path

from phasemark.report import data, page
from phasemark.store.atomic import write_text
from phasemark.store.folder import Folder
from phasemark.views import names
from phasemark.views import run as runs


def write(folder: str | Path, output: str | Path | None = None) -> Path:
    """Write the report of an analysed run; equal inputs give equal bytes.

    Args:
        folder: holds profile.h5, model.h5 and points.csv.
        output: the page; by default report.html in the folder.

    Returns:
        The page's path.

    Raises:
        DataError: a file is missing or breaks an invariant; names it and a hint.
        WorkError: the page cannot be written.
    """
    run = names.named(runs.read(folder))
    output = Path(output) if output is not None else Folder(folder).report
    write_text(output, page.render(data.collect(run)))
    return output
