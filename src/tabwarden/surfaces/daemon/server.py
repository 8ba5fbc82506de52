"""The daemon: runs one session's browser and serves its clients' calls."""

from __future__ import annotations

import asyncio
import base64
import hmac
import json
import logging
import os
import shlex
import socket
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

import msgspec

from tabwarden.actions import Answer, PreparedCall, Session, prepare
from tabwarden.budget import Budget
from tabwarden.errors import InvalidArgument, NotOpen, TabwardenError
from tabwarden.hints import Next
from tabwarden.live_config import LiveConfig
from tabwarden.page.control import control_json
from tabwarden.page.routing import unmatched
from tabwarden.page.task import dialog_json, download_json, tab_json
from tabwarden.page.text import quoted
from tabwarden.supervisor.core.prompts import Prompts, prompts_json
from tabwarden.surfaces.command_table import command_named, table
from tabwarden.surfaces.command_table.arguments import NoStdin
from tabwarden.surfaces.command_table.line import (
    Line,
    Printed,
    action_in,
    answer_printed,
    encoded,
    error_printed,
)
from tabwarden.surfaces.daemon.link import Door
from tabwarden.surfaces.daemon.live_view import DaemonsView
from tabwarden.surfaces.progress import CallProgress, report_progress

CLOSED_S = 60.0
"""How long a daemon keeps running after its browser exits, so that a call can report the reason."""
CALLS_END_S = 5.0
"""How long running calls may take to return when the daemon stops."""
BROWSER_ENDS_MS = 10_000.0
"""The budget for closing the browser when the daemon stops."""

log = logging.getLogger("tabwarden.daemon")

_LONGEST_REQUEST = 1 << 26
_CLOSE = "browser_close"
_OF_DOWNLOADS = {"browser_download", "browser_wait"}


