"""The wheel profiles where there is no Valgrind and no compiler; without a collector it says so."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from tests.house.repository import ROOT, tracked

import phasemark

pytestmark = pytest.mark.slow

#: What a wheel is built from, and what else goes into it.
_COMPILED = ("CMakeLists.txt", "pyproject.toml", "native", "src")
_BUILT_FROM = (*_COMPILED, "LICENSE", "README.md")

_VALGRIND = ("/usr/libexec/valgrind", "/usr/lib/x86_64-linux-gnu/valgrind", "/usr/include/valgrind")
_ISOLATED = (
    f"set -e; for folder in {' '.join(_VALGRIND)}; do"
    ' [ ! -d "$folder" ] || /bin/mount -t tmpfs none "$folder"; done; exec "$@"'
)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """The one that script/setup built, for it takes minutes; anew where a source is newer."""
    made = [*(ROOT / "build/wheel").glob(f"phasemark-{phasemark.__version__}-*.whl")]
    sources = (path.stat().st_mtime for path in tracked(*_COMPILED))
    if len(made) == 1 and max(sources) < made[0].stat().st_mtime:
        return made[0]
    return _build(tmp_path_factory.mktemp("wheel"))


def test_the_source_distribution_suffices_to_build(tmp_path) -> None:
    script = f"from scikit_build_core.build import build_sdist; build_sdist({str(tmp_path)!r})"
    subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=True, capture_output=True)
    (archive,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        names = {name.partition("/")[2] for name in opened.getnames()}
    assert not {str(path.relative_to(ROOT)) for path in tracked(*_BUILT_FROM)} - names


def test_the_wheel_carries_the_collector_and_both_licences(wheel) -> None:
    assert wheel.name.startswith(f"phasemark-{phasemark.__version__}-")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        metadata = next(n for n in names if n.endswith(".dist-info/METADATA"))
        said = archive.read(metadata).decode()
        executable = {n for n in names if archive.getinfo(n).external_attr >> 16 & 0o100}
    tool = "phasemark/_collector/phasemark-amd64-linux"
    programs = {f"phasemark/_collector/phasemark-{name}" for name in ("launcher", "hold")}
    assert {tool, *programs} <= executable
    assert {f"phasemark/_collector/phasemark-qemu-api{generation}.so" for generation in (1, 2)} <= set(names)
    assert "License-Expression: BSD-3-Clause AND GPL-2.0-or-later" in said
    texts = [n for n in names if "/licenses/" in n]
    assert {Path(n).name for n in texts} >= {"LICENSE", "COPYING"}
    assert not [n for n in names if n.startswith(("tests/", "native/"))]


def test_the_wheel_profiles_without_valgrind_and_compiler(wheel, tmp_path) -> None:
    python = _install(wheel, tmp_path)
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "gzip").symlink_to(shutil.which("gzip"))
    (tmp_path / "input").write_bytes(Path(sys.executable).resolve().read_bytes()[:100_000])
    profiling = [python, "-m", "phasemark", "profile", "-o", "out", "--interval", "100k"]
    done = subprocess.run(
        [*_out_of_reach(), *profiling, "--", "gzip", "-k", "input"],
        cwd=tmp_path,
        env={"PATH": str(tools), "LANG": "C.UTF-8"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "input.gz").exists()
    assert phasemark.read(tmp_path / "out").instructions > 1_000_000


def test_without_a_collector_the_package_says_what_is_missing(wheel, tmp_path) -> None:
    python = _install(_without_collector(wheel, tmp_path), tmp_path)
    profiling = [python, "-m", "phasemark", "profile", "-o", "out", "--", "gzip", "--version"]
    done = subprocess.run(profiling, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "valgrind" in done.stderr and "apt" in done.stderr
    analysing = [python, "-m", "phasemark", "phases", "--help"]
    assert subprocess.run(analysing, capture_output=True, check=False).returncode == 0


def _build(folder: Path) -> Path:
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    options = ["--config-settings=cmake.define.PHASEMARK_COLLECTOR=ON"]
    environment = {**os.environ, "CMAKE_BUILD_PARALLEL_LEVEL": str(os.cpu_count())}
    done = subprocess.run(
        [*pip, "-w", folder, *options, ROOT], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = folder.glob("*.whl")
    return wheel


def _without_collector(wheel: Path, folder: Path) -> Path:
    """The wheel as PHASEMARK_COLLECTOR=OFF makes it, without compiling everything else once more."""
    bare = folder / wheel.name
    with zipfile.ZipFile(wheel) as whole, zipfile.ZipFile(bare, "w") as part:
        for entry in whole.infolist():
            if "/_collector/" not in entry.filename:
                part.writestr(entry, whole.read(entry))
    return bare


def _install(wheel: Path, folder: Path) -> Path:
    """A new environment with the wheel; what it depends on is borrowed from the one that runs the tests."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "env"], check=True)
    python = folder / "env/bin/python"
    (site,) = (folder / "env/lib").glob("python*/site-packages")
    pip = [sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-deps", "--no-index"]
    subprocess.run([*pip, wheel], check=True, capture_output=True)
    (site / "borrowed.pth").write_text(f"{Path(pytest.__file__).parents[1]}\n")
    return python


def _out_of_reach() -> list[str]:
    """What to put before a command so that Valgrind's files are hidden from it, where we may do that."""
    hiding = [shutil.which("unshare") or "unshare", "--mount", "/bin/sh", "-c", _ISOLATED, "sh"]
    try:
        allowed = subprocess.run([*hiding, "/bin/true"], capture_output=True, check=False).returncode == 0
    except OSError:
        allowed = False
    return hiding if allowed else []
