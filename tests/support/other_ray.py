"""A Ray cluster that Tabwarden did not start."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from support.eventually import eventually

__all__ = ["answers", "end", "started_head"]

_RAY = Path(sys.executable).with_name("ray")


def started_head(
    address: str, *options: str, environment: Mapping[str, str]
) -> subprocess.Popen[bytes]:
    """Start a head with these options of ``ray start``; return when ``address`` responds."""
    running = subprocess.Popen(
        (_RAY, "start", "--head", "--block", f"--port={address.rpartition(':')[2]}", *options,
         "--include-dashboard=false", "--disable-usage-stats", "--num-cpus=0",
         f"--object-store-memory={100 << 20}"),
        env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        assert eventually(lambda: answers(address, environment), within_s=60)
    except BaseException:
        end(running)
        raise
    return running


def end(running: subprocess.Popen[bytes]) -> None:
    """Stop a head that ``started_head`` started."""
    running.terminate()
    running.wait(60)


def answers(address: str, environment: Mapping[str, str] | None = None) -> bool:
    """Whether Ray's head responds there."""
    return not subprocess.run(
        (_RAY, "health-check", "--address", address), env=environment, capture_output=True,
        timeout=60, check=False,
    ).returncode  # fmt: skip
