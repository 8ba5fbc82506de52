"""Routes that OpenClaw's clients expect in addition to the common ones (docs/openclaw.md)."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from browser.surfaces.http.client import Api, Serving, failed
from support.eventually import eventually
from support.site import Site
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

PAGE = "<main><h1>Shop</h1><button onclick=\"document.body.append(Object.assign(document" \
       ".createElement('button'), {textContent: 'Pay'}))\">Buy</button></main>"  # fmt: skip


def test_click_accepts_a_ref_without_its_letter(api: Api, site: Site) -> None:
    api.post("/navigate", url=site.page("/", "<button onclick='document.title += 1'>Go</button>"))
    digits = api.ref('"Go"').removeprefix("e")
    api.act("click", ref=digits)
    api.act("click", ref=int(digits))
    assert api.value("document.title").endswith("11")


def test_click_with_a_delay_hovers_before_it_presses(api: Api, site: Site) -> None:
    keep = "onmouseover='window.came = performance.now()' onclick='window.rest = " \
           "performance.now() - came'"  # fmt: skip
    api.post("/navigate", url=site.page("/", f"<button {keep}>Go</button>"))
    api.act("click", ref=api.ref('"Go"'), delayMs="300")
    assert api.value("rest") >= 290
    assert "5000ms" in api.fail("/act", 400, kind="click", selector="a", delayMs=5001)["error"]


def test_resize_accepts_a_very_small_viewport(api: Api) -> None:
    api.act("resize", width=40, height=30)
    assert api.value("[innerWidth, innerHeight]") == [40, 30]


def test_aria_snapshot_response_contains_nodes(api: Api, site: Site) -> None:
    api.post("/navigate", url=site.page("/", PAGE))
    body = api.get("/snapshot", format="aria")
    buy = next(node for node in body["nodes"] if node["name"] == "Buy")
    assert (body["format"], buy["role"], buy["ref"][0]) == ("aria", "button", "e")
    heading = next(node for node in body["nodes"] if node["role"] == "heading")
    assert heading["depth"] == buy["depth"]
    assert "ref" not in heading
    assert len(api.get("/snapshot", format="aria", limit=1)["nodes"]) == 1


def test_snapshot_with_max_chars_zero_is_not_truncated(api: Api, site: Site) -> None:
    many = "".join(f"<button>Button number {n}</button>" for n in range(2000))
    api.post("/navigate", url=site.page("/", many))
    assert api.get("/snapshot")["truncated"] is True
    whole = api.get("/snapshot", maxChars=0)
    assert whole["truncated"] is False
    assert "Button number 1999" in whole["snapshot"]


def test_snapshot_marks_and_counts_new_elements(api: Api, site: Site) -> None:
    api.post("/navigate", url=site.page("/", PAGE))
    first = api.get("/snapshot")
    assert "newElements" not in first
    assert first["stats"]["refs"] == 1
    api.act("click", ref=api.ref('"Buy"'))
    second = api.get("/snapshot")
    assert second["newElements"] == 1
    (line,) = [line for line in second["snapshot"].splitlines() if "[new]" in line]
    assert '"Pay"' in line
    api.post("/navigate", url=site.page("/other", PAGE))
    assert "newElements" not in api.get("/snapshot")


def test_screenshot_route_also_saves_a_file(api: Api, folders: Path) -> None:
    first, second = (Path(api.post("/screenshot", type="jpeg")["path"]) for _ in range(2))
    assert first != second
    assert first.parent == folders / "down" / "screenshots"
    assert first.read_bytes()[:2] == b"\xff\xd8"


@pytest.mark.long
def test_batch_reports_that_its_tab_closed(api: Api) -> None:
    mine = api.post("/tabs/open")["tabId"]
    actions = [{"kind": "close"}, {"kind": "press", "key": "a"}, {"kind": "press", "key": "b"}]
    done = api.act("batch", actions=actions, targetId=mine)
    assert len(done["results"]) == 1
    assert done["aborted"] == {"reason": "closed", "afterAction": 1, "skipped": 2,
                               "url": "about:blank"}  # fmt: skip


def test_act_response_lists_its_downloads(api: Api, site: Site) -> None:
    link = "<a download=a.txt href='data:text/plain,hi'>Get</a>"
    api.post("/navigate", url=site.page("/", link))
    done = api.act("click", ref=api.ref('"Get"'))
    more = api.act("wait", download=True)
    (got,) = [*done.get("downloads", []), *more.get("downloads", [])][-1:]
    assert got["suggestedFilename"] == "a.txt"


def test_tabs_action_route_opens_labels_selects_and_closes_tabs(api: Api) -> None:
    tab = api.post("/tabs/action", action="new", label="work")["tab"]
    assert tab["label"] == "work"
    named = api.post("/tabs/action", action="label", targetId=tab["tabId"], label="rest")["tab"]
    assert (named["tabId"], named["suggestedTargetId"]) == (tab["tabId"], "rest")
    assert len(api.post("/tabs/action", action="list")["tabs"]) == 2
    first = api.post("/tabs/action", action="select", index=0)
    assert first["targetId"] == first["tabs"][0]["targetId"]
    assert len(api.post("/tabs/action", action="close", index=1)["tabs"]) == 1
    assert api.fail("/tabs/action", 400, action="select")["tabwarden"]["data"]["field"] == "index"
    assert api.fail("/tabs/action", 400, action="fold")["tabwarden"]["data"]["field"] == "action"


def test_profile_routes_create_and_delete_profiles(api: Api) -> None:
    assert api.post("/profiles/create", name="made")["profile"] == "made"
    assert "made" in [one["name"] for one in api.get("/profiles")["profiles"]]
    assert "already exists" in api.fail("/profiles/create", 409, name="made")["error"]
    assert "name is required" in api.fail("/profiles/create", 400)["error"]
    assert "invalid profile name" in api.fail("/profiles/create", 400, name="no no!")["error"]
    told = api.fail("/profiles/create", 501, name="far", cdpUrl="http://10.0.0.42:9222")
    assert "POST /connect?profile=far" in told["error"]
    assert api.delete("/profiles/made")["deleted"] is True
    assert "not found" in failed(api.http.delete("/profiles/made"), 404)["error"]
    assert "default" in failed(api.http.delete("/profiles/default"), 400)["error"]


@pytest.mark.long
def test_profile_is_empty_after_a_reset(api: Api, site: Site) -> None:
    with Api(str(api.http.base_url), task="soiled") as other:
        other.post("/navigate", url=site.page("/", "x"))
        other.value("localStorage.a = 1")
        assert other.post("/reset-profile")["stopped"] is True
        other.post("/navigate", url=site.page("/", "x"))
        assert other.value("localStorage.a") is None
        other.post("/stop")


def test_trace_routes_save_the_tasks_calls(api: Api, site: Site) -> None:
    api.post("/navigate", url=site.page("/", PAGE))
    began = api.post("/trace/start", screenshots=True, snapshots=True, sources=True)
    assert began["url"].startswith(site.here)
    api.act("click", ref=api.ref('"Buy"'))
    saved = api.post("/trace/stop", path="shop.zip", targetId=began["targetId"])
    assert (saved["targetId"], saved["url"]) == (began["targetId"], began["url"])
    assert Path(saved["path"]).name == "shop.zip"
    assert saved["calls"] >= 2
    assert saved["route"] == "/files/traces/shop.zip"
    with zipfile.ZipFile(io.BytesIO(api.http.get(saved["route"]).content)) as trace:
        assert any("click" in line for line in trace.read("trace.trace").decode().split("\n"))
    assert "outside the trace folder" in api.fail("/trace/stop", 403, path="../shop.zip")["error"]


def test_import_route_loads_exported_cookies(api: Api, folders: Path) -> None:
    told = api.fail("/profiles/import", 400, browser="chrome", into="mine")
    assert "run `tabwarden import-cookies --from chrome --to mine` in a terminal" in told["error"]
    cookie = {"name": "login", "value": "1", "domain": "shop.test", "path": "/", "expires": -1}
    (folders / "states").mkdir(exist_ok=True)
    (folders / "states/mine.json").write_text(json.dumps({"cookies": [cookie], "origins": []}))
    done = api.post("/profiles/import", browser="chrome", into="mine", domains=["shop.test"])
    assert done["cookies"] == {"total": 1, "imported": 1, "failed": 0, "skipped": 0}
    assert done["into"] == "default"
    assert "The person chose them" in done["note"]
    assert [one["name"] for one in api.get("/cookies", domain="shop.test")["cookies"]] == ["login"]


def test_screencast_streams_the_current_tab(api: Api, site: Site, server: Serving) -> None:
    api.post("/navigate", url=site.page("/", PAGE, title="Shop"))
    ticket = api.post("/screencast", maxWidth=400)
    address = server.url.replace("http", "ws") + ticket["wsPath"]
    with connect(address) as viewer:
        ready = json.loads(viewer.recv(timeout=30))
        assert ready == {
            "type": "ready", "targetId": ticket["targetId"], "url": ticket["url"], "title": "Shop"
        }  # fmt: skip
        head, picture = framed(viewer.recv(timeout=30))
        assert (head["url"], head["scrollX"]) == (ticket["url"], 0)
        assert picture.startswith(b"\xff\xd8")
        assert head["cssWidth"] > 400
        api.value("void (document.title = 'Paid')")
        assert eventually(lambda: told_by(viewer, "Paid"))
        with pytest.raises(InvalidStatus) as refused:
            connect(address)
        assert refused.value.response.status_code == 403, "the token works once"
        api.post("/tabs/open")
        api.delete(f"/tabs/{ticket['targetId']}")
        with pytest.raises(ConnectionClosed) as closed:
            drain(viewer)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4004


def drain(viewer: ClientConnection) -> None:
    """Read until the server ends the connection."""
    while True:
        viewer.recv(timeout=30)


def framed(message: str | bytes) -> tuple[dict[str, Any], bytes]:
    """The header and the image of a message."""
    assert isinstance(message, bytes)
    size = int.from_bytes(message[:4], "big")
    return json.loads(message[4 : 4 + size]), message[4 + size :]


def told_by(viewer: ClientConnection, title: str) -> bool:
    """Whether the next message contains a tab title."""
    message = viewer.recv(timeout=30)
    return isinstance(message, str) and json.loads(message)["title"] == title


@pytest.mark.threat
def test_screencast_requires_a_token_from_the_server(api: Api, server: Serving) -> None:
    with Api(server.url, token="x" * 32) as stranger:
        assert stranger.http.post("/screencast").status_code == 401
    for token in ("", "x" * 48):
        with pytest.raises(InvalidStatus) as refused:
            connect(f"{server.url.replace('http', 'ws')}/browser/screencast?token={token}")
        assert refused.value.response.status_code == 403


def test_server_keeps_only_the_newest_screenshots(api: Api, folders: Path) -> None:
    first = Path(api.post("/screenshot")["path"])
    for number in range(60):
        (first.parent / f"screenshot-{number}.png").write_bytes(b"old")
    last = Path(api.post("/screenshot")["path"])
    assert last.exists()
    assert not first.exists()
    assert len(list(first.parent.iterdir())) == 50


def test_snapshot_hint_about_a_dialog_shows_the_http_request(api: Api, site: Site) -> None:
    api.post("/navigate", url=site.page("/asks", "<button onclick='alert(1)'>Ask</button>"))
    api.get("/snapshot")
    api.act("click", selector="button")
    assert "POST /hooks/dialog" in api.get("/snapshot")["snapshot"]
    api.post("/hooks/dialog", accept=True)
