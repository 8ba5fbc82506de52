"""Several tasks in one browser, each isolated in its own context."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import msgspec
import pytest
from support.eventually import eventually
from support.login_proxy import login_proxy
from support.relay import Relay
from support.running import running_chromium
from support.site import Site

from tabwarden import BrowserConfig, Budget, events
from tabwarden.actions import Way
from tabwarden.actions.sessions.opening import session_of
from tabwarden.endpoints.endpoint import LaunchEndpoint, UrlEndpoint
from tabwarden.endpoints.launching import LaunchOptions
from tabwarden.errors import BudgetExceeded, Denied, InvalidArgument, NotSupported, TargetCrashed
from tabwarden.protocol import page
from tabwarden.supervisor.contexts import OwnContext, leases
from tabwarden.supervisor.runtime import SupervisorRegistry, engine_loop
from tabwarden.sync import Browser

BUTTON = '<button onclick="n.value = +n.value + 1">Count</button><input id=n aria-label=n value=0>'


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """One shared browser, which no test may close."""
    with (
        tempfile.TemporaryDirectory(prefix="tw-", ignore_cleanup_errors=True) as folder,
        running_chromium(Path(folder)) as port,
    ):
        yield f"http://127.0.0.1:{port}"


@pytest.fixture
def tasks(url: str) -> Iterator[Callable[..., Browser]]:
    """``tasks()`` returns a new task in its own context."""
    with ExitStack() as open_:
        yield lambda at=url, **more: open_.enter_context(
            Browser.connect(at, **{"context": "own", **more})
        )


Tasks = Callable[..., Browser]


def relayed(url: str, **how: Any) -> Relay:
    return Relay(int(url.rpartition(":")[2]), **how)


def contexts_at(url: str) -> set[str]:
    with Browser.connect(url, context="shared") as anybody:
        told = anybody.cdp("Target.getBrowserContexts").value
    return set(told["browserContextIds"])


def test_task_sees_and_numbers_only_its_own_tabs(url: str, tasks: Tasks, site: Site) -> None:
    user, one, other = tasks(context="shared"), tasks(), tasks()
    before = [tab.target_id for tab in user.state.tabs]
    kinds = (events.TabOpened, events.PopupOpened, events.TabClosed)
    with other.events(*kinds) as told, user.events(*kinds) as told_user:
        opens = (
            f"<button onclick=\"window.open('/popup')\">Popup</button><iframe src={site.there}/in>"
        )
        site.page("/popup", "popup", title="Popup")
        one.goto(site.page("/", opens, title="Mine"))
        one.click(one.snapshot().ref("Popup"))
        eventually(lambda: one.state.tabs[1:])
        one.tabs("close", tab_index=1)
        assert told.get(0) is None
        assert told_user.get(0) is None
    assert [tab.tab_id for tab in other.state.tabs] == ["t1"]
    assert [tab.target_id for tab in user.state.tabs] == before
    assert not {tab.target_id for tab in one.state.tabs} & set(before)
    assert one.has_own_context
    assert not user.has_own_context


@pytest.mark.threat
def test_tasks_have_separate_cookies_storage_and_permissions(
    url: str, tasks: Tasks, site: Site
) -> None:
    user, one, other = tasks(context="shared"), tasks(), tasks()
    page = site.page("/", "page")
    for browser in (user, one, other):
        browser.goto(page)
    one.cookies("set", name="who", value="one")
    one.evaluate("localStorage.who = 'one'")
    one.permission("geolocation", "granted")
    asks = "navigator.permissions.query({name: 'geolocation'}).then(it => it.state)"
    seen = [
        (
            [cookie["name"] for cookie in browser.cookies("list").value],
            browser.evaluate("localStorage.who ?? ''").value,
            browser.evaluate(asks).value,
        )
        for browser in (one, other, user)
    ]
    assert seen == [(["who"], "one", "granted"), ([], "", "prompt"), ([], "", "prompt")]
    other.load_storage_state(one.storage_state())
    assert other.evaluate("document.cookie").value == "who=one"
    # Chromium sends what one process stored to the others a moment later.
    eventually(lambda: other.evaluate("localStorage.who").value == "one")
    other.cookies("clear")
    assert [cookie["name"] for cookie in one.cookies("list").value] == ["who"]
    assert user.storage_state()["origins"] == []


def test_task_sees_only_its_own_downloads(
    url: str, tasks: Tasks, site: Site, tmp_path: Path
) -> None:
    def answer(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.send_header("Content-Disposition", "attachment; filename=report.txt")
        request.send_header("Content-Length", "4")
        request.end_headers()
        request.wfile.write(b"mine")

    site.pages["/file"] = answer
    user = tasks(context="shared")
    one, other = (
        tasks(config=BrowserConfig(download_dir=tmp_path / name)) for name in ("one", "other")
    )
    one.goto(site.page("/", "<a href=/file>Here</a> <a href=/file target=_blank>Beside</a>"))
    for link in ("Here", "Beside"):
        one.click(one.snapshot().ref(link))
    done = eventually(lambda: [d for d in one.state.downloads if d.status == "completed"][1:])
    assert Path(done[0].path).parent == tmp_path / "one"
    assert Path(done[0].path).read_bytes() == b"mine"
    other.download(site.here + "/file", "fetched.txt")
    assert (tmp_path / "other" / "fetched.txt").read_bytes() == b"mine"
    assert [d.filename for d in other.state.downloads] == ["fetched.txt"]
    assert user.state.downloads == ()
    assert len(one.state.downloads) == 2


def test_launching_task_ignores_downloads_and_dialogs_of_other_contexts(
    tasks: Tasks, site: Site, tmp_path: Path
) -> None:
    def answer(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.send_header("Content-Disposition", "attachment; filename=report.txt")
        request.send_header("Content-Length", "4")
        request.end_headers()
        request.wfile.write(b"mine")

    site.pages["/file"] = answer
    config = BrowserConfig(
        download_dir=tmp_path, dialog_policy="auto_accept", allow_private_networks=True
    )
    with Browser.launch(transport="port", config=config) as launched:
        one = tasks(launched.address, config=BrowserConfig(download_dir=tmp_path))
        one.goto(site.page("/", "<a href=/file>Here</a><button onclick=confirm(1)>Ask</button>"))
        assert len(launched.state.tabs) == 1
        one.click("css=a")
        done = one.wait(download=True).value["download"]
        assert (done["status"], done["filename"]) == ("completed", "report.txt")
        assert one.click("css=button").interrupted
        assert launched.state.downloads == ()
        one.close()


@pytest.mark.parametrize("bridge", ["auto", "native"])
def test_dialog_is_visible_only_to_its_own_task(
    url: str, tasks: Tasks, site: Site, bridge: Any
) -> None:
    one = tasks(config=BrowserConfig(dialog_bridge=bridge))
    accepting = BrowserConfig(dialog_policy="auto_accept")
    eager = (tasks(config=accepting), tasks(context="shared", config=accepting))
    asks = "<button onclick=\"document.title = 'got ' + confirm('Sure?')\">Ask</button>"
    one.goto(site.page("/", asks))
    asked = one.click(one.snapshot().ref("Ask"))
    assert asked.status == "interrupted"
    for browser in eager:
        browser.tabs("open", url=site.page("/other", BUTTON))
        browser.click(browser.snapshot().ref("Count"))
        assert browser.state.pending_dialogs == ()
        assert browser.state.recent_dialogs == ()
        browser.tabs("close")
    assert [d.message for d in one.state.pending_dialogs] == ["Sure?"]
    one.dialog("dismiss")
    assert one.evaluate("document.title").value == "got false"
    assert one.state.recent_dialogs[-1].closed_by == "agent"


@pytest.mark.long
def test_task_sets_up_its_popup_before_the_first_script_over_a_slow_connection(
    url: str, tasks: Tasks, site: Site
) -> None:
    with relayed(url, delay_ms=(40, 60)) as relay, Browser.connect(relay.url, context="own") as one:
        tasks(), tasks(context="shared")
        site.page("/asks", "<script>document.title = confirm('First?')</script>")
        for opener in ("", ", '_blank', 'noopener'"):
            opens = f"<button onclick=\"window.open('/asks'{opener})\">Popup</button>"
            one.goto(site.page("/", opens))
            one.click(one.snapshot().ref("Popup"))
            (dialog,) = eventually(lambda: one.state.pending_dialogs)
            assert dialog.channel != "native", "its first script ran before it was set up"
            one.dialog("accept", dialog_id=dialog.id)
            one.tabs("close", tab_id=dialog.tab_id)


def test_tasks_do_not_delay_the_users_new_tab(url: str, tasks: Tasks, site: Site) -> None:
    tasks(), tasks()
    asked = urllib.request.Request(
        f"{url}/json/new?{site.page('/', '<script>document.title += 1</script>', title='User')}",
        method="PUT",
    )
    target_id = msgspec.json.decode(urllib.request.urlopen(asked).read())["id"]

    def title() -> str:
        listed = msgspec.json.decode(urllib.request.urlopen(f"{url}/json/list").read())
        return next(str(one["title"]) for one in listed if one["id"] == target_id)

    eventually(lambda: title() == "User1")
    urllib.request.urlopen(f"{url}/json/close/{target_id}")


def test_page_hang_or_crash_affects_only_its_own_task(url: str, tasks: Tasks, site: Site) -> None:
    one, other = tasks(), tasks()
    page = site.page("/", BUTTON)
    one.goto(page)
    other.goto(page)
    with pytest.raises(BudgetExceeded):
        one.evaluate("for (;;);", timeout_ms=400)
    other.click(other.snapshot().ref("Count"))
    with one.events(events.TargetCrashed) as told, other.events(events.TargetCrashed) as untold:
        one.tabs("open")
        with pytest.raises(TargetCrashed):
            one.cdp("Page.crash")
        assert told.get(10) is not None
        other.click(other.snapshot().ref("Count"))
        assert untold.get(0) is None
    assert other.evaluate("n.value").value == "2"


@pytest.mark.long
def test_replaced_tab_stays_in_its_browser_context(url: str, tasks: Tasks, site: Site) -> None:
    one = tasks()
    one.goto(site.page("/", "<script>onclick = () => [...Array(4e7).keys()].sort()</script>"))
    one.cookies("set", name="who", value="one")
    with pytest.raises(BudgetExceeded):
        one.evaluate("for (;;) Array.from({length: 2e7}, Math.random).sort()", timeout_ms=700)
    one.goto(site.page("/after", "after"))
    assert one.evaluate("document.cookie").value == "who=one"
    assert len({tab.browser_context_id for tab in one.state.tabs}) == 1


@pytest.mark.long
def test_input_reaches_each_tasks_tab_regardless_of_the_foreground_tab(
    url: str, tasks: Tasks, site: Site
) -> None:
    page = site.page("/", BUTTON)
    several = [tasks(), tasks()]
    for browser in several:
        browser.goto(page)
        browser.tabs("open", url=page)
    for _ in range(2):
        for browser in several:
            for tab in ("t1", "t2"):
                browser.click(browser.snapshot(tab_id=tab).ref("Count"), tab_id=tab)
                browser.press("Tab", tab_id=tab)
                assert browser.evaluate("document.hasFocus()", tab_id=tab).value is True
    for browser in several:
        assert [browser.evaluate("n.value", tab_id=t).value for t in ("t1", "t2")] == ["2", "2"]


def test_closing_a_task_disposes_only_its_own_context(url: str, tasks: Tasks, site: Site) -> None:
    before = contexts_at(url)
    one, other = tasks(), tasks()
    for browser in (one, other):
        browser.goto(site.page("/", "<script>onbeforeunload = event => false</script><p>x"))
        browser.click(x=5, y=5)
    one.close()
    assert len(contexts_at(url) - before) == 1
    assert other.evaluate("document.body.innerText").value.strip() == "x"
    other.close()
    assert contexts_at(url) == before


def test_task_keeps_its_tabs_after_a_reconnect(url: str, site: Site) -> None:
    before = contexts_at(url)
    with relayed(url) as relay, Browser.connect(relay.url, context="own") as browser:
        browser.goto(site.page("/", BUTTON))
        ref = browser.snapshot().ref("Count")
        with browser.events(events.EndpointRegained) as told:
            relay.cut()
            assert told.get(20) is not None
        browser.click(ref)
        assert browser.evaluate("n.value").value == "1"
        assert [tab.tab_id for tab in browser.state.tabs] == ["t1"]
        browser.tabs("open")
        assert len({tab.browser_context_id for tab in browser.state.tabs}) == 1
        assert len(contexts_at(url) - before) == 1
    assert contexts_at(url) == before


def test_task_gets_a_new_context_if_its_old_context_was_disposed(url: str, site: Site) -> None:
    with relayed(url) as relay, Browser.connect(relay.url, context="own") as browser:
        browser.goto(site.page("/", "page"))
        context = browser.state.tabs[0].browser_context_id
        with browser.events(events.EndpointLost, events.EndpointRegained) as told:
            relay.refuse()
            relay.cut()
            assert isinstance(told.get(5), events.EndpointLost)
            with Browser.connect(url, context="shared") as anybody:
                anybody.cdp("Target.disposeBrowserContext", {"browserContextId": context})
            relay.allow()
            assert isinstance(told.get(20), events.EndpointRegained)
        browser.goto(site.page("/again", "again"))
        (tab,) = browser.state.tabs
        assert tab.browser_context_id != context
        assert not leases.is_held(str(context))


@pytest.mark.long
def test_next_connect_disposes_the_context_of_a_killed_task(url: str) -> None:
    program = (
        "from tabwarden.sync import Browser; "
        f"browser = Browser.connect({url!r}, context='own'); "
        "print(browser.state.tabs[0].browser_context_id, flush=True); input()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as owner:
        assert owner.stdout is not None
        context = owner.stdout.readline().strip()
        assert leases.is_held(context)
        assert context in contexts_at(url)
        owner.send_signal(signal.SIGKILL)
    lease = leases._folder() / context
    os.utime(lease, (time.time() - 60,) * 2)
    with Browser.connect(url, context="shared") as browser:
        eventually(lambda: not lease.exists())
        assert context not in contexts_at(url)
        assert browser.state.health.status == "live"


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("Browser.close", {}),
        ("Target.disposeBrowserContext", {"browserContextId": "user"}),
        ("Target.closeTarget", {"targetId": "user"}),
        ("Target.attachToTarget", {"targetId": "user", "flatten": True}),
        ("Storage.getCookies", {"browserContextId": "user"}),
        ("Target.setAutoAttach", {"autoAttach": False, "waitForDebuggerOnStart": False}),
        ("Tracing.start", {}),
    ],
)
@pytest.mark.threat
def test_raw_cdp_cannot_reach_other_browser_contexts(
    url: str, tasks: Tasks, method: str, params: dict[str, Any]
) -> None:
    user, one = tasks(context="shared"), tasks()
    tab = user.state.tabs[0]
    real = {"targetId": tab.target_id, "browserContextId": tab.browser_context_id}
    asked = {key: real[key] if value == "user" else value for key, value in params.items()}
    with pytest.raises(Denied, match=method):
        one.cdp(method, asked)


def test_raw_cdp_without_a_target_uses_the_tasks_context(
    url: str, tasks: Tasks, site: Site
) -> None:
    user, one = tasks(context="shared"), tasks()
    for browser, name in ((user, "users"), (one, "mine")):
        browser.cookies("set", name=name, value="x", url=site.here)
    try:
        there = one.cdp("Storage.getCookies").value["cookies"]
        assert [cookie["name"] for cookie in there] == ["mine"]
        shown = one.cdp("Target.getTargets").value["targetInfos"]
        own = one.state.tabs[0]
        assert {info["targetId"] for info in shown if info["type"] == "page"} == {own.target_id}
        made = one.cdp("Target.createTarget", {"url": "about:blank"}).value["targetId"]
        eventually(lambda: made in [tab.target_id for tab in one.state.tabs])
        one.cdp("Target.closeTarget", {"targetId": made})
    finally:
        user.cookies("delete", name="users")


def test_connect_rejects_an_unknown_context_mode(url: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        Browser.connect(url, context="incognito")  # type: ignore[arg-type]
    assert caught.value.data["field"] == "context"


@pytest.mark.parametrize(
    ("several", "isolate", "named", "own"),
    [
        (True, None, False, True),
        (True, False, False, False),
        (True, None, True, False),
        (True, True, True, True),
        (False, None, False, False),
        (False, True, False, True),
    ],
)
def test_server_gives_each_task_its_own_browser_context_by_default(
    url: str, several: bool, isolate: bool | None, named: bool, own: bool
) -> None:
    config = BrowserConfig(endpoint=None if named else url, isolate=isolate)

    async def opened() -> bool:
        session = session_of(config, own_context=several)
        way = Way(endpoint=url) if named else Way()
        try:
            browser, _ = await session.open(way, Budget(20_000))
            has_own = browser.has_own_context
            left = await session.disconnect(Budget(20_000))
            assert ("tabs and login cookies are gone" in left) is has_own
            return has_own
        finally:
            await session.close()

    assert asyncio.run(opened()) is own


@pytest.mark.parametrize("launched", [False, True])
def test_context_can_have_a_separate_proxy(url: str, site: Site, launched: bool) -> None:
    tasks = SupervisorRegistry()
    endpoint = LaunchEndpoint(LaunchOptions()) if launched else UrlEndpoint(url)
    through = OwnContext(proxy_server=site.here, proxy_bypass_list="<-loopback>")
    supervisor = tasks.get_or_start("t", endpoint, context=through)
    try:
        (tab,) = supervisor.state.tabs.values()

        async def go() -> None:
            supervisor.send(page.Navigate(url="http://127.0.0.1:59999/x"), tab.session_id)

        engine_loop().run_sync(go())
        eventually(lambda: "http://127.0.0.1:59999/x" in site.hits)
    finally:
        tasks.stop_all()


def test_context_applies_supported_options_and_warns_about_the_others(
    url: str, tasks: Tasks, site: Site
) -> None:
    site.page("/", "<p>hello")
    facts = "[navigator.language, innerWidth, new Date().getTimezoneOffset()]"
    with login_proxy("ann:p@ss") as proxy:
        config = BrowserConfig(
            proxy=f"http://ann:p%40ss@127.0.0.1:{proxy.port}",
            locale="de-DE",
            timezone="Asia/Tokyo",
            viewport="700x500",
            args=["--kiosk"],
            user_data_dir="/tmp/profile",
        )
        one = tasks(config=config)
        one.goto(site.here.replace("127.0.0.1", "shop.test") + "/")
        assert one.evaluate(facts).value == ["de-DE", 700, -540]
        (told,) = one.warnings
        assert told.endswith(": browser.args, browser.user_data_dir.")
        assert any("-> shop.test" in line for line in proxy.served())

    async def note() -> str:
        session = session_of(config)
        try:
            return (await session.connect(Way(endpoint=url), Budget(20_000)))[1]
        finally:
            await session.close()

    told = asyncio.run(note())
    for name in ("proxy", "locale", "timezone", "viewport", "args", "user_data_dir"):
        assert f"browser.{name}" in told
    assert tasks().warnings == ()


def test_connect_rejects_a_proxy_that_a_context_cannot_use() -> None:
    config = BrowserConfig(proxy="http://proxy.example:3128")
    with (
        Browser.launch(transport="port") as browser,
        pytest.raises(NotSupported, match=r"browser\.proxy") as refused,
    ):
        Browser.connect(browser.address or "", context="own", config=config)
    assert refused.value.data["field"] == "proxy"
