"""Tenants of one server: what each can reach, by every route, and what a token allows."""

from __future__ import annotations

import contextlib
import json
import re
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx2
import pytest
from browser.surfaces.http.client import Api, Serving, failed, serving
from support.eventually import eventually
from support.site import Site
from support.telling import THEN_HANG, tell_when_begun
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from tabwarden.config import PERMISSIONS
from tabwarden.surfaces.guard.token_file import TokenList, change_tokens, fresh_token
from tabwarden.surfaces.http.app import ROUTES
from tabwarden.surfaces.http.openapi import Described, described
from tabwarden.surfaces.http.routes import STATUS_ROUTES

SECRET = "what-only-acme-may-see"


class Tenants:
    """A server with tenants."""

    def __init__(self, server: Serving, path: Path) -> None:
        self.server = server
        self._path = path

    def token(self, name: str, **about: Any) -> str:
        """A tenant's new token, which replaces the last one with this name."""
        secret = fresh_token()

        def added(known: TokenList) -> TokenList:
            there = any(one.name == name for one in known.tokens)
            kept = known.revoke(name) if there else known
            return kept.create(name, secret, datetime.now(UTC), **about)

        change_tokens(self._path, added)
        return secret

    def revoke(self, name: str) -> None:
        change_tokens(self._path, lambda known: known.revoke(name))

    def api(self, name: str, task: str = "a3", **about: Any) -> Api:
        return Api(self.server.url, task=task, token=self.token(name, **about))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tenants")


@pytest.fixture(scope="module")
def tenants(folder: Path) -> Iterator[Tenants]:
    tokens = folder / "tokens.json"
    with serving(
        TABWARDEN_SERVER__TOKENS_FILE=str(tokens),
        TABWARDEN_BROWSER__UPLOAD_DIR=str(folder / "up"),
        TABWARDEN_BROWSER__DOWNLOAD_DIR=str(folder / "down"),
        TABWARDEN_BROWSER__STATE_DIR=str(folder / "states"),
        TABWARDEN_BROWSER__TRACE_DIR=str(folder / "traces"),
    ) as server:
        yield Tenants(server, tokens)


@pytest.fixture(scope="module")
def acme(tenants: Tenants) -> Iterator[Api]:
    """The tenant whose task the others try to reach."""
    with tenants.api("acme", allow=PERMISSIONS) as api:
        yield api


@pytest.fixture
def secret(acme: Api, site: Site) -> str:
    """The URL of the page in acme's task."""
    url = site.page(f"/{SECRET}", f"<h1>{SECRET}</h1>", title=SECRET)
    acme.post("/navigate", url=url)
    return url


@pytest.mark.long
def test_tenant_sees_its_task_names_without_the_tenant_prefix(
    acme: Api, secret: str, tenants: Tenants
) -> None:
    about = acme.get("/")
    assert (about["task"], about["profile"], about["running"]) == ("a3", "a3", True)
    assert [one["task"] for one in about["tasks"]] == ["a3"]
    for path in ("/", "/tabs", "/profiles", "/control", "/handoffs", "/dialogs", "/snapshot"):
        assert "~" not in json.dumps(acme.get(path)), path
    error = failed(acme.http.get("/tabs", params={"targetId": "t99"}), 400)
    assert "~" not in json.dumps(error)
    with Api(tenants.server.url) as operator:
        assert "acme~a3" in [one["task"] for one in operator.get("/")["tasks"]]
        tabs = operator.get("/tabs", task="acme~a3")["tabs"]
        assert [tab["url"] for tab in tabs] == [secret]


@pytest.mark.threat
def test_tenant_can_create_a_limited_number_of_profiles(tenants: Tenants) -> None:
    with tenants.api("many") as many, tenants.api("few") as few:
        for number in range(1_000):
            many.post("/profiles/create", name=f"p{number}")
        told = many.fail("/profiles/create", 409, name="more")["tabwarden"]
        assert told["code"] == "invalid_argument"
        few.post("/profiles/create", name="more")
        many.delete("/profiles/p0")
        many.post("/profiles/create", name="more")


