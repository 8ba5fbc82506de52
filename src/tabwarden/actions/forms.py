"""Actions on forms: choosing options, and filling many fields at once."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from tabwarden.actions.parameters import OptionalRef, Shows, X, Y
from tabwarden.actions.registry import action
from tabwarden.actions.values import Filled, Selected
from tabwarden.browser import Browser

__all__: list[str] = []

_FIELD = {
    "type": "object",
    "properties": {
        "ref": {"type": "string"},
        "value": {
            "anyOf": [
                {"type": "string"},
                {"type": "number"},
                {"type": "boolean"},
                {"type": "array", "items": {"type": "string"}},
            ]
        },
    },
    "required": ["ref", "value"],
    "additionalProperties": False,
}


@action("browser_select", "menu", idempotent=True, gives=Selected)
async def select(
    browser: Browser,
    *,
    ref: OptionalRef = None,
    x: X = None,
    y: Y = None,
    labels: Annotated[
        list[str] | None, Field(description="The options to choose, by what they show.")
    ] = None,
    values: Annotated[
        list[str] | None, Field(description="The same by what the form sends, instead of labels.")
    ] = None,
    snapshot: Shows = "none",
    **common: Any,
) -> Any:
    """Choose options of a select, a list box or a combobox; it need not be opened first."""
    return await browser.select(
        ref, labels=labels, values=values, x=x, y=y, snapshot=snapshot, **common
    )


@action("browser_fill_form", "fill-form", idempotent=True, gives=Filled)
async def fill_form(
    browser: Browser,
    *,
    fields: Annotated[
        list[dict[str, Any]],
        Field(
            description='[{"ref": "e5", "value": "Ann"}, ...]: a text or number; true or false '
            "for a checkbox, switch or radio button; a label or a list of them for a select.",
            json_schema_extra={"items": _FIELD},
        ),
    ],
    keep_going: Annotated[
        bool, Field(description="Pass over fields that can't be filled, and tell them.")
    ] = False,
    snapshot: Shows = "none",
    **common: Any,
) -> Any:
    """Fill many fields of a form in one call; it stops at the first that can't be filled."""
    return await browser.fill_form(fields, keep_going=keep_going, snapshot=snapshot, **common)
