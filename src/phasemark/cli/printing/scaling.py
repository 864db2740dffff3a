"""How phases scale with the number of threads."""

from __future__ import annotations

import itertools
import shutil
import textwrap
from typing import Any

import numpy as np

from phasemark.cli.printing.text import finite, number, phase_name
from phasemark.views.machine_names import fitted
from phasemark.views.text import folded, percent
from phasemark.workflow.scaling import ScalingResult

#: Characters of a function's name.
_NAME = 16


def summary(result: ScalingResult) -> dict[str, Any]:
    """Everything in one JSON object; what is not defined is null."""
    found = result.scaling
    rows = found.frame().to_dict("records")
    plain = [{str(name): finite(_plain(value)) for name, value in row.items()} for row in rows]
    runs = []
    for at, run in enumerate(found.runs.tolist()):
        own = [row for row in plain if row["run"] == run]
        whole = {name: value for name, value in own[0].items() if name != "phase"}
        phases = [{n: v for n, v in row.items() if n not in ("run", "threads")} for row in own[1:]]
        runs.append({**whole, "unmeasured": float(found.unmeasured[at]), "phases": phases})
    return {
        "unit": found.unit,
        "source": result.source,
        "names": list(result.names),
        "runs": runs,
        "limits": found.limits(),
        "sentences": list(result.sentences),
    }


def lines(result: ScalingResult) -> list[str]:
    """What there is to say, and a table: time of each phase, and what it makes of the threads."""
    found = result.scaling
    source = f", measured by {result.source}" if result.source else ""
    room = shutil.get_terminal_size((80, 24)).columns
    told = (textwrap.wrap(sentence, room, break_on_hyphens=False) for sentence in result.sentences)
    what = f"time in {found.unit}{source}; active: threads that run at once"
    out = [*itertools.chain(*told), "", *textwrap.wrap(what, room), ""]
    order = np.argsort(-found.elapsed[found.widest], kind="stable").tolist()
    rows = [["phase", "function"], ["all", ""]]
    rows += [[phase_name(phase, result.transition), fitted(result.names[phase], _NAME)] for phase in order]
    groups: list[int] = []
    for run, threads in enumerate(found.threads.tolist()):
        whole = [
            number(found.time[run]),
            number(float(np.nansum(found.active[run] * found.shares[run]))),
            number(found.whole_speedup[run]),
            percent(found.whole_efficiency[run]),
        ]
        each = [
            [
                number(found.elapsed[run, phase]),
                number(found.active[run, phase]),
                number(found.speedup[run, phase]),
                percent(found.efficiency[run, phase]),
            ]
            for phase in order
        ]
        heading = [f"time {threads}", "active", "faster", "efficient"]
        width = len(heading) if run != found.base else 2
        groups.append(width)
        for line, cells in zip(rows, [heading, whole, *each], strict=True):
            line.extend(cells[:width])
    return out + folded(rows, room, keys=2, groups=groups)


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value
