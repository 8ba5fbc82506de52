"""Find the element that a ref or a selector identifies."""

from __future__ import annotations

import time

import msgspec

from tabwarden.errors import InvalidArgument, NotInteractable
from tabwarden.hints import Hint, Next
from tabwarden.journal import set_on_current_call
from tabwarden.page.elements.find import Findings, look_for
from tabwarden.page.elements.locators import note_locators
from tabwarden.page.elements.selectors import parse_selector
from tabwarden.page.elements.timing import LOOK_MS, SHOWN_S
from tabwarden.page.task import Call, Ref, Task
from tabwarden.supervisor.core.state.tabs import Tab

_LISTED = 10
_REST = 9
"""The pause after a search, as a multiple of the search's duration."""


async def element_of(call: Call, element: str, *, field: str = "ref", hidden: bool = False) -> Ref:
    """Return the ref of an element. Assign a ref if the element was found by a selector.
    Wait briefly for an element that the page does not show yet.

    Args:
        element: a ref, or a selector that must match exactly one visible element.
        field: the name of the caller's parameter, for errors.
        hidden: accept an invisible element if it is the selector's only match.

    Raises:
        InvalidArgument: ``element`` is not a ref or selector, is a ref from another tab, or matches
            no element or several elements. The error lists the refs of several elements.
        NotInteractable: the selector matches only invisible elements.
        UnknownRef: no snapshot contains the ref.
    """
    query = parse_selector(element) if isinstance(element, str) else None
    if query is None:
        ref = _in_tab(call.task, call.tab, call.task.refs.find(element), field)
        return await _note_element(call, ref, element)
    until = time.monotonic() + min(SHOWN_S, call.race.budget.remaining_ms() / 2_000)
    while True:
        began = time.monotonic()
        try:
            findings = await look_for(call, query, most=_LISTED)
        except InvalidArgument as error:
            error.data["field"] = field
            raise
        if findings.visible == 1 or (hidden and findings.total == 1):
            one = call.task.refs.find(findings.elements[0]["ref"])
            return await _note_element(
                call, msgspec.structs.replace(one, selector=element), element
            )
        now = time.monotonic()
        if findings.visible > 1 or now >= until:
            raise _not_one_error(element, field, findings)
        pause_ms = max(LOOK_MS, (now - began) * 1000 * _REST)
        await call.race.pause(min(pause_ms, (until - now) * 1000))


async def _note_element(call: Call, ref: Ref, element: str) -> Ref:
    set_on_current_call(element={"ref": ref.ref, "role": ref.role, "name": ref.name})
    if call.task.wants_locators:
        await note_locators(call, ref, element)
    return ref


def _in_tab(task: Task, tab: Tab, ref: Ref, field: str) -> Ref:
    """Reject a ref from another tab, because the call observes and controls only its own tab."""
    if ref.tab_id != tab.tab_id and ref.tab_id in task.state.tabs:
        raise InvalidArgument(
            f"{ref.ref} ({ref.role} {ref.name[:200]!r}) is in tab {ref.tab_id}, not in "
            f"{tab.tab_id}.",
            f"Switch to that tab, or use a ref from {tab.tab_id}.",
            field=field,
        )
    return ref


def _not_one_error(
    selector: str, field: str, findings: Findings
) -> InvalidArgument | NotInteractable:
    matches = [f"{one['ref']} {one['role']} {one['name'][:80]!r}" for one in findings.elements]
    unread = "".join(
        f" Frame {one['frame_id']} could not be searched: {one['why']}." for one in findings.unread
    )
    data = {"candidates": findings.elements, "unread": findings.unread}
    if findings.visible > 1:
        more = findings.visible - len(matches)
        return InvalidArgument(
            f"{selector!r} matches {findings.visible} visible elements.",
            "Use one of these refs: "
            f"{'; '.join(matches)}{f'; and {more} more' if more > 0 else ''}.",
            field=field,
            **data,
        )
    if findings.total:
        return NotInteractable(
            f"{selector!r} matches {findings.total} element{'s' * (findings.total > 1)}, none of "
            "them visible.",
            f"The matches are: {'; '.join(matches)}. Another step may be needed to show "
            f"one.{unread}",
            reason="hidden",
            **data,
        )
    return InvalidArgument(
        f"{selector!r} matches no element in any frame.",
        Hint("Take a snapshot, or search for text", Next("find", text="..."), f".{unread}"),
        field=field,
        **data,
    )
