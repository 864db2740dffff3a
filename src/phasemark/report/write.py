"""Write: from a run's folder, or from values, to a page."""

from __future__ import annotations

from pathlib import Path

from phasemark.report import data, page
from phasemark.store.atomic import write_text
from phasemark.views import names, read
from phasemark.views.reading import Analysed, OfFolder, as_analysis, folder


def write(run: OfFolder | str | Path, output: str | Path | None = None) -> Path:
    """Write the report of an analysed run; equal inputs give equal bytes.

    Args:
        run: its folder, which holds profile.h5, model.h5 and points.csv; or what has such a `path`.
        output: the page; by default report.html in the folder, which is held meanwhile.

    Returns:
        The page's path.

    Raises:
        UsageError: it is no path and has none.
        DataError: a file is missing or breaks an invariant; names it and a hint.
        WorkError: the page cannot be written.
    """
    files = folder(run)
    if output is not None or not files.path.is_dir():
        return write_page(read(files), files.report if output is None else output)
    with files.held("report"):
        analysis = read(files)
        with files.change("report") as new:
            write_page(analysis, new.report)
    return files.report


def write_page(analysis: Analysed, output: str | Path) -> Path:
    """Write the report of values that are in no folder.

    Functions and source lines are looked up in the modules that ran, unless the profile has them.

    Args:
        analysis: what to show; or a Run or its folder.
        output: the page.

    Returns:
        The page's path.

    Raises:
        WorkError: the page cannot be written.
    """
    write_text(output, page.render(data.collect(names.named(as_analysis(analysis)))))
    return Path(output)
