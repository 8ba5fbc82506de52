"""Init scripts: they run before the first script of every document of the task."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.pace import allow
from support.relay import Relay
from support.site import Site

from tabwarden import events
from tabwarden.config import BrowserConfig
from tabwarden.errors import Disabled, InvalidArgument, NotSupported, TabwardenError, TargetCrashed
from tabwarden.integrations.camofox import CamofoxBrowser
from tabwarden.sync import Browser

RUNS = "window.runs = (window.runs ?? 0) + 1;"
SEEN = "<script>window.early = window.runs;</script>"
ONCE = "[window.early ?? null, window.runs ?? null]"


@pytest.fixture
def browser(browser: Browser) -> Iterator[Browser]:
    yield browser
    for script in browser.init_script("list").value["scripts"]:
        browser.init_script("remove", script_id=script["id"])


def seen(browser: Browser, **where: Any) -> Any:
    return browser.evaluate(ONCE, **where).value


def opened(browser: Browser, how: str) -> Any:
    """The variables that a popup saw."""
    before = {tab.tab_id for tab in browser.state.tabs}
    browser.evaluate(how)
    (popup,) = [tab.tab_id for tab in browser.state.tabs if tab.tab_id not in before]
    browser.wait(load_state="load", tab_id=popup)
    return seen(browser, tab_id=popup)


def test_init_script_runs_once_and_first_in_every_later_document(
    browser: Browser, site: Site
) -> None:
    site.page("/inner", SEEN)
    url = site.page(
        "/", f"{SEEN}<iframe src=/inner></iframe><iframe src={site.there}/inner></iframe>"
    )
    browser.goto(url)
    first = browser.state.active_tab_id
    done = browser.add_init_script(RUNS).value
    assert done["scripts"] == [{"id": done["id"], "script": RUNS, "chars": len(RUNS)}]
    assert seen(browser) == [None, None], "only later documents run it"
    other = browser.tabs("open", url=url).tab_id
    assert seen(browser, tab_id=other) == [1, 1]
    frames = browser.state.frame_tree.children
    assert {frame.is_oopif for frame in frames} == {True, False}
    assert [seen(browser, frame_id=frame.frame_id) for frame in frames] == [[1, 1]] * 2
    browser.tabs("switch", tab_id=first)
    browser.goto(site.there + "/")  # another process
    assert seen(browser) == [1, 1]
    assert opened(browser, "void open('/inner')") == [1, 1]
    assert opened(browser, f"void open('{site.here}/inner', '', 'noopener')") == [1, 1]
    assert opened(browser, "void open()") == [None, 1], "the empty document too"


@pytest.mark.long
def test_init_scripts_run_in_order_and_can_be_removed_one_by_one(
    browser: Browser, site: Site, tmp_path: Path
) -> None:
    url = site.page("/", "<script>early = said</script>")
    file = tmp_path / "second.js"
    file.write_text("said += 'b'")
    first = browser.add_init_script("var said = 'a'").value["id"]
    scripts = browser.add_init_script(path=file).value["scripts"]
    assert [one.get("path") for one in scripts] == [None, str(file)]
    browser.goto(url)
    assert browser.evaluate("early").value == "ab"
    browser.init_script("remove", script_id=scripts[1]["id"])
    browser.reload()
    assert browser.evaluate("early").value == "a"
    assert browser.init_script("remove", script_id=first).value == {"scripts": []}
    with pytest.raises(InvalidArgument, match="no init script") as gone:
        browser.init_script("remove", script_id=first)
    assert gone.value.data["field"] == "script_id"


@pytest.mark.long
def test_init_scripts_survive_a_page_crash(browser: Browser, site: Site) -> None:
    browser.add_init_script(RUNS)
    browser.goto(site.page("/", SEEN))
    with pytest.raises(TargetCrashed):
        browser.cdp("Page.crash", timeout_ms=allow(5_000))
    browser.reload()
    assert seen(browser) == [1, 1]


@pytest.mark.long
def test_init_scripts_survive_a_lost_connection_without_running_again(
    port: int, site: Site
) -> None:
    with Relay(port) as relay, Browser.connect(relay.url) as browser:
        url = site.page("/", SEEN)
        added = browser.add_init_script(RUNS).value["id"]
        browser.goto(url)
        with browser.events(events.EndpointLost) as told:
            relay.cut()
            assert told.get(5) is not None
        browser.snapshot()
        assert seen(browser) == [1, 1], "the page that is there does not run it again"
        browser.reload()
        assert seen(browser) == [1, 1]
        browser.init_script("remove", script_id=added)
        browser.reload()
        assert seen(browser) == [None, None]


@pytest.mark.long
def test_init_scripts_do_not_run_in_tabs_of_other_clients(port: int, site: Site) -> None:
    url = f"http://127.0.0.1:{port}"
    page = site.page("/", SEEN)
    with Browser.connect(url) as person, Browser.connect(url) as agent:
        theirs = person.tabs("open").tab_id
        agent.tabs("open")
        agent.add_init_script(RUNS)
        agent.goto(page)
        assert seen(agent) == [1, 1]
        person.goto(page, tab_id=theirs)
        assert seen(person, tab_id=theirs) == [None, None]


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"script": "let a = 1;\n  let a = 2;"}, "script"),
        ({"path": "wrong.js"}, "path"),
        ({"path": "missing.js"}, "path"),
        ({"path": "."}, "path"),
        ({"script": " "}, "script"),
        ({"script": "1", "path": "wrong.js"}, "path"),
        ({}, "script"),
    ],
)
def test_add_init_script_rejects_invalid_scripts_and_paths(
    browser: Browser, tmp_path: Path, arguments: dict[str, str], field: str
) -> None:
    (tmp_path / "wrong.js").write_text("let a = 1;\n  let a = 2;")
    if "path" in arguments:
        arguments = {**arguments, "path": str(tmp_path / arguments["path"])}
    with pytest.raises(InvalidArgument) as refused:
        browser.add_init_script(**arguments)
    assert refused.value.data["field"] == field
    if "let a" in str(arguments) or (
        "wrong.js" in str(arguments.get("path")) and len(arguments) < 2
    ):
        assert (refused.value.data["line"], refused.value.data["column"]) == (2, 7)
    assert browser.init_script("list").value == {"scripts": []}


@pytest.mark.long
def test_goto_stops_a_hanging_init_script_within_its_budget(
    own_browser: Browser, site: Site
) -> None:
    own_browser.add_init_script("while (location.pathname === '/hangs');")
    site.page("/hangs", "a page")
    with pytest.raises(TabwardenError) as hung:
        own_browser.goto(site.here + "/hangs", timeout_ms=3_000)
    assert hung.value.code in ("budget_exceeded", "page_unresponsive")
    own_browser.init_script("remove", script_id="i-1")
    own_browser.goto(site.here + "/hangs")
    assert own_browser.evaluate("document.body.textContent").value == "a page"


def test_configuration_adds_init_scripts_from_files(site: Site, tmp_path: Path) -> None:
    file = tmp_path / "runs.js"
    file.write_text(RUNS)
    with Browser.launch(config=BrowserConfig(init_scripts=[file])) as browser:
        browser.goto(site.page("/", SEEN))
        assert seen(browser) == [1, 1]
        assert browser.init_script("list").value["scripts"][0]["path"] == str(file)
    for text in ("let a = ;", None):
        file.unlink() if text is None else file.write_text(text)
        with pytest.raises(InvalidArgument, match=r"runs\.js") as refused:
            Browser.launch(config=BrowserConfig(init_scripts=[file])).__enter__()
        assert refused.value.data["field"] == "init_scripts"


@pytest.mark.anyio
async def test_camofox_browser_rejects_init_scripts(tmp_path: Path) -> None:
    with pytest.raises(NotSupported) as refused:
        await CamofoxBrowser.connect(config=BrowserConfig(init_scripts=[tmp_path]))
    assert refused.value.data["field"] == "init_scripts"


def test_disabling_evaluate_also_disables_init_scripts(browser: Browser) -> None:
    usual = browser.config
    browser.configure(usual.model_copy(update={"evaluate_enabled": False}))
    try:
        with pytest.raises(Disabled):
            browser.add_init_script(RUNS)
    finally:
        browser.configure(usual)
