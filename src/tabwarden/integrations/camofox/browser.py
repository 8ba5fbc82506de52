"""CamofoxBrowser: a browser that a Camofox server drives, reached over REST, without CDP."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NoReturn, Self
from urllib.parse import urlsplit

import msgspec

from tabwarden.browser import Browser, Inside
from tabwarden.budget import Budget, Timeout
from tabwarden.config import BrowserConfig, load_config
from tabwarden.endpoints.capabilities import Capabilities
from tabwarden.errors import Disabled, InvalidArgument, NotOpen, NotSupported, TabwardenError
from tabwarden.integrations.camofox import waiting
from tabwarden.integrations.camofox.address import CamofoxAddress, parse_camofox
from tabwarden.integrations.camofox.answers import Went
from tabwarden.integrations.camofox.calls import Body, Calls, Done, status_told
from tabwarden.integrations.camofox.failures import PageStatus, TabLost
from tabwarden.integrations.camofox.reading import Reader, scraped
from tabwarden.integrations.camofox.scripts import evaluated, expressions_of
from tabwarden.integrations.camofox.server import Server
from tabwarden.integrations.camofox.store import Store
from tabwarden.journal import Journal
from tabwarden.opening import Opening
from tabwarden.page import ActionResult, Screenshot, Snapshot
from tabwarden.page.call import between, local_path, one_of, refuse_named, within
from tabwarden.page.capture import DEFAULT_MAX_CHARS as SCRAPE_CHARS
from tabwarden.page.capture import MAX_BYTES, MAX_PIXELS, Format, size_of, write
from tabwarden.page.control import Control
from tabwarden.page.input import chord_name
from tabwarden.page.navigation import condition_of, navigate, tabs, wait
from tabwarden.page.prompts import dialog as dialogs
from tabwarden.page.snapshot import DEFAULT_MAX_CHARS, SHOWS, Show
from tabwarden.page.task import tab_json
from tabwarden.page.text import bare
from tabwarden.policy import not_applied, policy_of
from tabwarden.supervisor.core import SupervisorSnapshot, snapshot_of
from tabwarden.supervisor.core.state.dialog_values import PendingDialog
from tabwarden.supervisor.core.state.tabs import Tab
from tabwarden.supervisor.runtime import engine_loop
from tabwarden.telemetry import Telemetry

__all__ = ["CamofoxBrowser"]

_CLOSE_MS = 5_000.0
_OURS = "tabwarden"
_numbers = itertools.count(1)


class _Inside(Inside):
    def __init__(self, browser: CamofoxBrowser) -> None:
        super().__init__(None)
        self._browser = browser
        self._calls_kept = Journal()

    @property
    def task(self) -> NoReturn:
        self._browser._check_open()
        raise NotSupported(
            "A Camofox server can't do this.",
            "Use another browser for it: its tools are those that this browser's session lists.",
        )

    @property
    def journal(self) -> Journal:
        return self._calls_kept

    @property
    def observed(self) -> Store:
        return self._browser._store

    @property
    def last_ref(self) -> int:
        return self._browser._calls.refs.last

    async def show(self, result: ActionResult, shows: Show, budget: Budget) -> ActionResult:
        if shows == "none" or result.tab_id is None:
            return result
        shown = await self._browser.snapshot(
            diff=shows == "diff", tab_id=result.tab_id, timeout_ms=budget
        )
        return msgspec.structs.replace(result, snapshot=shown)


class CamofoxBrowser(Browser):
    """A Camofox server's browser, for one task.

    It has the methods of ``Browser`` that its server can do; ``capabilities.actions`` names them.
    Each other method raises ``NotSupported``, and so does a parameter that the server lacks.
    """

    def __init__(
        self, server: Server, config: BrowserConfig, task_id: str, *, has_plugin: bool, keeps: bool
    ) -> None:
        # Not Browser's: that one is made for a supervised CDP connection.
        self.task_id = task_id
        self._config = config
        self._store = Store(policy_of(config, is_ours=False))
        self._telemetry = Telemetry(task_id)
        self._telemetry.gauge("tabs", lambda: len(self._store.state.tabs))
        self._telemetry.opened(endpoint="camofox")
        self._calls = Calls(server, self._store, self._telemetry, has_plugin=has_plugin)
        self._reader = Reader(self._calls)
        self._keeps = keeps
        self._closed = False
        self.inside = _Inside(self)
        self.restored = ""
        self.warnings = not_applied(config)
        if config.restore is not None:
            self.restored = (
                f"The state {config.restore!r} was not restored and will not be saved: a Camofox "
                "server keeps logins itself, for ?user=NAME in the endpoint."
            )

    @classmethod
    def connect(
        cls,
        endpoint: str = "camofox:",
        *,
        headers: dict[str, str] | None = None,
        context: Literal["shared", "window", "own"] | None = None,
        task_id: str | None = None,
        config: BrowserConfig | None = None,
        timeout_ms: Timeout = None,
    ) -> Opening[Self]:
        """Use a browser of a Camofox server.

        Args:
            endpoint: ``camofox:http://host:9377``, or ``camofox:`` with ``CAMOFOX_URL`` or the
                server's default port on this computer. ``?user=NAME`` keeps the cookies and the
                tabs of that user when the task ends; by default each task is a user of its own.
            headers: ``{"Authorization": "Bearer KEY"}``; by default ``CAMOFOX_ACCESS_KEY``.
            context: each user has one: ``shared`` with ``?user=NAME``, or else ``own``.
            task_id: a name for the task; generated by default.
            config: the configuration; by default read from the file and the environment.
            timeout_ms: limit for connecting.

        Raises:
            EndpointUnreachable: no Camofox server answers there, or it refuses the key.
            InvalidArgument: ``endpoint`` is malformed. NotSupported: there is no such
            ``context``. Disabled: Tabwarden is switched off.
        """
        address = parse_camofox(endpoint, headers or {})
        if context not in (None, "shared" if address.user else "own"):
            raise NotSupported(
                f"A Camofox server has no context {context!r} for this address: each user there "
                "has one context.",
                "Omit context. Give ?user=NAME to share a user, or no user for one of your own.",
                field="context",
            )
        return Opening(cls._reach(address, task_id, config or load_config().browser, timeout_ms))

    def lend(self, folders: tuple[Path, ...]) -> None:
        """Do nothing: a Camofox server takes no local files.

        Args:
            folders: ignored.
        """

    @classmethod
    async def _reach(
        cls,
        address: CamofoxAddress,
        task_id: str | None,
        config: BrowserConfig,
        timeout_ms: Timeout,
    ) -> Self:
        if not config.enabled:
            raise Disabled(
                "Tabwarden is switched off by its configuration.", "Set browser.enabled: true."
            )
        if config.init_scripts:
            raise NotSupported(
                "A Camofox server can't run scripts before a page's own.",
                "Omit browser.init_scripts, or use another browser.",
                field="init_scripts",
            )
        if config.secrets or config.secrets_file is not None or config.mask:
            raise NotSupported(
                "A Camofox browser can't keep secrets and keys out of its answers.",
                "Remove browser.secrets, secrets_file and mask, or use another browser.",
                field="mask" if config.mask else "secrets",
            )
        budget = Budget.of(timeout_ms, config.default_timeout_ms)
        name = task_id if task_id is not None else f"camofox-{next(_numbers)}"
        user = address.user or f"{_OURS}-{name}-{secrets.token_hex(4)}"

        async def reach() -> Self:
            server = Server(address, user)
            try:
                has_plugin = await server.check(budget)
            except BaseException:
                await server.aclose()
                raise
            made = cls(server, config, name, has_plugin=has_plugin, keeps=bool(address.user))
            await made._calls.look(budget)
            return made

        return await engine_loop().run_async(reach())

    async def close(self, *, timeout_ms: Timeout = None) -> None:
        if self._closed:
            return
        self._closed = True
        budget = Budget.of(timeout_ms, self._config.timeout_of("close"))
        await self._engine.run_async(self._end(budget))

    async def _end(self, budget: Budget) -> None:
        within_s = min(_CLOSE_MS, budget.remaining_ms()) / 1000
        try:
            async with asyncio.timeout(within_s):
                if not self._keeps:
                    await self._calls.server.end_session()
                elif self._calls.link is not None:
                    await self._calls.link.let_go()
        except (TimeoutError, TabwardenError):
            pass  # the server forgets an idle user by itself
        finally:
            self._store.gone("closed")
            await self._calls.aclose()
            self._telemetry.closed()

    # -- what it is --------------------------------------------------------------------------

    @property
    def is_open(self) -> bool:
        return not self._closed

    @property
    def is_launched(self) -> bool:
        return False

    @property
    def has_own_context(self) -> bool:
        return not self._keeps

    @property
    def has_own_window(self) -> bool:
        return False

    async def given_back(self, budget: Budget) -> None:
        """See ``Browser``. Nobody else can have control."""

    @property
    def can_hand_off(self) -> bool:
        return False

    @property
    def control(self) -> Control:
        raise NotSupported(
            "A person can't take control of a Camofox browser.",
            "Open Chromium for what needs a person.",
        )

    @property
    def capabilities(self) -> Capabilities:
        return self._calls.capabilities

    def configure(self, config: BrowserConfig) -> None:
        self._config = config
        policy = policy_of(config, is_ours=False)
        self._engine.loop.call_soon_threadsafe(self._store.obey, policy)

    def continue_refs_of(self, other: Browser) -> None:
        self._calls.refs.number_after(other.inside.last_ref)

    @property
    def state(self) -> SupervisorSnapshot:
        return snapshot_of(self.task_id, self._store.state)

    def state_message(self) -> str:
        state = self._store.state
        tab = state.tabs.get(state.active_tab_id or "")
        parts = ["camofox"]
        if tab is not None:
            parts += [bare(tab.url), bare(tab.title)]
        parts.append(f"{len(state.tabs)} tab(s)")
        waiting_now = len(state.pending_dialogs)
        if waiting_now:
            parts.append(f"{waiting_now} dialog{'s' if waiting_now > 1 else ''} waiting")
        return f"[Browser: {' | '.join(parts)}]"

    def metrics(self) -> dict[str, Any]:
        return self._telemetry.metrics()

    def _check_open(self) -> None:
        if self._closed:
            raise NotOpen("This browser is closed.", "Open another one.")

    # -- reading -----------------------------------------------------------------------------

    async def snapshot(
        self,
        *,
        full: bool = False,
        frame_id: str | None = None,
        diff: bool = False,
        max_chars: int | None = None,
        ref: str | None = None,
        more: str | None = None,
        refs: Literal["known", "full"] = "known",
        boxes: bool = False,
        tab_id: str | None = None,
        timeout_ms: Timeout = None,
    ) -> Snapshot:
        self._check_open()
        full_refs = refs if refs != "known" else None
        _refuse(frame_id=frame_id, more=more, refs=full_refs, boxes=boxes or None)
        if diff and ref is not None:
            raise InvalidArgument(
                "ref and diff can't be combined.", "Give one of them.", field="diff"
            )
        if max_chars is not None:
            within("max_chars", max_chars, 200, 10_000_000)
        elif not full:
            max_chars = DEFAULT_MAX_CHARS
        budget = self._budget("snapshot", timeout_ms)
        return await self._engine.run_async(
            self._reader.read(budget, tab_id=tab_id, ref=ref, diff=diff, max_chars=max_chars)
        )

    async def screenshot(
        self,
        path: str | Path | None = None,
        *,
        ref: str | None = None,
        full_page: bool = False,
        annotate: bool = False,
        image_format: Literal["png", "jpeg", "webp"] = "png",
        clip: Mapping[str, float] | None = None,
        quality: int | None = None,
        max_pixels: int | None = MAX_PIXELS,
        max_bytes: int | None = MAX_BYTES,
        tab_id: str | None = None,
        timeout_ms: Timeout = None,
    ) -> Screenshot:
        _refuse(
            ref=ref,
            annotate=annotate or None,
            format=image_format if image_format != "png" else None,
            clip=clip,
            quality=quality,
        )
        file = None if path is None else local_path("path", path)

        async def take(tab: Tab) -> Done:
            there = f"/tabs/{tab.target_id}/screenshot"
            return Done((await self._calls.server.get(there, fullPage=full_page)).content)

        data = (await self._perform_there("screenshot", take, tab_id, timeout_ms)).value
        width, height = size_of(data)
        too_large = (max_pixels is not None and width * height > max_pixels) or (
            max_bytes is not None and len(data) > max_bytes
        )
        if too_large:
            raise NotSupported(
                f"The picture has {width} x {height} pixels and {len(data)} bytes, and a Camofox "
                "server can't make it smaller.",
                "Take a picture of the viewport, or allow a larger one.",
                field="max_bytes",
            )
        taken = Screenshot(data, "png", width=width, height=height)
        if file is not None:
            await self._engine.run_async(write(taken, file))
        return taken

    async def scrape(
        self,
        format: Format = "markdown",  # noqa: A002 - the contract's name
        *,
        frame_id: str | None = None,
        selector: str | None = None,
        max_chars: int = SCRAPE_CHARS,
        offset: int = 0,
        tab_id: str | None = None,
        timeout_ms: Timeout = None,
    ) -> ActionResult:
        """Return the page's visible text; ``markdown`` adds its links and images."""
        one_of("format", format, ("markdown", "text", "html"))
        _refuse(frame_id=frame_id, format=format if format == "html" else None)
        within("max_chars", max_chars, 200, 10_000_000)
        within("offset", offset, 0, 1_000_000_000)
        server = self._calls.server

        async def read(tab: Tab) -> Done:
            return Done(await scraped(server, tab, format, selector, max_chars, offset))

        return await self._perform_there("scrape", read, tab_id, timeout_ms)

    # -- navigation --------------------------------------------------------------------------

    async def goto(
        self,
        url: str,
        *,
        wait_until: navigate.WaitUntil = "load",
        snapshot: Show = "none",
        tab_id: str | None = None,
        timeout_ms: Timeout = None,
    ) -> ActionResult:
        one_of("wait_until", wait_until, ("commit", "domcontentloaded", "load", "networkidle"))
        wanted = self._checked_url(url)

        async def go(tab: Tab) -> Done:
            path = f"/tabs/{tab.target_id}"
            try:
                reply = await self._calls.server.post(f"{path}/navigate", url=wanted)
                status = reply.read(Went).http_status
            except PageStatus as replied:  # the page is there all the same
                status = replied.status
            idle = ""
            if wait_until == "networkidle":
                idle = await waiting.network_idle(self._calls, tab)
            return status_told(status, idle)

        return await self._perform_there(
            "goto", go, tab_id, timeout_ms, shows=snapshot, opens=wanted, went=True
        )

    async def back(
        self, *, snapshot: Show = "none", tab_id: str | None = None, timeout_ms: Timeout = None
    ) -> ActionResult:
        return await self._moved("back", "back", snapshot, tab_id, timeout_ms)

    async def forward(
        self, *, snapshot: Show = "none", tab_id: str | None = None, timeout_ms: Timeout = None
    ) -> ActionResult:
        return await self._moved("forward", "forward", snapshot, tab_id, timeout_ms)

    async def reload(
        self, *, snapshot: Show = "none", tab_id: str | None = None, timeout_ms: Timeout = None
    ) -> ActionResult:
        return await self._moved("reload", "refresh", snapshot, tab_id, timeout_ms)

    async def _moved(
        self, action: str, route: str, shows: Show, tab_id: str | None, timeout_ms: Timeout
    ) -> ActionResult:
        body = self._posting(route)
        return await self._perform_there(action, body, tab_id, timeout_ms, shows=shows)

    async def tabs(
        self,
        mode: Literal["list", "open", "close", "switch"] = "list",
        *,
        tab_id: str | None = None,
        tab_index: int | None = None,
        url: str | None = None,
        timeout_ms: Timeout = None,
    ) -> ActionResult:
        self._check_open()
        one_of("mode", mode, ("list", "open", "close", "switch"))
        tabs.check_arguments(mode, tab_id, tab_index, url)
        wanted = self._checked_url(url) if url is not None else ""
        budget = self._budget("tabs", timeout_ms)
        return await self._engine.run_async(self._tabs(budget, mode, tab_id, tab_index, wanted))

    async def _tabs(
        self, budget: Budget, mode: str, tab_id: str | None, tab_index: int | None, url: str
    ) -> ActionResult:
        calls = self._calls
        budget.check()
        with self._telemetry.acting("tabs", tab_id):
            if tab_index is not None:
                tab_id = tabs.by_index(calls.state, tab_index)
            if mode == "open":
                opened = await calls.open("tabs", budget, url)
                if opened.interrupted:
                    return opened
                tab_id = opened.tab_id
            elif mode == "close":
                tab = calls.tab(tab_id)
                with contextlib.suppress(TabLost):  # somebody else closed it
                    await calls.raced(
                        calls.server.delete(f"/tabs/{tab.target_id}"), budget, lambda _: False
                    )
                self._store.closed(tab.target_id, "closed")
                tab_id = None
            elif mode == "switch":
                self._store.activate(calls.tab(tab_id).tab_id)
            await calls.look(budget)
            state = calls.state
            listed = [tab_json(t, active=t.tab_id == state.active_tab_id)
                      for t in state.tabs.values()]  # fmt: skip
            return calls.result("tabs", tab_id or state.active_tab_id, Done(listed))

    # -- input -------------------------------------------------------------------------------

    async def click(
        self,
        ref: str | None = None,
        *,
        x: float | None = None,
        y: float | None = None,
        button: Literal["left", "middle", "right"] = "left",
        count: int = 1,
        modifiers: Sequence[str] = (),
        snapshot: Show = "none",
        tab_id: str | None = None,
        timeout_ms: Timeout = None,
    ) -> ActionResult:
        _refuse(
            x=x,
            y=y,
            button=button if button != "left" else None,
            count=count if count != 1 else None,
            modifiers=modifiers or None,
        )
        body = self._posting("click", ref=_needed(ref))
        return await self._perform_there("click", body, tab_id, timeout_ms, shows=snapshot, ref=ref)

    async def type(
        self,
        text: str,
        ref: str | None = None,
        *,
        x: float | None = None,
        y: float | None = None,
        clear: bool | None = None,
        press_enter: bool = False,
        slowly: bool = False,
        snapshot: Show = "none",
        tab_id: str | None = None,
        timeout_ms: Timeout = None,
    ) -> ActionResult:
        _refuse(x=x, y=y)
        if not isinstance(text, str):
            raise InvalidArgument("text must be a string.", field="text")
        calls = self._calls
        replaces = ref is not None if clear is None else clear

        async def fill(tab: Tab) -> Done:
            path = f"/tabs/{tab.target_id}"
            given: dict[str, str] = {}
            if ref is not None:
                given = await calls.their_ref(ref, tab)
            if replaces and ref is not None and not slowly:
                body = {"mode": "fill", "text": text, "pressEnter": press_enter, **given}
            else:
                # The caret goes to the end, or over all that the text replaces.
                keys = ("Control+a", "Delete") if replaces else ("Control+End",)
                if ref is not None or replaces:
                    await calls.server.post(f"{path}/type", mode="keyboard", text="", **given)
                    for key in keys:
                        await calls.server.post(f"{path}/press", key=key)
                body = {"mode": "keyboard", "text": text, "pressEnter": press_enter, "delay": 0}
            await calls.server.post(f"{path}/type", **body)
            return Done()

        return await self._perform_there("type", fill, tab_id, timeout_ms, shows=snapshot, ref=ref)

    async def press(
        self,
        key: str,
        *,
        times: int = 1,
        hold_ms: float = 0,
        mode: Literal["press", "down", "up"] = "press",
        snapshot: Show = "none",
        tab_id: str | None = None,
        timeout_ms: Timeout = None,
    ) -> ActionResult:
        _refuse(hold_ms=hold_ms or None, mode=mode if mode != "press" else None)
        named = chord_name(key)
        within("times", times, 1, 50)

        async def press(tab: Tab) -> Done:
            for _ in range(times):
                await self._calls.server.post(f"/tabs/{tab.target_id}/press", key=named)
            return Done()

        return await self._perform_there("press", press, tab_id, timeout_ms, shows=snapshot)

    async def scroll(
        self,
        direction: Literal["up", "down", "left", "right"] = "down",
        amount: float = 500,
        ref: str | None = None,
        *,
        x: float | None = None,
        y: float | None = None,
        snapshot: Show = "none",
        tab_id: str | None = None,
        timeout_ms: Timeout = None,
    ) -> ActionResult:
        _refuse(ref=ref, x=x, y=y)
        one_of("direction", direction, ("up", "down", "left", "right"))
        between("amount", amount, 1, 100_000)
        body = self._posting("scroll", direction=direction, amount=amount)
        return await self._perform_there("scroll", body, tab_id, timeout_ms, shows=snapshot)

    async def select(
        self,
        ref: str | None = None,
        *,
        labels: str | Sequence[str] | None = None,
        values: str | Sequence[str] | None = None,
        x: float | None = None,
        y: float | None = None,
        snapshot: Show = "none",
        tab_id: str | None = None,
        timeout_ms: Timeout = None,
    ) -> ActionResult:
        _refuse(x=x, y=y)
        given = labels if labels is not None else values
        options = [given] if isinstance(given, str) else list(given or ())
        if len(options) != 1 or (labels is not None and values is not None):
            raise InvalidArgument(
                "A Camofox server selects exactly one option.",
                "Give one of labels, or one of values.",
                field="labels",
            )
        select = self._posting("select", ref=_needed(ref), option=options[0])

        async def selected(tab: Tab) -> Done:
            await select(tab)
            return Done({"selected": options})

        return await self._perform_there(
            "select", selected, tab_id, timeout_ms, shows=snapshot, ref=ref
        )

    async def resize(
        self, width: int, height: int, *, tab_id: str | None = None, timeout_ms: Timeout = None
    ) -> ActionResult:
        within("width", width, 100, 4000)
        within("height", height, 100, 4000)
        post = self._posting("viewport", width=width, height=height)

        async def resized(tab: Tab) -> Done:
            await post(tab)
            return Done({"width": width, "height": height})

        return await self._perform_there("resize", resized, tab_id, timeout_ms)

    async def wait(
        self,
        time_s: float | None = None,
        *,
        text: str | None = None,
        text_gone: str | None = None,
        selector: str | None = None,
        url: str | None = None,
        load_state: Literal["domcontentloaded", "load", "networkidle"] | None = None,
        script: str | None = None,
        frame_id: str | None = None,
        ref: str | None = None,
        state: Literal["visible", "hidden", "gone", "enabled", "disabled"] | None = None,
        has_text: str | None = None,
        any_of: Sequence[Mapping[str, Any]] | None = None,
        download: bool | str = False,
        filename: str | None = None,
        snapshot: Show = "none",
        tab_id: str | None = None,
        timeout_ms: Timeout = None,
    ) -> ActionResult:
        _refuse(
            script=script, frame_id=frame_id, ref=ref, state=state, has_text=has_text, any_of=any_of
        )
        condition = condition_of(
            time_s=time_s,
            text=text,
            text_gone=text_gone,
            selector=selector,
            url=url,
            load_state=load_state,
            download=download or None,
            filename=filename,
        )
        budget = self._budget("wait", timeout_ms)
        wait.check_time(condition, budget)
        return await self._perform_there(
            "wait",
            lambda tab: waiting.waited(self._calls, tab, condition, self._config),
            tab_id,
            budget,
            shows=snapshot,
        )

    # -- scripts and dialogs -----------------------------------------------------------------

    async def evaluate(
        self,
        script: str,
        ref: str | None = None,
        frame_id: str | None = None,
        args: Sequence[Any] = (),
        *,
        backend_node_id: int | None = None,
        world: Literal["main", "isolated"] = "main",
        user_gesture: bool = True,
        tab_id: str | None = None,
        timeout_ms: Timeout = None,
    ) -> ActionResult:
        """Run JavaScript in a page, or with the server's plugin in one of its frames.

        A script that does not end goes on after the deadline: the server can't stop it. It closes
        the tab after 30 s.
        """
        if not self._config.evaluate_enabled:
            raise Disabled(
                "evaluate is switched off by the configuration.", "Use snapshot, click and type."
            )
        plain = self._calls.link is None
        _refuse(
            ref=ref,
            backend_node_id=backend_node_id,
            world=world if world != "main" else None,
            frame_id=frame_id if plain else None,
        )
        _ = user_gesture  # the server has no such choice
        expressions = expressions_of(script, args)
        budget = self._budget("evaluate", timeout_ms)
        server = self._calls.server

        async def run(tab: Tab) -> Done:
            return Done(
                await evaluated(server, tab, frame_id, expressions, budget, has_plugin=not plain)
            )

        return await self._perform_there("evaluate", run, tab_id, budget)

    async def dialog(
        self,
        action: Literal["accept", "dismiss"],
        prompt_text: str | None = None,
        *,
        dialog_id: str | None = None,
        snapshot: Show = "none",
        tab_id: str | None = None,
        timeout_ms: Timeout = None,
    ) -> ActionResult:
        self._check_open()
        one_of("action", action, ("accept", "dismiss"))
        one_of("snapshot", snapshot, SHOWS)
        link = self._calls.link
        if link is None:
            raise NotSupported(
                "This Camofox server dismisses every dialog itself.",
                "Install Tabwarden's plugin on the server: tabwarden plugins path camofox.",
            )
        budget = self._budget("dialog", timeout_ms)

        async def answer() -> ActionResult:
            budget.check()
            with self._telemetry.acting("dialog"):
                dialog = dialogs.which(self._calls.state, dialog_id, tab_id)
                done = await self._calls.raced(
                    link.closed(dialog, accept=action == "accept", text=prompt_text),
                    budget,
                    lambda one: one.tab_id == dialog.tab_id,
                )
                if isinstance(done, PendingDialog):
                    return self._calls.interrupted("dialog", done)
                self._calls.seen.answered(dialog.id)
                await self._calls.look(budget)
                return self._calls.result("dialog", dialog.tab_id, Done(done))

        result = await self._engine.run_async(answer())
        return await self.inside.show(result, snapshot, budget)

    # -- inside ------------------------------------------------------------------------------

    def _posting(self, route: str, *, ref: str | None = None, **body: Any) -> Body:
        """Return the body of an action that is one POST request."""
        calls = self._calls

        async def post(tab: Tab) -> Done:
            given = {} if ref is None else await calls.their_ref(ref, tab)
            await calls.server.post(f"/tabs/{tab.target_id}/{route}", **given, **body)
            return Done()

        return post

    async def _perform_there(
        self,
        action: Any,
        body: Body,
        tab_id: str | None,
        timeout_ms: Timeout,
        *,
        shows: Show = "none",
        opens: str | None = None,
        ref: str | None = None,
        went: bool = False,
    ) -> ActionResult:
        self._check_open()
        one_of("snapshot", shows, SHOWS)
        budget = self._budget(action, timeout_ms)
        if tab_id is None:
            tab_id = self._calls.refs.tab_of(ref)
        result = await self._engine.run_async(
            self._calls.perform(action, budget, body, tab_id=tab_id, opens=opens)
        )
        if went and not result.interrupted:
            result = msgspec.structs.replace(result, navigation="new_document")
        return await self.inside.show(result, shows, budget)

    def _checked_url(self, url: str) -> str:
        wanted = navigate.checked_url(url)
        if urlsplit(wanted).scheme.lower() not in ("http", "https"):
            raise NotSupported(
                "A Camofox server opens only http and https.", "Give such a URL.", field="url"
            )
        refuse_named(self._store.state.gate, wanted)
        return wanted


def _needed(ref: str | None) -> str:
    if ref is None:
        raise InvalidArgument("'ref' is missing.", "Give a ref from a snapshot.", field="ref")
    return ref


def _refuse(**given: Any) -> None:
    """Raise ``NotSupported`` if the caller gave a parameter that the server lacks."""
    for name, value in given.items():
        if value is not None:
            raise NotSupported(
                f"A Camofox server has no {name} for this.", f"Omit {name}.", field=name
            )
