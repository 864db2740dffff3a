"""Which package of a distribution names the code of a module."""

from __future__ import annotations

import platform
import shutil
import subprocess

#: Debian's own package of debug files where it is none that is made by itself.
_OTHERWISE = {"libc6": "libc6-dbg", "libc6-i386": "libc6-dbg"}

_DEBUGINFOD = {
    "debian": "https://debuginfod.debian.net",
    "ubuntu": "https://debuginfod.ubuntu.com",
    "fedora": "https://debuginfod.fedoraproject.org",
    "arch": "https://debuginfod.archlinux.org",
}
_SERVER_OF_ALL = "https://debuginfod.elfutils.org"


def advice(module: str) -> str:
    """How the functions of a module get their names, in one sentence without its end.

    Args:
        module: the path of its file.
    """
    system = _system()
    package = _package(module)
    if not package:
        return "no package has it: build it without -s and do not strip it (with -g for source lines)"
    return f"{_install(package, system)}, or set DEBUGINFOD_URLS={_server(system)}"


def _system() -> dict[str, str]:
    try:
        return platform.freedesktop_os_release()
    except OSError:
        return {}


def _family(system: dict[str, str]) -> list[str]:
    return [system.get("ID", ""), *system.get("ID_LIKE", "").split()]


def _server(system: dict[str, str]) -> str:
    return next((_DEBUGINFOD[name] for name in _family(system) if name in _DEBUGINFOD), _SERVER_OF_ALL)


def _install(package: str, system: dict[str, str]) -> str:
    """The command, and where the package comes from if that is no archive that everybody has."""
    name = package.partition(":")[0]
    if shutil.which("rpm") and not shutil.which("dpkg-query"):
        if "suse" in " ".join(_family(system)):
            return f"zypper install {name}-debuginfo"
        return f"dnf debuginfo-install {name}"
    if name in _OTHERWISE:
        return f"apt-get install {_OTHERWISE[name]}"
    suite = system.get("VERSION_CODENAME", "stable")
    archive = f"http://deb.debian.org/debian-debug {suite}-debug main"
    if system.get("ID") == "ubuntu":
        archive = f"http://ddebs.ubuntu.com {suite} main universe"
    return f"apt-get install {name}-dbgsym (from `deb {archive}`)"


def _package(module: str) -> str:
    """The package that has a file; empty where none, or nobody tells."""
    if shutil.which("dpkg-query"):
        # Where /bin is /usr/bin, a package may list its files under either name.
        other = module.removeprefix("/usr") if module.startswith("/usr/") else f"/usr{module}"
        for path in (module, other):
            said = _said("dpkg-query", "-S", path)
            owners = [line.rpartition(": ")[0] for line in said.splitlines() if "diversion by" not in line]
            if owners:
                return owners[0].split(",")[0]
    elif shutil.which("rpm"):
        return _said("rpm", "-qf", "--qf", "%{NAME}", module)
    return ""


def _said(*command: str) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)
    except (OSError, subprocess.SubprocessError, ValueError):
        return ""
    return done.stdout if done.returncode == 0 else ""
