"""What the collector noted while the program ran: lines `KIND PID SENTENCE`, of any of its processes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from phasemark.errors import counted

NAME = "notes"

#: Files of a program that lives on may grow; of more lines no more is read.
_MOST_BYTES = 1 << 20


@dataclass(frozen=True)
class Note:
    """One line.

    Attributes:
        kind: `told` (no more than the sentence), `left` (the process goes on as a program that is not
            recorded), `unrecorded` (it runs, and is not recorded), `stopped` (the engine had to end it).
        pid: of the process.
        sentence: for the user.
    """

    kind: str
    pid: int
    sentence: str


def read(raw: Path) -> list[Note]:
    """The notes in a folder of raw streams; a line that was cut short is left out."""
    try:
        with (raw / NAME).open("rb") as file:
            text = file.read(_MOST_BYTES).decode("utf-8", "replace")
    except FileNotFoundError:
        return []
    notes = []
    for line in text.split("\n")[:-1]:
        kind, _, rest = line.partition(" ")
        pid, _, sentence = rest.partition(" ")
        if sentence and pid.isdecimal():
            notes.append(Note(kind, int(pid), sentence))
    return notes


def pids(notes: Iterable[Note], *kinds: str) -> frozenset[int]:
    """The processes that notes of some kinds are about."""
    return frozenset(note.pid for note in notes if note.kind in kinds)


def sentences(notes: Iterable[Note]) -> list[str]:
    """What they say, each sentence once, with how many times it was said if that is more than once."""
    times = Counter((note.kind, note.sentence) for note in notes)
    return [_sentence(kind, sentence, n) for (kind, sentence), n in times.items()]


def lost(notes: Iterable[Note]) -> list[str]:
    """Those by which something of the program is missing."""
    return sentences(note for note in notes if note.kind != "told")


def _sentence(kind: str, sentence: str, times: int) -> str:
    if kind == "stopped":
        sentence = f"the collector had to end the program: {sentence}; what it did until then is kept"
    return sentence if times == 1 else f"{sentence} ({counted(times, 'time')})"
