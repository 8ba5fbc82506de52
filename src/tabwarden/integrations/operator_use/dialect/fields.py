"""The fields of the tool ``browser``. As in Operator-Use, all actions of the tool share one list of
fields.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field

from tabwarden.integrations.dialect import Fields
from tabwarden.integrations.operator_use.dialect.timing import MAX_WAIT_S


class BrowserCall(Fields):
    """One call. Ignores fields that its action does not need."""

    action: Annotated[str, Field(description="What to do.")]
    url: Annotated[str | None, Field(description="URL for goto, download or a new tab.")] = None
    ref: Annotated[
        str | None,
        Field(description="An element by its ref from action=snapshot (e12), instead of x and y."),
    ] = None
    x: Annotated[
        float | None,
        Field(description="For click, type, scroll, menu, upload: CSS pixels from the left."),
    ] = None
    y: Annotated[float | None, Field(description="CSS pixels from the top of the viewport.")] = None
    # ``text`` and ``script`` are not nullable, because a model may want to type or run "null".
    text: Annotated[
        str, Field(description="Text to type. For key: the key or combination (Enter, Control+A).")
    ] = ""
    clear: Annotated[bool, Field(description="Clear the field before typing.")] = False
    press_enter: Annotated[bool, Field(description="Press Enter after typing.")] = False
    direction: Annotated[
        Literal["up", "down"], Field(description="The direction to scroll in.")
    ] = "down"
    amount: Annotated[int, Field(description="Pixels to scroll.", ge=1)] = 500
    times: Annotated[int, Field(description="How many times to press the key.", ge=1, le=50)] = 1
    tab_mode: Annotated[
        Literal["open", "close", "switch"], Field(description="What to do with a tab.")
    ] = "open"
    tab_index: Annotated[
        int | None,
        Field(
            description="Index of the tab to switch to or close, starting at 0. close defaults "
            "to the "
            "current tab."
        ),
    ] = None
    time: Annotated[float | None, Field(description="Seconds to wait.", ge=0, le=MAX_WAIT_S)] = None
    script: Annotated[str, Field(description="JavaScript to run in the page.")] = ""
    format: Annotated[
        Literal["markdown", "text", "html"], Field(description="Output format of scrape.")
    ] = "markdown"
    prompt: Annotated[
        str | None,
        Field(description="For scrape: your question. The result is always the whole page."),
    ] = None
    full_page: Annotated[bool, Field(description="For screenshot: the whole page.")] = False
    filenames: Annotated[
        list[str] | None, Field(description="Files in the upload folder (./uploads).")
    ] = None
    labels: Annotated[
        list[str] | None, Field(description="Visible labels of the options to choose.")
    ] = None
    filename: Annotated[str | None, Field(description="A plain file name for the download.")] = None
    browser: Annotated[
        Literal["chrome", "edge"] | None, Field(description="Which browser to launch.")
    ] = None
    headless: Annotated[bool, Field(description="Launch it without a window.")] = False
    attach_to_existing: Annotated[
        bool, Field(description="Use the browser that already listens on cdp_port.")
    ] = False
    cdp_port: Annotated[
        int, Field(description="With attach_to_existing: the debugging port.", ge=1, le=65_535)
    ] = 9222
    more: Annotated[
        str | None,
        Field(description="For snapshot: an omitted part, by its name (m3)."),
    ] = None
    accept: Annotated[
        bool,
        Field(
            description="For dialog: OK (true) or Cancel (false). To answer a prompt, pass text."
        ),
    ] = True
    dialog_id: Annotated[
        str | None, Field(description="For dialog: the dialog's id, if several are open (d-1).")
    ] = None


_ALIASES = {"mode": "tab_mode"}
_LITERAL = ("text", "script")
"""The fields whose value may be the word null."""


def heard(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Convert the arguments that a model wrote to the tool's fields.

    Models fill in every field they see, so we omit null fields. ``loc`` is ``[x, y]`` or a ref.
    """
    fields = {
        _ALIASES.get(name, name): value
        for name, value in arguments.items()
        if value is not None and (name in _LITERAL or value not in ("null", "None"))
    }
    at = fields.pop("loc", None)
    if isinstance(at, str):
        try:
            at = json.loads(at)
        except ValueError:
            fields["ref"] = at
            return fields
    if isinstance(at, list | tuple) and len(at) == 2:
        fields["x"], fields["y"] = at
    elif at is not None:
        fields["loc"] = at  # the validation rejects this field
    return fields
