"""``supervise``: open the warden of a Playwright browser or page."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, overload

from tabwarden.browser.opening_request import OpeningRequest
from tabwarden.budget import Budget, Timeout
from tabwarden.config import BrowserConfig, load_config
from tabwarden.endpoints.endpoint import UrlEndpoint
from tabwarden.errors import BrowserGone, InvalidArgument, NotSupported
from tabwarden.integrations.playwright.address import address_of, created_contexts, target_of
from tabwarden.integrations.playwright.asking import at_once, settled
from tabwarden.integrations.playwright.wardens import Answerer, SyncWarden, Warden, arranged
from tabwarden.opening import Opening
from tabwarden.page.call import one_of
from tabwarden.supervisor.contexts import OwnContext

if TYPE_CHECKING:
    from playwright import async_api, sync_api


@overload
def supervise(
    subject: async_api.Browser | async_api.Page,
    *,
    dialogs: Answerer = "playwright",
    endpoint: str | None = None,
    config: BrowserConfig | None = None,
    timeout_ms: Timeout = None,
) -> Opening[Warden]: ...


@overload
def supervise(
    subject: sync_api.Browser | sync_api.Page,
    *,
    dialogs: Answerer = "playwright",
    endpoint: str | None = None,
    config: BrowserConfig | None = None,
    timeout_ms: Timeout = None,
) -> SyncWarden: ...


def supervise(
    subject: Any,
    *,
    dialogs: Answerer = "playwright",
    endpoint: str | None = None,
    config: BrowserConfig | None = None,
    timeout_ms: Timeout = None,
) -> Opening[Warden] | SyncWarden:
    """Supervise a browser that Playwright controls. Playwright continues to control the browser as
    before.

    ``async with supervise(page) as warden`` for Playwright's async API, ``with supervise(page) as
    warden`` for its sync API. After the block, the browser and its pages stay open.

    Args:
        subject: a Playwright page: the warden sees the tabs of the page's browser context, and uses
            the page unless a call names another tab. Or a Playwright browser: the warden sees all
            its tabs, and uses the first page.
        dialogs: who handles JavaScript dialogs. ``playwright``: the page's ``dialog`` listeners
            receive each dialog; without a listener, Playwright dismisses it. Tabwarden only reports
            the dialog. ``tabwarden``: dialogs wait until ``warden.dialog`` or the configured policy
            closes them; Playwright's listeners receive only dialogs that the browser itself shows
            (``beforeunload``), and must not accept or dismiss them.
        endpoint: the address of the browser's debugging port, as for ``Browser.connect``. Needed
            only if the browser's process is not on this computer, and on Windows.
        config: the configuration; by default read from the file and the environment.
        timeout_ms: limit for connecting.

    Raises:
        NotSupported: the browser has no debugging port, or is not Chromium.
        InvalidArgument: a parameter is invalid, or ``endpoint`` is another browser's address.
        BrowserGone: the page or the browser is closed.
        EndpointUnreachable: nothing responds at the address.
    """
    one_of("dialogs", dialogs, ("playwright", "tabwarden"))
    api, kind = _kind_of(subject)
    config = arranged(config or load_config().browser, dialogs)
    budget = Budget.of(timeout_ms, config.default_timeout_ms)
    wish = _Wish(subject, kind == "Page", dialogs, endpoint, config)
    if api == "async":
        return Opening(_opened(Warden, wish, budget))
    warden: SyncWarden = at_once(_opened(SyncWarden, wish, budget))
    return warden


class _Wish(NamedTuple):
    subject: Any
    is_page: bool
    dialogs: Answerer
    endpoint: str | None
    config: BrowserConfig


def _kind_of(subject: Any) -> tuple[Literal["async", "sync"], Literal["Page", "Browser"]]:
    """Return the API and the class of a Playwright object, without importing Playwright."""
    for api in ("async", "sync"):
        module = sys.modules.get(f"playwright.{api}_api")
        for kind in ("Page", "Browser"):
            if module is not None and isinstance(subject, getattr(module, kind)):
                return api, kind
    raise InvalidArgument(
        f"supervise accepts a Playwright Page or Browser, not {type(subject).__qualname__}.",
        "Pass a page, such as context.pages[0].",
        field="subject",
    )


async def _opened(cls: type[Warden] | type[SyncWarden], wish: _Wish, budget: Budget) -> Any:
    browser = _browser_of(wish)
    contexts = [wish.subject.context] if wish.is_page else list(browser.contexts)
    pages = [wish.subject] if wish.is_page else [page for one in contexts for page in one.pages]
    address = wish.endpoint or await address_of(browser, budget)
    targets = [await target_of(page, budget) for page in pages]
    context = None
    if wish.is_page:
        its = targets[0].get("browserContextId")
        own = its in await created_contexts(browser, budget)
        context = OwnContext(joins=its) if own else None
    request = OpeningRequest(UrlEndpoint(address), wish.config, context, restore=None)
    opening: Any = cls._open(request, None, budget)
    warden = await settled(opening)
    try:
        if wish.dialogs == "tabwarden":
            warden._beside.take_dialogs(contexts)
        warden._beside.begin(warden.inside.task, pages, [one["targetId"] for one in targets])
    except BaseException:
        await settled(warden.close())
        raise
    return warden


def _browser_of(wish: _Wish) -> Any:
    browser = wish.subject.context.browser if wish.is_page else wish.subject
    if browser is None or browser.browser_type.name != "chromium":
        what = "an app" if browser is None else browser.browser_type.name
        raise NotSupported(
            f"Tabwarden supervises Chromium, and this Playwright object belongs to {what}.",
            "Use playwright.chromium.",
        )
    if not browser.is_connected():
        raise BrowserGone("The Playwright browser is closed.", "Launch another one.")
    if wish.is_page and wish.subject.is_closed():
        raise BrowserGone("The Playwright page is closed.", "Open another: context.new_page().")
    return browser
