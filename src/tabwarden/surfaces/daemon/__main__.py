"""``python -m tabwarden.surfaces.daemon SESSION``. The daemon reads JSON options from stdin."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from tabwarden.errors import BudgetExceeded, TabwardenError
from tabwarden.files.inbox import INBOX
from tabwarden.surfaces.command_table import table
from tabwarden.surfaces.command_table.options import settings_of
from tabwarden.surfaces.daemon.link import door_at
from tabwarden.surfaces.daemon.locks import FileLock
from tabwarden.surfaces.daemon.paths import SessionPaths

PREDECESSOR_S = 30.0
"""How long a new daemon waits for the session's previous daemon to exit."""


def run() -> None:
    """Run a session's daemon. The first line of output reports an error, or that the daemon is
    listening.
    """
    place = SessionPaths(sys.argv[1])
    options = json.loads(sys.stdin.read() or "{}")
    sys.stdin = None  # a command's stdin is its client's
    life = FileLock(place.life)
    try:
        if not life.take(time.monotonic() + PREDECESSOR_S):
            raise BudgetExceeded(
                f"The previous daemon of session {place.session!r} is still running.",
                f"To stop it, run: tabwarden daemon stop --session {place.session}",
            )
        life.note(os.getpid())
        _serve(place, options)
    except TabwardenError as error:
        _say({"error": error.to_dict()})
        sys.exit(1)


def _serve(place: SessionPaths, options: Mapping[str, Any]) -> None:
    from tabwarden.actions import session_of
    from tabwarden.config import config_file, load_config
    from tabwarden.endpoints.profiles import Scratch
    from tabwarden.live_config import LiveConfig
    from tabwarden.surfaces.daemon.server import Daemon
    from tabwarden.surfaces.logs import log_to_stderr

    log_to_stderr("INFO")
    own = dict(options)
    path, idle_minutes = own.pop("config", None), own.pop("idle_minutes", None)
    live = LiveConfig(lambda: load_config(path, **settings_of(own)), config_file(path))

    inbox = None
    with suppress(OSError):  # without a temporary folder, commands can't upload files to pages
        inbox = Scratch.create(INBOX)
    hello = {"build": table()["build"], "pid": os.getpid(), "options": options}

    async def serve() -> None:
        session = session_of(live)
        if inbox is not None:
            session.lend([inbox.folder])
        daemon = Daemon(
            place.session,
            session,
            live,
            door_at(place.door),
            hello={**hello, "inbox": inbox and str(inbox.folder)},
            idle_minutes=live.now.daemon.idle_minutes if idle_minutes is None else idle_minutes,
        )
        for number in (signal.SIGTERM, signal.SIGINT):
            with suppress(NotImplementedError):  # on Windows, the signal terminates the process
                asyncio.get_running_loop().add_signal_handler(
                    number, daemon.end, f"signal {number.name}"
                )

        def ready() -> None:
            if not _say({"ready": True}):
                daemon.end("the client that started it has disconnected")

        await daemon.serve(ready)

    try:
        asyncio.run(serve())
    finally:
        if inbox is not None:
            inbox.remove()


def _say(message: Mapping[str, Any]) -> bool:
    """Send a message to the client that started this daemon. Redirect later output to the log.
    Return whether the client is still connected.
    """
    try:
        os.write(1, json.dumps(message).encode() + b"\n")
    except OSError:  # the client has disconnected
        return False
    finally:
        os.dup2(2, 1)
    return True


if __name__ == "__main__":
    run()
