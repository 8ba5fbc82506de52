"""The front of ``tabwarden mcp``: it answers a host while the server is still being imported.

Importing the SDK and the engine takes about a second. Hosts ask the same questions first, each
time: ``initialize`` and the lists. The front remembers the server's answers from the last start
with the same command, configuration and version, and sends them at once. The server gets every
message too, so that it knows its host, but its second answer goes nowhere. If that answer differs,
the host hears that the lists have changed.

This module imports only what Python has imported anyway, or what is quick to import.
"""

from __future__ import annotations

import gc
import hashlib
import json
import os
import sys
import threading
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import platformdirs

from tabwarden.files.plain_file import read_plain_file

REMEMBERED = (
    "initialize",
    "server/discover",
    "tools/list",
    "resources/list",
    "resources/templates/list",
)
"""The requests that the front answers."""
PROTOCOL = "io.modelcontextprotocol/protocolVersion"
"""Since protocol version 2026-07-28, each request has this field in its ``_meta``, and there is no
handshake."""
_CHANGED = {
    "tools/list": "notifications/tools/list_changed",
    "resources/list": "notifications/resources/list_changed",
}
_OPENING = ("navigate", "goto", '"open"')
"""In calls of tools that open a browser, in any dialect."""
_MOST_FILES = 20
"""How many commands and kinds of hosts to remember."""
_STDIN, _STDOUT, _STDERR = 0, 1, 2


class Front:
    """Answers a host from memory, and passes the host's messages to the server.

    Args:
        memory: the answers of earlier starts.
        write: writes text for the host. Any thread may call it.
    """

    def __init__(self, memory: Memory, write: Callable[[str], object]) -> None:
        self._memory = memory
        self._write = write
        self._writing = threading.Lock()
        self._host = ""
        self._is_server_ready = False
        self._tells_changes = True
        """Whether the host expects notifications that it has not subscribed to."""
        self._seen: set[str] = set()
        """The keys of the requests so far: only the first response to each is remembered."""
        self._asked: dict[str, _Asked] = {}
        """The requests that the server has not answered yet, by their IDs."""
        self._delivering = threading.Lock()
        self._waiting: list[str | None] = []
        self._deliver: Callable[[str | None], None] = self._waiting.append

    def receive(self, lines: Iterable[str]) -> None:
        """Receive the host's lines until it closes its end."""
        for line in lines:
            if any(method in line for method in REMEMBERED):
                self._answer(line)
            self._pass(line)
        self._pass(None)

    def leaves_to_server(self, line: str) -> bool:
        """Return whether a line is a request that the front has not answered."""
        message = _parsed(line)
        if message is None or "id" not in message or "method" not in message:
            return False
        asked = self._asked.get(_id_of(message))
        return asked is None or asked.remembered is None

    def awaits_browser(self) -> bool:
        """Return whether a waiting call probably opens a browser."""
        calls = [line for line in list(self._waiting) if line and '"tools/call"' in line]
        return any(word in call for call in calls for word in _OPENING)

    def deliver_to(self, server: Callable[[str | None], None]) -> None:
        """Deliver the host's lines to the server, beginning with those that have come already. None
        is the end. ``server`` is called on another thread."""
        with self._delivering:
            for line in self._waiting:
                server(line)
            self._waiting.clear()
            self._deliver = server

    def server_is_ready(self) -> None:
        """From now on, only the server responds."""
        self._is_server_ready = True

    def send(self, line: str) -> None:
        """Send the host a line from the server, unless the front has sent that response."""
        message = _parsed(line) if self._asked else None
        asked = None
        if message is not None and "method" not in message:
            asked = self._asked.pop(_id_of(message), None)
        if message is None or asked is None:
            self._send(line)
            return
        result = message.get("result")
        if asked.remembered is None:
            self._send(line)
        elif result != asked.remembered and asked.method in _CHANGED and self._tells_changes:
            self._send(f'{{"jsonrpc":"2.0","method":"{_CHANGED[asked.method]}"}}')
        if result is not None and result != asked.remembered:
            self._memory.remember(asked.host, asked.key, result)

    def _answer(self, line: str) -> None:
        message = _parsed(line)
        if message is None or message.get("method") not in REMEMBERED or "id" not in message:
            return
        method, params = message["method"], message.get("params") or {}
        meta = params.pop("_meta", None) or {} if isinstance(params, dict) else None
        if not isinstance(meta, dict):
            return
        if method == "initialize" or PROTOCOL in meta:
            about = params if method == "initialize" else meta
            known = {key: about[key] for key in about if not key.endswith("clientInfo")}
            self._host = _digest(json.dumps(known, sort_keys=True))
        key = method if method == "initialize" else json.dumps([method, params], sort_keys=True)
        if key in self._seen:
            return
        self._seen.add(key)
        self._tells_changes = PROTOCOL not in meta
        remembered = None if self._is_server_ready else self._memory.answer(self._host, key)
        self._asked[_id_of(message)] = _Asked(method, self._host, key, remembered)
        if remembered is not None:
            answer = {"jsonrpc": "2.0", "id": message["id"], "result": remembered}
            self._send(json.dumps(answer, ensure_ascii=False, separators=(",", ":")))

    def _send(self, line: str) -> None:
        with self._writing:
            self._write(line if line.endswith("\n") else f"{line}\n")

    def _pass(self, line: str | None) -> None:
        with self._delivering:
            self._deliver(line)


