"""A session's stored data and emulation over HTTP, and its pages' network requests."""

from __future__ import annotations

import base64
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest
from browser.surfaces.http.client import Api, failed
from support.site import Site


def test_cookie_routes_set_list_and_clear_cookies(api: Api, site: Site) -> None:
    api.post("/navigate", url=site.page("/", "page"))
    held = {"name": "a", "value": "secret-1", "sameSite": "Lax"}
    assert api.post("/cookies/set", cookie=held)["cookies"][0]["sameSite"] == "Lax"
    api.post("/cookies/set", name="b", value="2", url=site.here)
    listed = api.get("/cookies")
    assert [one["name"] for one in listed["cookies"]] == ["a", "b"]
    assert "secret-1" not in str(listed)
    with_values = api.get("/cookies", values="true", name="a")["cookies"]
    assert [one["value"] for one in with_values] == ["secret-1"]
    assert api.value("document.cookie") == "a=secret-1; b=2"
    api.post("/cookies/clear", name="a")
    assert api.value("document.cookie") == "b=2"
    api.post("/cookies/clear")
    assert api.get("/cookies")["cookies"] == []


@pytest.mark.parametrize("kind", ["local", "session"])
def test_storage_routes_set_read_and_clear_items(kind: str, api: Api, site: Site) -> None:
    api.post("/navigate", url=site.page("/", "page"))
    api.post(f"/storage/{kind}/set", key="theme", value="dark")
    api.post(f"/storage/{kind}/set", key="other", value="1")
    assert api.value(f"{kind}Storage.theme") == "dark"
    assert api.get(f"/storage/{kind}", key="theme")["values"] == {"theme": "dark"}
    listed = api.get(f"/storage/{kind}")
    assert {one["name"] for one in listed["items"]} == {"theme", "other"}
    assert "dark" not in str(listed)
    api.post(f"/storage/{kind}/clear", key="theme")
    assert api.get(f"/storage/{kind}", values="true")["values"] == {"other": "1"}
    api.post(f"/storage/{kind}/clear")
    assert api.get(f"/storage/{kind}")["items"] == []


def test_storage_state_routes_save_and_load_a_login(api: Api, site: Site) -> None:
    url = site.page("/", "page")
    api.post("/navigate", url=url)
    api.value("document.cookie = 'login=yes; max-age=1000'; localStorage.kept = 'too'; 1")
    api.post("/storage-state/save", filename="login.json")
    api.post("/cookies/clear")
    api.post("/storage/local/clear")
    api.post("/storage-state/load", filename="login.json")
    api.post("/navigate", url=url)
    assert api.value("[document.cookie, localStorage.kept]") == ["login=yes", "too"]


def test_clipboard_route_writes_and_reads(api: Api, site: Site) -> None:
    api.post("/navigate", url=site.page("/", "page"))
    api.post("/clipboard", text="copied")
    assert "copied" in str(api.get("/clipboard")["value"])


