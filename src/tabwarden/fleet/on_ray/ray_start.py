"""``python -m tabwarden.fleet.on_ray.ray_start``: ``ray start`` for a Redis store with a password.

Ray accepts this password only on its command line, and copies it to the command lines of its
processes, which every user on the machine can read. Only Ray's GCS server needs the password, so
this program passes it in that server's environment.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any

PASSWORD = "TABWARDEN_REDIS_PASSWORD"
"""The environment variable from which this program reads the password."""


def main() -> None:
    """Run ``ray start`` with this program's arguments."""
    from ray._private import services
    from ray.scripts.scripts import main as ray

    password = os.environ.pop(PASSWORD)
    start = services.start_ray_process

    def start_process(command: list[str], process_type: str, *args: Any, **options: Any) -> Any:
        if process_type == "gcs_server":
            command = [*command, "--fromenv=redis_password"]  # gflags' own way
            more = {"FLAGS_redis_password": password}
            options["env_updates"] = (options.get("env_updates") or {}) | more
        return start(command, process_type, *args, **options)

    services.start_ray_process = start_process
    services.start_gcs_server = _without_password(services.start_gcs_server)
    services.start_raylet = _without_password(services.start_raylet)
    # no other process sees the password
    sys.argv = ["ray", *sys.argv[1:], f"--redis-password={password}"]
    ray()  # type: ignore[no-untyped-call]


def _without_password(start: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *args, **options: start(*args, **(options | {"redis_password": None}))


if __name__ == "__main__":
    main()