class Daemon:
    """Serves one session until a client stops it, its browser closes, or it is idle for too long.

    Args:
        config: the configuration. Each call uses the configuration that is current at that time.
        hello: the first message to each client, without the field ``open``.
        idle_minutes: maximum idle time; 0 for no limit.
    """

    def __init__(
        self,
        name: str,
        session: Session,
        config: LiveConfig,
        door: Door,
        *,
        hello: Mapping[str, Any],
        idle_minutes: float,
    ) -> None:
        self._name = name
        self._session = session
        session.name_call = command
        self._config = config
        self._door = door
        self._hello = hello
        self._idle_minutes = idle_minutes
        self._began = time.time()
        self._budgets: set[Budget] = set()
        self._clients: set[asyncio.Task[None]] = set()
        self._last: list[socket.socket] = []
        self._ending = asyncio.Event()
        self._token = self._answer = ""
        self._view = DaemonsView(name, session)
        self._commands = table()
        self._idle = Idle(idle_minutes * 60, lambda: is_open(session), self._end_idle)

    async def serve(self, on_ready: Callable[[], None]) -> None:
        """Serve until the daemon must stop, then close the browser.

        Call ``on_ready`` when clients can connect.
        """
        listener, token = self._door.listen()
        self._token, _, self._answer = token.partition(".")
        server = await asyncio.start_server(
            self._client, sock=listener, limit=_LONGEST_REQUEST, start_serving=True
        )
        forget = self._session.watch(self._idle.touch)
        on_ready()
        log.info("session %s: process %s serves", self._name, os.getpid())
        self._idle.touch()
        try:
            async with self._config.followed(lambda now: self._session.configure(now.browser)):
                await self._ending.wait()
        finally:
            forget()
            self._door.remove()
            server.close()
            await self._finish()

    def end(self, why: str) -> None:
        if not self._ending.is_set():
            log.info("session %s ends: %s", self._name, why)
        # Remove the door at once, so that a new client starts a new daemon. The new daemon waits
        # until this daemon has exited.
        self._door.remove()
        self._ending.set()

    async def _finish(self) -> None:
        for budget in list(self._budgets):
            budget.cancel("the daemon is stopping")
        try:
            await self._view.stop()
            if self._clients:
                await asyncio.wait(self._clients, timeout=CALLS_END_S)
            await self._session.close(Budget(BROWSER_ENDS_MS))
        except Exception:
            log.exception("closing the browser of session %s failed", self._name)

    def _end_idle(self) -> None:
        self.end("it was idle for too long")

    # -- clients ---------------------------------------------------------------------------------

    async def _client(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        ends = False
        try:
            first = await self._admitted(reader, writer)
            if first is not None:
                self._clients.add(task)
                if not await self._ran_line(first, reader, writer):
                    proof = {"token": self._answer, "open": is_open(self._session)}
                    await _send(writer, {**self._hello, **proof})
                    ends = await self._request(reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass  # the client has disconnected
        except Exception as error:
            log.exception("a call of session %s failed", self._name)
            with suppress(ConnectionError):
                await _send(writer, {"answer": _json(_refusal(_fault(error)))})
        finally:
            self._clients.discard(task)
            # keep the connection open, because its end tells the client that this process has
            # exited
            if ends:
                self._last.append(writer.get_extra_info("socket").dup())
            writer.close()

    async def _admitted(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> dict[str, Any] | None:
        """Return the client's first message; None if the client may not connect."""
        peer = writer.get_extra_info("socket")
        if not self._door.admits(peer):
            log.warning("a client of another user was refused")
            return None
        try:
            first: dict[str, Any] = json.loads(await reader.readline())
            token = str(first["token"])
        except (ValueError, KeyError, TypeError):
            return None
        return first if hmac.compare_digest(token.encode(), self._token.encode()) else None

    async def _ran_line(
        self, first: Mapping[str, Any], reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> bool:
        """Run the command line in a client's first message (``surfaces/cli/warm.py``). Return False
        before anything has happened if the client must run it: it needs the client's files or
        standard input, starts or closes a browser, or is not an action.
        """
        if first.get("build") != self._hello["build"] or not is_open(self._session):
            return False
        session, *words = (
            bytes.fromhex(one).decode("utf-8", "surrogatepass")
            for one in (first["session"], *first["words"])
        )
        action = action_in(words, self._commands)
        if action is None:
            return False
        as_json = "--json" in words
        try:
            line = Line(*action, self._commands)
        except NoStdin:
            return False
        except InvalidArgument as error:
            await _send(writer, {"budget_ms": 0.0})
            await _send_printed(writer, error_printed(error.to_dict(), as_json=as_json))
            return True
        parsed, tool = line.parsed, line.command["tool"]
        is_ours = (parsed.session if "session" in parsed.flags else session) == self._name
        needs_client = parsed.launch or line.uses_files or line.saves_screenshot
        if not is_ours or needs_client or tool == _CLOSE:
            return False

        async def send(answer: Answer) -> None:
            await _send_printed(writer, answer_printed(_json(answer), as_json=as_json))

        await self._called(tool, parsed.arguments, reader, writer, send, shows=not as_json)
        return True

    async def _request(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Respond to a client's request. Return whether the connection stays open until this
        process exits.
        """
        try:
            line = await reader.readline()
        except ValueError:
            await _send(writer, {"answer": _json(_refusal(_too_long()))})
            return False
        if not line:
            return False
        match _request_of(line):
            case {"op": "call", "tool": str(tool), "arguments": dict(arguments), **more}:
                ends = tool == _CLOSE

                async def send(answer: Answer) -> None:
                    await _send(writer, {"answer": _json(answer), "ending": ends})

                flags = {"shows": bool(more.get("shows")), "tells": bool(more.get("progress"))}
                await self._called(tool, arguments, reader, writer, send, **flags)
                return ends
            case {"op": "status"}:
                status = {"session": self._name, **self._hello, "began": self._began}
                status["idle_minutes"] = self._idle_minutes
                status.update(about(self._session))
                await _send(writer, {"answer": status})
                return False
            case {"op": "live"}:
                await _send(writer, {"answer": await self._view.server()})
                return False
            case {"op": "control", **given}:
                await _send(writer, {"answer": _controlled(self._session, given)})
                return False
            case {"op": "stop"}:
                self.end("a client requested it")
                return True
            case _:
                log.warning("a client sent an unknown request")
                return False

    async def _called(
        self,
        tool: str,
        arguments: Mapping[str, Any],
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        send: Callable[[Answer], Awaitable[None]],
        *,
        shows: bool,
        tells: bool = False,
    ) -> None:
        prepared = prepare(self._config.browser, tool, arguments, shows=shows)
        with self._idle.call():
            await self._call(tool, prepared, reader, writer, send, tells=tells)
        if not self._idle.busy and not is_open(self._session):
            # The next daemon may open its browser with other options.
            self.end("no browser is open")

    async def _call(
        self,
        tool: str,
        prepared: PreparedCall,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        send: Callable[[Answer], Awaitable[None]],
        *,
        tells: bool,
    ) -> None:
        budget = prepared.budget
        ends = tool == _CLOSE
        if ends:
            self._door.remove()
        self._budgets.add(budget)
        try:
            await _send(writer, {"budget_ms": budget.timeout_ms})
            gone = asyncio.create_task(_cancelled_by_leaving(reader, budget))
            call = asyncio.ensure_future(prepared.run(self._session))
            try:
                if tells:
                    await self._report_progress(call, tool, budget, writer)
                answer = await call
            finally:
                gone.cancel()
                call.cancel()
            await send(_closed(answer) if ends else answer)
        finally:
            self._budgets.discard(budget)
            if ends:
                self.end("its browser was closed")

    async def _report_progress(
        self, call: asyncio.Task[Answer], tool: str, budget: Budget, writer: asyncio.StreamWriter
    ) -> None:
        """Wait for a call. Report its progress to the client once per second."""

        async def tell(now: CallProgress) -> None:
            message = msgspec.to_builtins(now)
            if tool in _OF_DOWNLOADS and (download := self._arriving()) is not None:
                message["download"] = download
            with suppress(ConnectionError):  # _cancelled_by_leaving handles a disconnected client
                await _send(writer, {"progress": message})

        await report_progress(call, budget, tell)

    def _arriving(self) -> dict[str, Any] | None:
        """Return the latest download that is in progress, if any."""
        browser = self._session.current
        known = reversed(browser.state.downloads if browser is not None else ())
        return next((download_json(one) for one in known if one.status == "in_progress"), None)


async def _cancelled_by_leaving(reader: asyncio.StreamReader, budget: Budget) -> None:
    """Cancel the call when the client closes its sending side."""
    with suppress(ConnectionError):
        while await reader.read(1024):
            pass
    budget.cancel("the command was canceled or ended")


def _request_of(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


async def _send(writer: asyncio.StreamWriter, message: Mapping[str, Any]) -> None:
    writer.write(json.dumps(message, default=str).encode() + b"\n")
    await writer.drain()


async def _send_printed(writer: asyncio.StreamWriter, printed: Printed) -> None:
    status, number, text = printed
    data = encoded(text)
    writer.write(b"%d %d %d\n" % (status, number, len(data)) + data)
    await writer.drain()


def _closed(answer: Answer) -> Answer:
    """Report success even if no browser was open, because the daemon exits in any case."""
    code = answer.data.get("error", {}).get("code")
    if code not in ("not_open", "browser_gone"):
        return answer
    note = "No browser was open. The daemon has exited."
    return Answer(text=f"close: ok\n{note}", data={"action": "close", "status": "ok", "note": note})


def _json(answer: Answer) -> dict[str, Any]:
    body: dict[str, Any] = {"text": answer.text, "data": answer.data, "is_error": answer.is_error}
    if answer.picture is not None:
        data = base64.b64encode(answer.picture.data).decode("ascii")
        body["picture"] = {"media_type": answer.picture.media_type, "data": data}
    return body


def _controlled(session: Session, request: Mapping[Any, Any]) -> dict[str, Any]:
    """Take control back from a person, or end a hand-off. Return the new state of control."""
    browser = session.current
    try:
        if browser is None:
            raise NotOpen("No browser is open in this session.", "To open one, run: tabwarden open")
        control = browser.control
        match request:
            case {"release": True}:
                control.release("operator")
            case {"id": str(handoff_id), "outcome": "done" | "refused" as outcome, **more}:
                name, message = str(more.get("name", "")), str(more.get("message", ""))
                control.answer(handoff_id, outcome, name, message)
    except TabwardenError as error:
        return {"error": error.to_dict()}
    return control_json(control.lease)


def _too_long() -> TabwardenError:
    return InvalidArgument(
        f"The arguments exceed {_LONGEST_REQUEST >> 20} MB.", "Split the call into smaller calls."
    )


def _fault(error: Exception) -> TabwardenError:
    return TabwardenError(
        f"Internal error in Tabwarden: {type(error).__name__}: {error}. The browser is still open.",
        "Take a snapshot to see what the call did. For details, see the daemon's log.",
    )


def _refusal(error: TabwardenError) -> Answer:
    return Answer(
        text=f"error {error.code}: {error.message}\n{error.hint}",
        data={"error": error.to_dict()},
        is_error=True,
    )


class Idle:
    """Calls ``on_end`` once no call has run for too long.

    While a browser is open, the limit is ``longest_s`` (0: no limit).
    """

    def __init__(
        self, longest_s: float, is_open: Callable[[], bool], on_end: Callable[[], None]
    ) -> None:
        self._longest_s = longest_s
        self._is_open = is_open
        self._on_end = on_end
        self._calls = 0
        self._timer: asyncio.TimerHandle | None = None

    @property
    def busy(self) -> bool:
        return self._calls > 0

    @contextmanager
    def call(self) -> Iterator[None]:
        """Count a call as running until the block ends."""
        self._calls += 1
        self.touch()
        try:
            yield
        finally:
            self._calls -= 1
            self.touch()

    def touch(self) -> None:
        """Restart the idle timer. Call this when a call or the browser starts or ends."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._calls:
            return
        if not self._is_open():
            wait_s = min(CLOSED_S, self._longest_s or CLOSED_S)
        elif self._longest_s:
            wait_s = self._longest_s
        else:
            return
        self._timer = asyncio.get_running_loop().call_later(wait_s, self._on_end)


def is_open(session: Session) -> bool:
    now = session.current
    return now is not None and now.state.health.status != "gone"


def about(session: Session) -> dict[str, Any]:
    """Return the state of the browser, its tabs, and the open dialogs and prompts.

    The format is ``{open, health: {status, reason}, state, tabs, dialogs, prompts,
    unmatched_routes, control}``, plus one list per kind of prompt. ``prompts`` describes each
    prompt in words. ``control`` contains who has control, and the hand-offs.
    """
    now = session.current
    if now is None:
        return {
            "open": False,
            "health": {"status": "closed", "reason": "no browser is open"},
            "state": "",
            "tabs": [],
            "dialogs": [],
            **prompts_json(()),
            "prompts": [],
            "unmatched_routes": [],
            "control": control_json(None),
        }
    state = now.state
    prompts = prompts_json(prompt for _, prompt in state.each())
    return {
        "open": is_open(session),
        "health": {"status": state.health.status, "reason": state.health.reason},
        "state": now.state_message(),
        "tabs": [tab_json(tab, active=tab.tab_id == state.active_tab_id) for tab in state.tabs],
        "dialogs": [dialog_json(dialog) for dialog in state.pending_dialogs],
        **prompts,
        "prompts": [
            f"{kind.words(one, quoted)}: {command(kind.step_of(one))}"
            for kind, one in Prompts(**prompts).each()
        ],
        "unmatched_routes": unmatched(state.routes),
        "control": control_json(now.control.lease if now.can_hand_off else None),
    }


def command(step: Next) -> str:
    """Return the command for the call ``step``; ``""`` if no command makes this call."""
    commands = table()
    name = command_named(f"browser_{step.action}", commands)
    if name is None:
        return ""
    words = ["tabwarden", name]
    first = commands["commands"][name]["places"][""][:1]
    for option in commands["commands"][name]["options"]:
        value = step.arguments.get(option["name"])
        bare = option.get("required") and first == [option["name"]]
        flag = [] if bare else [option["flags"][-1]]
        if value is True:
            words += flag
        elif value is not None:
            for one in value if isinstance(value, list) else [value]:
                words += [*flag, shlex.quote(str(one))]
    return f"`{' '.join(words)}`"
