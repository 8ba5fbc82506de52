"""Search all frames at once by text, role and name, CSS or XPath.

The walker in each frame searches the frame (``js/find/find.js``), so each result has an ordinary
ref. If a frame does not respond in time, the result lists that frame as unread.
"""

from __future__ import annotations

from typing import Any

import msgspec

from tabwarden.errors import BudgetExceeded, FrameNotFound, InvalidArgument, TargetCrashed
from tabwarden.page.elements.carousels import learn_carousels
from tabwarden.page.elements.closed import open_closed
from tabwarden.page.elements.each_frame import frame_ms, in_each_frame
from tabwarden.page.elements.walk import CLOSED_LEVELS, SILENT, frame_at
from tabwarden.page.task import Call, Task
from tabwarden.page.walker import WorldGone, call_walker, document_kind, frame_not_found
from tabwarden.supervisor.core.state.tabs import Tab
from tabwarden.supervisor.runtime import Interrupted, Race

_TRIES = 3
_GRAMMARS = {
    "css": ("a CSS selector", "Give a selector such as 'form .error'."),
    "xpath": (
        "an XPath expression that selects elements",
        "Give an expression such as \"//button[contains(., 'Buy')]\".",
    ),
}


class Query(msgspec.Struct, frozen=True, kw_only=True):
    """A search by text, by role and name, by CSS, by XPath or by a query in words."""

    by: str
    text: str | None = None
    role: str | None = None
    name: str | None = None
    css: str | None = None
    xpath: str | None = None
    query: str | None = None
    """A query in words. ``look_for`` can't answer it; ``page/search/ranking.py`` can."""
    locator: dict[str, Any] | None = None
    """A locator, with ``by`` and its values (``selectors.py``)."""
    frames: tuple[str, ...] = ()
    """CSS selectors of the iframes to search in, outermost first. If empty, search all frames."""


class Findings(msgspec.Struct):
    elements: list[dict[str, Any]]
    """Each element is ``{ref, role, name, tag, frame_id, visible}``, plus ``near`` if only a nearby
    label identifies the element, and ``hidden`` if the browser's search would reveal it."""
    total: int
    """How many elements match, including elements that are not in ``elements``."""
    visible: int
    """How many of the matches are visible."""
    unread: list[dict[str, str]]
    """``{frame_id, why}`` for each frame that could not be searched."""
    document: str = ""
    """Set if nothing matches and a document is not a page (such as a PDF): the document's type and
    how to read it."""


def query_of(
    *,
    text: str | None = None,
    role: str | None = None,
    name: str | None = None,
    css: str | None = None,
    xpath: str | None = None,
    query: str | None = None,
) -> Query:
    """Return a query. Raise ``InvalidArgument`` if there is no criterion, more than one, or an
    empty one."""
    terms = {
        "text": text, "role": role, "name": name, "css": css, "xpath": xpath, "query": query
    }  # fmt: skip
    for field, value in terms.items():
        if value is not None and (not isinstance(value, str) or not value.strip()):
            raise InvalidArgument(f"{field} must be a non-empty string.", field=field)
    fields = [field for field, value in terms.items() if value is not None]
    by = "role" if fields and fields[0] in ("role", "name") else "".join(fields[:1])
    if not fields or not set(fields) <= ({"role", "name"} if by == "role" else {by}):
        raise InvalidArgument(
            f"Give exactly one search criterion. This call has: {', '.join(fields) or 'none'}.",
            "Use one of: text, role (with or without name), css, xpath, query.",
            field=fields[-1] if fields else "text",
        )
    return Query(by=by, text=text, role=role and role.strip().lower(), name=name, css=css,
                 xpath=xpath, query=query)  # fmt: skip


