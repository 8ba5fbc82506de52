"""A client of the control API for tests, and the server it speaks to, as a process."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx2

__all__ = ["TOKEN", "Api", "Serving", "opened_socket", "serving"]

TOKEN = "a-token-of-the-tests-0123456789"
_STARTED = re.compile(r"serves on (http://\S+) ")


class Serving:
    """A running ``tabwarden serve``."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        assert process.stderr is not None
        self.process = process
        self.told: list[str] = []
        """All that it wrote on stderr, line by line."""
        for line in process.stderr:
            self.told.append(line)
            if found := _STARTED.search(line):
                self.url = found[1]
                break
        else:
            raise AssertionError(f"it did not start: {self.told}")
        self._drained = threading.Thread(
            target=lambda: self.told.extend(process.stderr or ()), daemon=True
        )
        self._drained.start()

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])

    def stop(self, sig: int = signal.SIGTERM) -> int:
        """Send it a signal; its exit status."""
        self.process.send_signal(sig)
        status = self.process.wait(30)
        self._drained.join(5)
        return status


@contextmanager
def serving(*arguments: str, **environment: str) -> Iterator[Serving]:
    """Start a server on a free port, with ``TOKEN`` unless the environment says otherwise."""
    known = {"TABWARDEN_SERVER__TOKEN": TOKEN, **environment}
    with subprocess.Popen(
        [sys.executable, "-m", "tabwarden.surfaces.cli", "serve", "--port", "0", *arguments],
        stderr=subprocess.PIPE, text=True,
        env={**os.environ, **{name: value for name, value in known.items() if value}},
    ) as process:  # fmt: skip
        try:
            yield Serving(process)
        finally:
            if process.poll() is None:
                process.terminate()
                process.wait(30)


class Api:
    """Requests to one task of a server; keeps the answers that a client would see."""

    def __init__(self, url: str, *, task: str | None = None, token: str = TOKEN) -> None:
        self.http = httpx2.Client(
            base_url=url,
            headers={"Authorization": f"Bearer {token}"},
            params={"task": task} if task else {},
            timeout=40,
            trust_env=False,
        )

    def __enter__(self) -> Api:
        return self

    def __exit__(self, *_: object) -> None:
        self.http.close()

    def get(self, path: str, /, **query: Any) -> dict[str, Any]:
        """A GET that goes well."""
        return _well(self.http.get(path, params=query))

    def post(self, path: str, /, **fields: Any) -> dict[str, Any]:
        """A POST that goes well."""
        return _well(self.http.post(path, json=fields))

    def delete(self, path: str) -> dict[str, Any]:
        """A DELETE that goes well."""
        return _well(self.http.delete(path))

    def act(self, kind: str, /, **fields: Any) -> dict[str, Any]:
        """An action that goes well."""
        return self.post("/act", kind=kind, **fields)

    def fail(self, path: str, status: int, /, **fields: Any) -> dict[str, Any]:
        """A POST that fails with a status; its error, which must have all that readers need."""
        return failed(self.http.post(path, json=fields), status)

    def value(self, script: str, **fields: Any) -> Any:
        """What a script gives."""
        return self.act("evaluate", fn=script, **fields)["result"]

    def ref(self, words: str, **query: Any) -> str:
        """The ref in the snapshot's line that has these words."""
        text = self.get("/snapshot", **query)["snapshot"]
        for line in text.splitlines():
            if words in line and (found := re.search(r"\[ref=(e\d+)\]", line)):
                return found[1]
        raise AssertionError(f"no ref for {words!r} in:\n{text}")


def _well(response: httpx2.Response) -> dict[str, Any]:
    assert response.status_code == 200, response.text
    body: dict[str, Any] = response.json()
    return body


def failed(response: httpx2.Response, status: int) -> dict[str, Any]:
    """The error in a response."""
    body: dict[str, Any] = response.json()
    assert response.status_code == status, body
    assert body["ok"] is False
    assert {"code", "message", "hint", "data"} == set(body["tabwarden"])
    assert body["tabwarden"]["message"] in body["error"]
    return body


def opened_socket(url: str, request: str, body: str = "", **headers: str) -> socket.socket:
    """A raw connection on which a request was sent: to hang up, or to send what no client would."""
    host, _, port = url.removeprefix("http://").rpartition(":")
    connection = socket.create_connection((host, int(port)), timeout=30)
    sent = {
        "Host": f"{host}:{port}",
        "Authorization": f"Bearer {TOKEN}",
        "Content-Length": str(len(body.encode())),
        **{name.replace("_", "-"): value for name, value in headers.items()},
    }
    lines = [f"{request} HTTP/1.1", *(f"{name}: {value}" for name, value in sent.items() if value)]
    connection.sendall(("\r\n".join([*lines, "", ""]) + body).encode())
    return connection
