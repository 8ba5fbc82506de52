"""Each route of the control API on a real browser."""

from __future__ import annotations

import base64
import struct
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest
from browser.surfaces.http.client import Api, failed
from support.site import Site

from tabwarden.control_api import KINDS

BUTTON = '<button onclick="{}">Go</button>'
PNG = b"\x89PNG\r\n\x1a\n"


def width_of(picture: bytes) -> int:
    assert picture.startswith(PNG)
    return int(struct.unpack(">I", picture[16:20])[0])


def test_status_route_returns_version_health_tasks_and_tabs(api: Api, site: Site) -> None:
    api.post("/navigate", url=site.page("/", "hello", title="Greeting"))
    about = api.get("/")
    assert about["version"]
    assert (about["task"], about["running"]) == ("default", True)
    assert about["health"]["status"] == "live"
    assert "default" in [task["task"] for task in about["tasks"]]
    (tab,) = about["tabs"]
    assert (tab["url"], tab["title"], tab["active"]) == (site.here + "/", "Greeting", True)
    assert "Greeting" in about["state"]


def test_navigate_response_contains_tab_url_and_title(api: Api, site: Site) -> None:
    there = api.post("/navigate", url=site.page("/there", "there", title="There"))
    (tab,) = api.get("/tabs")["tabs"]
    assert there["targetId"] == tab["targetId"]
    assert (there["tabId"], there["url"], there["title"]) == (
        tab["tabId"],
        site.here + "/there",
        "There",
    )


def test_navigate_reports_an_unreachable_page(api: Api) -> None:
    body = api.fail("/navigate", 502, url="http://127.0.0.1:9/")
    assert body["code"] == "page_unreachable"


def test_snapshot_route_returns_refs_and_diffs(api: Api, site: Site) -> None:
    api.post("/navigate", url=site.page("/", BUTTON.format("") + "<p>words"))
    page = api.get("/snapshot", format="ai")
    assert page["targetId"]
    ref = next(ref for ref, about in page["refs"].items() if about["name"] == "Go")
    assert f'button "Go" [ref={ref}]' in page["snapshot"]
    assert page["refs"][ref]["frameId"]
    assert page["frameTree"]["top"]["isOopif"] is False
    api.value("document.body.append('more words'); console.error('oh')")
    page = api.get("/snapshot", diff="true")
    assert "more words" in page["snapshot"]
    assert 'button "Go"' not in page["snapshot"]
    assert api.get("/snapshot", maxChars=200, full="false")["truncated"] is False
    query = {"interactive": "true", "compact": "true", "labels": "false", "refs": "role"}
    note = api.get("/snapshot", **query)["note"]
    assert note.count("have no effect") == 1
    assert "Labels" not in note


def test_screenshot_route_returns_json_or_the_image_itself(api: Api, site: Site) -> None:
    url = site.page("/", "<button style='width: 123px; border: 0'>Go</button>")
    api.post("/navigate", url=url)
    body = api.post("/screenshot", ref=api.ref('"Go"'))
    assert body["mediaType"] == "image/png"
    assert body["targetId"]
    assert width_of(base64.b64decode(body["data"])) == 123
    response = api.http.post(
        "/screenshot", json={"type": "jpeg", "fullPage": True}, headers={"Accept": "image/*"}
    )
    assert response.headers["content-type"] == "image/jpeg"
    assert response.content.startswith(b"\xff\xd8")


def test_console_route_filters_by_level_and_clears_messages(api: Api, site: Site) -> None:
    api.post(
        "/navigate", url=site.page("/", "<script>console.log('a'); console.error('b')</script>")
    )
    assert [m["text"] for m in api.get("/console")["messages"]] == ["a", "b"]
    assert [m["text"] for m in api.get("/console", level="error")["messages"]] == ["b"]
    assert api.get("/console", clear="true")["messages"]
    assert api.get("/console")["messages"] == []


