"""Phases of a program built with -g are called after the functions and loops that a person would name."""

from __future__ import annotations

import subprocess

import pytest

import phasemark
from phasemark.collect.engines.valgrind import tool_folder
from phasemark.errors import MissingTool
from phasemark.intervals import event_name
from phasemark.workflow import Run

try:
    tool_folder()
except MissingTool as missing:
    pytest.skip(str(missing), allow_module_level=True)

PROGRAM = """\
static double a[400], b[400];
__attribute__((noinline)) static void relax(void)
{
    for (int turn = 0; turn < 100; turn++)
        for (int i = 1; i < 399; i++)
            b[i] = (a[i - 1] + a[i] + a[i + 1]) / 3;
}
__attribute__((noinline)) static unsigned check(void)
{
    unsigned sum = 1;
    for (int turn = 0; turn < 100; turn++)
        for (int i = 0; i < 400; i++)
            sum = sum * 31 + (unsigned)i;
    return sum;
}
int main(void)
{
    unsigned sum = 0;
    for (int step = 0; step < 20; step++) {
        relax();
        sum += check();
    }
    return sum + b[7] == 1;
}
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("work")
    (folder / "work.c").write_text(PROGRAM)
    subprocess.run(["gcc", "-g", "-O1", "work.c", "-o", "work"], cwd=folder, check=True)
    return phasemark.profile([str(folder / "work")], folder / "out", interval="100k", events=True)


def begins(run: Run, minimum: int, maximum: int) -> dict[str, tuple[str, float, float]]:
    """Of large phases: event -> the hottest function, and the event's share of intervals and of its kind."""
    run.find_intervals(minimum=minimum, maximum=maximum)
    run.find_phases()
    found, length = run.phase_markers(), run.profile.interval_table.length
    assert found is not None
    large = run.phases.shares(length / length.sum()) > 0.1
    rows = [row for row in found.first[large].tolist() if row >= 0]
    assert len(rows) == large.sum()
    hot = [next(iter(functions)) for functions in run.hottest_functions(1)]
    return {
        event_name(found.sites, int(found.site[row])): (
            hot[found.phase[row]],
            found.of_intervals[row],
            found.of_events[row],
        )
        for row in rows
    }


def line(code: str) -> int:
    return 1 + next(at for at, text in enumerate(PROGRAM.splitlines()) if code in text)


def test_short_intervals_begin_with_the_calls_of_the_two_functions(run: Run) -> None:
    found = begins(run, 100_000, 300_000)
    for function in ("relax", "check"):
        code = f"{'sum += ' if function == 'check' else ' '}{function}();"
        hottest, of_intervals, of_events = found.pop(f"call of {function}, work.c:{line(code)}")
        assert hottest == function and of_events > 0.85
        # A long call is divided: its second part, which is of the same phase, begins with a turn of its loop.
        assert of_intervals > (0.85 if function == "relax" else 0.4)
    assert not found


def test_long_intervals_begin_with_the_loop_in_main(run: Run) -> None:
    found = begins(run, 300_000, 600_000)
    assert list(found) == [f"loop in main, work.c:{line('step < 20')}"]
    assert min(found.popitem()[1][1:]) > 0.8