class _Asked(NamedTuple):
    """A request that the server must answer too."""

    method: str
    host: str
    key: str
    remembered: Any
    """What the front has answered; None if it had no answer."""


@cache
def the_front() -> Front:
    """Return the front of this process. The first call takes over standard input and output, and
    answers the host from then on.

    Everything else that is written to standard output then goes to standard error, because it would
    break the protocol.
    """
    words = sys.argv[1:]
    reader = os.fdopen(os.dup(_STDIN), encoding="utf-8", errors="replace")
    gc.disable()  # a fifth of the imports' time; ``stdio`` enables it again
    writer = os.fdopen(os.dup(_STDOUT), "w", encoding="utf-8", newline="")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, _STDIN)
    os.close(nothing)
    os.dup2(_STDERR, _STDOUT)

    def write(text: str) -> None:
        writer.write(text)
        writer.flush()

    front = Front(Memory(_memory_folder(), _command(words)), write)
    # A daemon thread: a read that blocks can be abandoned, but not interrupted.
    threading.Thread(
        target=front.receive, args=[reader], name="tabwarden-stdin", daemon=True
    ).start()
    return front


def opened_front() -> Front | None:
    """Return the front of this process if it is open."""
    return the_front() if the_front.cache_info().currsize else None


def _memory_folder() -> Path:
    return platformdirs.user_cache_path("tabwarden", appauthor=False) / "mcp"


def _command(words: Sequence[str]) -> str:
    """Identify a command line, its configuration, and this installation.

    The package ``config`` knows the configuration's path too, but it is slow to import.
    """
    settings = {name: value for name, value in os.environ.items() if name.startswith("TABWARDEN_")}
    default = os.path.join(platformdirs.user_config_dir("tabwarden"), "config.yaml")
    files = [default, *settings.values(), *words, __file__]
    return _digest(json.dumps([list(words), sorted(settings.items()), [*map(_changed_at, files)]]))


def _changed_at(file: str) -> int:
    """When a file was changed last, in nanoseconds; 0 if there is no such file."""
    try:
        return os.stat(file.rpartition("=")[2]).st_mtime_ns
    except (OSError, ValueError):
        return 0


class Memory:
    """The responses that a server gave, in one file for each command and kind of host.

    Args:
        folder: the folder of the files. If it can't be read or written, nothing is remembered.
        command: identifies the command, the configuration and the installation.
    """

    def __init__(self, folder: Path, command: str) -> None:
        self._folder = folder
        self._command = command
        self._responses: dict[str, dict[str, Any]] = {}

    def answer(self, host: str, key: str) -> Any:
        """Return the response to a request of such a host; None if it is unknown."""
        return self._of(host).get(key)

    def remember(self, host: str, key: str, result: Any) -> None:
        from tabwarden.files.secret_file import replace_private_file

        responses = self._responses[host] = {**self._of(host), key: result}
        try:
            replace_private_file(self._file(host), json.dumps(responses).encode())
            files = sorted(self._folder.iterdir(), key=lambda file: file.stat().st_mtime_ns)
            for old in files[:-_MOST_FILES]:
                old.unlink()
        except OSError:
            return

    def _of(self, host: str) -> dict[str, Any]:
        if host not in self._responses:
            try:
                responses = json.loads(read_plain_file(self._file(host)))
            except (OSError, ValueError, RecursionError):
                responses = {}
            self._responses[host] = responses if isinstance(responses, dict) else {}
        return self._responses[host]

    def _file(self, host: str) -> Path:
        return self._folder / f"{self._command}-{host}.json"


def _parsed(line: str) -> dict[str, Any] | None:
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):  # RecursionError: nested too deeply
        return None
    return message if isinstance(message, dict) else None


def _id_of(message: dict[str, Any]) -> str:
    return json.dumps(message.get("id"))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:32]
