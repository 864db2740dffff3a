"""Subject: a program's run as a study asks questions of it."""

from __future__ import annotations

from dataclasses import dataclass

from phasemark.estimates import full_value
from phasemark.model import Metrics, Profile


@dataclass(frozen=True)
class Subject:
    """A program's run, simulated in full; of some studies with loops, calls and returns counted."""

    profile: Profile
    metrics: Metrics

    def truth(self, metric: str) -> float:
        """The value over the whole run."""
        return full_value(self.metrics, metric)
