"""A program that uses the whole public API, as a stranger would write it.

``make check`` type-checks it, ``make types`` type-checks it against the wheel, and
``test_public_api.py`` runs ``main``.
"""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tabwarden import (
    ActionResult,
    Browser,
    BrowserConfig,
    Config,
    Screenshot,
    Snapshot,
    TabwardenError,
    load_config,
)
from tabwarden.errors import BudgetExceeded, DialogPending, InvalidArgument, JsError, StaleRef
from tabwarden.events import DialogClosed, DialogOpened, Event, Events, NavigationSettled, TabOpened
from tabwarden.results import Findings, Scraped
from tabwarden.sync import Browser as SyncBrowser
from tabwarden.tools import Tools
from tabwarden.tools.sync import Tools as SyncTools

if TYPE_CHECKING:  # types of the user's own frameworks
    from agents import Agent as OpenAiAgent
    from langchain_core.language_models import BaseChatModel
    from playwright.async_api import Page
    from playwright.sync_api import Page as SyncPage

SHOP = (
    "data:text/html,<title>Shop</title><label>Name <input id=name></label>"
    "<select aria-label=Size><option>S<option>M</select>"
    "<button onclick=\"document.title = confirm('Sure?')\">Buy</button>"
)


def configured(folder: Path) -> BrowserConfig:
    """Some keys; the others have their defaults."""
    plain = BrowserConfig(headless=True)
    config = BrowserConfig(
        headless=plain.headless,
        dialog_policy="must_respond",
        dialog_timeout_s=60,
        default_timeout_ms=20_000,
        timeouts_ms={"evaluate": 5_000, "navigate": 30_000},
        upload_dir=folder,
        download_dir=folder,
        state_dir=folder,
        permissions={"geolocation": "denied"},
        record_network=True,
    )
    whole: Config = Config(browser=config)
    limit: float = whole.browser.timeout_of("evaluate")
    assert limit == 5_000
    return whole.browser


async def read(browser: Browser) -> list[str]:
    """Every way to read a page."""
    opened: ActionResult[None] = await browser.goto(SHOP, wait_until="load", snapshot="full")
    outline: Snapshot | None = opened.snapshot
    assert outline is not None
    page = await browser.snapshot(max_chars=2_000)
    text: Scraped = (await browser.scrape("text", selector="body")).value
    found: Findings = (await browser.find(role="button")).value
    names = [one["name"] for one in found["found"]]
    lines = (await browser.console(level="warning")).value
    picture: Screenshot = await browser.screenshot(full_page=True)
    size = (await browser.resize(800, 600)).value
    requests = (await browser.network(limit=10)).value["requests"]
    assert picture.media_type == "image/png"
    assert picture.data[:4] == b"\x89PNG"
    assert size["width"] == 800
    assert len(requests) + len(lines) >= 0
    return [outline.text, page.text, text["text"], *names, opened.title]


async def use(browser: Browser) -> str:
    """Input, forms, scripts, storage."""
    await browser.goto(SHOP)
    page = await browser.snapshot()
    typed = await browser.type("Ada", page.ref("Name"), clear=True, snapshot="diff")
    assert typed.value.get("value") == "Ada"
    if typed.focus is not None:
        assert typed.focus["name"] == "Name"
    chosen = await browser.select(page.ref("Size"), labels="M")
    assert chosen.value["selected"] == ["M"]
    filled = await browser.fill_form([{"ref": page.ref("Name"), "value": "Grace"}])
    assert filled.value["filled"][0]["value"] == "Grace"
    await browser.press("End", times=2)
    await browser.hover(page.ref("Buy"))
    scrolled = await browser.scroll("down", 200)
    moved: float = scrolled.value.get("moved", 0.0)
    waited = await browser.wait(0.01)
    spent: int = waited.value["waited_ms"]
    emulated = await browser.emulate(locale="de-DE", color_scheme="dark")
    assert emulated.value.get("locale") == "de-DE"
    tabs = (await browser.tabs("list")).value
    first: str = tabs[0]["tab_id"]
    granted = (await browser.permission("notifications", "denied")).value
    assert granted[-1]["setting"] == "denied"
    total: Any = (await browser.evaluate("(a, b) => a + b", args=[1, 2])).value
    state = await browser.storage_state()
    assert isinstance(state["cookies"], list)
    return f"{total} {moved >= 0} {spent >= 0} {first}"


async def answer(browser: Browser) -> str:
    """A dialog interrupts the click, an event reports it, and the agent answers it."""
    await browser.goto(SHOP)
    page = await browser.snapshot()
    with browser.events(DialogOpened, DialogClosed) as events:
        clicked = await browser.click(page.ref("Buy"))
        assert clicked.interrupted
        assert clicked.by is not None
        assert clicked.new_since_last.tabs is not None
        try:
            await browser.evaluate("1", timeout_ms=500)
        except (DialogPending, BudgetExceeded) as error:
            code, hint, data = error.code, error.hint, error.data
            assert isinstance(code, str)
            assert isinstance(hint, str)
            assert isinstance(data, dict)
        closed = await browser.dialog("accept")
        assert closed.value["accepted"] is True
        async for event in events:
            message: str = event.dialog.message  # both kinds have it
            if isinstance(event, DialogClosed):
                return f"{message} {event.dialog.closed_by}"
    return ""


