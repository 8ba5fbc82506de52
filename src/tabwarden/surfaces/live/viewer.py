"""``Viewer``: one person's view. It sends changes to the person, and carries out the person's
requests. The viewer only marks changes, and writes messages when the connection can accept them. A
slow viewer therefore misses intermediate images and states, but does not delay other viewers. A
text message is a JSON object. A binary message is a JSON object as its header, followed by bytes:
an image, or a part of a file.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Mapping
from typing import Any, Literal, Protocol

import msgspec

from tabwarden.browser import Browser
from tabwarden.budget import Budget
from tabwarden.errors import InvalidArgument, TabwardenError
from tabwarden.journal import as_person
from tabwarden.page import perform
from tabwarden.page.input import upload as page_upload
from tabwarden.page.task import CARDS
from tabwarden.surfaces.live.files import Upload
from tabwarden.surfaces.live.live import Live, Scope
from tabwarden.surfaces.live.telling import fields
from tabwarden.surfaces.live.watched import WatchedTask

_HEAD = 4
_LONGEST = 4096


class _Known(msgspec.Struct):
    """The fields in pages' messages. Fields that occur in only one kind of message are checked
    where they are used.
    """

    type: str | None = None
    task: str | None = None
    kind: str | None = None
    tab_id: str | None = None
    pictures: str | None = None
    parts: list[str] = []
    events: list[dict[str, Any]] = []
    upload: str | None = None
    name: str | None = None
    key: str | None = None


def object_in(text: str | bytes) -> dict[str, Any]:
    """Return the object in a text message. Raises: ValueError: the message is not a JSON object, or
    a field has the wrong type.
    """
    try:
        found: dict[str, Any] = msgspec.json.decode(text, type=dict[str, Any])
        msgspec.convert(found, _Known)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise ValueError(f"the message is invalid: {error}") from None
    return found


def packed(about: Mapping[str, Any], data: bytes) -> bytes:
    head = json.dumps(about).encode()
    return len(head).to_bytes(_HEAD, "big") + head + data


def unpacked(message: bytes) -> tuple[dict[str, Any], bytes]:
    """Split a binary message into its header and its data. Raises: ValueError: the message is
    invalid.
    """
    length = int.from_bytes(message[:_HEAD], "big")
    if not 0 < length <= _LONGEST or len(message) < _HEAD + length:
        raise ValueError("the header is too long")
    return object_in(message[_HEAD : _HEAD + length]), message[_HEAD + length :]


LOOK_S = 0.5
"""The pause between searches for tasks that have begun or ended."""
ALIVE_S = 5.0
"""How often the server sends a keep-alive message to a viewer if nothing changes."""
GATHER_S = 0.04
"""How long changes are collected before they are sent to a viewer."""
ANSWER_MS = 10_000.0
"""The time budget for carrying out a person's answer."""

log = logging.getLogger("tabwarden.live")

_MOST_AT_ONCE = 8
"""The maximum number of a viewer's concurrent requests."""
_PICTURE = ("tab_id", "number", "width", "height", "top", "scale", "taken_at")
_MOST_NEWS = 100
"""The maximum number of messages that may be waiting for a viewer who does not read."""


class Line(Protocol):
    """The connection to a viewer."""

    async def text(self, text: str) -> None: ...

    async def binary(self, data: bytes) -> None: ...


