"""Traces for Perfetto and Chrome: read back as a viewer does."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.parallel.test_scaling import runs
from tests.parallel.threads import cycles_of
from tests.workflow.test_scaling import folder

import phasemark
from phasemark.errors import DataError
from phasemark.formats import trace_json
from phasemark.model import Timeline


def read(path: Path) -> tuple[dict[str, Any], dict[tuple[int, int], list[dict[str, Any]]]]:
    """Names of processes and threads, and the slices of each thread, as the trace event format has them."""
    trace = json.loads(path.read_text())
    assert set(trace) == {"displayTimeUnit", "otherData", "traceEvents"} and trace["displayTimeUnit"] == "ns"
    names: dict[str, Any] = {}
    slices: dict[tuple[int, int], list[dict[str, Any]]] = {}
    owner: dict[int, int] = {}
    before = 0.0
    for event in trace["traceEvents"]:
        assert {"ph", "name", "pid", "tid", "ts", "args"} <= set(event)
        assert all(isinstance(event[key], int) and event[key] > 0 for key in ("pid", "tid"))
        assert owner.setdefault(event["tid"], event["pid"]) == event["pid"], "a thread of two processes"
        key = event["pid"], event["tid"]
        if event["ph"] == "M":
            assert not slices, "names come first"
            if event["name"] == "process_name":
                names[f"process {event['pid']}"] = event["args"]["name"]
            elif event["name"] == "thread_name":
                names[f"thread {event['tid']}"] = event["args"]["name"]
            continue
        assert event["ph"] == "X" and event["dur"] > 0 and event["ts"] >= before, "slices are in order"
        before = event["ts"]
        own = slices.setdefault(key, [])
        assert not own or own[-1]["ts"] + own[-1]["dur"] <= event["ts"] + 1e-9, "slices of a thread overlap"
        own.append(event)
    return names, slices


def test_a_run_is_a_process_and_a_stretch_of_a_phase_a_slice(tmp_path: Path) -> None:
    profile, phases = runs(0, 1)
    path = folder(tmp_path / "run", profile, phases, cycles_of(profile, [80, 60, 80, 30, np.nan, 30]))
    exported = phasemark.open(path).export("trace")
    assert (
        exported.files == (path / "trace" / "run.trace.json",) and "1 ns in the viewer" in exported.notes[0]
    )
    names, slices = read(exported.files[0])
    assert names == {
        "process 1": "prog, run 0", "process 2": "prog, run 1",
        "thread 1": "thread 0", "thread 2": "thread 0", "thread 3": "thread 1",
    }  # fmt: skip
    assert [len(own) for own in slices.values()] == [2, 3, 1]
    first, second, last = slices[2, 2]
    assert first["name"] == "phase 0 (prog+0x0)" and (first["ts"], first["dur"]) == (0, 0.04)
    assert second["args"] == {"phase": 1, "instructions": 30, "interval": 1, "cycles": 30, "CPI": 1}
    assert last["args"] == {"phase": 2, "instructions": 4, "interval": 2}
    assert slices[2, 3][0]["ts"] == 0.04  # it was idle until then
    again = phasemark.open(path).export("trace")
    assert again.files == exported.files


def test_it_needs_phases_and_a_clock(tmp_path: Path) -> None:
    from dataclasses import replace

    profile, phases = runs(1)
    untimed = replace(profile, interval_table=replace(profile.interval_table, began=None, ended=None))
    path = folder(tmp_path / "run", untimed, phases)
    with pytest.raises(DataError, match="nothing says when"):
        phasemark.open(path).export("trace")
    (path / "model.h5").unlink()
    with pytest.raises(DataError, match="has no phases"):
        phasemark.open(path).export("trace")
    assert not (path / "trace").exists()


def test_many_slices_and_strange_names_are_one_json_object(tmp_path: Path) -> None:
    n = 25_000
    at = np.arange(n)
    line = Timeline(np.zeros(n), np.zeros(n), at, at % 2, at, at + 1, "a clock", 2)  # type: ignore[arg-type]
    trace = trace_json.Trace(
        line, np.ones(n, np.int64), phases=['"a\n', "\udcff</b>"], threads={(0, 0): "\u2028"}
    )
    trace_json.write(tmp_path / "a.json", trace)
    names, slices = read(tmp_path / "a.json")
    assert len(slices[1, 1]) == n and slices[1, 1][0]["name"] == '"a\n' and names["thread 1"] == "\u2028"
    empty = Timeline(*([] for _ in range(6)))  # type: ignore[arg-type]
    trace_json.write(tmp_path / "b.json", trace_json.Trace(empty, np.zeros(0, np.int64)))
    assert read(tmp_path / "b.json") == ({}, {})
