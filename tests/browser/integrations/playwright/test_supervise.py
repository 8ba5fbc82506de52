"""Tabwarden beside a real Playwright, on a browser that Playwright launched."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from playwright.async_api import Browser as PlaywrightBrowser
from playwright.async_api import Page
from support.beside import Heard, playwright_browser, sync_playwright_browser
from support.eventually import eventually_async
from support.needs import needs, whole_chromium
from support.site import Site

from tabwarden import Browser
from tabwarden.errors import (
    BrowserGone,
    BudgetExceeded,
    DialogPending,
    InvalidArgument,
    NotSupported,
    StaleRef,
    TargetCrashed,
    UnknownRef,
)
from tabwarden.integrations.playwright import Warden, supervise
from tabwarden.sync import Browser as SyncBrowser

pytestmark = pytest.mark.anyio

SHOP = (
    "<button id=buy onclick=\"document.title = 'Sold'\">Buy</button>"
    "<button id=ask onclick=\"window.got = confirm('Sure?')\">Ask</button>"
)
HOW_OFTEN = [2, pytest.param(20, marks=pytest.mark.long)]


@pytest.fixture
async def browser() -> AsyncIterator[PlaywrightBrowser]:
    async with playwright_browser() as browser:
        yield browser


@pytest.fixture
async def whole() -> AsyncIterator[PlaywrightBrowser]:
    """Not the headless shell."""
    async with playwright_browser(path=whole_chromium()) as browser:
        yield browser


@pytest.fixture
async def page(browser: PlaywrightBrowser, site: Site) -> Page:
    page = await (await browser.new_context()).new_page()
    await page.goto(site.page("/", SHOP, title="Shop"))
    return page


async def _works(page: Page) -> None:
    """The user's own locator still clicks, and the page reacts."""
    await page.evaluate("document.title = 'Shop'")
    await page.locator("#buy").click(timeout=5000)
    assert await page.title() == "Sold"


@pytest.mark.parametrize("times", HOW_OFTEN)
async def test_locators_work_during_and_after_a_hung_evaluate(page: Page, times: int) -> None:
    async with supervise(page) as warden:
        for _ in range(times):
            hung = asyncio.create_task(warden.evaluate("while (true);", timeout_ms=1500))
            await asyncio.sleep(0.2)
            clicked = asyncio.create_task(page.locator("#buy").click(timeout=10_000))
            with pytest.raises(BudgetExceeded) as raised:
                await hung
            # On a busy machine, the recovery may outlast the call.
            assert raised.value.data["state"] in ("freed", "recovering")
            await clicked
            assert await page.title() == "Sold"
            await _works(page)


@pytest.mark.parametrize("times", HOW_OFTEN)
@pytest.mark.long
async def test_locators_work_during_and_after_a_crash(page: Page, times: int) -> None:
    beside = await page.context.new_page()
    await beside.goto(page.url)
    async with supervise(page) as warden:
        for _ in range(times):
            crash = asyncio.create_task(warden.cdp("Page.crash"))
            await _works(beside)
            with pytest.raises(TargetCrashed):
                await crash
            assert (await warden.evaluate("1 + 1")).value == 2  # Tabwarden has reloaded the page
            # For Playwright, a page that has crashed stays crashed.
            again = await page.context.new_page()
            await again.goto(beside.url)
            await _works(again)
            await again.close()


@pytest.mark.parametrize("times", HOW_OFTEN)
@pytest.mark.long
async def test_locators_work_during_and_after_a_dialog_storm(page: Page, times: int) -> None:
    heard = Heard()
    page.on("dialog", heard)
    storm = "setTimeout(() => { for (let i = 0; i < 5; i++) confirm(`storm ${i}`) }, 0); 0"
    async with supervise(page) as warden:
        for _ in range(times):
            await warden.evaluate(storm)
            await page.locator("#ask").click(timeout=10_000)
            assert await page.evaluate("got") is True
            await _works(page)
        each = [f"storm {i}" for i in range(5)] * times
        assert sorted(heard.messages) == sorted(each + ["Sure?"] * times)
        closed = [dialog.closed_by for dialog in warden.state.recent_dialogs]
        assert set(closed) == {"remote"}


