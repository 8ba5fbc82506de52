"""The inbox: find an email, then delete, star, forward or answer it."""

from __future__ import annotations

import re
from collections.abc import Collection

from judges.miniwob.nodes import Node, NotShown, Outline
from judges.miniwob.oracles.registry import oracle, quoted, said
from judges.miniwob.verbs import Page

_TEXT = "text|generic|cell|heading"


def _thread(outline: Outline, name: str) -> Node:
    """The line of the sender's first email."""
    return outline.find(_TEXT, name, ref=False)


def _icon(outline: Outline, node: Node, word: str) -> Node:
    """The icon of an email: the first one after the sender's name, in the same thread."""
    return next(
        (one for one in outline.after(node) if one.ref and one.says(word)),
        None,
    ) or outline.find(where=lambda one: one.says(word))


async def _open(page: Page, outline: Outline, name: str) -> Outline:
    return await page.click(outline.holder(_thread(outline, name)), look=True)


async def _delete(page: Page, name: str) -> None:
    outline = await page.look()
    await page.click(_icon(outline, _thread(outline, name), "trash"))


async def _star(page: Page, name: str) -> None:
    outline = await page.look()
    await page.click(_icon(outline, _thread(outline, name), "star"))


async def _reply(page: Page, name: str, text: str) -> None:
    await _send(page, name, "Reply", text)


async def _forward(page: Page, name: str, to: str) -> None:
    await _send(page, name, "Forward", to)


async def _send(page: Page, name: str, how: str, text: str) -> None:
    outline = await _open(page, await page.look(), name)
    button = outline.find(_TEXT + "|button|link", how, ref=False)
    outline = await page.click(outline.holder(button), look=True)
    await page.type(outline.find("textbox"), text)
    icon = f"send-{how.lower()}"
    await page.click(outline.find(where=lambda one: one.says("send") or one.says(icon)))


@oracle("email-inbox", "email-inbox-delete", "email-inbox-important", "email-inbox-noscroll",
        "email-inbox-reply", "email-inbox-star-reply", "email-inbox-forward")  # fmt: skip
async def inbox(page: Page) -> None:
    (name,) = said(r"the email by (\w+)", page.goal)
    if "trash" in page.goal:
        await _delete(page, name)
    elif "star" in page.goal:
        await _star(page, name)
    elif "reply" in page.goal:
        await _reply(page, name, quoted(page.goal)[0])
    else:
        await _forward(page, name, said(r"to (\w+)\.$", page.goal)[0])


_DELETE = re.compile(
    r"delet|trash|remov|eras|get rid|discard|throw|clear|bin\b|out of|n.t want", re.I
)
_STAR = re.compile(r"\bstar|important|favou?rite|\bmark|flag|highlight", re.I)
_FORWARD = re.compile(
    r"forward|foward|\b(?:re)?sen[dt]|\bgive|email (?!from)|rec[ei]+ve|copy|pass", re.I
)


@oracle("email-inbox-nl-turk", "email-inbox-forward-nl", "email-inbox-forward-nl-turk")
async def inbox_in_free_words(page: Page) -> None:
    outline = await page.look()
    labels = {one.label for one in outline if one.label}
    what, name, text = understood(page.goal, labels)
    if what == "reply":
        await _reply(page, name, text)
    elif what == "forward":
        await _forward(page, name, text)
    elif what == "star":
        await _star(page, name)
    else:
        await _delete(page, name)


def understood(goal: str, labels: Collection[str]) -> tuple[str, str, str]:
    """What to do with whose email, and the message or the receiver.

    Raises:
        NotShown: no sender is in the inbox, or the oracle does not know the words.
    """
    named = _named(goal, labels)
    if not named:
        raise NotShown("no sender of the goal is in the inbox")
    name = named[0]
    if message := re.search(r'"+(.*?)"+', goal):
        return "reply", name, message[1]
    if _DELETE.search(goal):
        return "delete", name, ""
    if to := _receiver(goal, name):
        return "forward", name, to
    if _STAR.search(goal):
        return "star", name, ""
    raise NotShown(f"the oracle does not understand: {goal}")


def _named(goal: str, labels: Collection[str]) -> list[str]:
    """The senders that the goal names; first the one whose email is meant."""
    people = [
        one for one in labels
        if re.fullmatch(r"[A-Z][\w-]+", one) and one not in _NO_NAMES
        and re.search(rf"{one}s?(?![\w-])", goal)
    ]  # fmt: skip

    def rank(name: str) -> tuple[int, int]:
        if re.search(rf"(?:from|by|{_WROTE}) {name}\b", goal):
            return 0, 0
        owns = re.search(rf"\b{name}(?:'s|s\b| e-?mail| {_WROTE}| last)", goal)
        return (1 if owns else 2), goal.find(name)

    return sorted(people, key=rank)


_WROTE = r"(?:wrote|sent|written by|writes|wrote me)"


def _receiver(goal: str, sender: str) -> str:
    """The other name in the goal, if there is one."""
    if _FORWARD.search(goal) is None:
        return ""
    names = re.findall(r"\b[A-Z][a-z]+(?:-[A-Z][a-z]+)?\b", goal)
    others = [
        one for one in names[::-1] if one not in (sender, f"{sender}s") and one not in _NO_NAMES
    ]
    return others[0] if others else ""


_NO_NAMES = frozenset(
    (
        "Email", "Find", "Forward", "Foward", "Give", "Go", "In", "Let", "Locate", "Look", "Make",
        "Open", "Please", "Pull", "Remind", "Resend", "Search", "Select", "Send", "Take", "The",
        "Will", "Primary", "Can", "Could", "Check", "Copy", "Click", "From", "Get", "Highlight",
        "Delete", "Star", "Mark", "Want", "You", "My", "If", "Hey", "And", "Need", "To", "Would",
        "Have", "Any", "All", "An", "Access", "Do", "Choose", "Pick", "Read", "Reply",
        "Respond", "Save", "Tag", "Flag",
    )
)  # fmt: skip
