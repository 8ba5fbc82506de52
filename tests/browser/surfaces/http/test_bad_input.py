"""Invalid input on every route and kind: the error identifies the field, without side effects."""

from __future__ import annotations

from typing import Any

import pytest
from browser.surfaces.http.client import Api, failed, opened_socket
from support.site import Site

KINDS: list[tuple[dict[str, Any], str, str]] = [
    ({}, "kind", "ACT_KIND_REQUIRED"),
    ({"kind": "clck"}, "kind", "ACT_KIND_REQUIRED"),
    ({"kind": 5}, "kind", "ACT_KIND_REQUIRED"),
    ({"kind": "click"}, "ref", "ACT_INVALID_REQUEST"),
    ({"kind": "click", "ref": "#buy"}, "ref", "ACT_INVALID_REQUEST"),
    ({"kind": "click", "ref": 1.5}, "ref", "ACT_INVALID_REQUEST"),
    ({"kind": "click", "ref": "e1", "button": "upper"}, "button", "ACT_INVALID_REQUEST"),
    ({"kind": "click", "ref": "e1", "modifiers": ["Hyper"]}, "modifiers", "ACT_INVALID_REQUEST"),
    ({"kind": "click", "ref": "e1", "doubleclick": True}, "doubleclick", "ACT_INVALID_REQUEST"),
    ({"kind": "press", "key": "a", "selector": "#buy"}, "selector", "ACT_SELECTOR_UNSUPPORTED"),
    ({"kind": "click", "selector": "#a", "ref": "e1"}, "selector", "ACT_INVALID_REQUEST"),
    ({"kind": "click", "selector": "#nope"}, "selector", "ACT_INVALID_REQUEST"),
    ({"kind": "clickCoords", "x": 5}, "y", "ACT_INVALID_REQUEST"),
    ({"kind": "clickCoords", "x": "left", "y": 1}, "x", "ACT_INVALID_REQUEST"),
    ({"kind": "type", "ref": "e1"}, "text", "ACT_INVALID_REQUEST"),
    ({"kind": "type", "ref": "e1", "text": 5}, "text", "ACT_INVALID_REQUEST"),
    ({"kind": "press", "key": "Entr"}, "key", "ACT_INVALID_REQUEST"),
    ({"kind": "press", "key": "a", "times": 51}, "times", "ACT_INVALID_REQUEST"),
    ({"kind": "hover"}, "ref", "ACT_INVALID_REQUEST"),
    ({"kind": "scrollIntoView"}, "ref", "ACT_INVALID_REQUEST"),
    ({"kind": "drag", "startRef": "e1"}, "endRef", "ACT_INVALID_REQUEST"),
    ({"kind": "drag", "startRef": "e1", "endReff": "e1"}, "endReff", "ACT_INVALID_REQUEST"),
    ({"kind": "select", "ref": "e1"}, "labels", "ACT_INVALID_REQUEST"),
    ({"kind": "select", "ref": "e1", "values": 3}, "values", "ACT_INVALID_REQUEST"),
    ({"kind": "fill"}, "fields", "ACT_INVALID_REQUEST"),
    ({"kind": "fill", "fields": "e1"}, "fields", "ACT_INVALID_REQUEST"),
    ({"kind": "fill", "fields": [{"value": "x"}]}, "fields[0]", "ACT_INVALID_REQUEST"),
    ({"kind": "resize", "width": 500}, "height", "ACT_INVALID_REQUEST"),
    ({"kind": "resize", "width": 500, "height": -1}, "height", "ACT_INVALID_REQUEST"),
    ({"kind": "wait"}, "text", "ACT_INVALID_REQUEST"),
    ({"kind": "wait", "timeMs": "soon"}, "timeMs", "ACT_INVALID_REQUEST"),
    ({"kind": "wait", "timeMs": 5000, "timeoutMs": 1000}, "timeMs", "ACT_INVALID_REQUEST"),
    ({"kind": "wait", "loadState": "done"}, "loadState", "ACT_INVALID_REQUEST"),
    ({"kind": "wait", "text": "a", "filename": "a"}, "filename", "ACT_INVALID_REQUEST"),
    ({"kind": "wait", "selector": "["}, "selector", "ACT_INVALID_REQUEST"),
    ({"kind": "evaluate"}, "fn", "ACT_INVALID_REQUEST"),
    ({"kind": "evaluate", "fn": " "}, "fn", "ACT_INVALID_REQUEST"),
    ({"kind": "evaluate", "script": "1"}, "script", "ACT_INVALID_REQUEST"),
    ({"kind": "evaluate", "fn": "1", "timeoutMs": 0}, "timeoutMs", "ACT_INVALID_REQUEST"),
    ({"kind": "evaluate", "fn": "1", "timeoutMs": -5}, "timeoutMs", "ACT_INVALID_REQUEST"),
    ({"kind": "evaluate", "fn": "1", "timeoutMs": 1e12}, "timeoutMs", "ACT_INVALID_REQUEST"),
    ({"kind": "evaluate", "fn": "1", "timeoutMs": True}, "timeoutMs", "ACT_INVALID_REQUEST"),
    ({"kind": "evaluate", "fn": "1", "timeoutMs": "soon"}, "timeoutMs", "ACT_INVALID_REQUEST"),
    ({"kind": "evaluate", "fn": "1", "targetId": "t99"}, "targetId", "ACT_INVALID_REQUEST"),
    ({"kind": "evaluate", "fn": "1", "targetId": ""}, "targetId", "ACT_INVALID_REQUEST"),
    ({"kind": "close", "targetId": "nope"}, "targetId", "ACT_INVALID_REQUEST"),
    ({"kind": "batch"}, "actions", "ACT_INVALID_REQUEST"),
    ({"kind": "batch", "actions": []}, "actions", "ACT_INVALID_REQUEST"),
    ({"kind": "batch", "actions": [5]}, "actions", "ACT_INVALID_REQUEST"),
    ({"kind": "batch", "actions": [{}] * 101}, "actions", "ACT_INVALID_REQUEST"),
    ({"kind": "batch", "actions": [{"kind": "close"}], "timeoutMs": 0}, "timeoutMs",
     "ACT_INVALID_REQUEST"),
]  # fmt: skip
POSTS: list[tuple[str, dict[str, Any], str]] = [
    ("/navigate", {}, "url"),
    ("/navigate", {"url": "not a url"}, "url"),
    ("/navigate", {"url": 5}, "url"),
    ("/navigate", {"url": "about:blank", "timeoutMs": 0}, "timeoutMs"),
    ("/navigate", {"url": "about:blank", "task": "a"}, "task"),
    ("/start", {"profile": "a"}, "profile"),
    ("/start", {"timeoutMs": "soon"}, "timeoutMs"),
    ("/stop", {"force": True}, "force"),
    ("/tabs/open", {"uri": "about:blank"}, "uri"),
    ("/tabs/focus", {}, "targetId"),
    ("/screenshot", {"type": "gif"}, "type"),
    ("/screenshot", {"ref": "e1", "fullPage": True}, "fullPage"),
    ("/hooks/dialog", {}, "accept"),
    ("/hooks/dialog", {"accept": "maybe"}, "accept"),
    ("/hooks/auth", {}, "username"),
]
QUERIES = [
    ("/", "verbose=1", "verbose"),
    ("/tabs", "targetId=t1", "targetId"),
    ("/snapshot", "maxChars=3", "maxChars"),
    ("/snapshot", "maxchars=300", "maxchars"),
    ("/snapshot", "format=html", "format"),
    ("/snapshot", "timeoutMs=1e3", "timeoutMs"),
    ("/snapshot", "diff=1&diff=0", "diff"),
    ("/snapshot", "timeoutMs=0", "timeoutMs"),
    ("/console", "level=loud", "level"),
    ("/tabs", "task=../up", "task"),
    ("/tabs", "task=", "task"),
    ("/tabs", f"task={'a' * 65}", "task"),
]


