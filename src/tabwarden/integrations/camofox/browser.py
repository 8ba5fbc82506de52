"""CamofoxBrowser: a browser that a Camofox server controls, over REST, without CDP."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, NoReturn, Self
from urllib.parse import urlsplit

import msgspec

from tabwarden.browser import Browser
from tabwarden.browser.inside import Inside
from tabwarden.budget import Budget, Timeout
from tabwarden.config import BrowserConfig, load_config
from tabwarden.endpoints.capabilities import Capabilities
from tabwarden.endpoints.configured import not_applied
from tabwarden.errors import Disabled, InvalidArgument, NotOpen, NotSupported, TabwardenError
from tabwarden.integrations.camofox.address import CamofoxAddress, parse_camofox
from tabwarden.integrations.camofox.calls import Calls, Done
from tabwarden.integrations.camofox.failures import TabLost
from tabwarden.integrations.camofox.reading import Reader
from tabwarden.integrations.camofox.server import Server
from tabwarden.integrations.camofox.store import Store
from tabwarden.integrations.camofox.ways import WAYS, At, Run, Way, lacking
from tabwarden.journal import Journal
from tabwarden.opening import Opening
from tabwarden.page import ActionResult, Snapshot
from tabwarden.page.call import checked_url, refuse_named
from tabwarden.page.control import Control
from tabwarden.page.navigation import tabs
from tabwarden.page.prompts import dialog as dialogs
from tabwarden.page.snapshot import DEFAULT_MAX_CHARS, Addition, snapshot
from tabwarden.page.task import CARDS, Card, parameters_of, tab_json
from tabwarden.page.text import bare
from tabwarden.policy import policy_of
from tabwarden.supervisor.core import SupervisorSnapshot, snapshot_of
from tabwarden.supervisor.core.state.dialog_values import PendingDialog
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
        raise _cannot()

    @property
    def journal(self) -> Journal:
        return self._calls_kept

    @property
    def observed(self) -> Store:
        return self._browser._store

    @property
    def last_ref(self) -> int:
        return self._browser._calls.refs.last

    async def show(self, result: ActionResult, shows: Addition, budget: Budget) -> ActionResult:
        if shows in ("none", "effect") or result.tab_id is None:
            return result
        arguments = {"diff": shows == "diff"}
        card = CARDS[snapshot.snapshot]
        fresh = await self._browser._perform(card, arguments, result.tab_id, budget)
        return msgspec.structs.replace(result, snapshot=fresh)


class CamofoxBrowser(Browser):
    """A Camofox server's browser, for one task.

    It has the methods of ``Browser`` that its server supports; ``capabilities.actions`` lists them.
    Every other method raises ``NotSupported``, and so does a parameter that the server does not
    support.
    """

    def __init__(
        self, server: Server, config: BrowserConfig, task_id: str, *, has_plugin: bool, keeps: bool
    ) -> None:
        # This class does not use Browser's constructor, which is for a supervised CDP connection.
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
        self.inside.act = self._act
        self.restored = ""
        self.warnings = not_applied(config)
        if config.restore is not None:
            self.restored = (
                f"The state {config.restore!r} was not restored and will not be saved, because a "
                "Camofox server itself keeps the login state of each user (?user=NAME in the "
                "endpoint)."
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
        """Use a Camofox server's browser.

        Args:
            endpoint: ``camofox:http://host:9377``, or ``camofox:`` with ``CAMOFOX_URL`` or the
                server's default port on this computer. With ``?user=NAME``, that user's cookies and
                tabs are kept when the task ends. By default, each task is a new user.
            headers: ``{"Authorization": "Bearer KEY"}``; by default ``CAMOFOX_ACCESS_KEY``.
            context: each user has one context: ``shared`` with ``?user=NAME``, or else ``own``.
            task_id: a name for the task; generated by default.
            config: the configuration; by default read from the file and the environment.
            timeout_ms: limit for connecting.

        Raises:
            EndpointUnreachable: no Camofox server responds there, or it rejects the key.
            InvalidArgument: ``endpoint`` is malformed. NotSupported: the server has no such
                ``context``. Disabled: Tabwarden is disabled.
        """
        address = parse_camofox(endpoint, headers or {})
        if context not in (None, "shared" if address.user else "own"):
            raise NotSupported(
                f"A Camofox server has no context {context!r} for this address: each user there "
                "has one context.",
                "Omit context. Add ?user=NAME to share a user, or omit user to get your own user.",
                field="context",
            )
        return Opening(cls._reach(address, task_id, config or load_config().browser, timeout_ms))

    def lend(self, folders: tuple[Path, ...]) -> None:
        """Do nothing: a Camofox server accepts no local files.

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
                "Tabwarden is disabled in its configuration.", "Set browser.enabled: true."
            )
        if config.init_scripts:
            raise NotSupported(
                "A Camofox server can't run scripts before a page's own scripts.",
                "Omit browser.init_scripts, or use another browser.",
                field="init_scripts",
            )
        if config.secrets or config.secrets_file is not None or config.mask:
            raise NotSupported(
                "A Camofox browser can't mask secrets and keys in its results.",
                "Remove browser.secrets, browser.secrets_file and browser.mask, or use another "
                "browser.",
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
            pass  # the server itself deletes an idle user
        finally:
            self._store.gone("closed")
            await self._calls.aclose()
            self._telemetry.closed()

    # -- description -------------------------------------------------------------------------

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
        """See ``Browser``. Here, a person can't take control."""

    @property
    def can_hand_off(self) -> bool:
        return False

    @property
    def control(self) -> Control:
        raise NotSupported(
            "A person can't take control of a Camofox browser.",
            "Use Chromium for a task that needs a person.",
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

    # -- how each action runs ----------------------------------------------------------------

    async def _perform(
        self,
        card: Card,
        explicit: Mapping[str, Any],
        tab_id: str | None,
        timeout_ms: Timeout,
        shows: Addition = "none",
    ) -> Any:
        self._check_open()
        budget = self._budget(card.name, timeout_ms)
        known = parameters_of(card.run)
        arguments = {name: one.default for name, one in known.items()} | dict(explicit)
        run, lacks = {**WAYS, **self._wholes}.get(card.method, (None, ()))
        if run is None:
            raise _cannot()
        for name in lacks:
            if arguments.pop(name) not in (known[name].default, [], None):
                raise lacking("format" if name == "image_format" else name)
        if card.method in self._wholes:
            result: Any = await self._engine.run_async(run(budget, tab_id, **arguments))
        else:
            result = await self._on_tab(card, run, arguments, tab_id, budget)
        result = await self.inside.show(result, shows, budget)
        return result if card.answer is None else card.answer(result)

    @property
    def _wholes(self) -> dict[str, Way]:
        """The actions that are not for one tab."""
        return {
            "snapshot": Way(
                self._snapshot, ("frame_id", "more", "refs", "boxes", "filter", "depth")
            ),
            "tabs": Way(self._tabs, ()),
            "dialog": Way(self._dialog, ()),
        }

    async def _on_tab(
        self,
        card: Card,
        run: Run,
        arguments: dict[str, Any],
        tab_id: str | None,
        budget: Budget,
    ) -> ActionResult:
        if card.method == "goto":
            arguments["url"] = self._checked_url(arguments["url"])
        if tab_id is None:
            tab_id = self._calls.refs.tab_of(arguments.get("ref"))
        result = await self._engine.run_async(
            self._calls.perform(
                card.name,
                budget,
                lambda tab: run(At(self._calls, self._config, budget, tab), **arguments),
                tab_id=tab_id,
                opens=arguments["url"] if card.method == "goto" else None,
            )
        )
        if card.method == "goto" and not result.interrupted:
            return msgspec.structs.replace(result, navigation="new_document")
        return result

    async def _snapshot(
        self,
        budget: Budget,
        tab_id: str | None,
        *,
        full: bool,
        diff: bool,
        max_chars: int | None,
        ref: str | None,
    ) -> Snapshot:
        if diff and ref is not None:
            raise InvalidArgument(
                "ref and diff can't be combined.", "Pass only one of them.", field="diff"
            )
        if max_chars is None and not full:
            max_chars = DEFAULT_MAX_CHARS
        return await self._reader.read(
            budget, tab_id=tab_id, ref=ref, diff=diff, max_chars=max_chars
        )

    async def _tabs(
        self,
        budget: Budget,
        tab_id: str | None,
        *,
        mode: str,
        tab_index: int | None,
        url: str | None,
    ) -> ActionResult:
        calls = self._calls
        tabs.check_arguments(mode, tab_id, tab_index, url)
        wanted = self._checked_url(url) if url is not None else ""
        budget.check()
        with self._telemetry.acting("tabs", tab_id):
            if tab_index is not None:
                tab_id = tabs.by_index(calls.state, tab_index)
            if mode == "open":
                opened = await calls.open("tabs", budget, wanted)
                if opened.interrupted:
                    return opened
                tab_id = opened.tab_id
            elif mode == "close":
                tab = calls.tab(tab_id)
                with contextlib.suppress(TabLost):  # another client closed it
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

    async def _dialog(
        self,
        budget: Budget,
        tab_id: str | None,
        *,
        action: str,
        prompt_text: str | None,
        dialog_id: str | None,
    ) -> ActionResult:
        link = self._calls.link
        if link is None:
            raise NotSupported(
                "This Camofox server dismisses every dialog itself.",
                "Install Tabwarden's plugin on the server: tabwarden plugins path camofox.",
            )
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

    def _checked_url(self, url: str) -> str:
        wanted = checked_url(url)
        if urlsplit(wanted).scheme.lower() not in ("http", "https"):
            raise NotSupported(
                "A Camofox server opens only http and https URLs.", "Pass such a URL.", field="url"
            )
        refuse_named(self._store.state.gate, wanted)
        return wanted


def _cannot() -> NotSupported:
    return NotSupported(
        "A Camofox server can't do this.",
        "Use another browser, or a tool that this browser's session lists.",
    )
