"""Standard input of a program that runs more than once."""

from __future__ import annotations

import os
from dataclasses import dataclass

_STDIN = 0


@dataclass(frozen=True)
class StandardInput:
    """Where standard input stood; None: it cannot go back (a pipe, a terminal, closed)."""

    start: int | None

    @classmethod
    def here(cls) -> StandardInput:
        """As it stands now."""
        try:
            return cls(os.lseek(_STDIN, 0, os.SEEK_CUR))
        except OSError:
            return cls(None)

    def rewind(self) -> None:
        """Let the next program read what the one before has read."""
        if self.start is not None:
            os.lseek(_STDIN, self.start, os.SEEK_SET)
