"""A test client for the control API, and the server process."""

from __future__ import annotations

import re
import socket
import ssl
from contextlib import AbstractContextManager
from typing import Any

import httpx2
from support.serving import TOKEN, Serving, running_server

__all__ = ["TOKEN", "Api", "Serving", "opened_socket", "serving"]

_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""No server of the tests wants it. Without it, each client reads all certificates first: 35 ms."""


def serving(*arguments: str, **environment: str) -> AbstractContextManager[Serving]:
    """``tabwarden serve``: see ``running_server``."""
    return running_server("serve", *arguments, **environment)


class Api:
    """Requests to one task of a server; stores the responses that a client would see."""

    def __init__(self, url: str, *, task: str | None = None, token: str = TOKEN) -> None:
        self.http = httpx2.Client(
            base_url=url,
            headers={"Authorization": f"Bearer {token}"},
            params={"task": task} if task else {},
            timeout=40,
            trust_env=False,
            verify=_TLS,
        )

    def __enter__(self) -> Api:
        return self

    def __exit__(self, *_: object) -> None:
        self.http.close()

    def get(self, path: str, /, **query: Any) -> dict[str, Any]:
        """Send a GET request that succeeds."""
        return _well(self.http.get(path, params=query))

    def post(self, path: str, /, **fields: Any) -> dict[str, Any]:
        """Send a POST request that succeeds."""
        return _well(self.http.post(path, json=fields))

    def delete(self, path: str) -> dict[str, Any]:
        """Send a DELETE request that succeeds."""
        return _well(self.http.delete(path))

    def act(self, kind: str, /, **fields: Any) -> dict[str, Any]:
        """Send an action that succeeds."""
        return self.post("/act", kind=kind, **fields)

    def fail(self, path: str, status: int, /, **fields: Any) -> dict[str, Any]:
        """Send a POST request that fails with a status; return and check its error."""
        return failed(self.http.post(path, json=fields), status)

    def value(self, script: str, **fields: Any) -> Any:
        """The value of a script."""
        return self.act("evaluate", fn=script, **fields)["result"]

    def ref(self, words: str, **query: Any) -> str:
        """The ref in the snapshot line that contains these words."""
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
    """A raw connection with a sent request, for disconnects and malformed requests."""
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
