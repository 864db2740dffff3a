"""The command line: one file per command; the only room that prints.

A command file holds one function with Typer's annotations and imports what it uses inside, so that
`phasemark --help` loads nothing heavy. Errors become messages and exit statuses here, once.
"""

from __future__ import annotations

import sys

from phasemark.errors import PhasemarkError


def main() -> None:
    """Run the command line; exit 0 done, 1 the work failed, 2 wrong usage, 3 invalid data."""
    from phasemark.cli.app import app

    try:
        app()
    except PhasemarkError as error:
        print(f"phasemark: {error}", file=sys.stderr)
        sys.exit(error.exit_status)
    except BrokenPipeError:
        # The reader of our output went away; its exit status tells the story.
        sys.stderr.close()
        sys.exit(1)
    except KeyboardInterrupt:
        print("phasemark: interrupted", file=sys.stderr)
        sys.exit(130)