@pytest.mark.long
async def test_playwright_listener_answers_a_dialog_that_tabwarden_opened(page: Page) -> None:
    heard = Heard()
    page.on("dialog", heard)
    async with supervise(page) as warden:
        outline = await warden.snapshot()
        assert (await warden.click(outline.ref("Ask"))).status == "interrupted"
        await eventually_async(lambda: not warden.state.pending_dialogs)
        assert heard.messages == ["Sure?"]
        assert (await warden.evaluate("got")).value is True


async def test_playwright_page_without_a_dialog_listener_dismisses_dialogs(page: Page) -> None:
    async with supervise(page) as warden:
        await page.click("#ask")
        assert await page.evaluate("got") is False
        await eventually_async(lambda: warden.state.recent_dialogs)
        assert [dialog.closed_by for dialog in warden.state.recent_dialogs] == ["remote"]


@needs("chromium")  # headless shells close a dialog when any client disconnects
async def test_dialog_that_playwright_left_open_survives_the_end_of_supervision(
    whole: PlaywrightBrowser, site: Site
) -> None:
    page = await whole.new_page()
    await page.goto(site.page("/", SHOP))
    kept: list[Any] = []
    page.on("dialog", lambda dialog: kept.append(dialog))
    async with supervise(page) as warden:
        await warden.snapshot()
        click = asyncio.create_task(page.click("#ask"))
        await eventually_async(lambda: warden.state.pending_dialogs)
        with pytest.raises(DialogPending, match="Another program answers"):
            await warden.evaluate("1")
        outline = await warden.snapshot()
        assert outline.stale
        assert [dialog["message"] for dialog in outline.pending_dialogs] == ["Sure?"]
    await asyncio.sleep(0.2)
    assert not click.done()
    await kept[0].accept()
    await click
    assert await page.evaluate("got") is True


@pytest.mark.long
async def test_supervise_starts_while_a_dialog_is_open(page: Page) -> None:
    kept: list[Any] = []
    page.on("dialog", lambda dialog: kept.append(dialog))
    click = asyncio.create_task(page.click("#ask"))
    await eventually_async(lambda: kept)
    async with supervise(page, timeout_ms=10_000) as warden:
        with pytest.raises(BudgetExceeded):
            await warden.evaluate("1", timeout_ms=500)
        await kept[0].accept()
        await click
        assert (await warden.evaluate("got")).value is True


async def test_tabwarden_handles_dialogs_if_configured_to(page: Page) -> None:
    async with supervise(page, dialogs="tabwarden") as warden:
        await page.reload()
        click = asyncio.create_task(page.click("#ask"))
        await eventually_async(lambda: warden.state.pending_dialogs)
        assert (await warden.snapshot()).ref("Ask")
        await warden.dialog("accept")
        await click
        assert await page.evaluate("got") is True
        assert warden.state.recent_dialogs[-1].closed_by == "agent"


@pytest.mark.long
async def test_tabwarden_answers_a_beforeunload_dialog_before_playwright(
    page: Page, site: Site
) -> None:
    site.page("/unsaved", "<script>onbeforeunload = (e) => e.preventDefault()</script><p>Text")
    async with supervise(page, dialogs="tabwarden") as warden:
        await page.goto(site.here + "/unsaved")
        await page.click("p")
        left = await warden.goto(site.here + "/")
        assert left.status == "interrupted"
        await asyncio.sleep(0.2)
        assert [dialog.type for dialog in warden.state.pending_dialogs] == ["beforeunload"]
        await warden.dialog("dismiss")
        assert page.url == site.here + "/unsaved"
    page.on("dialog", Heard())
    await page.goto(site.here + "/")  # Playwright's own again


@pytest.mark.long
async def test_refs_and_locators_match_in_every_kind_of_frame(page: Page, site: Site) -> None:
    site.page("/inner", "<button>Inner</button>")
    site.page("/middle", f"<iframe src='{site.there}/inner'></iframe>")
    site.page(
        "/frames",
        "<div id=host></div><iframe src='/inner'></iframe><iframe srcdoc='<button>Inner</button>'>"
        f"</iframe><iframe src='{site.there}/middle'></iframe><script>"
        "host.attachShadow({mode: 'open'}).innerHTML = '<button>Inner</button>'</script>",
    )
    await page.goto(site.here + "/frames")
    async with supervise(page) as warden:
        await page.evaluate(
            "window.seen = []; new MutationObserver((all) => seen.push(...all))"
            ".observe(document, {subtree: true, attributes: true, childList: true})"
        )
        outline = await warden.snapshot()
        refs = [ref for ref, told in outline.refs.items() if told["name"] == "Inner"]
        assert len(refs) == 4, outline.text
        marked = []
        for ref in refs:
            locator = warden.locator(ref)
            assert await locator.inner_text() == "Inner"
            assert await warden.ref(locator) == ref
            handle = await locator.element_handle()
            assert await warden.ref(handle) == ref
            await locator.evaluate("(button, ref) => { button.textContent = ref }", ref)
            marked.append(ref)
        for ref in marked:
            assert await warden.locator(ref).inner_text() == ref
        for frame in page.frames[1:]:
            for button in await frame.query_selector_all("button"):
                assert await warden.ref(button) == await button.text_content()
        assert (
            await page.evaluate(
                "seen.length + Object.keys(window).filter("
                "(name) => name.includes('tabwarden')).length"
            )
            == 0
        )


