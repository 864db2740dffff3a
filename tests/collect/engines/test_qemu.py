"""Which QEMU is taken, and how it is told what to do; those here are scripts that only say who they are."""

from __future__ import annotations

from pathlib import Path

import pytest

import phasemark
from phasemark.collect.engines import qemu
from phasemark.collect.engines.protocol import Job
from phasemark.errors import MissingTool, UsageError

WITH = "-plugin [file=]<file>"


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for QEMUs, which PHASEMARK_QEMU names, and plugins."""
    plugins = tmp_path / "package" / "_collector"
    plugins.mkdir(parents=True)
    for generation in (1, 2):
        (plugins / f"phasemark-qemu-api{generation}.so").touch()
    monkeypatch.setattr(phasemark, "__path__", [str(tmp_path / "package")])
    monkeypatch.setenv(qemu.VARIABLE, str(tmp_path))
    monkeypatch.delenv("QEMU_CPU", raising=False)
    return tmp_path


def pretend(folder: Path, version: str, options: str, name: str = "qemu-x86_64") -> Path:
    script = folder / "qemu-x86_64"
    said = f"{name} version {version} (a pretence)"
    script.write_text(f'#!/bin/sh\n[ "$1" = -version ] && echo "{said}" || echo "{options}"\n')
    script.chmod(0o755)
    return script


def prepared(folder: Path, *command: str, interval: int = 1000) -> list[str]:
    return list(qemu.Qemu().prepare(Job(command or ("/bin/true",), interval), folder / "raw").command)


@pytest.mark.parametrize(
    ("version", "generation"), [("7.2.22", 1), ("8.2.0", 1), ("9.0.0", 2), ("10.0.2", 2)]
)
def test_the_plugin_fits_the_version(version: str, generation: int, made: Path) -> None:
    program = pretend(made, version, WITH)
    command = prepared(made)
    plugin = command[command.index("-plugin") + 1]
    assert command[0] == str(program)
    assert f"api{generation}.so," in plugin and f"version={version}," in plugin


def test_one_that_loads_no_plugins_is_told_with_the_reason(made: Path) -> None:
    pretend(made, "10.0.2", "-strace")
    with pytest.raises(MissingTool, match=r"qemu-x86_64 \(10.0.2\) loads no plugins: statically") as missing:
        prepared(made)
    assert "apt install qemu-user" in missing.value.hint and qemu.VARIABLE in missing.value.hint


def test_one_for_another_machine_is_told(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = pretend(made, "7.2.0", WITH, name="qemu-arm")
    monkeypatch.setenv(qemu.VARIABLE, str(script))
    with pytest.raises(MissingTool, match="is qemu-arm, and the program needs qemu-x86_64"):
        prepared(made)


def test_words_before_the_program_are_counted(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(made, "7.2.0", WITH)
    monkeypatch.setenv("LD_LIBRARY_PATH", "/its/own")
    monkeypatch.setenv("LD_PRELOAD", "/with,comma")
    job = Job(("/bin/true", "-x"), "auto")
    invocation = qemu.Qemu().prepare(job, made / "raw, with a comma")
    command = list(invocation.command)
    plugin = command[command.index("-plugin") + 1]
    told = dict(word.split("=", 1) for word in plugin.replace(",,", "\0").split(",")[1:])
    assert command[int(told["words"]) :] == ["-0", "/bin/true", "/bin/true", "-x"]
    assert told["out"].replace("\0", ",") == str(made / "raw, with a comma")
    assert told["doubling"] == "1" and told["cpu"] == "x86_64 Haswell-noTSX"
    assert command[command.index("-E") + 1] == "LD_LIBRARY_PATH=/its/own"
    assert invocation.environment is not None
    assert "LD_LIBRARY_PATH" not in invocation.environment
    assert invocation.environment["LD_PRELOAD"] == "/with,comma"


def test_the_processor_that_is_asked_for_is_told(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(made, "7.2.0", WITH)
    monkeypatch.setenv("QEMU_CPU", "max,avx2=off")
    command = prepared(made)
    assert "-cpu" not in command
    assert "cpu=x86_64 max,,avx2=off" in command[command.index("-plugin") + 1]


def test_scripts_are_given_to_their_interpreter(made: Path) -> None:
    pretend(made, "7.2.0", WITH)
    script = made / "script"
    script.write_text("#!/bin/sh -e  x \nexit 3\n")
    script.chmod(0o755)
    command = prepared(made, str(script), "argument")
    assert command[command.index("-0") + 1 :] == ["/bin/sh", "/bin/sh", "-e  x", str(script), "argument"]


def test_it_looks_at_code_whatever_is_asked(made: Path) -> None:
    with pytest.raises(UsageError, match="always looks"):
        qemu.Qemu().prepare(Job(("/bin/true",), 1000, smc_check="none"), made)
