"""Servers of debug files, as debuginfod is one."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.request import urlopen

import pytest
from tests.waiting import until


class Server:
    """One in this process: `files` are what it has, by build-id; `asked` are the paths that it was asked for.

    Attributes:
        status: what it answers instead of a file; 200: the file.
        cut: bytes that it leaves out at the end of an answer.
        drips: what it sends a byte of now and then: `headers`, `body`, or nothing.
        sent: bytes that it sent that way.
    """

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.asked: list[str] = []
        self.status, self.cut, self.url = 200, 0, ""
        self.drips, self.sent, self._never = "", 0, threading.Event()

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        """Answer a request as debuginfod does."""
        self.asked.append(handler.path)
        _, kind, build, what = f"{handler.path}///".split("/")[:4]
        content = self.files.get(build) if (kind, what) == ("buildid", "debuginfo") else None
        status = self.status if content is not None or self.status != 200 else 404
        most = int(handler.headers.get("X-DEBUGINFOD-MAXSIZE", 0))
        if content is not None and 0 < most < len(content):
            status = 406
        if self.drips == "headers":
            self._drip(handler, b"HTTP/1.0 200 OK\r\n" + b"X-Header: of many\r\n" * 10_000)
            return
        handler.send_response(status)
        if status == 200 and content is not None:
            handler.send_header("Content-Length", str(len(content)))
            handler.send_header("X-DEBUGINFOD-SIZE", str(len(content)))
        handler.end_headers()
        if status == 200 and content is not None:
            if self.drips == "body":
                self._drip(handler, content)
            else:
                handler.wfile.write(content[: len(content) - self.cut])

    def _drip(self, handler: BaseHTTPRequestHandler, content: bytes) -> None:
        with suppress(OSError):  # the client has gone
            for byte in content:
                handler.wfile.write(bytes([byte]))
                self.sent += 1
                self._never.wait(0.05)


@contextmanager
def serving() -> Iterator[Server]:
    """A server in this process."""
    server = Server()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            server.answer(self)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        server.url = f"http://127.0.0.1:{http.server_address[1]}"
        thread = threading.Thread(target=http.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield server
        finally:
            http.shutdown()
            thread.join()


@contextmanager
def debuginfod(folder: Path, *held: str) -> Iterator[str]:
    """The URL of elfutils' own server of the files in `folder`, once it has those of some build-ids."""
    program = shutil.which("debuginfod")
    if program is None:
        pytest.skip("needs debuginfod")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = {**os.environ, "DEBUGINFOD_URLS": ""}
    child = subprocess.Popen(
        [program, "-F", "-p", str(port), "-d", ":memory:", str(folder)],
        env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    url = f"http://127.0.0.1:{port}"
    try:
        for build in held:
            until(lambda build=build: _has(f"{url}/buildid/{build}/debuginfo"), child)
        yield url
    finally:
        child.terminate()
        child.wait()


def _has(url: str) -> bool:
    try:
        with urlopen(url, timeout=5) as answer:
            return bool(answer.read(1))
    except OSError:
        return False