async def look_for(call: Call, query: Query, *, frame_id: str | None = None, most: int) -> Findings:
    """Search a frame and the frames inside it, or the whole page. Visible elements come first.

    Args:
        call: the running call.
        query: what to search for; not a query in words.
        frame_id: search only this frame and the frames inside it.
        most: the maximum number of elements in the result.
    """
    root = frame_id or call.state.top_frame_id(call.tab.tab_id) or call.tab.target_id
    if root not in call.state.frames:
        raise frame_not_found(root)
    if query.frames:
        inside = await frame_at(call, root, query.frames)
        if inside is None:
            return Findings([], 0, 0, [])
        root = inside
    budget = call.race.budget.child(at_most_ms=frame_ms(call.race))

    async def look(one: str) -> dict[str, Any] | str:
        if query.frames and one != root:
            return ""
        try:
            with Race(call.task.supervisor, budget, call.tab.tab_id) as inner:
                return await _look(call.task, inner, one, query, most)
        except BudgetExceeded:
            return SILENT
        except FrameNotFound:
            return ""
        except WorldGone as error:
            return str(error)
        except (Interrupted, TargetCrashed):
            return "another operation interrupted the search: try again"

    looks: dict[str, dict[str, Any] | str]
    looks = await in_each_frame(call, root, look, silent=SILENT)
    replies = [(one, reply) for one, reply in looks.items() if isinstance(reply, dict)]
    for _, reply in replies:
        if "wrong" in reply:
            raise _wrong_selector(query, reply["why"])
    elements = [
        _describe(call.task, call.tab, one, reply["world"], match)
        for one, reply in replies
        for match in reply["elements"]
    ]
    elements.sort(key=lambda match: not match["visible"])
    return Findings(
        elements[:most],
        total=sum(reply["total"] for _, reply in replies),
        visible=sum(reply["visible"] for _, reply in replies),
        unread=[
            {"frame_id": one, "why": reply}
            for one, reply in looks.items()
            if isinstance(reply, str) and reply
        ],
        document="" if elements else await _document(call.race, root, replies),
    )


async def _document(race: Race, root: str, replies: list[tuple[str, dict[str, Any]]]) -> str:
    for frame_id, reply in replies:
        if reply["kind"]:
            words = (await document_kind(race, frame_id, reply["kind"])).words
            whose = "this" if frame_id == root else "a frame's"
            return f"{whose} document is {words}"
    return ""


async def _look(task: Task, race: Race, frame_id: str, query: Query, most: int) -> dict[str, Any]:
    for attempt in range(_TRIES):
        try:
            world = await task.worlds.of(race, frame_id)
            arguments = msgspec.to_builtins(query), most
            reply = await call_walker(race, world, "find", *arguments)
            for _ in range(CLOSED_LEVELS):
                if not reply["suspects"] or not await open_closed(race, world):
                    break
                reply = await call_walker(race, world, "find", *arguments)
            if reply.get("carousels") and await learn_carousels(race, world):
                reply = await call_walker(race, world, "find", *arguments)
            return {**reply, "world": world.unique_id}
        except WorldGone:
            if attempt == _TRIES - 1:
                raise
    raise AssertionError


def _describe(
    task: Task, tab: Tab, frame_id: str, world_id: str, match: dict[str, Any]
) -> dict[str, Any]:
    ref = task.refs.assign(
        world_id,
        match["id"],
        role=match["role"],
        name=match["name"],
        tab_id=tab.tab_id,
        frame_id=frame_id,
    )
    return {
        "ref": ref,
        "role": match["role"],
        "name": match["name"],
        **({"near": match["near"]} if match["near"] else {}),
        "tag": match["tag"],
        "frame_id": frame_id,
        "visible": match["visible"],
        **({"hidden": "until-found"} if match["untilFound"] else {}),
    }


def _wrong_selector(query: Query, why: str) -> InvalidArgument:
    grammar, hint = _GRAMMARS[query.by]
    selector = query.css if query.by == "css" else query.xpath
    return InvalidArgument(f"{selector!r} is not {grammar}: {why}", hint, field=query.by)