@pytest.mark.threat
def test_every_route_declares_its_permission() -> None:
    """New routes are included automatically, and the tests below try all of them."""
    tried = {(route.name.partition(" ")[0], route.name.partition(" ")[2]) for route in described()}
    served = {(method, route.path) for route in ROUTES for method in route.methods or ()}
    assert {one for one in served if one[0] != "HEAD"} == tried
    assert {one.needs for one in STATUS_ROUTES} <= {*PERMISSIONS, "operator"}


def send(api: Api, route: Described, task: str) -> httpx2.Response:
    """A request to this route that succeeds as far as possible without knowledge of a page."""
    method, _, path = route.name.partition(" ")
    fields = route.fields.get("properties", {})
    known: dict[str, Any] = {
        "timeoutMs": 2000, "filename": SECRET, "targetId": "t1", "name": task, "id": "h-1",
        "outcome": "done", "url": "about:blank", "kind": "local", "fn": "document.title",
        "format": "text", "limit": 5, "action": "list",
    }  # fmt: skip
    given = {name: known[name] for name in fields if name in known}
    if route.name == "POST /act":
        given = {"kind": "evaluate", "fn": "document.title", "timeoutMs": 2000}
    inside = {name: given.pop(name, "x") for name in re.findall(r"{(\w+)}", path)}
    path = path.format(**inside)
    query = {"task": task}
    if method == "POST":
        return api.http.request(method, path, params=query, json=given)
    return api.http.request(method, path, params={**given, **query})


@pytest.mark.parametrize("task", ["a3", "acme~a3"])
@pytest.mark.parametrize("route", [*described()], ids=lambda route: route.name)
@pytest.mark.whole
@pytest.mark.threat
def test_routes_cannot_reach_another_tenants_task(
    route: Described, task: str, tenants: Tenants, acme: Api, site: Site
) -> None:
    if not acme.get("/")["running"]:
        url = site.page(f"/{SECRET}", f"<h1>{SECRET}</h1>", title=SECRET)
        acme.post("/navigate", url=url)
    before = acme.get("/")
    assert [tab["title"] for tab in before["tabs"]] == [SECRET]
    with other_tenant(tenants) as other:
        if route.name == "GET /events":
            with other.http.stream("GET", "/events", params={"task": task}) as events:
                assert events.status_code in (200, 400, 409)
                first = next(events.iter_text()) if events.status_code == 200 else ""
                assert SECRET not in first
        else:
            response = send(other, route, task)
            sent = SECRET in response.request.content.decode()
            assert sent or SECRET not in response.text
            assert "acme" not in response.text.replace("acme~a3", "").replace(SECRET, "")
    assert acme.get("/") == before


_OTHERS: dict[int, str] = {}


def other_tenant(tenants: Tenants) -> Api:
    """Another tenant of this server, with every permission."""
    key = id(tenants)
    if key not in _OTHERS:
        _OTHERS[key] = tenants.token("other", allow=PERMISSIONS, max_tasks=2)
    return Api(tenants.server.url, token=_OTHERS[key])


@pytest.mark.parametrize(
    "route", [one.form.tool for one in STATUS_ROUTES if one.needs == "operator"]
)
@pytest.mark.threat
def test_server_denies_operator_routes_to_a_tenant(route: str, tenants: Tenants, acme: Api) -> None:
    method, _, path = route.partition(" ")
    body = failed(acme.http.request(method, path), 403)
    assert (body["code"], body["tabwarden"]["data"]["permission"]) == ("denied", "operator")


