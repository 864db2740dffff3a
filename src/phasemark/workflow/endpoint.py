"""Metrics for who asks by HTTP, in a thread of its own."""

from __future__ import annotations

import errno
import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from phasemark.errors import UsageError, WorkError, shown
from phasemark.formats.openmetrics import CONTENT_TYPE

#: Where it listens unless told: what is on other machines cannot ask.
LOOPBACK = "127.0.0.1"

#: Seconds after which one who asks and then says nothing is hung up on.
_PATIENCE = 10


class Endpoint:
    """Answers `GET /metrics` with the text that was put last.

    Args:
        address: `PORT`, or `HOST:PORT`; of an IPv6 address `[::1]:9100`. Port 0: any that is free.

    Attributes:
        url: of the metrics.

    Raises:
        UsageError: it is no such address.
        WorkError: it cannot be listened at; says why.
    """

    def __init__(self, address: str) -> None:
        host, port = parsed(address)
        handler = type("Handler", (_Handler,), {"endpoint": self})
        server = type("Server", (_Server,), {"address_family": _family(host)})
        self._content = b"# EOF\n"
        try:
            self._server = server((host, port), handler)
        except OSError as error:
            raise WorkError(
                f"cannot listen at {address}: {error.strerror or error}",
                hint=_hint(error, port),
            ) from error
        name = f"[{host}]" if ":" in host else host
        self.url = f"http://{name}:{self._server.server_address[1]}/metrics"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.1,), daemon=True)
        self._thread.start()

    def put(self, text: str) -> None:
        """What is answered from now on."""
        self._content = text.encode("utf-8", "backslashreplace")

    @property
    def content(self) -> bytes:
        """What is answered now."""
        return self._content

    def close(self) -> None:
        """Answer nobody any more."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def _hint(error: OSError, port: int) -> str:
    if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
        return "name an address of this machine, or the port alone"
    if isinstance(error, PermissionError):
        return f"port {port} is root's: choose one from 1024 on, or --listen 0"
    return "choose another port: --listen 0"


def parsed(address: str) -> tuple[str, int]:
    """Host and port.

    Raises:
        UsageError: it is no such address.
    """
    host, colon, port = address.rpartition(":")
    host = host.removeprefix("[").removesuffix("]") if colon else LOOPBACK
    if not (port.isascii() and port.isdigit() and int(port) < 1 << 16) or not host:
        raise UsageError(
            f"--listen {shown(address)} is no address", hint="give a port, 9100, or HOST:PORT, 127.0.0.1:9100"
        )
    return host, int(port)


def _family(host: str) -> int:
    import socket

    return socket.AF_INET6 if ":" in host else socket.AF_INET


class _Server(ThreadingHTTPServer):
    daemon_threads = True


class _Handler(BaseHTTPRequestHandler):
    endpoint: Endpoint
    timeout = _PATIENCE

    def do_GET(self) -> None:
        """Answer."""
        if self.path.partition("?")[0] not in ("/metrics", "/"):
            self.send_error(404, "metrics are at /metrics")
            return
        content = self.endpoint.content
        self.send_response(200)
        self.send_header("Content-Type", CONTENT_TYPE)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: standard error is the program's and the view's."""
