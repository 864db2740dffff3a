"""HDF5 files without their digest: read by a process of its own, checked, and written again with it.

Another program rewrote such a file, or its end is damaged. Over damage the HDF5 library may run for ever,
crash, or ask for any amount of memory, so the process that reads has an end, a share of memory and no more.
What was read keeps every invariant of the model; that its numbers are those once written, nobody can tell.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from pathlib import Path

from phasemark.errors import DataError, PhasemarkError
from phasemark.reading import RECORD, content, opened
from phasemark.store import events_h5, hdf5, hierarchy_h5, phases_store, profile_h5
from phasemark.store.events_h5 import PackedTrace
from phasemark.store.folder import Folder

#: Seconds for any file, and for each MiB of it.
SECONDS, SECONDS_OF_A_MIB = 60.0, 1.0

#: Bytes of memory for any file, and for each of its bytes.
_MEMORY, _MEMORY_OF_A_BYTE = 4 << 30, 500

_DAMAGED = "make it again; it is damaged"


def reseal(path: str | Path, *, seconds: float = SECONDS) -> Path | None:
    """Write a profile.h5, events.h5, model.h5 or hierarchy.h5 anew, with its digest, in its place.

    Args:
        path: the file.
        seconds: that reading may take, besides those for its size.

    Returns:
        Where the file as it was now lies, beside it; None where it had its digest already.

    Raises:
        DataError: it cannot be read, or breaks an invariant; the file is as it was.
        WorkError: it cannot be written.
    """
    path = Path(path)
    with opened(path) as file:
        size = os.fstat(file.fileno()).st_size
    if hdf5.seal(path) is not None:
        with hdf5.reading(path, "a file of phasemark", hint=_DAMAGED):
            return None
    with Folder(path.parent).change("check --repair") as new:
        _read_elsewhere(path, new[path.name], size, seconds)
        new.set_aside(path.name)
    return path.with_name(new.aside[path.name])


def _read_elsewhere(path: Path, made: Path, size: int, seconds: float) -> None:
    patience = seconds + SECONDS_OF_A_MIB * size / 2**20
    memory = _MEMORY + _MEMORY_OF_A_BYTE * size
    command = [sys.executable, "-m", "phasemark.store.resealing", str(path), str(made), str(memory)]
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, timeout=patience, env=environment,
            check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise DataError(
            f"cannot be read: HDF5 found no end in {patience:.0f} s", path=path, hint=_DAMAGED
        ) from None
    if done.returncode == 0:
        return
    try:
        said = json.loads(content(_complaint(made), RECORD))
    except (PhasemarkError, ValueError):
        raise DataError(
            f"cannot be read: HDF5 ended with status {done.returncode}", path=path, hint=_DAMAGED
        ) from None
    raise DataError(said["reason"], path=path, row=said["row"], hint=said["hint"])


def _complaint(made: Path) -> Path:
    return made.with_suffix(".wrong")


def main(path: str, made: str, memory: str) -> int:
    """Read a file and write it with its digest; what is wrong with it goes into a file beside."""
    resource.setrlimit(resource.RLIMIT_AS, (int(memory), int(memory)))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        _rewrite(path, made)
    except PhasemarkError as error:
        said = {"reason": getattr(error, "reason", error.message), "hint": error.hint}
        text = json.dumps({**said, "row": getattr(error, "row", None)})
        _complaint(Path(made)).write_text(text, encoding="ascii")
        return 1
    return 0


def _rewrite(path: str, made: str) -> None:
    with hdf5.reading(path, "a file of phasemark", hint=_DAMAGED, sealed=False) as file:
        kind = file.text("format", "")
    if kind == phases_store.FORMAT:
        phases_store.write_model(made, *phases_store.read_unsealed_model(path))
    elif kind == events_h5.FORMAT:
        events_h5.write(made, _whole(events_h5.read_packed(path, sealed=False)))
    elif kind == hierarchy_h5.FORMAT:
        hierarchy_h5.write(made, hierarchy_h5.read_unsealed(path))
    else:
        profile_h5.write(made, profile_h5.read_unsealed(path))


def _whole(trace: PackedTrace) -> PackedTrace:
    """The same, every chunk of which can be read."""
    for thread in trace.traces:
        for _ in thread.chunks():
            pass
    return trace


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