def test_tab_routes_accept_every_tab_id_and_target_id_format(api: Api, site: Site) -> None:
    (first,) = api.get("/tabs")["tabs"]
    opened = api.post("/tabs/open", url=site.page("/2", "two", title="Two"))
    assert opened["title"] == "Two"
    assert len(opened["tabs"]) == 2
    focused = api.post("/tabs/focus", targetId=first["targetId"].lower())
    assert focused["targetId"] == first["targetId"]
    assert [t["active"] for t in focused["tabs"]] == [True, False]
    length = next(
        n for n in range(1, 33) if not first["targetId"].startswith(opened["targetId"][:n])
    )
    closed = api.delete(f"/tabs/{opened['targetId'][:length]}")
    assert (closed["targetId"], closed["tabId"]) == (opened["targetId"], opened["tabId"])
    assert closed["url"] == site.here + "/2"
    assert [t["tabId"] for t in closed["tabs"]] == [first["tabId"]]
    body = failed(api.http.delete(f"/tabs/{opened['tabId']}"), 404)
    assert body["tabwarden"]["data"] == {"field": "targetId", "tabs": [first["tabId"]]}


def test_focus_rejects_an_ambiguous_target_id_prefix(api: Api) -> None:
    # Target IDs are hexadecimal: among 17 tabs two have the same first digit.
    for _ in range(16):
        api.post("/tabs/open")
    first_letters = [tab["targetId"][0] for tab in api.get("/tabs")["tabs"]]
    letter = next(one for one in first_letters if first_letters.count(one) > 1)
    body = api.fail("/tabs/focus", 400, targetId=letter)
    assert "Several tabs begin with" in body["error"]
    assert len(body["tabwarden"]["data"]["tabs"]) == first_letters.count(letter)


def test_dialog_interrupts_a_click_and_the_hook_route_answers_it(api: Api, site: Site) -> None:
    click = BUTTON.format("document.title = prompt('Name?', 'nobody')")
    api.post("/navigate", url=site.page("/", click))
    clicked = api.act("click", ref=api.ref('"Go"'))
    assert clicked["status"] == "interrupted"
    assert clicked["by"]["dialog"]["message"] == "Name?"
    assert clicked["blockedByDialog"] is True
    assert clicked["browserState"]["dialogs"]["pending"] == [clicked["by"]["dialog"]]
    assert "POST /hooks/dialog" in clicked["next"]
    (waiting,) = api.get("/dialogs")["pending"]
    assert (waiting["type"], waiting["defaultPrompt"]) == ("prompt", "nobody")
    body = api.fail("/act", 500, kind="press", key="Tab")
    assert body["code"] == "ACT_OPERATION_FAILED"
    assert body["tabwarden"]["code"] == "dialog_pending"
    assert "POST /hooks/dialog" in body["error"]
    answered = api.post("/hooks/dialog", accept=True, promptText="Ada")
    assert answered["closed"]["closedBy"] == "agent"
    assert api.value("document.title") == "Ada"
    dialogs = api.get("/dialogs")
    assert dialogs["pending"] == []
    assert dialogs["recent"][-1]["id"] == waiting["id"]
    assert api.fail("/hooks/dialog", 404, accept=True, dialogId="d-999")["code"] == "no_dialog"


def test_dialog_hook_answers_the_dialog_in_the_specified_tab(api: Api, site: Site) -> None:
    one = api.post("/navigate", url=site.page("/1", "<script>alert('one')</script>"))
    two = api.post("/tabs/open", url=site.page("/2", "<script>alert('two')</script>"))
    assert one["status"] == two["status"] == "interrupted"
    assert api.fail("/hooks/dialog", 409, accept=True)["code"] == "ambiguous_dialog"
    (waiting,) = api.get("/dialogs", targetId=one["tabId"])["pending"]
    assert waiting["message"] == "one"
    closed = api.post("/hooks/dialog", accept=False, targetId=one["targetId"])["closed"]
    assert closed["message"] == "one"
    assert api.post("/hooks/dialog", accept=True, targetId=one["tabId"])["armed"] is True
    api.post("/hooks/dialog", accept=True, dialogId=api.get("/dialogs")["pending"][0]["id"])


