"""Numbers -> the text of OpenMetrics 1.0, as Prometheus and its like read it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

#: Of the endpoint that gives it.
CONTENT_TYPE = "application/openmetrics-text; version=1.0.0; charset=utf-8"

#: A number with its labels.
Value = tuple[Mapping[str, str], float]


@dataclass(frozen=True)
class Family:
    """A metric.

    Attributes:
        name: without the suffix of its kind.
        kind: `gauge`, `counter` or `info`.
        help: one sentence.
        values: of it.
        unit: the end of its name, as `seconds`; empty: none.
    """

    name: str
    kind: str
    help: str
    values: Sequence[Value]
    unit: str = ""


_SUFFIX = {"counter": "_total", "info": "_info"}


def text(families: Sequence[Family]) -> str:
    """All of them; of equal metrics equal text."""
    lines: list[str] = []
    for family in families:
        lines.append(f"# TYPE {family.name} {family.kind}")
        if family.unit:
            lines.append(f"# UNIT {family.name} {family.unit}")
        lines.append(f"# HELP {family.name} {_escaped(family.help)}")
        name = family.name + _SUFFIX.get(family.kind, "")
        lines += [f"{name}{_labels(labels)} {_number(value)}" for labels, value in family.values]
    return "\n".join([*lines, "# EOF", ""])


def _labels(labels: Mapping[str, str]) -> str:
    if not labels:
        return ""
    return "{" + ",".join(f'{name}="{_escaped(value)}"' for name, value in labels.items()) + "}"


def _escaped(value: str) -> str:
    whole = value.encode("utf-8", "backslashreplace").decode()
    return whole.replace("\\", "\\\\").replace("\n", "\\n").replace('"', '\\"')


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) and abs(value) < 2**53 else repr(float(value))
