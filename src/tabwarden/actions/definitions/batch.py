"""The action that runs other actions."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from tabwarden.actions.batch import StopOn, read_steps
from tabwarden.actions.registry import Shows, action
from tabwarden.browser import Browser
from tabwarden.results import Batched

__all__: list[str] = []


@action("browser_batch", "batch", permission="act", group="core", gives=Batched)
async def batch(
    browser: Browser,
    *,
    steps: Annotated[
        list[Any],
        BeforeValidator(read_steps),
        Field(
            description='Tools with their arguments: {"tool": "click", "ref": "e3"}.',
            json_schema_extra={"items": {"type": "object"}},
        ),
    ],
    stop_on: Annotated[
        StopOn,
        Field(
            description="any: stop at a failure, dialog or navigation. failure: continue after a "
            "navigation."
        ),
    ] = "any",
    snapshot: Shows = "none",
    **common: Any,
) -> Any:
    """Call several tools in order.

    Stops after a step that fails, leaves the page, or opens a dialog that the next step doesn't
    answer.
    """
    return await browser.batch(steps, stop_on=stop_on, snapshot=snapshot, **common)
