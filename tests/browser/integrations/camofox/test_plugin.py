"""Tabwarden's plugin in Camofox's own server: dialogs, frames and scripts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import uuid4

import pytest
from browser.integrations.camofox.plugin_client import PluginClient
from support.camofox import CamofoxServer, Engine, camofox_server, require_camofox
from support.eventually import eventually
from support.site import Site

BUTTON = (
    "<button onclick=\"window.n=(window.n||0)+1; document.title=confirm('Sure?')\">Press</button>"
)
GONE = {"ok": False, "error": "Dialog not found: it was answered or closed"}

Clients = Callable[[str], PluginClient]


@pytest.fixture(
    scope="module", params=["chromium", pytest.param("firefox", marks=pytest.mark.long)]
)
def engine(request: pytest.FixtureRequest) -> Engine:
    engine: Engine = request.param
    require_camofox(engine)
    return engine


@pytest.fixture(scope="module")
def plugged(engine: Engine) -> Iterator[CamofoxServer]:
    with camofox_server(engine, plugin=True) as server:
        yield server


@pytest.fixture
def threads() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(4) as threads:
        yield threads


@pytest.fixture
def clients(plugged: CamofoxServer, threads: ThreadPoolExecutor) -> Iterator[Clients]:
    """Users by name, for this test only: the server can close a session late, with its next one."""
    test = uuid4().hex[:8]
    made: list[PluginClient] = []

    def client(name: str) -> PluginClient:
        made.append(PluginClient(plugged, f"{name}-{test}", threads))
        return made[-1]

    yield client
    for each in made:
        plugged.ask("DELETE", f"/sessions/{each.user}")


@pytest.fixture
def ann(clients: Clients) -> PluginClient:
    """A subscribed user."""
    ann = clients("ann")
    ann.listen()
    return ann


@pytest.mark.parametrize(
    ("script", "answer", "result"),
    [
        ("confirm('Sure?')", {"accept": True}, True),
        ("confirm('Sure?')", {"accept": False}, False),
        ("prompt('Name?', 'Bob')", {"accept": True, "promptText": "Eve"}, "Eve"),
    ],
)
@pytest.mark.whole
def test_plugin_delivers_the_clients_dialog_answer_to_the_page(
    ann: PluginClient, site: Site, script: str, answer: dict[str, object], result: object
) -> None:
    url = site.page("/", "")
    tab = ann.open(url)
    asking = ann.begin(f"/tabs/{tab}/evaluate", expression=script)
    dialog = ann.dialog()
    kind, _, rest = script.partition("(")
    assert (dialog["type"], dialog["message"]) == (kind, rest.split("'")[1])
    assert dialog["defaultValue"] == ("Bob" if kind == "prompt" else "")
    assert dialog["url"] == url
    assert dialog["frameId"] is not None
    assert ann.answer(dialog, **answer) == (200, {"ok": True})
    assert asking.result() == (200, {"ok": True, "result": result})
    closed = ann.event("dialog_closed")
    expected = (tab, dialog["id"], answer["accept"], "client")
    assert (closed["tabId"], closed["id"], closed["accepted"], closed["by"]) == expected
    assert ann.answer(dialog, accept=True) == (404, GONE)


def test_plugin_clicks_once_despite_a_late_dialog_answer(ann: PluginClient, site: Site) -> None:
    """The server waits 3 s for a click, and then clicks again in another way."""
    tab = ann.open(site.page("/", BUTTON))
    clicking = ann.begin(f"/tabs/{tab}/click", selector="button")
    dialog = ann.dialog()
    assert ann.wait(4_500) == [], "a second click opened a second dialog"
    assert ann.answer(dialog, accept=True)[0] == 200
    assert clicking.result()[0] == 200
    script = {"expression": "[window.n, document.title]"}
    assert ann.post(f"/tabs/{tab}/evaluate", **script) == (200, {"ok": True, "result": [1, "true"]})


def test_plugin_sends_open_dialogs_to_a_restarted_client(
    ann: PluginClient, clients: Clients, site: Site
) -> None:
    tab = ann.open(site.page("/", BUTTON))
    clicking = ann.begin(f"/tabs/{tab}/click", selector="button")
    dialog = ann.dialog()
    again = clients("ann")
    assert [event.get("dialog") for event in again.listen()] == [dialog]
    assert again.answer(dialog, accept=False)[0] == 200
    assert clicking.result()[0] == 200


def test_plugin_closes_a_dialog_with_its_tab(ann: PluginClient, site: Site) -> None:
    tab = ann.open(site.page("/", BUTTON))
    clicking = ann.begin(f"/tabs/{tab}/click", selector="button")
    dialog = ann.dialog()
    assert ann.server.ask("DELETE", f"/tabs/{tab}?userId={ann.user}")[0] == 200
    closed = ann.event("dialog_closed")
    assert (closed["id"], closed["accepted"], closed["by"]) == (dialog["id"], False, "gone")
    assert ann.event("tab_closed")["tabId"] == tab
    assert ann.answer(dialog, accept=True) == (404, GONE)
    clicking.result()


def test_plugin_lists_and_scripts_a_cross_site_frame_with_a_dialog(
    ann: PluginClient, site: Site
) -> None:
    site.page("/child", "<p>Child</p>")
    tab = ann.open(site.page("/", f"<iframe name=kid src='{site.there}/child'></iframe>"))

    def loaded() -> Any:
        status, told = ann.get(f"/tabwarden/tabs/{tab}/frames")
        assert status == 200
        _, child = told["frames"]
        return told if child["url"] and child["name"] else None

    told = eventually(loaded)
    main, child = told["frames"]
    assert (main["parentFrameId"], child["parentFrameId"]) == (None, main["frameId"])
    assert (child["url"], child["name"]) == (f"{site.there}/child", "kid")
    assert ann.get(f"/tabwarden/tabs/{tab}/frames") == (200, told), "ids stay"
    there = {"frameId": child["frameId"]}
    text = "document.body.innerText"
    assert ann.evaluate(tab, text, **there) == (200, {"ok": True, "result": "Child"})
    status, failed = ann.evaluate(tab, "nothing.here", **there)
    assert (status, failed["ok"]) == (200, False)
    assert "nothing is not defined" in failed["error"]
    assert ann.evaluate(tab, text, frameId="f-none") == (
        404,
        {"ok": False, "error": "Frame not found"},
    )
    asking = ann.begin(f"/tabwarden/tabs/{tab}/evaluate", expression="confirm('Child?')", **there)
    dialog = ann.dialog()
    assert (dialog["message"], dialog["frameId"]) == ("Child?", None)
    assert ann.answer(dialog, accept=True)[0] == 200
    assert asking.result() == (200, {"ok": True, "result": True})


def test_plugin_answers_a_slow_script_at_its_deadline(ann: PluginClient, site: Site) -> None:
    tab = ann.open(site.page("/", ""))
    late = ann.evaluate(tab, "new Promise(() => {})", timeoutMs=100)
    assert late == (408, {"ok": False, "error": "timeout"})
    assert ann.evaluate(tab, "1 + 1") == (200, {"ok": True, "result": 2})


def test_plugin_dismisses_dialogs_after_the_client_unsubscribes(
    ann: PluginClient, site: Site
) -> None:
    tab = ann.open(site.page("/", BUTTON))
    clicking = ann.begin(f"/tabs/{tab}/click", selector="button")
    assert 0 < ann.dialog()["openForMs"] <= 25_000
    assert ann.server.ask("DELETE", f"/tabwarden/events?userId={ann.user}")[0] == 200
    assert clicking.result()[0] == 200
    assert ann.post(f"/tabs/{tab}/evaluate", expression="document.title")[1]["result"] == "false"
    assert ann.listen() == []


def test_client_answers_a_dialog_in_a_tab_that_is_still_opening(
    ann: PluginClient, site: Site
) -> None:
    url = site.page("/", "<script>document.title = confirm('First?')</script>")
    opening = ann.begin("/tabs", sessionKey="one", url=url)
    tab = ann.event("tab_opened")["tabId"]
    assert ann.answer(ann.dialog(), accept=True)[0] == 200
    status, opened = opening.result()
    assert (status, opened["tabId"]) == (200, tab)


@pytest.mark.parametrize("script", ["", "document.title = confirm('Popup?')"])
def test_popup_event_identifies_the_opener_and_the_client_answers_the_popups_dialog(
    ann: PluginClient, site: Site, script: str
) -> None:
    site.page("/popup", f"<script>{script}</script>")
    tab = ann.open(site.page("/", "<button onclick=\"window.open('/popup')\">Open</button>"))
    assert ann.event("tab_opened")["tabId"] == tab
    clicking = ann.begin(f"/tabs/{tab}/click", selector="button")
    popup = ann.event("tab_opened")
    assert popup["openerTabId"] == tab
    if script:
        assert ann.answer(ann.dialog(), accept=True)[0] == 200
    clicking.result()


def test_client_cannot_see_or_answer_another_users_dialogs(
    ann: PluginClient, clients: Clients, site: Site
) -> None:
    bob = clients("bob")
    bob.listen()
    tab = ann.open(site.page("/", BUTTON))
    clicking = ann.begin(f"/tabs/{tab}/click", selector="button")
    dialog = ann.dialog()
    assert bob.listen() == []
    assert bob.answer(dialog, accept=True)[0] == 403
    assert bob.get(f"/tabwarden/tabs/{tab}/frames")[0] == 404
    assert bob.evaluate(tab, "1")[0] == 404
    assert ann.answer(dialog, accept=True)[0] == 200
    assert clicking.result()[0] == 200


def test_plugin_dismisses_dialogs_if_no_client_is_subscribed(clients: Clients, site: Site) -> None:
    carol = clients("carol")
    tab = carol.open(site.page("/", ""))
    asked = carol.post(f"/tabs/{tab}/evaluate", expression="confirm('Sure?')")
    assert asked == (200, {"ok": True, "result": False})
    assert carol.listen() == []


@pytest.mark.parametrize(
    ("path", "body", "field"),
    [
        ("/tabwarden/events?after=0", None, "userId"),
        ("/tabwarden/events?userId=ann&after=x", None, "after"),
        ("/tabwarden/events?userId=ann&waitMs=-1", None, "waitMs"),
        ("/tabwarden/dialogs/d-1", {"userId": "ann", "accept": "yes"}, "accept"),
        (
            "/tabwarden/dialogs/d-1",
            {"userId": "ann", "accept": True, "promptText": 1},
            "promptText",
        ),
        ("/tabwarden/dialogs/d-1", {"accept": True}, "userId"),
    ],
)
def test_plugin_error_identifies_the_invalid_field(
    plugged: CamofoxServer, path: str, body: dict[str, object] | None, field: str
) -> None:
    status, told = plugged.ask("POST" if body else "GET", path, body)
    assert (status, told["error"].split()[0]) == (400, field)


KEY = "a-key-of-the-tests"


def test_plugin_requires_the_key_and_closes_a_dialog_before_the_tab_timeout(
    engine: Engine, site: Site
) -> None:
    limits = {"HANDLER_TIMEOUT_MS": "4000", "CAMOFOX_ACCESS_KEY": KEY}
    with camofox_server(engine, plugin=True, environment=limits) as server:
        for method, path in [
            ("GET", "/tabwarden"), ("GET", "/tabwarden/events"), ("POST", "/tabwarden/dialogs/d-1"),
            ("GET", "/tabwarden/tabs/t/frames"), ("POST", "/tabwarden/tabs/t/evaluate"),
            ("DELETE", "/tabwarden/events"),
        ]:  # fmt: skip
            assert server.ask(method, path)[0] == 401
            assert server.ask(method, path, key="another")[0] == 401
        shown = {"plugin": "tabwarden", "version": 1}
        assert server.ask("GET", "/tabwarden", key=KEY) == (200, shown)

        poll = "/tabwarden/events?userId=ann&after="
        after = server.ask("GET", f"{poll}0", key=KEY)[1]["next"]
        tab = {"userId": "ann", "sessionKey": "one", "url": site.page("/", "")}
        tab_id = server.ask("POST", "/tabs", tab, key=KEY)[1]["tabId"]
        path = f"/tabs/{tab_id}/evaluate"
        asked = server.ask("POST", path, {"userId": "ann", "expression": "confirm()"}, key=KEY)
        assert asked == (200, {"ok": True, "result": False}), "the tab lives on"
        told = server.ask("GET", f"{poll}{after}", key=KEY)[1]["events"]
        assert [event["event"] for event in told] == [
            "tab_opened",
            "dialog_opened",
            "dialog_closed",
        ]
        assert (told[-1]["accepted"], told[-1]["by"]) == (False, "timeout")