@pytest.mark.parametrize(("fields", "field", "code"), KINDS, ids=str)
def test_act_error_identifies_the_invalid_field_for_each_kind(
    fields: dict[str, Any], field: str, code: str, plain_api: Api
) -> None:
    body = plain_api.fail("/act", 400, **fields)
    assert body["code"] == code
    assert body["tabwarden"]["data"]["field"] == field
    assert body["tabwarden"]["hint"]
    assert plain_api.value("1 + 1") == 2


def test_error_for_an_unknown_field_suggests_the_closest_name(plain_api: Api) -> None:
    for kind, field, nearest in (
        ("click", "reff", "ref"),
        ("evaluate", "timeout_ms", "timeoutMs"),
        ("wait", "textgone", "textGone"),
        ("type", "submitt", "submit"),
    ):
        body = plain_api.fail("/act", 400, **{"kind": kind, field: "x"})
        assert f"Did you mean {nearest}?" in body["error"]
    assert "evaluate" in plain_api.fail("/act", 400, kind="evaluat")["error"]


@pytest.mark.parametrize(("path", "fields", "field"), POSTS, ids=str)
def test_post_error_identifies_the_invalid_field_for_each_route(
    path: str, fields: dict[str, Any], field: str, plain_api: Api
) -> None:
    body = plain_api.fail(path, 400, **fields)
    assert body["code"] == "invalid_argument"
    assert body["tabwarden"]["data"]["field"] == field


