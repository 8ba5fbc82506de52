"""Serves one trace to a browser on this machine: with Playwright's viewer, or our own page."""

from __future__ import annotations

import importlib.util
import json
import mimetypes
import secrets
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import quote, unquote

from tabwarden.errors import InvalidArgument
from tabwarden.recording import Trace

_PAGE = "trace_page.html"
_POLICY = (
    "default-src 'none'; img-src 'self'; script-src 'self'; style-src 'self'; connect-src 'self'"
)


class TraceServer:
    """Listens on loopback only. It answers only requests whose path starts with a random secret.

    Args:
        trace: the trace, for our own page.
        file: its file, for Playwright's viewer.
        port: where to listen; 0 for any free port.

    Raises:
        InvalidArgument: the port can't be used.
    """

    def __init__(self, trace: Trace, file: Path, port: int = 0) -> None:
        self._viewer = _playwright_viewer()
        self._secret = secrets.token_urlsafe(16)
        handler = partial(_Handler, trace, file, self._viewer, self._secret)
        try:
            self._server = ThreadingHTTPServer(("127.0.0.1", port), handler)
        except (OSError, OverflowError) as error:
            raise InvalidArgument(
                f"Tabwarden can't listen on port {port}: {getattr(error, 'strerror', error)}.",
                "Use another port, or omit --port.",
                field="port",
            ) from None
        self._server.daemon_threads = True

    @property
    def url(self) -> str:
        """The address to open."""
        here = f"http://localhost:{self._server.server_port}/{self._secret}/"
        if self._viewer is None:
            return here
        return f"{here}index.html?trace={quote(here + 'trace.zip', safe='')}"

    def serve(self) -> None:
        """Serve until Ctrl-C."""
        self._server.serve_forever()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._server.server_close()


class _Handler(BaseHTTPRequestHandler):
    def __init__(
        self, trace: Trace, file: Path, viewer: Path | None, secret: str, *args: object
    ) -> None:
        self._trace, self._file, self._viewer, self._secret = trace, file, viewer, secret
        super().__init__(*args)  # type: ignore[arg-type]

    def do_GET(self) -> None:
        host = (self.headers.get("Host") or "").rpartition(":")[0]
        secret, _, name = unquote(self.path.partition("?")[0].removeprefix("/")).partition("/")
        known = host in ("localhost", "127.0.0.1") and secrets.compare_digest(
            secret.encode(), self._secret.encode()
        )
        try:
            found = self._found(name) if known else None
        except (OSError, ValueError):  # the file is gone, or no file can have this name
            found = None
        if found is None:
            self.send_error(404)
            return
        kind, body = found
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Cache-Control", "no-store")
        if self._viewer is None:
            self.send_header("Content-Security-Policy", _POLICY)
        self.end_headers()
        self.wfile.write(body)

    def _found(self, name: str) -> tuple[str, bytes] | None:
        if name == "trace.zip":
            return "application/zip", self._file.read_bytes()
        if self._viewer is not None:
            path = (self._viewer / name).resolve()
            if not path.is_relative_to(self._viewer.resolve()) or not path.is_file():
                return None
            return mimetypes.guess_type(path.name)[0] or "text/plain", path.read_bytes()
        if name in self._trace.images:
            return "image/jpeg", self._trace.images[name]
        if name == "trace.json":
            return "application/json", json.dumps(self._trace.records).encode()
        page = files("tabwarden.surfaces.cli.commands") / (name or _PAGE)
        if name in ("", "trace_page.js", "trace_page.css") and page.is_file():
            kind = mimetypes.guess_type(name or _PAGE)[0] or "text/html"
            return f"{kind}; charset=utf-8", page.read_bytes()
        return None

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Print nothing."""


def _playwright_viewer() -> Path | None:
    """Return the folder of Playwright's trace viewer; None if Playwright is not installed."""
    found = importlib.util.find_spec("playwright")
    if found is None or found.origin is None:
        return None
    folder = Path(found.origin).parent / "driver/package/lib/vite/traceViewer"
    return folder if (folder / "index.html").is_file() else None