def is_stale(warden: Warden, ref: str) -> bool:
    """A busy page still gets a locator, which waits for the page."""
    try:
        warden.locator(ref)
    except StaleRef:
        return True
    return False


@pytest.mark.long
async def test_locator_for_a_ref_matches_exactly_one_element(page: Page) -> None:
    async with supervise(page) as warden:
        outline = await warden.snapshot()
        locator = warden.locator(outline.ref("Buy"))
        assert await locator.count() == 1
        assert await page.locator("body").locator(locator).count() == 1
        assert await page.locator("#ask").locator(locator).count() == 0
        await page.evaluate("buy.remove()")
        assert await locator.count() == 0
        await eventually_async(lambda: is_stale(warden, outline.ref("Buy")))
        with pytest.raises(UnknownRef):
            warden.locator("e999")


@pytest.mark.long
async def test_locator_in_a_popup_requires_a_tab_of_call_first(page: Page, site: Site) -> None:
    async with supervise(page) as warden:
        async with page.expect_popup() as opening:
            await page.evaluate("url => { open(url) }", site.here + "/")
        popup = await opening.value
        await popup.wait_for_load_state()
        tab_id = next(tab.tab_id for tab in warden.state.tabs if tab.opener_tab_id)
        ref = (await warden.snapshot(tab_id=tab_id)).ref("Buy")
        with pytest.raises(InvalidArgument, match="tab_of"):
            warden.locator(ref)
        assert await warden.tab_of(popup) == tab_id
        await warden.locator(ref).click()
        assert await popup.title() == "Sold"
        assert await page.title() == "Shop"
        assert await warden.ref(popup.locator("#buy")) == ref
        button = await popup.query_selector("#buy")
        assert button is not None
        assert await warden.ref(button) == ref


@pytest.mark.long
async def test_supervise_acts_only_in_the_browser_context_of_its_page(
    browser: PlaywrightBrowser, site: Site
) -> None:
    url = site.page("/", SHOP, title="Shop")
    one, other = await browser.new_context(), await browser.new_context()
    await other.add_cookies([{"name": "other", "value": "1", "url": url}])
    await one.add_cookies([{"name": "one", "value": "1", "url": url}])
    page, elsewhere = await one.new_page(), await other.new_page()
    await page.goto(url)
    await elsewhere.goto(url)
    async with supervise(page) as warden:
        assert len(warden.state.tabs) == 1
        assert not warden.has_own_context
        cookies = (await warden.cookies()).value
        assert [cookie["name"] for cookie in cookies] == ["one"]
        async with one.expect_page() as opening:
            await warden.tabs("open", url=url)
        assert (await opening.value).context == one
        with pytest.raises(InvalidArgument):
            await warden.tab_of(elsewhere)
        async with page.expect_download() as downloading:
            await page.evaluate(
                "Object.assign(document.createElement('a'), {href: 'data:,x', download: 'x'})"
                ".click()"
            )
        assert (await (await downloading.value).path()).is_file()
    assert await page.title() == "Shop"
    assert len(one.pages) == 2
    async with supervise(browser) as warden:
        assert len(warden.state.tabs) == 3


@pytest.mark.long
async def test_supervise_raises_browser_gone_after_playwright_closes_the_browser(
    site: Site,
) -> None:
    async with playwright_browser() as browser:
        page = await browser.new_page()
        async with supervise(page, dialogs="tabwarden") as warden:
            await browser.close()
            with pytest.raises(BrowserGone):
                await warden.evaluate("1")
        with pytest.raises(BrowserGone):
            await supervise(page)