def test_metrics_and_handoff_answer_routes_require_the_operator() -> None:
    operators = {one.form.tool for one in STATUS_ROUTES if one.needs == "operator"}
    assert operators >= {
        "GET /metrics", "GET /doctor", "POST /control/release", "POST /handoffs/answer",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("permission", "path", "fields"),
    [
        ("act", "/navigate", {"url": "about:blank"}),
        ("act", "/act", {"kind": "press", "key": "a"}),
        ("act", "/stop", {}),
        ("act", "/start", {}),
        ("act", "/profiles/create", {"name": "x"}),
        ("scripts", "/act", {"kind": "evaluate", "fn": "1"}),
        ("scripts", "/act", {"kind": "wait", "fn": "true"}),
        ("scripts", "/cdp", {"method": "Browser.getVersion"}),
        ("files", "/download", {"url": "https://example.com/"}),
        ("files", "/storage-state/load", {"filename": "x"}),
        ("attach", "/connect", {"url": "9222"}),
        ("attach", "/start", {"attachToExisting": True}),
    ],
)
@pytest.mark.threat
def test_server_denies_actions_without_the_tokens_permission(
    permission: str, path: str, fields: dict[str, Any], tenants: Tenants, acme: Api, secret: str
) -> None:
    allow = [one for one in PERMISSIONS if one != permission]
    with tenants.api("limited", tenant="acme", allow=allow) as limited:
        body = limited.fail(path, 403, **fields)
        assert body["code"] == "denied"
        assert body["tabwarden"]["data"]["permission"] == permission
        assert repr(permission) in body["error"]
        assert [tab["url"] for tab in limited.get("/tabs")["tabs"]] == [secret]


def test_read_only_token_can_read_but_not_navigate(
    acme: Api, secret: str, tenants: Tenants
) -> None:
    with tenants.api("reader", tenant="acme", allow=["read"]) as reader:
        assert SECRET in reader.get("/snapshot")["snapshot"]
        assert "/navigate" not in reader.get("/openapi.json")["paths"]


def test_token_limits_its_tenants_number_of_browsers(tenants: Tenants) -> None:
    with tenants.api("small", task="one", max_tasks=1) as small:
        small.post("/start")
        response = small.http.post("/start", params={"task": "two"}, json={})
        assert response.headers["retry-after"]
        body = failed(response, 429)
        assert body["code"] == "capacity"
        assert "your tasks" in body["error"]
        small.post("/stop")
        assert small.http.post("/start", params={"task": "two"}, json={}).status_code == 200
        small.http.post("/stop", params={"task": "two"})


@pytest.mark.threat
def test_tenant_cannot_use_another_tenants_files_or_logins(
    acme: Api, secret: str, folder: Path, tenants: Tenants
) -> None:
    saved = acme.post("/storage-state/save", filename="login.json")
    assert saved["ok"] is True
    assert (folder / "states/tenant-acme/login.json").is_file()
    acme.get("/snapshot")
    picture = acme.post("/screenshot")
    assert Path(picture["path"]).is_relative_to(folder / "down/tenant-acme")
    (folder / "up/tenant-acme").mkdir(parents=True, exist_ok=True)
    (folder / "up/tenant-acme/own.txt").write_text(SECRET)
    with other_tenant(tenants) as other:
        other.http.params = {"task": "files"}
        other.post("/start")
        for name in ("login.json", "../tenant-acme/login.json", str(folder / "states/login.json")):
            response = other.http.post("/storage-state/load", json={"filename": name})
            assert response.status_code in (400, 403, 404), response.text
            assert SECRET not in response.text
        for path in ("../tenant-acme/own.txt", "own.txt", str(folder / "up/tenant-acme/own.txt")):
            response = other.http.post("/hooks/file-chooser", json={"paths": [path]})
            assert response.status_code in (400, 403, 404), response.text
        response = other.http.post(
            "/navigate", json={"url": (folder / "up/tenant-acme/own.txt").as_uri()}
        )
        assert response.status_code == 403
        other.post("/stop")


def live_socket(url: str, token: str) -> ClientConnection:
    socket = connect(
        f"{url.replace('http', 'ws')}/live/socket",
        additional_headers={"Authorization": f"Bearer {token}"},
        compression=None, proxy=None,
    )  # fmt: skip
    socket.send(json.dumps({"type": "hello"}))
    return socket


