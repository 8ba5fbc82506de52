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


async def field_of(call: Call, target: str, *, field: str = "fields") -> Ref:
    """Return the ref of the field with this ref, selector or label.

    Raises:
        InvalidArgument: no field has the label, or several do; see also ``element_of``.
    """
    if _REF.fullmatch(target) or is_selector(target) or not target.strip():
        return await element_of(call, target, field=field)
    matches = await find.look_for(call, find.Query(by="role", name=target), most=_MOST)
    fields = [one for one in matches.elements if one["visible"] and one["role"] in FIELD_ROLES]
    exact = [one for one in fields if _bare(one["name"] or one.get("near", "")) == _bare(target)]
    best = exact or fields
    if len(best) == 1:
        ref = call.task.refs.find(best[0]["ref"])
        await note_locators(call, ref, target)
        return ref
    if not best:
        raise InvalidArgument(
            f"No field has the label {target[:200]!r}.",
            Hint("Use a field's ref or label from a snapshot", Next("snapshot"), "."),
            field=field,
        )
    listed = [f"{one['ref']} {one['role']} {one['name'][:80]!r}" for one in best[:_LISTED]]
    raise InvalidArgument(
        f"{len(best)} fields have the label {target[:200]!r}.",
        f"Use one of these refs: {'; '.join(listed)}.",
        field=field,
        candidates=best,
    )


def _bare(label: str) -> str:
    return " ".join(label.split()).rstrip(" :*").casefold()
