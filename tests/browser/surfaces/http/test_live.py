"""A task's choice of browser, and configuration changes while the server runs."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from browser.surfaces.http.client import Api, Serving, failed, serving
from support.eventually import eventually
from support.site import Site


def write(path: Path, text: str) -> None:
    """Replace a configuration file atomically, like a careful editor."""
    fresh = path.with_suffix(".new")
    fresh.write_text(text)
    fresh.replace(path)


@pytest.mark.long
def test_running_server_applies_a_changed_configuration(tmp_path: Path, site: Site) -> None:
    config = tmp_path / "config.yaml"
    config.write_text("browser: {dialog_policy: must_respond}")
    with serving("--config", str(config)) as server, Api(server.url) as api:
        url = site.page("/", "<button onclick=\"document.title = confirm('?')\">Go</button>")
        api.post("/navigate", url=url)
        with api.http.stream("GET", "/events") as events:
            write(config, "browser: {enabled: false}")
            for fields in ({"kind": "press", "key": "a"}, {"kind": "nope"}):
                assert api.fail("/act", 403, **fields)["code"] == "disabled"
            assert failed(api.http.get("/snapshot"), 403)["code"] == "disabled"
            assert api.fail("/start", 403)["code"] == "disabled"
            assert failed(api.http.get("/tabs"), 403)["code"] == "disabled"
            assert api.get("/")["enabled"] is False
            assert "event: end" in events.read().decode()
        write(config, "browser: {enabled: true, evaluate_enabled: false}")
        body = api.fail("/act", 403, kind="evaluate", fn="1")
        assert body["code"] == "ACT_EVALUATE_DISABLED"
        write(config, "browser: {enabled: maybe}")
        assert api.get("/")["enabled"] is True  # an invalid configuration changes nothing
        write(config, "browser: {dialog_policy: auto_accept}")

        def answered_by_policy() -> bool:
            api.act("click", selector="button")
            api.http.post("/hooks/dialog", json={"accept": False})  # too late, from then on
            recent = api.get("/dialogs")["recent"]
            return bool(recent) and recent[-1]["closedBy"] == "auto_policy"

        eventually(answered_by_policy)  # the open browser gets it within a quarter of a second
        assert api.value("document.title") == "true"


@pytest.mark.long
def test_task_can_start_connect_to_or_attach_to_a_chosen_browser(
    server: Serving, site: Site, port: int
) -> None:
    url = site.page("/", "page", title="Here")
    with Api(server.url, task="chosen") as api:
        started = api.post("/start", headless=True, url=url)
        assert (started["running"], started["title"]) == (True, "Here")
        assert api.post("/start")["running"] is True
        assert api.http.post("/start", params={"headless": "true"}).status_code == 409
        body = api.fail("/start", 409, cdpPort=port)
        assert body["code"] == "already_open"
        assert "POST /stop" in body["error"]
        body = api.fail("/disconnect", 501)
        assert body["code"] == "not_supported"

        connected = api.post("/connect", url=f"http://127.0.0.1:{port}")
        assert "Connected" in connected["note"]
        api.post("/navigate", url=url)
        body = api.fail("/connect", 502, url="http://127.0.0.1:9")
        assert body["code"] == "endpoint_unreachable"
        assert api.value("document.title") == "Here"
        assert api.post("/disconnect")["running"] is False
        assert api.fail("/disconnect", 409)["code"] == "not_open"

        attached = api.post("/start", attachToExisting=True, cdpPort=port)
        assert [tab["title"] for tab in attached["tabs"] if tab["title"]]
        assert api.post("/stop")["stopped"] is True
        with Api(server.url, task="after") as after:
            after.post("/connect", url=str(port))
            assert any(tab["url"] == url for tab in after.get("/tabs")["tabs"])
            after.post("/stop")


@pytest.mark.long
def test_profile_parameter_is_an_alias_for_task(server: Serving, site: Site) -> None:
    with Api(server.url) as api:
        opened = api.http.post("/tabs/open?profile=work", json={"url": site.page("/", "page")})
        assert opened.status_code == 200
        assert api.get("/", profile="work")["profile"] == "work"
        assert api.get("/", task="work")["running"] is True
        assert api.http.post("/stop?profile=work").json()["stopped"] is True


def test_only_one_of_several_concurrent_starts_succeeds(server: Serving) -> None:
    answers: list[dict[str, Any]] = []

    def start() -> None:
        with Api(server.url, task="race") as api:
            answers.append(api.http.post("/start", json={"headless": True}).json())

    threads = [threading.Thread(target=start) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(one["ok"] for one in answers) == [False, False, True]
    assert {one["code"] for one in answers if not one["ok"]} == {"already_open"}
    with Api(server.url, task="race") as api:
        assert api.post("/stop")["stopped"] is True