class Viewer:
    """One viewer of one server's tasks.

    Args:
        live: the server's live view.
        scope: what the viewer may see and do.
        person: the person's id, which is unique even if several people have the same name.
        line: the connection.
    """

    def __init__(self, live: Live, scope: Scope, person: str, line: Line) -> None:
        self._live = live
        self._scope = scope
        self._person = person
        self._line = line
        self._tasks: dict[str, WatchedTask] = {}
        self._news: list[dict[str, Any]] = []
        self._changed = asyncio.Event()
        self._listed: dict[str, Any] = {}
        self._alive_at = time.monotonic()
        self._uploads: dict[str, Upload] = {}
        self._doing: set[asyncio.Task[None]] = set()
        self._eased = asyncio.Event()
        live.watchers.append(self._shows)

    # -- messages to the viewer ----------------------------------------------------------------

    async def tell(self) -> None:
        """Until canceled, send all changes to the viewer."""
        try:
            while True:
                self._look()
                await self._write()
                try:
                    async with asyncio.timeout(LOOK_S):
                        await self._changed.wait()
                        self._changed.clear()
                except TimeoutError:
                    pass
        finally:
            self._close()

    def _look(self) -> None:
        """Watch exactly the tasks that currently have a browser."""
        now = self._live.tasks_in(self._scope)
        for name, watched in list(self._tasks.items()):
            session = now.get(name)
            if session is None or session.current is not watched.browser:
                watched.close()
                del self._tasks[name]
        for name, session in now.items():
            browser = session.current
            if name not in self._tasks and isinstance(browser, Browser):
                self._tasks[name] = WatchedTask(
                    name, browser, self._changed.set, (self._scope.name, self._person)
                )

    async def _write(self) -> None:
        await self._write_list()
        if time.monotonic() - self._alive_at > ALIVE_S:
            self._alive_at = time.monotonic()
            self._news.append({"type": "alive"})
        news, self._news = self._news, []
        self._eased.set()
        for one in news:
            await self._line.text(json.dumps(one))
        for watched in list(self._tasks.values()):
            for message in watched.messages():
                await self._line.text(json.dumps(message, default=str))
        await asyncio.sleep(GATHER_S if not self._has_pictures() else 0)
        for watched in list(self._tasks.values()):
            picture = watched.picture_to_send()
            if picture is not None:
                about = {"type": "picture", "task": watched.name, **fields(picture, *_PICTURE)}
                await self._line.binary(packed(about, picture.data))

    def _has_pictures(self) -> bool:
        return any(one.has_picture for one in self._tasks.values())

    async def _write_list(self) -> None:
        """Send the list of tasks. The tasks' states are sent in separate messages."""
        listed = {
            "type": "tasks",
            "server": self._live.id,
            "title": self._live.title,
            "tasks": list(self._tasks),
            "read_only": self._scope.read_only,
            "name": self._scope.name,
            "one": self._scope.task is not None,
        }
        if listed != self._listed:
            self._listed = listed
            await self._line.text(json.dumps({**listed, "now": time.time()}))

    def _say(self, **message: Any) -> None:
        self._news.append(message)
        self._changed.set()

    def _shows(self, task: str) -> bool:
        watched = self._tasks.get(self._live.name_in(self._scope, task) or "")
        return watched is not None and watched.is_shown

    def _close(self) -> None:
        self._live.watchers.remove(self._shows)
        for watched in self._tasks.values():
            watched.close()
        for upload in self._uploads.values():
            self._live.uploads.give_up(upload)
        for doing in self._doing:
            doing.cancel()

    # -- messages from the viewer --------------------------------------------------------------

    async def room(self) -> None:
        """Wait while too many of the viewer's requests are running, or too many messages are
        unsent. A viewer who sends too many requests therefore delays only that viewer.
        """
        while len(self._doing) >= _MOST_AT_ONCE or len(self._news) >= _MOST_NEWS:
            self._eased.clear()
            await self._eased.wait()

    def heard(self, message: Mapping[str, Any]) -> None:
        """Carry out the request in a message. Ignore messages about tasks that have ended."""
        kind, watched = message.get("type"), self._tasks.get(str(message.get("task")))
        if watched is None:
            if kind in ("answer", "control"):
                self._refused(message, InvalidArgument("This task has ended.", ""))
            return
        if kind == "watch":
            watched.want(message)
        elif kind == "seen":
            watched.seen()
        elif kind == "call":
            self._say(**watched.call_in_full(message.get("number")))
        elif kind == "boxes":
            self._start(self._tell_boxes(watched, message))
        elif self._scope.read_only:
            self._refused(message, InvalidArgument("This link only allows watching.", ""))
        elif kind == "input":
            self._send_input(watched, message)
        elif kind in ("answer", "control"):
            self._start(self._act(watched, message))
        elif kind == "file":
            self._begin_file(message)

    def heard_bytes(self, about: Mapping[str, Any], chunk: bytes) -> None:
        """Store a part of a file."""
        upload = self._uploads.get(str(about.get("upload")))
        if upload is None or self._scope.read_only:
            return
        try:
            upload.add(chunk)
        except InvalidArgument as error:
            self._give_up(str(about.get("upload")))
            self._refused(about, error)

    def _start(self, work: Any) -> None:
        doing = asyncio.get_running_loop().create_task(work)
        self._doing.add(doing)
        doing.add_done_callback(self._done)

    def _done(self, doing: asyncio.Task[None]) -> None:
        self._doing.discard(doing)
        self._eased.set()

    async def _tell_boxes(self, watched: WatchedTask, message: Mapping[str, Any]) -> None:
        tab_id = str(message.get("tab_id"))
        boxes = await watched.boxes(tab_id)
        self._say(type="boxes", task=watched.name, tab_id=tab_id, boxes=boxes)

    async def _act(self, watched: WatchedTask, message: Mapping[str, Any]) -> None:
        try:
            if message.get("type") == "control":
                self._control(watched, message)
            else:
                await self._answer(watched, message)
            self._say(
                type="done", task=watched.name, id=message.get("id"), asked=message.get("asked")
            )
        except TabwardenError as error:
            self._refused(message, error)
        except Exception:
            log.exception("a person's request failed")
            self._refused(
                message,
                InvalidArgument(
                    "The action failed with an internal error.", "See the server's log."
                ),
            )

    async def _answer(self, watched: WatchedTask, message: Mapping[str, Any]) -> None:
        upload = self._uploads.pop(str(message.get("upload")), None)
        try:
            await answer(watched.browser, self._scope.name, self._person, message, upload)
        except BaseException:
            if upload is not None:
                self._live.uploads.give_up(upload)
            raise
        if upload is not None:
            browser = watched.browser
            self._live.uploads.given(upload, lambda: browser.is_open)

    def _control(self, watched: WatchedTask, message: Mapping[str, Any]) -> None:
        control = watched.browser.control
        what = message.get("what")
        if what == "take":
            control.take(self._scope.name, self._person)
        elif not control.is_held_by(self._scope.name, self._person):
            return
        elif what == "here":
            control.touch()
        else:
            words = str(message.get("message", ""))
            if message.get("outcome") == "refused":
                for one in control.waiting_handoffs:
                    control.answer(one.id, "refused", self._scope.name, words)
                words = ""  # said already
            control.release("done", words)

    def _send_input(self, watched: WatchedTask, message: Mapping[str, Any]) -> None:
        control = watched.browser.control
        if not control.is_held_by(self._scope.name, self._person):
            return
        tab_id = message.get("tab_id")
        try:
            for event in message.get("events", ())[:100]:
                control.input.send(event, None if tab_id is None else str(tab_id))
        except TabwardenError as error:
            self._refused(message, error)

    def _begin_file(self, message: Mapping[str, Any]) -> None:
        name = str(message.get("upload"))
        upload = self._uploads.get(name)
        if upload is None:
            upload = self._uploads[name] = self._live.uploads.begin(
                self._person, self._scope.tenant
            )
        try:
            upload.begin(str(message.get("name")))
        except InvalidArgument as error:
            self._give_up(name)
            self._refused(message, error)

    def _give_up(self, name: str) -> None:
        upload = self._uploads.pop(name, None)
        if upload is not None:
            self._live.uploads.give_up(upload)

    def _refused(self, message: Mapping[str, Any], error: TabwardenError) -> None:
        self._say(
            type="refused",
            task=message.get("task"),
            id=message.get("id"),
            asked=message.get("asked"),
            message=error.message,
            hint=str(error.hint),
        )


