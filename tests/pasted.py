"""What stands in a page, run as somebody pastes it, without the second that each command's imports take.

`phasemark` is found on PATH as ever; it asks a process that has imported everything to fork and be the
command, in the folder, with the environment and the streams of whoever called it.
"""

from __future__ import annotations

import json
import os
import shlex
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from tests import commands

from phasemark.cli import main

_CLIENT = """import json, os, socket, sys
with socket.socket(socket.AF_UNIX) as to:
    to.connect({socket!r})
    words = ["phasemark", *sys.argv[1:]]
    request = json.dumps([words, os.getcwd(), dict(os.environ)]).encode()
    socket.send_fds(to, [len(request).to_bytes(4)], [0, 1, 2])
    to.sendall(request)
    sys.exit(os.waitstatus_to_exitcode(int.from_bytes(to.recv(4))) & 255)
"""


class Pages:
    """Runs blocks of pages."""

    def __init__(self, folder: Path) -> None:
        self._listening = socket.socket(socket.AF_UNIX)
        # Under a name that the system makes up, and that is no file's: those may have but 107 bytes.
        self._listening.bind("")
        self._address = self._listening.getsockname()
        self._programs = folder / "bin"
        self._programs.mkdir()
        client, program = folder / "client.py", self._programs / "phasemark"
        client.write_text(_CLIENT.format(socket=self._address))
        words = shlex.join([sys.executable, "-IS", str(client)])
        program.write_text(f'#!/bin/sh\nexec {words} "$@"\n')
        program.chmod(0o755)

    def run(self, language: str, text: str, cwd: Path, environment: Mapping[str, str]) -> tuple[int, str]:
        """Run a block in a folder; its exit status, and what it wrote to either stream."""
        path = f"{self._programs}:{Path(sys.executable).parent}:{environment['PATH']}"
        environment = {**environment, "PATH": path}
        words = ["bash", "-e", "-c", text] if language == "sh" else ["python", "-c", text]
        if language == "sh":
            done = subprocess.run(
                words,
                cwd=cwd,
                env=environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                check=False,
            )
            return done.returncode, done.stdout
        said = cwd / ".said"
        with said.open("wb") as output, Path(os.devnull).open("rb") as nothing:
            streams = [nothing.fileno(), output.fileno(), output.fileno()]
            status = self._ask(words, cwd, environment, streams)
        text = said.read_text()
        said.unlink()
        return status, text

    def _ask(self, words: list[str], cwd: Path, environment: Mapping[str, str], streams: list[int]) -> int:
        with socket.socket(socket.AF_UNIX) as to:
            to.connect(self._address)
            request = json.dumps([words, str(cwd), dict(environment)]).encode()
            socket.send_fds(to, [len(request).to_bytes(4)], streams)
            to.sendall(request)
            return os.waitstatus_to_exitcode(int.from_bytes(commands.receive(to, 4)))

    @contextmanager
    def served(self) -> Iterator[Pages]:
        """With the process that forks."""
        with self._listening as listening:
            listening.listen()
            number = listening.fileno()
            script = f"from tests.pasted import serve; serve({number})"
            process = subprocess.Popen(
                [sys.executable, "-c", script], pass_fds=[number], cwd=Path(__file__).parents[1]
            )
        try:
            yield self
        finally:
            process.kill()
            process.wait()


def serve(number: int) -> None:
    """For each command that is asked for, be it in a process of its own; never returns."""
    commands.import_everything()
    with socket.socket(fileno=number) as listening:
        while True:
            connection, _ = listening.accept()
            if not os.fork():
                listening.close()
                _answer(connection)
            connection.close()
            with suppress(ChildProcessError):
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass


def _answer(connection: socket.socket) -> None:
    """Fork once more, for whoever asked waits for the status; ends the process."""
    with connection:
        size, streams, _, _ = socket.recv_fds(connection, 4, 3)
        words, cwd, environment = json.loads(commands.receive(connection, int.from_bytes(size)))
        child = os.fork()
        if child:
            for stream in streams:
                os.close(stream)
            connection.sendall(os.waitpid(child, 0)[1].to_bytes(4))
            os._exit(0)
    commands.become(words[1:], cwd, environment, streams)
    if words[0] == "phasemark":
        commands.end_with(main)
    sys.path.insert(0, "")
    commands.end_with(lambda: exec(compile(words[2], "<string>", "exec"), {"__name__": "__main__"}))