SETTINGS: list[tuple[str, dict[str, Any], str, object, dict[str, Any]]] = [
    ("offline", {"offline": True}, "navigator.onLine", False, {"offline": False}),
    ("timezone", {"timezoneId": "Asia/Tokyo"},
     "Intl.DateTimeFormat().resolvedOptions().timeZone", "Asia/Tokyo", {"timezoneId": ""}),
    ("locale", {"locale": "de-DE"}, "(1.5).toLocaleString()", "1,5", {"locale": ""}),
    ("media", {"colorScheme": "dark"}, "matchMedia('(prefers-color-scheme: dark)').matches", True,
     {"colorScheme": "none"}),
    ("device", {"name": "iPhone 15"}, "navigator.userAgent.includes('iPhone')", True,
     {"name": ""}),
    ("geolocation", {"latitude": 52.5, "longitude": 13.4, "accuracy": 5},
     "new Promise(d => navigator.geolocation.getCurrentPosition(p => d(p.coords.latitude)))", 52.5,
     {"clear": True}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("path", "fields", "script", "value", "undo"), SETTINGS, ids=[s[0] for s in SETTINGS]
)
def test_emulation_setting_applies_to_pages_until_it_is_cleared(
    path: str,
    fields: dict[str, Any],
    script: str,
    value: object,
    undo: dict[str, Any],
    api: Api,
    site: Site,
) -> None:
    url = site.page("/", "page")
    api.post("/navigate", url=url)
    try:
        api.post(f"/set/{path}", **fields)
        if path != "offline":
            api.post("/navigate", url=url)
        assert api.value(script) == value
    finally:
        undone = api.post(f"/set/{path}", **undo)
    assert undone["value"] == {}


def echo(header: str) -> Callable[[BaseHTTPRequestHandler], None]:
    """A page whose title is a request header."""

    def respond(request: BaseHTTPRequestHandler) -> None:
        body = f"<title>{request.headers.get(header, 'none')}</title>".encode()
        request.send_response(200)
        request.send_header("Content-Type", "text/html")
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        request.wfile.write(body)

    return respond


def test_set_headers_adds_and_removes_request_headers(api: Api, site: Site) -> None:
    site.pages["/echo"] = echo("X-Debug")
    api.post("/set/headers", headers={"X-Debug": "on"})
    assert api.post("/navigate", url=site.here + "/echo")["title"] == "on"
    api.post("/set/headers", headers={})
    assert api.post("/navigate", url=site.here + "/echo")["title"] == "none"


def guarded(request: BaseHTTPRequestHandler) -> None:
    known = request.headers.get("Authorization") == "Basic " + base64.b64encode(b"ada:pw").decode()
    body = b"<title>In</title>" if known else b"<title>Out</title>"
    request.send_response(200 if known else 401)
    if not known:
        request.send_header("WWW-Authenticate", 'Basic realm="vault"')
    request.send_header("Content-Type", "text/html")
    request.send_header("Content-Length", str(len(body)))
    request.end_headers()
    request.wfile.write(body)


def test_set_credentials_applies_only_to_its_own_origin(api: Api, site: Site) -> None:
    site.pages["/vault"] = guarded
    api.post("/navigate", url=site.page("/", "page"))
    api.post("/set/credentials", username="ada", password="pw")
    assert api.post("/navigate", url=site.here + "/vault")["title"] == "In"
    other = api.post("/navigate", url=site.there + "/vault")
    assert other["by"]["kind"] == "auth"
    api.post("/hooks/auth", cancel=True)
    api.post("/set/credentials", clear=True, origin=site.here)
    api.post("/tabs/open")
    body = api.fail("/set/credentials", 400, username="ada")
    assert body["tabwarden"]["data"]["field"] == "origin"


def test_request_routes_list_requests_and_read_response_bodies(api: Api, site: Site) -> None:
    site.pages["/data"] = '{"n": 1}'
    api.get("/requests")
    api.post("/navigate", url=site.page("/", "page"))
    api.value("fetch('/data').then(r => r.text())")
    listed = api.get("/requests", filter="/data", clear="true")
    (request,) = listed["requests"]
    assert (request["method"], request["status"]) == ("GET", 200)
    assert "since" in listed["note"]
    for named in ({"url": "/data"}, {"url": "**/data"}, {"requestId": request["id"]}):
        response = api.post("/response/body", **named)["response"]
        assert (response["body"], response["truncated"]) == ('{"n": 1}', False)
    short = api.post("/response/body", url="/data", maxChars=3)["response"]
    assert (short["body"], short["truncated"]) == ('{"n', True)
    assert short["responseHeaders"]["Content-Type"].startswith("text/html")
    har = api.post("/requests/har", url="/data", filename="data.har")
    assert (har["requests"], har["path"].endswith("data.har")) == (1, True)
    api.post("/navigate", url="about:blank")
    assert "not available" in api.fail("/response/body", 501, requestId=request["id"])["error"]


def test_response_body_route_waits_for_a_pending_response(api: Api, site: Site) -> None:
    asked, answered = threading.Event(), threading.Event()

    def slow(request: BaseHTTPRequestHandler) -> None:
        asked.set()
        answered.wait(20)
        echo("Host")(request)

    site.pages["/slow"] = slow
    api.post("/navigate", url=site.page("/", "page"))
    api.get("/requests")
    api.value("void fetch('/slow')")
    assert asked.wait(60)
    body = api.fail("/response/body", 504, url="/slow", timeoutMs=200)
    assert "/slow" in body["error"]
    assert "timeoutMs" in body["tabwarden"]["hint"]
    threading.Timer(0.1, answered.set).start()
    assert "127.0.0.1" in api.post("/response/body", url="/slow")["response"]["body"]


def test_grant_route_grants_permissions_and_lists_unsupported_ones(api: Api, site: Site) -> None:
    api.post("/navigate", url=site.page("/", "page"))
    done = api.post(
        "/permissions/grant",
        origin=site.here,
        permissions=["notifications"],
        optionalPermissions=["no-such-thing"],
    )
    assert done["grantedPermissions"] == ["notifications"]
    assert done["unsupportedPermissions"] == ["no-such-thing"]
    query = "navigator.permissions.query({name: 'notifications'}).then(p => p.state)"
    assert api.value(query) == "granted"
    body = api.fail("/permissions/grant", 400, permissions=["no-such-thing"])
    assert body["tabwarden"]["data"]["field"] == "permissions"


def test_scrape_highlight_cdp_and_error_routes_work_on_a_page(api: Api, site: Site) -> None:
    url = site.page("/", "<h1>Words</h1><button>Go</button><script>nope()</script>", title="Read")
    api.post("/navigate", url=url)
    assert "Words" in api.get("/scrape", format="text", selector="body")["text"]
    assert api.post("/highlight", ref=api.ref('"Go"'))["value"]["width"] > 0
    tree = api.post("/cdp", method="Page.getFrameTree")["result"]
    assert tree["frameTree"]["frame"]["url"] == url
    (error,) = api.get("/errors")["errors"]
    assert "nope" in error["message"]


POSTS: list[tuple[str, dict[str, Any], str]] = [
    ("/cookies/set", {}, "name"),
    ("/cookies/set", {"cookie": "a=b"}, "cookie"),
    ("/cookies/set", {"cookie": {"name": "a", "value": "b", "maxAge": 5}}, "maxAge"),
    ("/cookies/set", {"name": "a", "value": "b", "sameSite": "Loose"}, "sameSite"),
    ("/cookies/clear", {"values": True}, "values"),
    ("/storage/local/set", {"key": "a"}, "value"),
    ("/storage/indexed/set", {"key": "a", "value": "b"}, "kind"),
    ("/storage/local/clear", {"keys": ["a"]}, "keys"),
    ("/storage-state/save", {}, "filename"),
    ("/set/offline", {}, "offline"),
    ("/set/offline", {"offline": None}, "offline"),
    ("/set/offline", {"offline": "maybe"}, "offline"),
    ("/set/headers", {"headers": ["a"]}, "headers"),
    ("/set/headers", {"headers": {"Host": "a"}}, "headers"),
    ("/set/geolocation", {}, "latitude"),
    ("/set/geolocation", {"latitude": 1}, "longitude"),
    ("/set/geolocation", {"latitude": 91, "longitude": 1}, "latitude"),
    ("/set/geolocation", {"latitude": 1, "longitude": 1, "clear": True}, "clear"),
    ("/set/media", {}, "colorScheme"),
    ("/set/media", {"colorScheme": "pink"}, "colorScheme"),
    ("/set/timezone", {}, "timezoneId"),
    ("/set/timezone", {"timezoneId": "Mars/Base", "timezone": "UTC"}, "timezoneId"),
    ("/set/timezone", {"timezoneId": "Mars/Base"}, "timezoneId"),
    ("/set/timezone", {"timezone": "Mars/Base"}, "timezone"),
    ("/set/locale", {}, "locale"),
    ("/set/locale", {"locale": "not a locale"}, "locale"),
    ("/set/device", {}, "name"),
    ("/set/device", {"name": "Abacus"}, "name"),
    ("/set/credentials", {"username": "a", "origin": "no origin"}, "origin"),
    ("/set/credentials", {"origin": "https://a.example"}, "username"),
    ("/permissions/grant", {}, "permissions"),
    ("/highlight", {}, "ref"),
    ("/cdp", {}, "method"),
    ("/cdp", {"method": "Page.reload", "params": 5}, "params"),
    ("/clipboard", {}, "text"),
    ("/response/body", {}, "url"),
    ("/response/body", {"url": "a", "requestId": "r-1"}, "url"),
    ("/response/body", {"requestId": "12"}, "requestId"),
    ("/connect", {"url": "9222", "launch": True}, "url"),
    ("/connect", {"url": "nonsense"}, "url"),
    ("/disconnect", {"url": "a"}, "url"),
    ("/start", {"browser": "netscape"}, "browser"),
    ("/start", {"headless": "maybe"}, "headless"),
    ("/start", {"cdpPort": 0}, "cdpPort"),
    ("/start", {"cdpPort": 9222, "headless": True}, "headless"),
    ("/start", {"attachToExistin": True}, "attachToExistin"),
]


@pytest.mark.parametrize(("path", "fields", "field"), POSTS, ids=str)
def test_post_error_identifies_the_invalid_field_for_each_route(
    path: str, fields: dict[str, Any], field: str, plain_api: Api
) -> None:
    body = plain_api.fail(path, 400, **fields)
    assert body["code"] == "invalid_argument"
    assert body["tabwarden"]["data"]["field"] == field


@pytest.mark.parametrize(
    ("path", "field"),
    [
        ("/cookies?mode=clear", "mode"),
        ("/storage/local?value=a", "value"),
        ("/storage/indexed", "kind"),
        ("/requests?type=carrier-pigeon", "type"),
        ("/requests?filter=a&url=b", "filter"),
        ("/errors?level=info", "level"),
        ("/scrape?format=pdf", "format"),
        ("/events?types=dialogOpend", "types"),
        ("/openapi.json?format=yaml", "format"),
        ("/tabs?task=a&profile=b", "profile"),
    ],
)
def test_get_error_identifies_the_invalid_parameter_for_each_route(
    path: str, field: str, plain_api: Api
) -> None:
    body = failed(plain_api.http.get(path), 400)
    assert body["tabwarden"]["data"]["field"] == field
