"""``python -m tabwarden.surfaces.daemon SESSION``: the options come by stdin, as JSON."""

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
from tabwarden.surfaces.cli.options import table
from tabwarden.surfaces.daemon.doors import door_at
from tabwarden.surfaces.daemon.locks import FileLock
from tabwarden.surfaces.daemon.places import Place

_PREDECESSOR_S = 30.0
"""How long the last daemon of this session may take to end its browser."""


def run() -> None:
    """Be the daemon of a session; the first line of stdout says that it listens, or why not."""
    place = Place(sys.argv[1])
    options = json.loads(sys.stdin.read() or "{}")
    life = FileLock(place.life)
    try:
        if not life.take(time.monotonic() + _PREDECESSOR_S):
            raise BudgetExceeded(
                f"The last daemon of session {place.session!r} has not ended yet.",
                f"tabwarden daemon stop --session {place.session} ends it.",
            )
        life.note(os.getpid())
        _serve(place, options)
    except TabwardenError as error:
        _say({"error": error.to_dict()})
        sys.exit(1)


def _serve(place: Place, options: Mapping[str, Any]) -> None:
    from tabwarden.config import config_file, load_config
    from tabwarden.live_config import LiveConfig
    from tabwarden.surfaces.daemon.server import Daemon
    from tabwarden.surfaces.logs import log_to_stderr
    from tabwarden.surfaces.opening import session_of

    log_to_stderr("INFO")
    path = options.get("config")
    live = LiveConfig(
        lambda: load_config(
            path,
            endpoint=options.get("endpoint"),
            executable=options.get("executable"),
            user_data_dir=options.get("user_data_dir"),
            headless=False if options.get("headed") else None,
        ),
        config_file(path),
    )
    idle_minutes = options.get("idle_minutes")

    async def serve() -> None:
        daemon = Daemon(
            place.session,
            session_of(live),
            live,
            door_at(place.door),
            hello={"build": table()["build"], "pid": os.getpid(), "options": options},
            idle_minutes=live.now.daemon.idle_minutes if idle_minutes is None else idle_minutes,
        )
        for number in (signal.SIGTERM, signal.SIGINT):
            with suppress(NotImplementedError):  # Windows: there it just ends
                asyncio.get_running_loop().add_signal_handler(
                    number, daemon.end, f"signal {number.name}"
                )

        def ready() -> None:
            # Cancelled meanwhile, it may not even have said how its browser is to be launched.
            if not _say({"ready": True}):
                daemon.end("who started it has gone")

        await daemon.serve(ready)

    asyncio.run(serve())


def _say(message: Mapping[str, Any]) -> bool:
    """To the client that started us, and whether it is there; nobody reads what comes after."""
    try:
        os.write(1, json.dumps(message).encode() + b"\n")
    except OSError:  # it was cancelled, or gave up waiting
        return False
    finally:
        os.dup2(2, 1)
    return True


if __name__ == "__main__":
    run()
