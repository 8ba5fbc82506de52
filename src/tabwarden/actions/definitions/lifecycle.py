"""Actions on the browser itself. They run on the session, because it may not have a browser yet."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from pydantic import Field

from tabwarden.actions.registry import action
from tabwarden.actions.sessions import Session, Way
from tabwarden.browser import Browser
from tabwarden.budget import Budget
from tabwarden.errors import InvalidArgument
from tabwarden.hints import joined
from tabwarden.page import ActionResult

__all__: list[str] = []

_CDP_PORT = 9222


@action(
    "browser_open",
    "open",
    permission="act",
    group="browsers",
    opens=True,
    of="session",
    destructive=False,
)
async def open_(
    session: Session,
    *,
    url: Annotated[str | None, Field(description="Open this URL first.")] = None,
    browser: Annotated[
        Literal["chrome", "edge", "chromium", "brave"] | None,
        Field(description="Browser to launch. Default: the first that works."),
    ] = None,
    headless: Annotated[
        bool | None, Field(description="Run without a window. Default: as configured.")
    ] = None,
    profile: Annotated[str | None, Field(description="Name of a permanent profile.")] = None,
    restore: Annotated[
        str | None,
        Field(description="Name of a saved state, which is loaded now and saved again at the end."),
    ] = None,
    proxy: Annotated[
        str | dict[str, str] | None,
        Field(
            description="http://user:password@host:port, socks5://..., or {server, username, "
            "password, bypass}."
        ),
    ] = None,
    args: Annotated[
        list[str] | None, Field(description="Additional command-line switches for the browser.")
    ] = None,
    window_size: Annotated[str | None, Field(description="Such as 1280x800.")] = None,
    viewport: Annotated[
        str | None, Field(description="Size of each page, such as 1280x720.")
    ] = None,
    device: Annotated[
        str | None, Field(description="Device to emulate, such as iPhone 15.")
    ] = None,
    sandbox: Annotated[
        bool | None, Field(description="true: launch only with Chromium's sandbox.")
    ] = None,
    ignore_https_errors: Annotated[
        bool | None, Field(description="Accept invalid certificates.")
    ] = None,
    user_agent: Annotated[
        str | None, Field(description="User agent for all requests and workers.")
    ] = None,
    locale: Annotated[str | None, Field(description="Locale, such as de-DE.")] = None,
    timezone: Annotated[str | None, Field(description="Time zone, such as Europe/Berlin.")] = None,
    attach_to_existing: Annotated[
        bool, Field(description="Attach to the running browser, with its tabs and login cookies.")
    ] = False,
    cdp_port: Annotated[
        int | None,
        Field(
            description=f"The running browser's debugging port (default {_CDP_PORT}).",
            ge=1,
            le=65_535,
        ),
    ] = None,
    timeout_ms: Budget,
) -> Any:
    """Launch a browser or attach to a running one. Only one browser can be open.

    browser_navigate also opens a browser if none is open.
    """
    options = {
        "proxy": proxy,
        "args": args,
        "window_size": window_size,
        "viewport": viewport,
        "device": device,
        "sandbox": sandbox,
        "ignore_https_errors": ignore_https_errors,
        "user_agent": user_agent,
        "locale": locale,
        "timezone": timezone,
    }
    options = {name: value for name, value in options.items() if value is not None}
    attach = attach_to_existing or cdp_port is not None
    launching = {
        "browser": browser,
        "headless": headless,
        "profile": profile,
        "restore": restore,
        **options,
    }
    named = next((name for name, value in launching.items() if value is not None), None)
    if attach and named is not None:
        raise InvalidArgument(
            f"{named} applies only to launching a browser, but this call attaches to a "
            "running one.",
            f"Omit {named}, or omit attach_to_existing and cdp_port.",
            field=named,
        )
    if url is not None and session.current is not None and not (attach or named):
        return await session.current.goto(url, timeout_ms=timeout_ms)
    endpoint = f"http://127.0.0.1:{cdp_port or _CDP_PORT}" if attach else None
    way = Way(
        endpoint=endpoint,
        browser=browser,
        headless=headless,
        profile=profile,
        restore=restore,
        options=options,
    )
    opened, note = await session.open(way, timeout_ms)
    return await _opened("open", opened, f"The browser is open. {note}".strip(), url, timeout_ms)


@action(
    "browser_connect", "connect", permission="attach", group="browsers", opens=True, of="session"
)
async def connect(
    session: Session,
    *,
    url: Annotated[
        str | None,
        Field(
            description="http://host:port, ws://…, a local port, or a hosted browser: steel:, "
            "browserbase:, … Default: auto, the user's own Chrome if allowed."
        ),
    ] = None,
    context: Annotated[
        Literal["shared", "window", "own"] | None,
        Field(
            description="shared: use the browser's tabs and cookies. window: a new window with "
            "its cookies. own: a new context without them. Default: window for auto, "
            "else shared."
        ),
    ] = None,
    launch: Annotated[
        bool,
        Field(
            description="Use or launch the debug Chrome, which has its own profile and stays "
            "open, instead of `url`."
        ),
    ] = False,
    timeout_ms: Budget,
) -> Any:
    """Attach to another running browser. Current tabs and refs do not carry over.

    Closes the current browser if Tabwarden launched it.
    """
    if launch and url is not None:
        raise InvalidArgument(
            "`launch` and `url` can't be combined.", "Omit one of them.", field="url"
        )
    if session.current is not None:
        await session.current.given_back(timeout_ms)
    endpoint = "auto:launch" if launch else url if url is not None else "auto"
    try:
        opened, note = await session.connect(Way(endpoint=endpoint, context=context), timeout_ms)
    except InvalidArgument as error:
        if error.data.get("field") == "endpoint":
            error.data["field"] = "url"
        raise
    return await _opened("connect", opened, f"Connected. {note}".strip(), None, timeout_ms)


@action(
    "browser_disconnect",
    "disconnect",
    permission="act",
    group="browsers",
    of="session",
    destructive=False,
    open_world=False,
)
async def disconnect(session: Session, *, timeout_ms: Budget) -> Any:
    """Disconnect from an attached browser. The browser keeps running."""
    if session.current is not None:
        await session.current.given_back(timeout_ms)
    return ActionResult(action="disconnect", note=await session.disconnect(timeout_ms))


@action(
    "browser_close", "close", permission="act", group="browsers", of="session", open_world=False
)
async def close(session: Session, *, timeout_ms: Budget) -> Any:
    """Close the browser, or disconnect if Tabwarden only attached to it."""
    opened, _ = await session.browser(may_open=False, budget=timeout_ms)
    await opened.given_back(timeout_ms)
    words = "is closed" if opened.is_launched else "is disconnected and keeps running"
    if opened.has_own_context:
        words += ", without this task's tabs and login cookies"
    elif opened.has_own_window:
        words += ", without the tabs that this task opened"
    await session.close(timeout_ms)
    return ActionResult(action="close", note=f"The browser {words}.")


async def _opened(
    action: str, browser: Browser, note: str, url: str | None, budget: Budget
) -> ActionResult:
    if url is not None:
        went = await browser.goto(url, timeout_ms=budget)
        return msgspec.structs.replace(
            went, note=joined(browser.restored, *browser.warnings, went.note)
        )
    state = browser.state
    tab = next((tab for tab in state.tabs if tab.tab_id == state.active_tab_id), None)
    if tab is None:
        return ActionResult(action=action, note=note)
    return ActionResult(action=action, note=note, tab_id=tab.tab_id, url=tab.url, title=tab.title)