@pytest.mark.threat
def test_live_view_shows_a_tenant_only_its_own_tasks(
    acme: Api, secret: str, tenants: Tenants
) -> None:
    url = tenants.server.url
    with tenants.api("third", task="mine", allow=PERMISSIONS) as other:
        other.post("/start")
        token = other.http.headers["authorization"].removeprefix("Bearer ")
        with live_socket(url, token) as socket:
            listed = json.loads(socket.recv(60))
            assert [name.partition(".")[2] for name in listed["tasks"]] == ["mine"]
            server = listed["server"]
            for name in (f"{server}.a3", f"{server}.acme~a3"):
                watch = {"type": "watch", "task": name, "pictures": "small", "parts": ["outline"]}
                socket.send(json.dumps(watch))
                socket.send(json.dumps({"type": "control", "what": "take", "task": name}))
                while (told := json.loads(socket.recv(60)))["type"] != "refused":
                    assert SECRET not in json.dumps(told)
                assert told["task"] == name
        assert acme.get("/control")["holder"] is None
        assert other.http.post("/live/links", json={"task": "acme~a3"}).status_code == 400
        assert "url" in other.http.post("/live/links", json={"task": "mine"}).json()
        other.post("/stop")


@pytest.mark.threat
def test_tenants_live_view_link_requires_a_permission_and_shows_only_its_tasks(
    acme: Api, secret: str, tenants: Tenants
) -> None:
    with tenants.api("plain") as plain:
        assert plain.http.post("/live/links", json={}).status_code == 403
        token = plain.http.headers["authorization"].removeprefix("Bearer ")
        with live_socket(tenants.server.url, token) as socket, pytest.raises(ConnectionClosed):
            socket.recv(60)
    for body in ({}, {"task": "a3"}):
        with entered(acme, body) as socket:
            listed = json.loads(socket.recv(60))
            assert [name.partition(".")[2] for name in listed["tasks"]] == ["a3"]
            assert listed["read_only"] is False
    with (
        tenants.api("watcher", tenant="acme", allow=["read", "live"]) as watcher,
        entered(watcher, {}) as socket,
    ):
        assert json.loads(socket.recv(60))["read_only"] is True


def entered(api: Api, body: dict[str, Any]) -> ClientConnection:
    """A person who opened a link created with a tenant's token."""
    link = api.http.post("/live/links", json=body).json()["url"]
    base, _, token = link.partition("/live/#")
    login = httpx2.post(
        f"{base}/live/enter", json={"token": token}, headers={"Origin": base}, trust_env=False
    )
    cookies = "; ".join(f"{name}={value}" for name, value in login.cookies.items())
    socket = connect(
        f"{base.replace('http', 'ws')}/live/socket", origin=base,  # type: ignore[arg-type]
        additional_headers={"Cookie": cookies}, compression=None, proxy=None,
    )  # fmt: skip
    socket.send(json.dumps({"type": "hello", "key": login.json()["key"]}))
    return socket


@pytest.mark.threat
def test_revoking_a_token_closes_its_calls_streams_and_live_views(
    site: Site, tenants: Tenants
) -> None:
    begun = threading.Event()
    tell_when_begun(site, begun.set)
    ended: list[int] = []
    with tenants.api("gone", task="gone", allow=PERMISSIONS) as api:
        api.post("/navigate", url=site.page("/", "page"))

        def call() -> None:
            with Api(tenants.server.url, task="gone") as same:
                same.http.headers = api.http.headers
                fields = {"kind": "evaluate", "fn": THEN_HANG, "timeoutMs": 60_000}
                ended.append(same.http.post("/act", json=fields).status_code)

        calling = threading.Thread(target=call)
        token = api.http.headers["authorization"].removeprefix("Bearer ")
        with (
            api.http.stream("GET", "/events") as events,
            live_socket(tenants.server.url, token) as program,
            entered(api, {}) as person,
        ):
            program.recv(60)
            person.recv(60)
            pieces = events.iter_text()
            next(pieces)
            calling.start()
            assert begun.wait(60)
            tenants.revoke("gone")
            for _ in pieces:  # until the stream ends
                pass
            for socket in (program, person):
                with contextlib.suppress(ConnectionClosed):
                    while True:
                        socket.recv(60)
                assert socket.close_code is not None
        calling.join(30)
        assert ended != [200]
        assert failed(api.http.get("/"), 401)["code"] == "denied"
        with pytest.raises(InvalidStatus):
            live_socket_without_hello(tenants.server.url, token)