@pytest.mark.parametrize(("path", "query", "field"), QUERIES)
def test_query_error_identifies_the_invalid_parameter_for_each_route(
    path: str, query: str, field: str, plain_api: Api
) -> None:
    body = failed(plain_api.http.get(f"{path}?{query}"), 400)
    assert body["tabwarden"]["data"]["field"] == field


def test_navigate_denies_forbidden_url_schemes(plain_api: Api) -> None:
    for url in ("file:///etc/passwd", "javascript:alert(1)"):
        assert plain_api.fail("/navigate", 403, url=url)["code"] == "denied"


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("{", "not JSON"),
        ("kind=click", "not JSON"),
        ("[1]", "not an object"),
        ('{"a": NaN}', "not JSON"),
        ("[" * 100_000, "not JSON"),
        ('{"kind": "evaluate", "fn": "\\ud800"}', "not JSON"),
    ],
)
def test_server_rejects_a_body_that_is_not_a_json_object(
    body: str, words: str, plain_api: Api
) -> None:
    told = failed(plain_api.http.post("/navigate", content=body), 400)
    assert words in told["error"]
    assert told["tabwarden"]["data"]["field"] == "body"
    assert failed(plain_api.http.post("/act", content=body), 400)["code"] == "ACT_INVALID_REQUEST"


@pytest.mark.parametrize(
    ("content_type", "status"),
    [
        ("application/json", 200),
        ("Application/JSON; charset=UTF-8", 200),
        ("application/vnd.agent+json", 200),
        ("", 200),
        ("application/json; charset=latin-1", 415),
        ("application/x-www-form-urlencoded", 415),
        ("multipart/form-data; boundary=x", 415),
        ("text/plain", 415),
    ],
)
def test_server_rejects_a_body_with_another_content_type(
    content_type: str, status: int, plain_api: Api
) -> None:
    headers = {"Content-Type": content_type} if content_type else {}
    for path in ("/act", "/tabs/focus", "/stop?task=none"):
        body = {"/act": '{"kind": "evaluate", "fn": "1"}', "/tabs/focus": '{"targetId": "t0"}'}
        response = plain_api.http.post(path, content=body.get(path, "{}"), headers=headers)
        if status == 415:
            told = failed(response, 415)
            assert told["tabwarden"]["data"]["field"] == "Content-Type"
            assert "application/json" in told["error"]
        else:
            assert response.status_code in (200, 404)


def test_error_says_whether_a_field_belongs_in_the_body_or_the_query(plain_api: Api) -> None:
    told = failed(plain_api.http.post("/navigate?url=about:blank"), 400)
    assert "body" in told["error"]
    assert told["tabwarden"]["data"]["field"] == "url"
    told = failed(plain_api.http.request("GET", "/snapshot", json={"diff": True}), 400)
    assert "query" in told["error"]


