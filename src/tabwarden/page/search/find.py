"""The action ``find``: search all frames at once, without a snapshot.

The walker in each frame searches the frame (``page/walker/js/find/find.js``), so each result has an
ordinary ref. If a frame does not respond in time, the result lists that frame as unread. A query in
words is answered from the page's outline.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from tabwarden import results
from tabwarden.hints import Hint, Next
from tabwarden.page.elements import find as lookup
from tabwarden.page.search.ranking import ranked
from tabwarden.page.snapshot import look, unread_frames
from tabwarden.page.task import Call, Done, FrameId, card
from tabwarden.page.text import quoted


@card(
    "find",
    about="Find elements in all frames and get their refs, without a snapshot.",
    permission="read",
    group="pages",
    gives=results.Findings,
    shows=False,
    read_only=True,
    refreshes=False,
    reads=True,
    acts=False,
)
async def find(
    call: Call,
    text: Annotated[
        str | None, Field(description="Part of the element's visible text or name.")
    ] = None,
    *,
    role: Annotated[
        str | None,
        Field(description="An ARIA role, such as button. landmark: the parts of the page."),
    ] = None,
    name: Annotated[
        str | None, Field(description="Part of the element's name, with or without `role`.")
    ] = None,
    css: Annotated[str | None, Field(description="A CSS selector, instead of `text`.")] = None,
    xpath: Annotated[
        str | None, Field(description="An XPath expression, instead of `text`.")
    ] = None,
    query: Annotated[
        str | None,
        Field(description="A description, such as 'delete button in the row of Anna'."),
    ] = None,
    frame_id: FrameId = None,
    max: Annotated[  # noqa: A002 - a public name
        int, Field(description="Maximum results.", ge=1, le=1000)
    ] = 20,
) -> Done:
    """Find elements in all frames without a snapshot; ``value`` is ``{"found": [{"ref",
    "role", "name", "tag", "frame_id", "visible"}], "total", "unread"}``. Visible elements come
    first. ``unread`` lists the frames that did not answer.

    Args:
        text: the innermost elements that show this text or have this text in their name,
            ignoring case. For a match inside a link or a button, the result is the link or
            button.
        role: elements with this ARIA role. ``landmark`` finds the parts of the page:
            landmarks, dialogs, tables, and forms, regions and lists with a name.
            ``snapshot(ref=...)`` reads one of them.
        name: elements with this text in their name. Can be combined with ``role``.
        css: a CSS selector; it also searches shadow roots.
        xpath: an XPath expression that selects elements.
        query: a description in words, such as ``"search field"`` or ``"delete button in the row
            of Anna"``. Elements that a snapshot shows with a ref are ranked by the words in
            their role, name and label, and in the texts around them; the best come first.
            Instead of ``tag``, each has ``context``, a text beside it.
        frame_id: only this frame and the frames inside it.
        max: maximum number of results, at most 1,000; ``total`` counts all matches.

    Raises:
        InvalidArgument: the call has no criterion, or several that can't be combined, or a
            selector is invalid. ``data["field"]`` names the parameter.
        FrameNotFound: the frame does not exist.
        DialogPending: a dialog blocks the page.
    """
    criteria = lookup.query_of(text=text, role=role, name=name, css=css, xpath=xpath, query=query)
    if criteria.query is not None:
        return await _by_words(call, criteria.query, frame_id, max)
    findings = await lookup.look_for(call, criteria, frame_id=frame_id, most=max)
    value = {"found": findings.elements, "total": findings.total, "unread": findings.unread}
    document = findings.document
    return Done(value, f"{document[:1].upper()}{document[1:]}." if document else "")


async def _by_words(call: Call, query: str, frame_id: str | None, most: int) -> Done:
    seen = await look(call, frame_id=frame_id)
    matches, total = ranked(seen.lines, query, most)
    found: list[dict[str, Any]] = []
    for match in matches:
        known = call.task.refs.find(f"e{match.number}")
        found.append(
            {
                "ref": known.ref,
                "role": match.role,
                "name": match.name,
                **({"near": match.label} if match.label else {}),
                **({"context": match.context} if match.context else {}),
                "frame_id": known.frame_id,
                "visible": True,
            }
        )
    root = frame_id or call.state.top_frame_id(call.tab.tab_id) or call.tab.target_id
    unread = unread_frames(seen, root)
    value = {"found": found, "total": total, "unread": unread}
    if found:
        return Done(value)
    return Done(
        value,
        Hint(
            f"No element matches {quoted(query[:100])}. Use other words",
            (", or read the page: ", Next("snapshot")),
            ".",
        ),
    )
