"""`phasemark ...` as tests run it: a process of its own, without the second that its imports take.

A process that has imported everything forks for each command. What a command must not import is tested
elsewhere, with an interpreter of its own.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import json
import math
import os
import pkgutil
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import traceback
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import BinaryIO

from phasemark.cli import main, progress

#: What phasemark imports when it needs it.
_LATE = (
    *("matplotlib.figure", "matplotlib.backends.backend_agg", "matplotlib.backends.backend_svg"),
    *("matplotlib.backends.backend_pdf", "pandas", "rich.console", "rich.progress", "rich.table"),
    *("scipy.sparse", "scipy.special", "scipy.stats"),
)


def run(*arguments: object, cwd: Path | None = None, stdin: bytes = b"") -> subprocess.CompletedProcess[str]:
    """Run a command to its end, in the environment as it is now; what it writes comes back as text."""
    words = [str(argument) for argument in arguments]
    with _pipe_of(stdin) as given, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        streams = [stream.fileno() for stream in (given, out, err)]
        returncode = _server().run(words, str(cwd or Path.cwd()), streams)
        for stream in (out, err):
            stream.seek(0)
        return subprocess.CompletedProcess(words, returncode, out.read().decode(), err.read().decode())


def _pipe_of(content: bytes) -> BinaryIO:
    if not content:
        return Path(os.devnull).open("rb")
    reading, writing = os.pipe()

    def write() -> None:
        with os.fdopen(writing, "wb") as pipe, suppress(BrokenPipeError):
            pipe.write(content)

    threading.Thread(target=write).start()
    return os.fdopen(reading, "rb")


class _Server:
    """The process that forks, seen from here; it ends with this one."""

    def __init__(self) -> None:
        self._connection, theirs = socket.socketpair()
        number = theirs.fileno()
        script = f"from tests.commands import serve; serve({number})"
        quiet = subprocess.DEVNULL
        command = [sys.executable, "-c", script]
        root = Path(__file__).parents[1]
        with theirs:
            self._process = subprocess.Popen(command, stdin=quiet, stdout=quiet, pass_fds=[number], cwd=root)
        atexit.register(self._end)

    def _end(self) -> None:
        self._connection.close()
        self._process.wait()

    def run(self, words: list[str], cwd: str, streams: list[int]) -> int:
        request = json.dumps([words, cwd, dict(os.environ)]).encode()
        socket.send_fds(self._connection, [len(request).to_bytes(4)], streams)
        self._connection.sendall(request)
        return os.waitstatus_to_exitcode(int.from_bytes(receive(self._connection, 4)))


@cache
def _server() -> _Server:
    return _Server()


def serve(number: int) -> None:
    """Fork for each command that is asked for; ends the process."""
    import_everything()
    with socket.socket(fileno=number) as connection:
        while True:
            size, streams, _, _ = socket.recv_fds(connection, 4, 3)
            if not size:
                atexit._run_exitfuncs()
                os._exit(0)
            words, cwd, environment = json.loads(receive(connection, int.from_bytes(size)))
            if not (child := os.fork()):
                break
            for stream in streams:
                os.close(stream)
            connection.sendall(os.waitpid(child, 0)[1].to_bytes(4))
    become(words, cwd, environment, streams)
    end_with(main)


def import_everything() -> None:
    """All of phasemark, and what it imports in functions; and let no command tell how far it is.

    It would where it takes long, which on a busy machine any does.
    """
    import phasemark

    for module in pkgutil.walk_packages(phasemark.__path__, "phasemark."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    for name in _LATE:
        importlib.import_module(name)
    progress._PATIENCE = math.inf
    gc.freeze()  # or each process that forks copies everything when it looks for garbage


def become(words: list[str], cwd: str, environment: Mapping[str, str], streams: list[int]) -> None:
    """The process of a command, as an interpreter would have started it."""
    for standard, stream in enumerate(streams):
        os.dup2(stream, standard)
        os.close(stream)
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(environment)
    # A folder that Matplotlib made for want of a home goes with the process that forked; the next needs it.
    atexit.unregister(shutil.rmtree)
    sys.argv = ["-c", *words]


def end_with(call: Callable[[], object]) -> None:
    """End the process as `call` ends it, without taking apart all that was imported."""
    try:
        call()
        status = 0
    except SystemExit as end:
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
        status = 1 if isinstance(end.code, str) else end.code or 0
    except BaseException:
        traceback.print_exc()
        status = 1
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(status)


def receive(connection: socket.socket, size: int) -> bytes:
    """So many bytes."""
    received = b""
    while len(received) < size:
        part = connection.recv(size - len(received))
        if not part:
            raise ConnectionError("the process that runs commands is gone")
        received += part
    return received
