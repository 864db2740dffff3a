"""Which package names the code of a module, and how it is installed."""

from __future__ import annotations

import pytest

from phasemark.symbols import packages

_DEBUG = "(from `deb http://deb.debian.org/debian-debug bookworm-debug main`)"
_DEBIAN = {"ID": "debian", "VERSION_CODENAME": "bookworm"}


def _on(monkeypatch, system, owners) -> None:
    """A machine: what its distribution calls itself, and command and file -> what its packages say."""
    programs = {command for command, _ in owners}
    monkeypatch.setattr(packages, "_system", lambda: system)
    monkeypatch.setattr(packages.shutil, "which", lambda name: name if name in programs else None)
    monkeypatch.setattr(packages, "_said", lambda *command: owners.get((command[0], command[-1]), ""))


@pytest.mark.parametrize(
    ("system", "owners", "module", "advice"),
    [
        (
            _DEBIAN,
            {("dpkg-query", "/bin/gzip"): "gzip: /bin/gzip\n"},  # where /bin is /usr/bin
            "/usr/bin/gzip",
            f"apt-get install gzip-dbgsym {_DEBUG}, "
            "or set DEBUGINFOD_URLS=https://debuginfod.debian.net",
        ),
        (
            _DEBIAN,
            {("dpkg-query", "/usr/lib/libz.so.1"): "diversion by x from: /y\nzlib1g:amd64, a: /usr/lib/z\n"},
            "/lib/libz.so.1",
            f"apt-get install zlib1g-dbgsym {_DEBUG}, "
            "or set DEBUGINFOD_URLS=https://debuginfod.debian.net",
        ),
        (
            _DEBIAN,
            {("dpkg-query", "/lib/libc.so.6"): "libc6:amd64: /lib/libc.so.6\n"},
            "/lib/libc.so.6",
            "apt-get install libc6-dbg, or set DEBUGINFOD_URLS=https://debuginfod.debian.net",
        ),
        (
            {"ID": "ubuntu", "ID_LIKE": "debian", "VERSION_CODENAME": "noble"},
            {("dpkg-query", "/usr/bin/gzip"): "gzip: /usr/bin/gzip\n"},
            "/usr/bin/gzip",
            "apt-get install gzip-dbgsym (from `deb http://ddebs.ubuntu.com noble main universe`), "
            "or set DEBUGINFOD_URLS=https://debuginfod.ubuntu.com",
        ),
        (
            {"ID": "fedora"},
            {("rpm", "/usr/bin/gzip"): "gzip"},
            "/usr/bin/gzip",
            "dnf debuginfo-install gzip, or set DEBUGINFOD_URLS=https://debuginfod.fedoraproject.org",
        ),
        (
            {"ID": "opensuse-leap", "ID_LIKE": "suse opensuse"},
            {("rpm", "/usr/bin/gzip"): "gzip"},
            "/usr/bin/gzip",
            "zypper install gzip-debuginfo, or set DEBUGINFOD_URLS=https://debuginfod.elfutils.org",
        ),
        (
            _DEBIAN,
            {("dpkg-query", ""): ""},
            "/home/me/program",
            "no package has it: build it without -s and do not strip it (with -g for source lines)",
        ),
    ],
    ids=["debian", "library", "libc", "ubuntu", "fedora", "suse", "own"],
)  # fmt: skip
def test_advice(monkeypatch, system, owners, module, advice) -> None:
    _on(monkeypatch, system, owners)
    assert packages.advice(module) == advice


def test_here_advice_is_a_sentence() -> None:
    assert packages.advice("/usr/bin/env")
    assert packages.advice("/no such file").startswith("no package has it")
