"""The command line: one file per command; the only room that prints.

A command file holds one function with Typer's annotations and imports what it uses inside, so that
`phasemark --help` loads nothing heavy. Errors become messages and exit statuses here, once.
"""

from __future__ import annotations

import os
import signal
import sys
from types import FrameType
from typing import NoReturn

from phasemark import memory
from phasemark.cli import quick
from phasemark.cli.interruption import Terminated
from phasemark.cli.streams import drop_output, flush_output, prepare
from phasemark.errors import PhasemarkError, printable

#: Where it is set, a fault of ours comes with Python's traceback, not with a message.
TRACEBACK = "PHASEMARK_TRACEBACK"


def main() -> None:
    """Run the command line; exit 0 done, 1 the work failed, 2 wrong usage, 3 invalid data."""
    prepare()
    try:
        _interrupt_once()
        try:
            _run(sys.argv[1:])
        finally:
            flush_output()
    except PhasemarkError as error:
        if isinstance(error.__cause__, BrokenPipeError):
            sys.exit(0)  # a file that was to be written is a pipe, and its reader has had enough
        _end(str(error), error.exit_status)
    except OSError as error:
        drop_output()
        where = f"{error.filename}: " if error.filename else ""
        _end(f"{where}{error.strerror or error}", 1)
    except KeyboardInterrupt:
        _end("interrupted", 130)
    except Terminated:
        _end("terminated", 143)
    except Exception as error:
        if memory.lacks(error):
            _end("there is not enough memory", 1)
        if os.environ.get(TRACEBACK):
            raise
        kind = type(error).__name__
        hint = f"this is a fault of phasemark's; {TRACEBACK}=1 shows where, to report it"
        _end(f"stopped by a {kind}: {str(error)[:200]}\n  hint: {hint}", 1)


def _end(message: str, status: int) -> NoReturn:
    print(f"phasemark: {printable(message)}", file=sys.stderr)
    sys.exit(status)


def _interrupt_once() -> None:
    """Ctrl-C ends the work once; who presses it again must not interrupt the ending."""

    def interrupt(_signal: int, _frame: FrameType | None) -> NoReturn:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        raise KeyboardInterrupt

    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, interrupt)


def _run(arguments: list[str]) -> None:
    if not {"--help", "--version"} & set(arguments[:2]):
        memory.require()
    if arguments[:1] == ["simpoint"] and "--help" not in arguments:
        # Its flags are not Typer's, and loading Typer takes as long as clustering a small file.
        from phasemark.simpoint import command

        command.run_command(arguments[1:])
        return
    from phasemark import progress
    from phasemark.cli.printing import say

    progress.tell_waiting(say)
    if (options := quick.understood(arguments)) is not None:
        from phasemark.cli import profiling

        profiling.profile(**options)
        return
    from phasemark.cli.app import application

    application(*arguments[:1])()
