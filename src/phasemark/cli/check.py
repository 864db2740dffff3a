"""phasemark check: every invariant, with the line and a hint."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from phasemark.errors import printable

if TYPE_CHECKING:
    from phasemark.checking import Checked


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("check")(check)


def check(
    paths: Annotated[
        list[Path],
        typer.Argument(metavar="FILE|DIR...", help="Runs' folders, profiles, vectors, points, weights ..."),
    ],
    *,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print only what is wrong.")] = False,
    repair: Annotated[
        bool,
        typer.Option(
            "--repair",
            help="Write a profile.h5 or model.h5 of another program anew, with its digest.",
        ),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print what was found as one JSON list.")] = False,
) -> None:
    """Check files, and the files of a run against one another.

    Names the line or row of what is wrong, and a hint, and then exits with 3.
    """
    import json

    from phasemark import checking

    reports = []
    for checked in checking.repair(paths) if repair else checking.check(paths):
        reports.append(checked)
        if not as_json:
            _print(checked, quiet)
    if as_json:
        print(json.dumps([_plain(checked) for checked in reports]))
    if wrong := [checked.error for checked in reports if checked.error is not None]:
        raise typer.Exit(max(error.exit_status for error in wrong))


def _print(checked: Checked, quiet: bool) -> None:
    if checked.error is not None:
        print(f"{'wrong  ' if checked.known else 'unknown '}{printable(str(checked.error))}")
    elif not quiet:
        print(f"{'ok     ' if checked.whole else 'partly '}{printable(f'{checked.path}: {checked.found}')}")


def _plain(checked: Checked) -> dict[str, Any]:
    error = checked.error
    return {
        "path": str(checked.path),
        "ok": error is None,
        "known": checked.known,
        "whole": checked.whole,
        "found": checked.found,
        "error": None if error is None else error.message,
        "hint": None if error is None else error.hint,
    }
