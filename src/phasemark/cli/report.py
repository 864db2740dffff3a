"""phasemark report: the page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from phasemark.cli import options


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("report")(report)


def report(
    folder: options.AnySource,
    output: Annotated[
        Path | None, typer.Option("-o", "--out", metavar="FILE", help="The page; else report.html in DIR.")
    ] = None,
    show: Annotated[bool, typer.Option("--open", help="Open it in the browser.")] = False,
) -> None:
    """Write a run's report: one page that needs no network."""
    from phasemark import workflow
    from phasemark.cli.printing import say

    run = workflow.run_of(folder)
    path = run.report(output)
    print(path)
    for sentence in run.missing_names():
        say(sentence)
    if show:
        import webbrowser

        webbrowser.open(path.resolve().as_uri())