async def answer(
    browser: Browser,
    name: str,
    identity: str,
    reply: Mapping[str, Any],
    files: Upload | None = None,
) -> None:
    """Answer a dialog, prompt or hand-off in a task, on behalf of a person.

    Args:
        browser: the task's browser.
        name: the person's name.
        identity: the person's id, which is unique even if several people have the same name.
        reply: the answer from the page. ``kind`` and ``id`` identify the question.
        files: the files for a file chooser.

    Raises:
        TabwardenError: another person or the agent answered first, or the answer is invalid.
    """
    answers = {"dialog": _dialog, "auth": _auth, "choose": _choose, "permission": _permission}
    kind = reply.get("kind")
    with as_person(name):
        if kind == "files":
            await _files(browser, reply, files)
        elif kind == "handoff":
            _handoff(browser, name, identity, reply)
        elif kind in answers:
            await answers[kind](browser, reply)
        else:
            raise InvalidArgument("The page sent an unknown answer.", "Reload the page.")


async def _dialog(browser: Browser, reply: Mapping[str, Any]) -> None:
    accept = bool(reply.get("accept"))
    text = reply.get("text")
    await browser.dialog(
        "accept" if accept else "dismiss",
        str(text) if accept and text is not None else None,
        dialog_id=str(reply.get("id")),
        timeout_ms=ANSWER_MS,
    )


