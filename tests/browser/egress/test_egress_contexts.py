"""Tasks that share a browser have separate network policies, each with its context's own proxy."""

from __future__ import annotations

import socket
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from support.relay import Relay
from support.running import running_chromium
from support.site import Site

from tabwarden import events
from tabwarden.config import BrowserConfig
from tabwarden.egress import proxy
from tabwarden.egress.proxy import EgressProxy
from tabwarden.egress.upstream import Upstream
from tabwarden.errors import Denied, PageUnreachable
from tabwarden.sync import Browser

Tasks = Callable[..., Browser]


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with (
        tempfile.TemporaryDirectory(prefix="tw-", ignore_cleanup_errors=True) as folder,
        running_chromium(Path(folder)) as port,
    ):
        yield f"http://127.0.0.1:{port}"


@pytest.fixture
def tasks(url: str) -> Iterator[Tasks]:
    with ExitStack() as open_:
        yield lambda **config: open_.enter_context(
            Browser.connect(url, context="own", config=BrowserConfig(**config))
        )


def asked(browser: Browser, url: str) -> object:
    script = "(url) => fetch(url, {mode: 'no-cors'}).then(() => 'there', () => 'refused')"
    return browser.evaluate(script, args=[url]).value


@pytest.mark.threat
def test_each_task_has_an_independent_network_policy(tasks: Tasks, site: Site) -> None:
    site.page("/", "page")
    one, other = tasks(blocked_origins=["localhost"]), tasks()
    for browser in (one, other):
        assert browser.state.network_policy == "proxy"
        browser.goto(site.here)
    assert [asked(browser, site.there) for browser in (one, other)] == ["refused", "there"]
    with pytest.raises(Denied, match="blocked_origins"):
        one.goto(site.there)
    assert [note.kind for note in one.state.notes] == ["refused"]
    assert other.state.notes == ()
    one.configure(BrowserConfig())
    other.configure(BrowserConfig(blocked_origins=["localhost"]))
    assert [asked(browser, site.there) for browser in (one, other)] == ["there", "refused"]
    assert len(other.state.notes) == 1


def test_host_visited_by_one_task_stays_forbidden_to_another(tasks: Tasks, site: Site) -> None:
    site.page("/", "page")
    names, other = tasks(), tasks(allowed_origins=["*.example"])
    names.goto(site.here)
    with pytest.raises(Denied):
        other.goto(site.here)
    assert asked(names, site.here) == "there"


def test_task_proxy_survives_a_reconnect_and_stops_with_its_task(url: str, site: Site) -> None:
    site.page("/", "page")
    config = BrowserConfig(blocked_origins=["localhost"])
    with (
        Relay(int(url.rpartition(":")[2])) as relay,
        Browser.connect(relay.url, context="own", config=config) as browser,
    ):
        browser.goto(site.here)
        with browser.events(events.EndpointRegained) as told:
            relay.cut()
            assert told.get(20) is not None
        assert browser.state.network_policy == "proxy"
        assert asked(browser, site.there) == "refused"
        assert asked(browser, site.here) == "there"
        egress = browser._task.supervisor._egress
        assert egress is not None
    with socket.socket() as nobody, pytest.raises(ConnectionRefusedError):
        nobody.connect(("127.0.0.1", egress.port))


@pytest.mark.parametrize(
    "switch",
    ["--host-resolver-rules=MAP 127.0.0.1 127.9.9.9", "--proxy-server=socks5://127.9.9.9:9"],
    ids=["remote", "own proxy"],
)
@pytest.mark.threat
def test_browser_with_its_own_proxy_or_resolver_gets_no_task_proxy(
    switch: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[EgressProxy] = []
    start = EgressProxy.start

    async def noted(upstream: Upstream | None) -> EgressProxy:
        started.append(await start(upstream))
        return started[-1]

    monkeypatch.setattr(proxy.EgressProxy, "start", noted)
    with (
        running_chromium(folder, switch) as port,
        Browser.connect(f"http://127.0.0.1:{port}", context="own") as browser,
    ):
        assert browser.state.network_policy == "documents"
        assert not any(one._server.is_serving() for one in started)
        with pytest.raises(Denied, match="metadata"):
            browser.goto("http://169.254.169.254/")
        with pytest.raises(PageUnreachable):
            browser.goto("http://127.0.0.1:1/")
