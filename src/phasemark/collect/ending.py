"""How programs end that have no end of their own, or end by a fault."""

from __future__ import annotations

import signal
from dataclasses import dataclass, field

from phasemark.collect.watching import Headway

#: What a shell adds to the number of the signal that ended a program.
_SIGNALLED = 128

#: Signals that a user or another program sends to end one.
_SENT = (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP, signal.SIGTERM, signal.SIGKILL)

#: Looks at a program that was told to end before it is killed: some ten seconds.
_PATIENCE = 20


def ended_by_fault(status: int) -> bool:
    """Whether a program of this exit status ended by a signal that nobody else sent, as of a fault."""
    return status > _SIGNALLED and status - _SIGNALLED not in _SENT


@dataclass
class Until:
    """Where a program is to end that would not by itself: where it was ended before.

    Attributes:
        instructions: that all its processes together had executed then.
        status: its exit status then, as a shell tells it, which says by which signal.
        looks: how often it was looked at since it was told to end.
    """

    instructions: int
    status: int
    looks: int = field(default=0, init=False)

    @property
    def reached(self) -> bool:
        """Whether it was told to end."""
        return self.looks > 0

    def signal(self, headway: Headway) -> signal.Signals | None:
        """The signal to send to a program that has come so far; None: it may go on.

        One that does not end by the signal is killed; what it executed until then is recorded.
        """
        if not self.reached and headway.instructions < self.instructions:
            return None
        self.looks += 1
        if self.looks > _PATIENCE:
            return signal.SIGKILL
        if self.looks > 1:
            return None
        sent = [one for one in _SENT if one == self.status - _SIGNALLED]
        return sent[0] if sent else signal.SIGINT
