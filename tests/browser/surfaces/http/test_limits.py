"""A server's limits come from its configuration and can change while it runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from browser.surfaces.http.client import Api, failed, serving
from support.eventually import eventually


@pytest.mark.long
def test_full_server_returns_a_retry_time_and_applies_a_changed_limit(tmp_path: Path) -> None:
    file = tmp_path / "config.yaml"
    file.write_text("server: {max_tasks: 1}\n")
    with (
        serving("--config", str(file)) as server,
        Api(server.url, task="one") as one,
        Api(server.url, task="two") as two,
    ):
        one.post("/start")
        response = two.http.post("/start", json={})
        full = failed(response, 429)
        assert (full["code"], response.headers["retry-after"]) == ("capacity", "5")
        assert full["tabwarden"]["data"]["reason"] == "tasks"
        assert "one" not in full["error"].split()  # another client's task
        file.write_text("server: {max_tasks: 2}\n")
        two.post("/start")
        metrics = one.http.get("/metrics").text
        assert 'tabwarden_refused_tasks_total{reason="tasks"} 1.0' in metrics
        for name in ("one", "two"):
            found = re.search(rf'browser_memory_bytes{{task_id="{name}"}} (\S+)', metrics)
            assert found is not None
            assert float(found[1]) > 20e6  # a headless shell with an empty tab takes 27 MB


@pytest.mark.long
def test_server_opens_no_browser_if_memory_is_low() -> None:
    enough = {"TABWARDEN_SERVER__MIN_FREE_MEMORY_MB": "1000000000"}
    with serving(**enough) as server, Api(server.url) as api:
        response = api.http.post("/start", json={})
        full = failed(response, 429)
        assert (full["code"], response.headers["retry-after"]) == ("capacity", "5")
        assert full["tabwarden"]["data"]["reason"] == "memory"
        assert "server.min_free_memory_mb" in full["error"]


@pytest.mark.long
def test_server_stops_an_idle_task_and_frees_its_slot() -> None:
    limits = {"TABWARDEN_SERVER__MAX_TASKS": "1", "TABWARDEN_SERVER__IDLE_MINUTES": "0.01"}
    with (
        serving("--log-level", "INFO", **limits) as server,
        Api(server.url, task="one") as one,
        Api(server.url, task="two") as two,
    ):
        one.post("/navigate", url="about:blank")
        eventually(lambda: not one.get("/")["running"])
        two.post("/start")
        two.post("/stop")
        again = one.post("/navigate", url="about:blank")
        assert "no call arrived for 0.01 minutes" in again["note"]
    assert any("idle_task_ended" in line and "task_id=one" in line for line in server.told)
