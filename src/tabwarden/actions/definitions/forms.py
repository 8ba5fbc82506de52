"""Actions for forms: select options, and fill several fields at once."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from tabwarden.actions.definitions.parameters import OptionalRef, Shows, X, Y
from tabwarden.actions.registry import action
from tabwarden.browser import Browser
from tabwarden.results import Filled, Selected

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


@action("browser_select", "menu", permission="act", group="core", idempotent=True, gives=Selected)
async def select(
    browser: Browser,
    *,
    ref: OptionalRef = None,
    x: X = None,
    y: Y = None,
    labels: Annotated[
        list[str] | None, Field(description="Visible labels of the options to choose.")
    ] = None,
    values: Annotated[
        list[str] | None, Field(description="Instead of labels: the options' form values.")
    ] = None,
    snapshot: Shows = "none",
    **common: Any,
) -> Any:
    """Choose options of a select, list box or combobox. No need to open it first."""
    return await browser.select(
        ref, labels=labels, values=values, x=x, y=y, snapshot=snapshot, **common
    )


@action("browser_fill_form", "fill", permission="act", group="core", idempotent=True, gives=Filled)
async def fill_form(
    browser: Browser,
    *,
    fields: Annotated[
        list[dict[str, Any]],
        Field(
            description="The value is text or a number; true or false for a checkbox, switch or "
            "radio button; one or more labels for a select.",
            json_schema_extra={"items": _FIELD},
        ),
    ],
    keep_going: Annotated[
        bool, Field(description="Skip fields that can't be filled and report them.")
    ] = False,
    snapshot: Shows = "none",
    **common: Any,
) -> Any:
    """Fill several form fields in one call. Stops at the first field that can't be filled."""
    return await browser.fill_form(fields, keep_going=keep_going, snapshot=snapshot, **common)
