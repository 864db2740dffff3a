"""The command line: one file per command; the only room that prints.

A command file holds one function with Typer's annotations and imports what it uses inside, so that
`phasemark --help` loads nothing heavy. Errors become messages and exit statuses here, once.
"""

from __future__ import annotations

import io
import signal
import sys
from types import FrameType
from typing import NoReturn

from phasemark.errors import PhasemarkError


def main() -> None:
    """Run the command line; exit 0 done, 1 the work failed, 2 wrong usage, 3 invalid data."""
    for stream in (sys.stdout, sys.stderr):
        # Names of files need not be text.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        _interrupt_once()
        _run(sys.argv[1:])
    except PhasemarkError as error:
        print(f"phasemark: {error}", file=sys.stderr)
        sys.exit(error.exit_status)
    except BrokenPipeError:
        # The reader of our output went away; its exit status tells the story.
        sys.stderr.close()
        sys.exit(1)
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        print(f"phasemark: {where}{error.strerror or error}", file=sys.stderr)
        sys.exit(1)
    except MemoryError:
        print("phasemark: there is not enough memory", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        print("phasemark: interrupted", file=sys.stderr)
        sys.exit(130)


def _interrupt_once() -> None:
    """Ctrl-C ends the work once; who presses it again must not interrupt the ending."""

    def interrupt(_signal: int, _frame: FrameType | None) -> NoReturn:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        raise KeyboardInterrupt

    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, interrupt)


def _run(arguments: list[str]) -> None:
    if arguments[:1] == ["simpoint"] and "--help" not in arguments:
        # Its flags are not Typer's, and loading Typer takes as long as clustering a small file.
        from phasemark.simpoint import command

        command.run_command(arguments[1:])
        return
    from phasemark.cli.app import application

    application(*arguments[:1])()
