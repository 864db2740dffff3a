"""Standard input of a program that runs more than once."""

from __future__ import annotations

import os
from dataclasses import dataclass


@dataclass(frozen=True)
class StandardInput:
    """What a program reads, and where that stood.

    Attributes:
        descriptor: of the file; None: the program has no input.
        start: where it stood; None: it cannot go back (a pipe, a terminal, closed).
    """

    descriptor: int | None
    start: int | None

    @classmethod
    def here(cls, descriptor: int = 0) -> StandardInput:
        """As it stands now."""
        try:
            return cls(descriptor, os.lseek(descriptor, 0, os.SEEK_CUR))
        except OSError:
            return cls(descriptor, None)

    @classmethod
    def of(cls, descriptor: int | None) -> StandardInput:
        """As it stands now; None: no input."""
        return cls.none() if descriptor is None else cls.here(descriptor)

    @classmethod
    def none(cls) -> StandardInput:
        """No input."""
        return cls(None, None)

    def rewound(self) -> int | None:
        """The descriptor, so that the next program reads what the one before has read."""
        if self.descriptor is not None and self.start is not None:
            os.lseek(self.descriptor, self.start, os.SEEK_SET)
        return self.descriptor
