"""perf.data -> Samples, by way of `perf script`: only perf itself reads every version of its file."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO

from phasemark.errors import DataError, MissingTool, printable
from phasemark.formats.perf import text
from phasemark.model import Samples
from phasemark.progress import Progress
from phasemark.reading import opened

#: How perf is had.
INSTALL = "apt install linux-perf (Debian), linux-tools-generic (Ubuntu), or dnf install perf"

_FIELDS = ("pid", "tid", "time", "period", "event", "ip")

#: Those that a recording may lack.
_SPARE = ("time", "period")
_SWITCHES = ("-G", "--ns", "--show-mmap-events", "--show-task-events", "--show-lost-events")
_LACKING = re.compile(r"do not have (\w+) attribute set")
_BUILD = re.compile(r"([0-9a-f]{8,64}) (.+)")
_FACT = re.compile(r"# (cmdline|perf version|cpudesc|arch|os release|hostname) : (.*)")
_PIECE = 1 << 18
_REASON = 200


@dataclass(frozen=True)
class Recorded:
    """What a perf.data says of its recording.

    Attributes:
        facts: `cmdline`, `perf version`, `cpudesc`, `arch`, `os release`, `hostname`, as far as it says.
        build_ids: module -> build-id in hexadecimal.
    """

    facts: dict[str, str] = field(default_factory=dict)
    build_ids: dict[str, str] = field(default_factory=dict)


def find() -> str:
    """perf's path.

    Raises:
        MissingTool: it is not on this machine.
    """
    found = shutil.which("perf")
    if found is None:
        raise MissingTool("perf is not in PATH", hint=INSTALL)
    return str(Path(found).absolute())


def version(perf: str) -> str:
    """Its version; empty where it does not run."""
    try:
        done = subprocess.run(
            [perf, "--version"], capture_output=True, text=True, check=False, env=environment()
        )
    except OSError:
        return ""
    return done.stdout.strip().removeprefix("perf version ")


def read(path: str | Path, progress: Progress | None = None) -> Samples:
    """Read a perf.data.

    Args:
        path: the file.
        progress: told samples' text so far, in bytes, of which the whole is not known.

    Raises:
        MissingTool: perf is not on this machine.
        DataError: perf cannot read it, or it holds no sample of a program.
        WorkError: it cannot be read.
    """
    with opened(path):
        pass
    try:
        perf = find()
    except MissingTool as error:
        hint = f"{error.hint}; or where it was recorded {text.HOW}, and import that"
        raise MissingTool(f"{path}: only perf reads its files, and it is not in PATH", hint=hint) from None
    return _read(perf, Path(path), _FIELDS, progress)


def about(path: Path, *, builds: bool = True) -> Recorded:
    """What a perf.data says of its recording; nothing where perf does not tell."""
    perf = find()
    header = _said(perf, "script", "--header-only", "-i", str(path.absolute()))
    listed = _said(perf, "buildid-list", "-i", str(path.absolute())) if builds else ""
    facts = {found[1]: found[2].strip() for line in header.splitlines() if (found := _FACT.fullmatch(line))}
    pairs = (_BUILD.fullmatch(line.strip()) for line in listed.splitlines())
    return Recorded(facts, {found[2]: found[1] for found in pairs if found})


def _read(perf: str, path: Path, fields: Sequence[str], progress: Progress | None) -> Samples:
    command = [perf, "script", "-i", str(path.absolute()), *_SWITCHES, "-F", ",".join(fields)]
    with tempfile.TemporaryFile() as told:
        with subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=told, env=environment()
        ) as process:
            assert process.stdout is not None
            failure: DataError | None = None
            try:
                samples = text.read_pieces(_pieces(process.stdout, progress), path)
            except DataError as error:
                failure = error
                process.kill()
            process.stdout.close()
        told.seek(0)
        said = told.read(1 << 16).decode("utf-8", "replace")
    if failure is not None:
        lacking = [name.lower() for name in _LACKING.findall(said)]
        left = [name for name in fields if name not in lacking or name not in _SPARE]
        if len(left) < len(fields):
            return _read(perf, path, left, progress)
        raise _unreadable(path, said, failure)
    if process.returncode != 0:
        note = f"perf read it up to a fault ({_last(said)}); what it gave until then was used"
        samples = replace(samples, notes=(*samples.notes, note), complete=False)
    return replace(samples, source=("perf", version(perf)))


def _unreadable(path: Path, said: str, failure: DataError) -> DataError:
    """Why perf gave nothing: in its words where it has some, else in ours."""
    if "holds no sample" in failure.reason and not _last(said):
        return DataError(failure.reason, path=path, hint=failure.hint)
    if failure.line is not None:
        return DataError(
            f"perf script printed what cannot be read: {failure.reason}", path=path, hint=failure.hint
        )
    words = f"{failure.reason}; perf says: {_last(said)}" if _last(said) else failure.reason
    return DataError(words, path=path, hint="see that the file is whole: perf script -i FILE")


def _last(said: str) -> str:
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    return printable(lines[-1])[:_REASON] if lines else ""


def _pieces(stream: IO[bytes], progress: Progress | None) -> Iterator[bytes]:
    done = 0
    while piece := stream.read(_PIECE):
        done += len(piece)
        if progress is not None:
            progress(done, 0)
        yield piece


def _said(perf: str, *arguments: str) -> str:
    try:
        done = subprocess.run(
            [perf, *arguments], capture_output=True, check=False, stdin=subprocess.DEVNULL, env=environment()
        )
    except OSError:
        return ""
    return done.stdout.decode("utf-8", "surrogateescape")


def environment() -> dict[str, str]:
    """Of perf: without a pager, a translation or the user's configuration of perf."""
    return {
        **os.environ,
        "LC_ALL": "C",
        "PERF_CONFIG": "/dev/null",
        "PERF_PAGER": "cat",
        "DEBUGINFOD_URLS": "",
    }