def test_auth_hook_answers_a_password_prompt(api: Api, site: Site) -> None:
    def guarded(request: BaseHTTPRequestHandler) -> None:
        known = request.headers.get("Authorization") == "Basic YWRhOnNlY3JldA=="
        body = b"<title>Inside</title>" if known else b"no"
        request.send_response(200 if known else 401)
        request.send_header("WWW-Authenticate", 'Basic realm="vault"')
        request.send_header("Content-Type", "text/html")
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        request.wfile.write(body)

    site.pages["/vault"] = guarded
    asked = api.post("/navigate", url=site.here + "/vault")
    assert asked["by"]["kind"] == "auth"
    assert "POST /hooks/auth" in asked["next"]
    api.post("/hooks/auth", username="ada", password="secret")
    assert api.act("wait", fn="document.title === 'Inside'", timeoutMs=10_000)["ok"]


def test_next_response_reports_new_console_errors_once(api: Api, site: Site) -> None:
    api.post("/navigate", url=site.page("/", "page"))
    answer = api.act("evaluate", fn="console.error('oh no'); 1")
    news = [answer, api.act("press", key="Tab")]
    texts = [
        e["text"] for one in news for e in one.get("newSinceLast", {}).get("consoleErrors", ())
    ]
    assert texts == ["oh no"]


def test_metrics_route_uses_the_prometheus_format(api: Api) -> None:
    api.value("1")
    response = api.http.get("/metrics")
    assert response.headers["content-type"].startswith("text/plain")
    assert 'tabwarden_actions_total{action="evaluate",outcome="ok"}' in response.text


def test_openapi_description_contains_every_route_and_action_kind(api: Api) -> None:
    about: dict[str, Any] = api.get("/openapi.json")
    methods = {f"{m.upper()} {path}" for path, here in about["paths"].items() for m in here}
    for line in api.http.get("/nope").json()["tabwarden"]["hint"].split(":", 1)[1].split(","):
        if "openapi" not in line:
            assert line.strip(" .") in methods
    act = about["paths"]["/act"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    kinds = {kind["properties"]["kind"]["const"]: kind for kind in act["oneOf"]}
    fields = {"kind", "fn", "ref", "frameId", "targetId", "timeoutMs"}
    assert fields <= set(kinds["evaluate"]["properties"])
    assert kinds["drag"]["properties"]["startRef"]["description"]
    assert set(kinds) == {*KINDS, "batch"}


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("PUT", "/tabs", 405),
        ("OPTIONS", "/tabs", 405),
        ("GET", "/nope", 404),
        ("GET", "/tabs/", 404),
    ],
)
def test_error_for_an_unknown_route_lists_the_known_routes(
    method: str, path: str, status: int, api: Api
) -> None:
    body = failed(api.http.request(method, path), status)
    assert body["tabwarden"]["data"]["field"] == "path"
    assert "POST /act" in body["tabwarden"]["hint"]


def test_changes_route_lists_numbered_changes_after_a_number(api: Api, site: Site) -> None:
    api.post("/navigate", url=site.page("/", "<button onclick='alert(1)'>Go</button>"))
    before = api.get("/changes")
    assert before["sequence"] == before["dropped"] + len(before["changes"])
    assert before["changes"][-1]["kind"] == "navigation"
    assert before["changes"][-1]["url"] == site.here + "/"
    api.act("click", ref=api.ref('"Go"'))
    api.post("/hooks/dialog", accept=True)
    (change,) = api.get("/changes", since=before["sequence"])["changes"]
    assert (change["sequence"], change["kind"]) == (before["sequence"] + 1, "dialog_answered")
    assert (change["dialog"]["message"], change["dialog"]["closedBy"]) == ("1", "agent")
    assert failed(api.http.get("/changes", params={"since": "x"}), 400)["tabwarden"]["data"] == {
        "field": "since"
    }
