"""Requests to ``tabwarden serve``. This module uses only the standard library, because Hermes pins
its own dependencies.
"""

from __future__ import annotations

import json
import os
import sys
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

from .connection import connect, has_proven, is_here

Json = dict[str, Any]

_URL = "http://127.0.0.1:8414"
_TIMEOUT_S = 330.0
"""The timeout for a request. Each call ends within its own budget, which is at most 300 s."""
_UNAUTHORIZED = (401, 403)


class Refused(Exception):
    """A call that failed.

    Args:
        code: a stable code for programs (docs/reference/errors.md).
        words: what happened, and what to do next.
        data: details for programs.
    """

    def __init__(self, code: str, words: str, data: Json | None = None) -> None:
        super().__init__(words)
        self.code = code
        self.data = data or {}


def call(task: str, path: str, fields: Json | None = None, *, method: str = "POST") -> Json:
    """Send one request for a task and return the response.

    Args:
        task: the task's name; each task has its own browser.
        path: the route, such as ``/navigate``.
        fields: the request's fields; None values are omitted.
        method: GET puts the fields into the query, POST into the body.

    Raises:
        Refused: the server is absent, is not this user's Tabwarden, uses another token, or refused
            the call.
    """
    base = os.environ.get("TABWARDEN_URL", _URL).rstrip("/")
    arguments = {name: value for name, value in (fields or {}).items() if value is not None}
    query = {"task": task, **(arguments if method == "GET" else {})}
    target = f"{urlsplit(base).path}{path}?{urlencode(query)}"
    body = json.dumps(arguments).encode() if method == "POST" else None
    try:
        answer, status = _request(base, method, target, body)
    except (OSError, ValueError, HTTPException) as error:
        raise Refused(
            "server_unreachable",
            f"Tabwarden's server is not responding at {base} ({error}). Start it: tabwarden serve",
        ) from None
    return _read(base, answer, status)


def _request(base: str, method: str, target: str, body: bytes | None) -> tuple[bytes, int]:
    token = _token()
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    connection = connect(base, _TIMEOUT_S)
    try:
        if token and not _is_configured() and is_here(connection):
            proven = has_proven(connection, token)
            if proven is None:
                raise _wrong_token(base)
            if not proven:
                raise _unproven(base)
        connection.request(method, target, body, headers)
        answer = connection.getresponse()
        return answer.read(), answer.status
    finally:
        connection.close()


def _is_configured() -> bool:
    """Whether the user has configured a token together with the address for which it is valid."""
    return bool(os.environ.get("TABWARDEN_URL") and os.environ.get("TABWARDEN_SERVER__TOKEN"))


def _read(base: str, body: bytes, status: int) -> Json:
    try:
        reply = json.loads(body)
        if not isinstance(reply, dict) or "ok" not in reply:
            raise ValueError
    except ValueError:
        if status in _UNAUTHORIZED:
            raise _wrong_token(base) from None
        raise Refused(
            "server_unknown",
            f"The server at {base} is not Tabwarden's. Set TABWARDEN_URL to the address "
            "that tabwarden serve prints.",
        ) from None
    if status == _UNAUTHORIZED[0]:
        raise _wrong_token(base)
    if reply["ok"]:
        return reply
    error = reply.get("tabwarden") or {}
    raise Refused(
        str(error.get("code") or reply.get("code") or "error"),
        str(reply.get("error") or "The call failed."),
        error.get("data"),
    )


def _wrong_token(base: str) -> Refused:
    return Refused(
        "server_token",
        f"The server at {base} uses another token. Set TABWARDEN_SERVER__TOKEN to the server's "
        "token. If the server belongs to another user, start tabwarden serve on another port "
        "(--port) and set TABWARDEN_URL.",
    )


def _unproven(base: str) -> Refused:
    return Refused(
        "server_unknown",
        f"The program that listens at {base} did not prove that it is this user's Tabwarden, so it "
        "did not get the token. Stop it and start tabwarden serve, or set TABWARDEN_URL to the "
        "address that tabwarden serve prints.",
    )


def _token() -> str:
    token = os.environ.get("TABWARDEN_SERVER__TOKEN", "")
    if token:
        return token
    file = _state_folder() / "server.token"
    try:
        return file.read_text().strip() if file.is_file() else ""  # reading a pipe could block
    except (OSError, ValueError):
        return ""  # the server then rejects the token


def _state_folder() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", "~")).expanduser() / "tabwarden" / "tabwarden"
    if sys.platform == "darwin":
        return Path("~/Library/Application Support/tabwarden").expanduser()
    state = os.environ.get("XDG_STATE_HOME", "").strip() or "~/.local/state"
    return Path(state).expanduser() / "tabwarden"
