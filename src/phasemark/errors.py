"""Every error phasemark raises on purpose.

    PhasemarkError
    |- UsageError          the caller asked for something that makes no sense      exit status 2
    |- DataError           a file or a value breaks its format or an invariant     exit status 3
    |- WorkError           the work itself failed                                  exit status 1
       |- CollectorError   the program could not be profiled
       |  |- ProgramNotFound   there is no such program                            exit status 127
       |  |- NotExecutable     it is none that can be run here                     exit status 126
       |- MissingTool      a program, header or library is not there

UsageError and DataError are ValueErrors too, as callers expect of wrong arguments and bad data: where a
ValueError is caught around code of ours, PhasemarkError comes first. Every error can be pickled, with all it
says, so that it comes back from another process.

Code raises; `phasemark.cli` alone turns an error into a message and an exit status. A message says
what is wrong, where, and what to do about it.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

__all__ = [
    "CollectorError",
    "DataError",
    "Interrupted",
    "MissingTool",
    "NotExecutable",
    "PhasemarkError",
    "ProgramNotFound",
    "UsageError",
    "WorkError",
    "counted",
    "shown",
]

#: Of a value that a message quotes, the most characters.
_QUOTED = 60


class PhasemarkError(Exception):
    """What is wrong, in one sentence, and a hint, in another.

    Attributes:
        hint: what the user can do about it; may be empty.
    """

    exit_status = 1

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}\n  hint: {self.hint}" if self.hint else self.message


class UsageError(PhasemarkError, ValueError):
    """Wrong arguments."""

    exit_status = 2


class DataError(PhasemarkError, ValueError):
    """A file or a value breaks its format or an invariant.

    Attributes:
        path: the file, where there is one.
        line: the line (from 1) of a text file, or None.
        row: the row (from 0) of a table, or None.
    """

    exit_status = 3

    def __init__(
        self,
        message: str,
        *,
        path: str | Path | None = None,
        line: int | None = None,
        row: int | None = None,
        hint: str = "",
    ) -> None:
        super().__init__(_located(message, path, line, row), hint=hint)
        self.reason = message
        self.path = None if path is None else Path(path)
        self.line = line
        self.row = row

    def at(self, path: str | Path) -> DataError:
        """The same error, said of a file."""
        return type(self)(self.reason, path=path, line=self.line, row=self.row, hint=self.hint)


class WorkError(PhasemarkError):
    """The work failed for a reason outside the arguments and the data."""


class Interrupted(WorkError):
    """A program that was run was interrupted; the exit status is the program's, or that of Ctrl-C."""

    def __init__(self, message: str, *, status: int, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.exit_status = status or 130


class CollectorError(WorkError):
    """The program could not be profiled."""


class ProgramNotFound(CollectorError):
    """There is no such program; the exit status is that of shells, `env` and `timeout`."""

    exit_status = 127


class NotExecutable(CollectorError):
    """The program cannot be run here; the exit status is that of shells, `env` and `timeout`."""

    exit_status = 126


class MissingTool(WorkError):
    """Something phasemark needs is not on this machine."""


def _located(message: str, path: str | Path | None, line: int | None, row: int | None) -> str:
    where = [printable(str(path))] if path is not None else []
    if line is not None:
        where.append(f"line {line}" if not where else str(line))
    if row is not None:
        where.append(f"row {row}")
    return f"{':'.join(where) if row is None else ', '.join(where)}: {message}" if where else message


def counted(count: int, noun: str, nouns: str = "") -> str:
    """A count and its noun: `1 interval`, `2,000 intervals`; of `process` give `processes` too."""
    return f"{count:,} {noun if count == 1 else nouns or f'{noun}s'}"


def named(names: Iterable[str], most: int = 20) -> str:
    """Names in one row, as a hint lists them; of very many the first, and how many there are besides."""
    rows = list(names)
    more = f" and {len(rows) - most:,} more" if len(rows) > most else ""
    return ", ".join(name[:_QUOTED] for name in rows[:most]) + more


def shown(value: object, most: int = _QUOTED) -> str:
    """A value of a file or an option as a message quotes it: as Python writes it, in few characters.

    Args:
        value: of any type and size; bytes are taken as text.
        most: characters of it that are shown, and a few more that say how much is left out.
    """
    if isinstance(value, (bytes, bytearray)):
        return shown(bytes(value).decode("utf-8", "backslashreplace"), most)
    if isinstance(value, str):
        return repr(value) if len(value) <= most else f"{value[:most]!r}... ({len(value):,} characters)"
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # a whole number of thousands of digits; a value of values of values
        return f"a value ({type(value).__name__}) of very many digits or parts"
    text = printable(text)
    return text if len(text) <= most else f"{text[:most]}... ({len(text):,} characters)"


def printable(text: str) -> str:
    """Text for a terminal: what would move its cursor, or is no text, as an escape; line ends stay."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c == "\n" else _escape(c) for c in text)


def in_a_line(text: str) -> str:
    """The same, with line ends as escapes, too: for names in a table or a sentence."""
    return printable(text).replace("\n", "\\n")


def _escape(character: str) -> str:
    code = ord(character)
    if 0xDC80 <= code <= 0xDCFF:  # a byte of a name that is no text, as Python keeps it
        return f"\\x{code - 0xDC00:02x}"
    return character.encode("unicode_escape").decode("ascii")


def __dir__() -> list[str]:
    return sorted(__all__)
