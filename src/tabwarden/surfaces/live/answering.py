"""Answering: does on a task what a person asked for in the live view."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from tabwarden.browser import Browser
from tabwarden.budget import Budget
from tabwarden.errors import InvalidArgument
from tabwarden.journal import as_person
from tabwarden.page import perform
from tabwarden.page.input import upload
from tabwarden.page.task import CARDS
from tabwarden.surfaces.live.files import Upload
from tabwarden.surfaces.live.timing import ANSWER_MS


async def answer(
    browser: Browser,
    name: str,
    identity: str,
    given: Mapping[str, Any],
    files: Upload | None = None,
) -> None:
    """Answer what waits in a task, on behalf of a person.

    Args:
        browser: the task's browser.
        name: the person's name.
        identity: tells this person from others of the same name.
        given: the answer, as the page sends it: ``kind`` and ``id`` say what it is for.
        files: the files for a file chooser.

    Raises:
        TabwardenError: somebody answered first, or the answer does not fit.
    """
    answers = {
        "dialog": _dialog,
        "auth": _auth,
        "choose": _choose,
        "permission": _permission,
    }
    kind = given.get("kind")
    with as_person(name):
        if kind == "files":
            await _files(browser, given, files)
        elif kind == "handoff":
            _handoff(browser, name, identity, given)
        elif kind in answers:
            await answers[kind](browser, given)
        else:
            raise InvalidArgument("The page sent an unknown answer.", "Reload the page.")


async def _dialog(browser: Browser, given: Mapping[str, Any]) -> None:
    accept = bool(given.get("accept"))
    text = given.get("text")
    await browser.dialog(
        "accept" if accept else "dismiss",
        str(text) if accept and text is not None else None,
        dialog_id=str(given.get("id")),
        timeout_ms=ANSWER_MS,
    )


async def _auth(browser: Browser, given: Mapping[str, Any]) -> None:
    cancel = bool(given.get("cancel"))
    await browser.auth(
        None if cancel else str(given.get("username", "")),
        "" if cancel else str(given.get("password", "")),
        cancel=cancel,
        auth_id=str(given.get("id")),
        timeout_ms=ANSWER_MS,
    )


async def _choose(browser: Browser, given: Mapping[str, Any]) -> None:
    choice = given.get("choice")
    await browser.choose(
        None if choice is None else str(choice),
        cancel=choice is None,
        prompt_id=str(given.get("id")),
        timeout_ms=ANSWER_MS,
    )


async def _permission(browser: Browser, given: Mapping[str, Any]) -> None:
    await browser.permission(
        str(given.get("name")),
        "granted" if given.get("accept") else "denied",
        origin=str(given.get("origin")),
        timeout_ms=ANSWER_MS,
    )


def _handoff(browser: Browser, name: str, identity: str, given: Mapping[str, Any]) -> None:
    control, message = browser.control, str(given.get("message", ""))
    outcome: Literal["done", "refused"] = "done" if given.get("accept") else "refused"
    if outcome == "done" and control.is_held_by(name, identity):
        control.release("done", message)
    else:
        control.answer(str(given.get("id")), outcome, name, message)


async def _files(browser: Browser, given: Mapping[str, Any], files: Upload | None) -> None:
    """Give files to the chooser that waits. They come from the viewer, so they are not in the
    upload folder that confines the agent."""
    waiting = {one.id: one for one in browser.state.file_choosers if not one.answered}
    chooser = waiting.get(str(given.get("id")))
    if chooser is None:
        raise InvalidArgument("This file chooser is closed already.", "Nothing is left to do.")
    paths = [str(path) for path in files.paths] if files is not None else []
    names = [path.name for path in files.paths] if files is not None else []
    inside = browser.inside
    with inside.journal.call("upload", {"filenames": names}) as entry:
        entry.result = await inside.engine.run_async(
            perform(
                inside.task,
                CARDS[upload.upload],
                Budget(ANSWER_MS),
                lambda call: upload.give_files(call, paths),
                tab_id=chooser.tab_id,
            )
        )
