"""A head that stores its leases and Ray's state in a Redis with a password."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from support.redis_server import redis_server

pytest.importorskip("ray", reason="needs ray: make env")
redis = pytest.importorskip("redis", reason="needs redis: make env")

pytestmark = [
    pytest.mark.calm,
    pytest.mark.timeout(300),
]

PORT, PASSWORD = 6397, "a/password+of%this?test"


@pytest.mark.threat
def test_fleet_up_passes_the_redis_password_on_no_command_line(tmp_path: Path) -> None:
    def run(*words: str) -> Any:
        done = subprocess.run(
            (sys.executable, "-m", "tabwarden.surfaces.cli", "fleet", *words, "--json"),
            env=environment, capture_output=True, text=True, timeout=150, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return json.loads(done.stdout)

    with redis_server(tmp_path) as url, redis.Redis.from_url(url) as client:
        client.config_set("requirepass", PASSWORD)
        client.auth(PASSWORD)
        environment = {
            name: value for name, value in os.environ.items() if not name.startswith("XDG_")
        } | {
            "HOME": str(tmp_path),
            "TABWARDEN_FLEET__STORE": url.replace("//", "//:a%2Fpassword%2Bof%25this%3Ftest@"),
            "TABWARDEN_FLEET__MIN_FREE_MEMORY_MB": "0",
        }
        try:
            told = run("up", "--port", str(PORT), "--node", "n1")
            assert told["node"] == "n1"
            kept = {key.decode() for key in client.keys("*")}
            assert "tabwarden:fleet:term" in kept, "the leases"
            assert any(key.startswith("RAY") for key in kept), "what Ray's head needs to come back"
            lines = [_command_line(process) for process in Path("/proc").glob("[0-9]*")]
            assert any("gcs_server" in line and str(PORT) in line for line in lines)
            assert not [line for line in lines if PASSWORD in line or "a%2Fpassword" in line]
        finally:
            run("stop")


def _command_line(process: Path) -> str:
    try:
        return (process / "cmdline").read_text()
    except OSError:
        return ""