@needs("chromium")  # a headless shell sends password prompts only to the last client
async def test_supervise_leaves_playwright_credentials_routes_and_file_choosers_in_place(
    whole: PlaywrightBrowser, site: Site
) -> None:
    def secret(request: Any) -> None:
        known = request.headers.get("Authorization")
        request.send_response(200 if known else 401)
        request.send_header("WWW-Authenticate", 'Basic realm="x"')
        request.send_header("Content-Length", "0")
        request.end_headers()

    site.pages["/secret"] = secret
    url = site.page("/", "<input type=file>")
    context = await whole.new_context(http_credentials={"username": "u", "password": "p"})
    page = await context.new_page()
    async with supervise(page):
        answer = await page.goto(site.here + "/secret")
        assert answer is not None
        assert answer.status == 200
        await page.route("**/routed", lambda route: route.fulfill(body="ours"))
        routed = await page.goto(site.here + "/routed")
        assert routed is not None
        assert await routed.text() == "ours"
        await page.goto(url)
        async with page.expect_file_chooser() as choosing:
            await page.click("input")
        await (await choosing.value).set_files([])


async def test_playwright_connects_to_a_browser_that_tabwarden_launched(site: Site) -> None:
    from playwright.async_api import async_playwright

    async with Browser.launch(transport="port") as ours, async_playwright() as playwright:
        await ours.goto("data:text/html," + SHOP)
        theirs = await playwright.chromium.connect_over_cdp(ours.address)
        page = theirs.contexts[0].pages[0]
        await page.click("#buy")
        assert (await ours.evaluate("document.title")).value == "Sold"
        async with supervise(page) as warden:
            outline = await warden.snapshot()
            assert await warden.locator(outline.ref("Buy")).inner_text() == "Buy"
        await theirs.close()


@pytest.mark.long
async def test_supervise_rejects_unsupported_browsers_and_invalid_arguments(site: Site) -> None:
    async with playwright_browser([]) as browser:
        page = await browser.new_page()
        with pytest.raises(NotSupported, match="no debugging port") as refused:
            await supervise(page)
        assert "--remote-debugging-port=0" in refused.value.hint
        with pytest.raises(InvalidArgument) as wrong:
            supervise(page.main_frame)  # type: ignore[call-overload]
        assert wrong.value.data["field"] == "subject"
        with pytest.raises(InvalidArgument) as unknown:
            supervise(page, dialogs="both")  # type: ignore[call-overload]
        assert unknown.value.data["field"] == "dialogs"
        await page.close()
        with pytest.raises(BrowserGone, match="page is closed"):
            await supervise(page)


@pytest.mark.long
async def test_supervise_rejects_the_address_of_another_browser(page: Page, port: int) -> None:
    with pytest.raises(InvalidArgument) as refused:
        await supervise(page, endpoint=f"http://127.0.0.1:{port}")
    assert refused.value.data["field"] == "endpoint"


async def test_address_of_a_pipe_browser_raises_not_supported() -> None:
    def ask() -> str:
        with SyncBrowser.launch() as browser, pytest.raises(NotSupported) as refused:
            _ = browser.address
        return refused.value.hint

    assert "transport='port'" in await asyncio.to_thread(ask)


def test_supervise_works_with_sync_playwright(site: Site) -> None:
    url = site.page("/", SHOP, title="Shop")
    with sync_playwright_browser() as browser:
        page = browser.new_page()
        page.goto(url)
        heard: list[str] = []
        page.on("dialog", lambda dialog: (heard.append(dialog.message), dialog.accept()))
        with supervise(page) as warden:
            with pytest.raises(BudgetExceeded):
                warden.evaluate("while (true);", timeout_ms=1500)
            outline = warden.snapshot()
            locator = warden.locator(outline.ref("Buy"))
            locator.click()
            assert page.title() == "Sold"
            assert warden.ref(page.locator("#buy")) == outline.ref("Buy")
            assert warden.ref(page.query_selector("#ask")) == outline.ref("Ask")
            assert warden.tab_of(page) == "t1"
            assert warden.click(outline.ref("Ask")).status == "interrupted"
            page.wait_for_function("window.got")
            assert heard == ["Sure?"]
        with supervise(page, dialogs="tabwarden") as warden:
            page.reload()
            outline = warden.snapshot()
            assert warden.click(outline.ref("Ask")).status == "interrupted"
            assert warden.dialog("dismiss").status == "ok"
            assert page.evaluate("got") is False
        assert page.locator("#buy").count() == 1
