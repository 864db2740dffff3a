"""House rules are executed, not remembered."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib

from tests.house.repository import ROOT, tracked

import phasemark

_TEXT = {
    ".py",
    ".pyi",
    ".md",
    ".toml",
    ".c",
    ".h",
    ".cpp",
    ".hpp",
    ".txt",
    ".csv",
    ".sh",
    ".html",
    ".js",
    ".css",
}
#: The project speaks of itself alone, and names no place on the machine it was written on.
_FOREIGN = re.compile(r"/work/|\bLLM\b|\bChatGPT\b|\bClaude\b|\bAI[- ]generated\b|\bTODO\b|\bFIXME\b|\bXXX\b")


def test_one_version() -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert declared == phasemark.__version__


def test_files_speak_of_the_project_alone() -> None:
    found = []
    for path in tracked():
        if path.suffix in _TEXT and path.name != "test_house.py":
            for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
                if _FOREIGN.search(line):
                    found.append(f"{path.relative_to(ROOT)}:{number}: {line.strip()}")
    assert not found


def test_every_slow_twin_is_used_by_a_test() -> None:
    tests = "\n".join(path.read_text() for path in tracked("tests/*.py") if path.parent.name != "house")
    twins = [path.stem for path in tracked("tests/reference/*.py") if path.stem != "__init__"]
    assert not [t for t in twins if not re.search(rf"reference(\.| import .*\b){t}\b", tests)]


def test_only_the_command_line_prints() -> None:
    printing = ("print", "typer.echo", "sys.stdout.write", "sys.stderr.write")
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in tracked("src/phasemark/*.py")
        if "cli" not in path.parts and path.parts[-2:] != ("simpoint", "telling.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and ast.unparse(node.func) in printing
    ]
    assert not found


def test_rooms_import_in_one_direction() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "from importlinter.cli import lint_imports_command as l; l()", "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