@pytest.mark.threat
def test_server_rejects_an_oversized_body_before_it_reads_the_body(api: Api) -> None:
    long = '{"kind": "evaluate", "fn": "' + " " * (4 * 1024 * 1024) + '1"}'
    assert failed(api.http.post("/act", content=long), 413)["tabwarden"]["data"]["field"] == "body"
    url = str(api.http.base_url).rstrip("/")
    with opened_socket(url, "POST /act", Content_Length=str(10**12)) as connection:
        assert b" 413 " in connection.recv(1000)
    with opened_socket(url, "POST /act", Content_Length="", Transfer_Encoding="chunked") as piece:
        answer = b""
        piece.settimeout(20)
        try:
            for _ in range(80):
                piece.sendall(b"10000\r\n" + b" " * 0x10000 + b"\r\n")
        except OSError:  # the server may have closed the connection
            pass
        answer = piece.recv(1000)
        assert b" 413 " in answer
    assert api.value("1 + 1") == 2


def test_requests_that_need_a_browser_fail_until_one_is_open(api: Api, site: Site) -> None:
    with Api(str(api.http.base_url), task="fresh") as fresh:
        assert fresh.get("/tabs") == {"ok": True, "running": False, "tabs": []}
        assert fresh.get("/dialogs")["running"] is False
        body = failed(fresh.http.get("/snapshot"), 409)
        assert body["code"] == "not_open"
        assert "POST /start" in body["error"]
        for fields in ({"kind": "press", "key": "a"}, {"kind": "close"}):
            assert fresh.fail("/act", 500, **fields)["tabwarden"]["code"] == "not_open"
        assert failed(fresh.http.delete("/tabs/t1"), 409)["code"] == "not_open"
        assert fresh.fail("/tabs/focus", 409, targetId="t1")["code"] == "not_open"
        assert failed(fresh.http.get("/events"), 409)["code"] == "not_open"
        assert fresh.fail("/act", 500, kind="batch", actions=[{"kind": "close"}])["code"] == (
            "ACT_OPERATION_FAILED"
        )
        fresh.post("/navigate", url=site.page("/", "now"))
        assert "now" in fresh.get("/snapshot")["snapshot"]
        stopped = {"ok": True, "task": "fresh", "profile": "fresh", "stopped": True}
        assert fresh.post("/stop") == stopped
        assert fresh.post("/stop")["stopped"] is False


WORDS: list[tuple[str, dict[str, Any], list[str], list[str]]] = [
    ("/act", {"kind": "wait"}, ["timeMs", "textGone", "loadState", "fn"], ["timeS", "time_s"]),
    ("/act", {"kind": "wait", "timeMs": 5000, "timeoutMs": 1000},
     ["timeMs 5000", "1000 ms", "timeoutMs"], ["timeS", "time_s"]),
    ("/act", {"kind": "drag"}, ["startRef", "startX"], ["from_"]),
    ("/act", {"kind": "drag", "startRef": "e1"}, ["endRef", "endY"], ["to_"]),
    ("/act", {"kind": "dragCoords", "x": 1, "y": 1, "endX": 1}, ["endY"], ["to_"]),
    ("/act", {"kind": "evaluate", "fn": ""}, ["fn is empty"], ["script"]),
    ("/act", {"kind": "wait", "fn": ""}, ["fn is empty"], ["script"]),
    ("/act", {"kind": "upload", "paths": []}, ["paths is empty"], ["filenames"]),
    ("/hooks/file-chooser", {"paths": []}, ["paths is empty"], ["filenames"]),
    ("/download", {}, ["url", "ref", "path"], ["Neither"]),
    ("/act", {"kind": "clik"}, ["Did you mean click?", "clickCoords"], []),
    ("/act", {"kind": "bach"}, ["Did you mean batch?"], []),
]  # fmt: skip


@pytest.mark.parametrize(("path", "fields", "says", "never"), WORDS)
def test_errors_use_the_field_names_of_the_request(
    plain_api: Api, path: str, fields: dict[str, Any], says: list[str], never: list[str]
) -> None:
    error = plain_api.fail(path, 400, **fields)["error"]
    assert [word for word in says if word not in error] == [], error
    assert [word for word in never if word in error] == [], error


def test_error_quotes_request_values_unchanged(plain_api: Api) -> None:
    fields = {"kind": "find", "css": "time_s > from_ref("}
    assert "'time_s > from_ref('" in plain_api.fail("/act", 400, **fields)["error"]
