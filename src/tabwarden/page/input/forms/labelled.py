"""Find a form field by its label, as a person does."""

from __future__ import annotations

import re

from tabwarden.errors import InvalidArgument
from tabwarden.hints import Hint, Next
from tabwarden.page.elements import element_of, find, is_selector, note_locators
from tabwarden.page.task import Call, Ref
from tabwarden.page.text import FIELD_ROLES

_REF = re.compile(r"\s*(?:@|\[?ref=)?e\d+\]?\s*", re.I)
_MOST = 50
_LISTED = 10


async def field_of(call: Call, named: str, *, field: str = "fields") -> Ref:
    """Return the ref of a field that the caller names by a ref, a selector or its label.

    Raises:
        InvalidArgument: no field has the label, or several do. And see ``element_of``.
    """
    if _REF.fullmatch(named) or is_selector(named) or not named.strip():
        return await element_of(call, named, field=field)
    found = await find.look_for(call, find.Query(by="role", name=named), most=_MOST)
    fields = [one for one in found.elements if one["visible"] and one["role"] in FIELD_ROLES]
    same = [one for one in fields if _bare(one["name"] or one.get("near", "")) == _bare(named)]
    fitting = same or fields
    if len(fitting) == 1:
        found_ref = call.task.refs.find(fitting[0]["ref"])
        await note_locators(call, found_ref, named)
        return found_ref
    if not fitting:
        raise InvalidArgument(
            f"No field has the label {named[:200]!r}.",
            Hint("Name fields by the refs or labels of a snapshot", Next("snapshot"), "."),
            field=field,
        )
    listed = [f"{one['ref']} {one['role']} {one['name'][:80]!r}" for one in fitting[:_LISTED]]
    raise InvalidArgument(
        f"{len(fitting)} fields have the label {named[:200]!r}.",
        f"Use the ref of one: {'; '.join(listed)}.",
        field=field,
        candidates=fitting,
    )


def _bare(label: str) -> str:
    return " ".join(label.split()).rstrip(" :*").casefold()