def tell(event: Event) -> str:
    """Narrow an event's type."""
    match event:
        case DialogOpened():
            return event.dialog.message
        case NavigationSettled():
            return event.url
        case TabOpened():
            return event.tab_id
        case _:
            return type(event).__name__


async def fail(browser: Browser) -> list[str]:
    """Errors have codes and data."""
    codes: list[str] = []
    for script in ("throw new Error('no')", "2 +"):
        try:
            await browser.evaluate(script)
        except JsError as error:
            line: int | None = error.data["line"]
            codes.append(f"{error.code} {line}")
    try:
        await browser.click("e999")
    except StaleRef as error:
        codes.append(error.message)
    except TabwardenError as error:
        codes.append(str(error.to_dict()["code"]))
    try:
        Browser.launch(headless="no")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    except InvalidArgument as error:
        codes.append(str(error.data["field"]))
    return codes


def in_sync(config: BrowserConfig) -> tuple[str, int]:
    """The sync twin."""
    with SyncBrowser.launch(config=config, task_id="in-sync") as browser:
        all_events: Events[Event] = browser.events()
        settled: list[str] = []
        told = browser.events(NavigationSettled, callback=lambda event: settled.append(event.url))
        done = browser.goto(SHOP, snapshot="full")
        assert done.snapshot is not None
        first: Event | None = all_events.get(timeout_s=5)
        assert first is not None
        tell(first)
        told.close()
        all_events.close()
        value: Any = browser.evaluate("6 * 7").value
        tabs = browser.state.tabs
        health: str = browser.state.health.status
        assert health == "live"
        assert isinstance(browser.capabilities.note, str)
        assert "actions" in browser.metrics()
        browser.configure(BrowserConfig(evaluate_enabled=False))
        return f"{value} {done.title}", len(tabs)


async def with_tools(browser: Browser) -> str:
    """For a program that calls an LLM API."""
    async with Tools(browser, toolset="full") as tools:
        definitions: list[dict[str, Any]] = tools.definitions("openai")
        answered = await tools.call("browser_navigate", {"url": SHOP})
        assert not answered.is_error
        messages = tools.with_state([{"role": "user", "content": "Buy."}], "openai")
        assert len(definitions) > 3
        assert "[Browser: " in str(messages)
        return tools.state_message()


def with_sync_tools(config: BrowserConfig) -> str:
    """The sync twin of ``Tools`` opens a browser by itself."""
    with SyncTools(config) as tools:
        return tools.call("browser_navigate", {"url": SHOP}).text


def hermes(cdp_url: str) -> list[str]:
    """The interface of Hermes Agent's supervisors."""
    from tabwarden.integrations.hermes.api import SUPERVISOR_REGISTRY

    supervisor = SUPERVISOR_REGISTRY.get_or_start("chat", cdp_url, dialog_policy="must_respond")
    supervisor.navigate_page("about:blank")
    messages = [dialog.message for dialog in supervisor.snapshot().pending_dialogs]
    SUPERVISOR_REGISTRY.stop_all()
    return messages


async def beside_playwright(page: Page) -> str:
    """Convert refs to locators and back."""
    from tabwarden.integrations.playwright import supervise

    async with supervise(page) as warden:
        outline = await warden.snapshot()
        await warden.locator(outline.ref("Buy")).click()
        return await warden.ref(page.get_by_role("button"))


def beside_sync_playwright(page: SyncPage) -> str:
    """The same with Playwright's sync API."""
    from tabwarden.integrations.playwright import supervise

    with supervise(page) as warden:
        warden.locator(warden.snapshot().ref("Buy")).click()
        return warden.ref(page.get_by_role("button"))


def in_frameworks(tools: Tools, model: BaseChatModel) -> OpenAiAgent:
    """Adapters for agent frameworks."""
    from agents import Agent as OpenAiAgent
    from agents import RunConfig
    from langchain.agents import create_agent
    from pydantic_ai import Agent

    from tabwarden.surfaces.frameworks.langchain import BrowserMiddleware, structured_tools
    from tabwarden.surfaces.frameworks.openai_agents import function_tools, state_filter
    from tabwarden.surfaces.frameworks.pydantic_ai import BrowserCapability

    Agent("test", capabilities=[BrowserCapability(tools)])
    create_agent(model, tools=structured_tools(tools), middleware=[BrowserMiddleware(tools)])
    RunConfig(call_model_input_filter=state_filter(tools))
    return OpenAiAgent(name="buyer", tools=function_tools(tools))


async def main() -> dict[str, object]:
    """Run the parts that need only a browser."""
    folder = Path(tempfile.mkdtemp())
    config = configured(folder)
    assert load_config().server.port > 0
    async with Browser.launch(config=config, headless=True) as browser:
        told: dict[str, object] = {
            "read": await read(browser),
            "used": await use(browser),
            "answered": await answer(browser),
            "failed": await fail(browser),
            "tools": await with_tools(browser),
        }
    told["sync"] = await asyncio.to_thread(in_sync, config)
    told["sync tools"] = await asyncio.to_thread(with_sync_tools, config)
    return told


if __name__ == "__main__":
    print(asyncio.run(main()))  # noqa: T201
