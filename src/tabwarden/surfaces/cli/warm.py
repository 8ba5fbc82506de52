"""The short way of a command: the session's daemon parses its words and says what to print.

Python needs 12 ms to start, and a page needs 1 ms for a small script, but the imports that parse
words and print JSON need 25 ms. The daemon has them in memory, so this module imports almost
nothing. If a command needs anything of the client's machine, the daemon declines before it acts,
and the module ``act`` runs the command.
"""

from __future__ import annotations

import os
import sys
import time

from tabwarden.surfaces.cli.pipe import write
from tabwarden.surfaces.command_table import build_and_words
from tabwarden.surfaces.daemon import ANSWER_GRACE_S, CANCEL_S, FIRST_ANSWER_S, START_S
from tabwarden.surfaces.daemon.paths import SessionPaths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _socket import socket

_Printed = tuple[int, int, bytes | bytearray]
"""An exit status, 1 for stdout or 2 for stderr, and the bytes to write there."""
_ACCEPTED = b'{"budget_ms": '
_CHUNK = 1 << 18


def run_warm(words: list[str]) -> int | None:
    """Run a command line in the session's daemon. Return the exit status.

    Return None if nothing has happened, so that another way must run the command: it is not an
    action, a terminal shows its progress, no daemon is listening, or the daemon declines.
    """
    streams = (sys.stdout, sys.stderr)
    if sys.platform == "win32" or any(one is None or one.isatty() for one in streams):
        return None
    build, known = build_and_words()
    is_action = words[0] in known or words[0].startswith("browser_")
    if not is_action or "--help" in words or "-h" in words:
        return None
    usual = os.environ.get("TABWARDEN_SESSION") or "default"
    try:
        place = SessionPaths(_option_value("--session", words) or usual)
    except Exception:  # noqa: BLE001 - importing the error's class takes too long
        return None
    try:
        printed = _asked(place, build, usual, words)
    except KeyboardInterrupt:
        from tabwarden.surfaces.cli.output import show_cancelled

        return show_cancelled()
    if printed is None:
        return None
    status, number, data = printed
    write(streams[number - 1], data)
    return status


def _option_value(flag: str, words: list[str]) -> str | None:
    """Return the last value of an option. A word that only looks like the option can mislead this
    function, so the daemon checks the session.
    """
    value = None
    for at, word in enumerate(words):
        typed, equals, attached = word.partition("=")
        if typed.replace("_", "-") == flag:
            value = attached if equals else "".join(words[at + 1 : at + 2])
    return value


def _asked(place: SessionPaths, build: str, usual: str, words: list[str]) -> _Printed | None:
    """Send the words to the daemon and wait until it says what to print. None: see ``run_warm``."""
    import _socket  # a fifth of the time of ``socket``

    try:
        limit_s = float(_option_value("--timeout-ms", words) or "") / 1000
    except ValueError:
        limit_s = START_S
    first_s = min(FIRST_ANSWER_S, max(0.0, limit_s) + ANSWER_GRACE_S)
    until = time.monotonic() + first_s
    session, *coded = (one.encode("utf-8", "surrogatepass").hex() for one in (usual, *words))
    line = '", "'.join(coded)  # hexadecimal text is JSON without escapes
    request = f'{{"token": "", "build": "{build}", "session": "{session}", "words": ["{line}"]}}\n'
    client = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    reply = _Reply(client)
    accepted = False
    try:
        client.settimeout(first_s)
        client.connect(place.door)
        client.sendall(request.encode())
        first = reply.line(until)
        if not first.startswith(_ACCEPTED):
            return None  # the daemon has not acted: a call begins with its budget
        accepted = True
        budget_s = float(first[len(_ACCEPTED) : -1]) / 1000
        try:
            return reply.printed(time.monotonic() + budget_s + ANSWER_GRACE_S)
        except KeyboardInterrupt:
            return _cancelled(client, reply)
    except TimeoutError:
        return _failure(place, words, silent=True, accepted=accepted)
    except OSError:  # no daemon is listening, or it has ended
        return _failure(place, words, silent=False, accepted=True) if accepted else None
    finally:
        client.close()


def _cancelled(client: socket, reply: _Reply) -> _Printed:
    """Cancel the action by closing the sending side, and return what the daemon reports."""
    try:
        client.shutdown(1)
        return reply.printed(time.monotonic() + CANCEL_S)
    except OSError:
        raise KeyboardInterrupt from None


def _failure(place: SessionPaths, words: list[str], *, silent: bool, accepted: bool) -> _Printed:
    from tabwarden.errors import BudgetExceeded, EndpointUnreachable
    from tabwarden.surfaces.command_table.line import encoded, error_printed
    from tabwarden.surfaces.daemon import call

    kind = BudgetExceeded if accepted else EndpointUnreachable
    error = call.silent(place, kind) if silent else call.ended(place)
    status, number, text = error_printed(error.to_dict(), as_json="--json" in words)
    return status, number, encoded(text)


class _Reply:
    """What a daemon sends. Both methods raise ``TimeoutError`` at the time ``until``, and
    ``ConnectionError`` if the daemon closes the connection.
    """

    def __init__(self, client: socket) -> None:
        self._client = client
        self._got = bytearray()

    def line(self, until: float) -> bytearray:
        while b"\n" not in self._got:
            self._receive(until)
        line, _, self._got = self._got.partition(b"\n")
        return line

    def printed(self, until: float) -> _Printed:
        status, number, length = map(int, self.line(until).split())
        while len(self._got) < length:
            self._receive(until)
        return status, number, self._got

    def _receive(self, until: float) -> None:
        left_s = until - time.monotonic()
        if left_s <= 0:
            raise TimeoutError
        self._client.settimeout(left_s)
        chunk = self._client.recv(_CHUNK)
        if not chunk:
            raise ConnectionResetError
        self._got += chunk
