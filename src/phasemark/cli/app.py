"""The commands, in the order a user meets them."""

from __future__ import annotations

import importlib
from typing import Annotated

import typer

#: Module in phasemark.cli and its command; both carry one name. `import` is a keyword, hence the underscore.
COMMANDS: tuple[str, ...] = (
    "run",
    "profile",
    "import_",
    "intervals",
    "phases",
    "models",
    "predict",
    "track",
    "parallel",
    "scaling",
    "compare",
    "points",
    "simulate",
    "estimate",
    "quality",
    "export",
    "check",
    "plot",
    "report",
    "simpoint",
)


def application(command: str = "") -> typer.Typer:
    """The command line.

    Args:
        command: name of the one that is asked for; the others are left out then, as loading and describing
            them takes time. Anything else gives all.
    """
    app = typer.Typer(
        name="phasemark",
        help="Finds the phases of a program run, and the few simulation points that stand for it.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        epilog="Start with: phasemark run -o out -- PROGRAM ARGUMENTS",
    )
    app.callback()(_options)
    asked = [name for name in COMMANDS if name.removesuffix("_") == command]
    for name in asked or COMMANDS:
        importlib.import_module(f"phasemark.cli.{name}").register(app)
    return app


def _version(wanted: bool) -> None:
    if wanted:
        from phasemark._version import __version__

        typer.echo(f"phasemark {__version__}")
        raise typer.Exit


def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass
