"""What a step returns, as it prints: a line that says how much of what, and never the arrays."""

from __future__ import annotations

import dataclasses
from pathlib import Path


def is_back(aside: Path) -> str:
    """The note: a file that was set aside has its name again."""
    return f"{aside.name} is {aside.name.rstrip('~')} again"


class Result:
    """A dataclass that names its fields in a line: what is long by its own line or by its size."""

    def __repr__(self) -> str:
        parts = (self._part(field.name) for field in dataclasses.fields(self))  # type: ignore[arg-type]
        return f"<{type(self).__name__}: {', '.join(part for part in parts if part)}>"

    def _part(self, name: str) -> str:
        value = getattr(self, name)
        if value is None:
            return ""
        if isinstance(value, str | int | float):
            return f"{name} {value}" if value != "" else ""
        if isinstance(value, list | tuple | dict):
            return f"{len(value)} {name.replace('_', ' ')}" if value else ""
        text = repr(value)
        return text if len(text) <= 120 and "\n" not in text else ""  # what has no line of its own
