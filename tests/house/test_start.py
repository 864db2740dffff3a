"""The command line answers at once: heavy imports wait until a command needs them."""

from __future__ import annotations

import resource
import subprocess
import sys

import pytest
from tests.house.repository import ROOT
from typer.testing import CliRunner

from phasemark.cli.app import COMMANDS, application

_HEAVY = {"numpy", "pandas", "scipy", "h5py", "matplotlib", "elftools", "sklearn", "isal"}
_HELP = "import sys; sys.argv = ['phasemark', '--help']\nfrom phasemark.cli import main\n"


def test_help_loads_nothing_heavy() -> None:
    script = (
        f"{_HELP}try:\n    main()\nexcept SystemExit:\n    pass\n"
        "print(*sorted({name.split('.')[0] for name in sys.modules}))"
    )
    said = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert "Usage:" in said
    assert not _HEAVY & set(said.splitlines()[-1].split())


def test_a_plain_profile_loads_neither_typer_nor_a_simulator() -> None:
    script = (
        "import sys; sys.argv = ['phasemark', 'profile', '--', '/none']\nfrom phasemark.cli import main\n"
        "try:\n    main()\nexcept SystemExit:\n    print(*sys.modules, sep='\\n')"
    )
    said = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    loaded = set(said.split())
    assert "phasemark.workflow.recording" in loaded
    assert not {"typer", "pandas", "rich", "scipy", "elftools", "phasemark.simulate"} & loaded
    assert {n for n in loaded if n.startswith("phasemark.collect.engines.perf")} == set()


def test_help_answers_in_a_quarter_of_a_second() -> None:
    taken = min(_seconds_of_help() for _ in range(5))
    # The promise is 0.25 s on a quiet machine; twice that tells a heavy import from a busy neighbour.
    assert taken < 0.5, f"{taken:.2f} s of CPU time"


def test_importing_the_package_loads_no_room() -> None:
    script = "import sys, phasemark; print(*[m for m in sys.modules if m.startswith('phasemark.')])"
    said = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert sorted(said.split()) == ["phasemark._lazy", "phasemark._version"]


@pytest.mark.parametrize("arguments", [["--no-such-option"], ["no-such-command"]])
def test_wrong_usage_is_status_2(arguments) -> None:
    done = subprocess.run([sys.executable, "-m", "phasemark", *arguments], capture_output=True, check=False)
    assert done.returncode == 2


def _seconds_of_help() -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", _HELP + "main()"], capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def test_a_command_alone_is_what_it_is_among_all() -> None:
    everything, runner = application(), CliRunner()
    for name in COMMANDS:
        command = name.removesuffix("_")
        alone = application(command)
        assert [len(app.registered_commands) for app in (everything, alone)] == [len(COMMANDS), 1]
        said = [runner.invoke(app, [command, "--help"]).output for app in (everything, alone)]
        assert said[0] == said[1] and said[0].startswith(f"Usage: phasemark {command}")
    assert runner.invoke(application("phase"), ["phase"]).output.endswith("Did you mean 'phases'?\n")


def test_a_step_loads_what_it_needs_and_no_more(tmp_path) -> None:
    """The front door knows every step; phases of a vector file need neither engines nor names of code."""
    source = ROOT / "tests/data/edge-cases/base.bb"
    script = (
        "import sys, phasemark\n"
        f"phasemark.open({str(source)!r}, {str(tmp_path)!r}).find_phases(max_k=3)\n"
        "print(*sorted({'.'.join(name.split('.')[:2]) for name in sys.modules}))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "phasemark.phases" in loaded
    rooms = ("collect", "estimates", "plots", "quality", "report", "simulate", "symbols", "views")
    assert not {f"phasemark.{room}" for room in rooms} & loaded
    assert not {"pandas", "matplotlib", "elftools", "scipy"} & {name.split(".")[0] for name in loaded}