async def _auth(browser: Browser, reply: Mapping[str, Any]) -> None:
    cancel = bool(reply.get("cancel"))
    await browser.auth(
        None if cancel else str(reply.get("username", "")),
        "" if cancel else str(reply.get("password", "")),
        cancel=cancel,
        auth_id=str(reply.get("id")),
        timeout_ms=ANSWER_MS,
    )


async def _choose(browser: Browser, reply: Mapping[str, Any]) -> None:
    choice = reply.get("choice")
    await browser.choose(
        None if choice is None else str(choice),
        cancel=choice is None,
        prompt_id=str(reply.get("id")),
        timeout_ms=ANSWER_MS,
    )


async def _permission(browser: Browser, reply: Mapping[str, Any]) -> None:
    await browser.permission(
        str(reply.get("name")),
        "granted" if reply.get("accept") else "denied",
        origin=str(reply.get("origin")),
        timeout_ms=ANSWER_MS,
    )


def _handoff(browser: Browser, name: str, identity: str, reply: Mapping[str, Any]) -> None:
    control, message = browser.control, str(reply.get("message", ""))
    outcome: Literal["done", "refused"] = "done" if reply.get("accept") else "refused"
    if outcome == "done" and control.is_held_by(name, identity):
        control.release("done", message)
    else:
        control.answer(str(reply.get("id")), outcome, name, message)


async def _files(browser: Browser, reply: Mapping[str, Any], files: Upload | None) -> None:
    """Set the files of the waiting file chooser. The files come from the viewer, so the agent's
    restriction to the upload folder does not apply.
    """
    waiting = {one.id: one for one in browser.state.file_choosers if not one.answered}
    chooser = waiting.get(str(reply.get("id")))
    if chooser is None:
        raise InvalidArgument("This file chooser is already closed.", "You need not do anything.")
    paths = [str(path) for path in files.paths] if files is not None else []
    names = [path.name for path in files.paths] if files is not None else []
    inside = browser.inside
    with inside.journal.call("upload", {"filenames": names}) as entry:
        entry.result = await inside.engine.run_async(
            perform(
                inside.task,
                CARDS[page_upload.upload],
                Budget(ANSWER_MS),
                lambda call: page_upload.give_files(call, paths),
                tab_id=chooser.tab_id,
            )
        )