@pytest.mark.threat
def test_revoking_a_token_deletes_its_prepared_dialog_answer(
    acme: Api, site: Site, tenants: Tenants
) -> None:
    url = site.page("/", "<button onclick=\"document.title = confirm('?')\">Go</button>")
    acme.post("/navigate", url=url)
    with tenants.api("helper", tenant="acme") as helper:
        assert helper.post("/hooks/dialog", accept=True)["armed"] is True
        tenants.revoke("helper")
        clicked = acme.act("click", selector="button")
        assert clicked["status"] == "interrupted"
        acme.post("/hooks/dialog", accept=False)
        assert acme.value("document.title") == "false"


def live_socket_without_hello(url: str, token: str) -> None:
    with connect(
        f"{url.replace('http', 'ws')}/live/socket",
        additional_headers={"Authorization": f"Bearer {token}"}, proxy=None,
    ):  # fmt: skip
        pass


def test_rotated_token_works_beside_its_successor_during_a_grace_period(
    tenants: Tenants, folder: Path
) -> None:
    with tenants.api("turned") as api:
        fresh, later = fresh_token(), datetime.max.replace(tzinfo=UTC)
        change_tokens(folder / "tokens.json", lambda known: known.rotate("turned", fresh, later))
        assert api.get("/")["ok"] is True
        with Api(tenants.server.url, token=fresh) as successor:
            assert successor.get("/")["ok"] is True
            change_tokens(
                folder / "tokens.json",
                lambda known: known.rotate("turned", fresh_token(), datetime.now(UTC)),
            )
            eventually(lambda: successor.http.get("/").status_code == 401)
            assert api.http.get("/").status_code == 401


@pytest.mark.long
def test_configuration_restricts_every_caller(folder: Path, site: Site) -> None:
    path = folder / "limited/tokens.json"
    with serving(
        TABWARDEN_SERVER__TOKENS_FILE=str(path), TABWARDEN_BROWSER__ALLOW='["read", "act"]'
    ) as server:
        known = Tenants(server, path)
        with Api(server.url) as operator, known.api("every", allow=PERMISSIONS) as tenant:
            for api in (operator, tenant):
                api.post("/navigate", url=site.page("/", "page"))
                body = api.fail("/act", 403, kind="evaluate", fn="1")
                assert body["tabwarden"]["data"]["permission"] == "scripts"
                assert "permission 'live'" in api.http.post("/live/links", json={}).text
                api.post("/stop")


@pytest.mark.threat
def test_logs_and_metrics_contain_no_tenant_token(folder: Path, site: Site) -> None:
    path = folder / "logged/tokens.json"
    with serving("--log-level", "DEBUG", TABWARDEN_SERVER__TOKENS_FILE=str(path)) as server:
        known = Tenants(server, path)
        with known.api("quiet") as quiet, Api(server.url) as operator:
            token = quiet.http.headers["authorization"].removeprefix("Bearer ")
            quiet.post("/navigate", url=site.page("/", "page"))
            quiet.fail("/navigate", 400)
            metrics = operator.http.get("/metrics").text
            known.revoke("quiet")
            assert quiet.http.get("/").status_code == 401
        server.stop()
        told = "".join(server.told)
        assert "caller=quiet" in told
        assert "task_id=quiet~a3" in told
        digest = [one.sha256 for one in TokenList().create("x", token, datetime.now(UTC)).tokens]
        for text in (metrics, told):
            assert token not in text
            assert digest[0] not in text
