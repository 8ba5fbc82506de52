"""What the tool ``browser`` takes: all fields of all its actions, flat, as the design has them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field

from tabwarden.surfaces.dialects.form import Fields

__all__ = ["BrowserCall", "heard"]


class BrowserCall(Fields):
    """One call. Fields that its action does not need are passed over."""

    action: Annotated[str, Field(description="What to do.")]
    url: Annotated[
        str | None, Field(description="Where to go (goto), what to download, what a new tab shows.")
    ] = None
    ref: Annotated[
        str | None,
        Field(description="An element by its ref from action=snapshot (e12), instead of x and y."),
    ] = None
    x: Annotated[
        float | None,
        Field(description="For click, type, scroll, menu, upload: CSS pixels from the left."),
    ] = None
    y: Annotated[float | None, Field(description="CSS pixels from the top of the viewport.")] = None
    # Not nullable, as script: the word null is a text to type, and a script to run.
    text: Annotated[
        str, Field(description="What to type; for key, the key or chord (Enter, Control+A).")
    ] = ""
    clear: Annotated[bool, Field(description="Empty the field before typing.")] = False
    press_enter: Annotated[bool, Field(description="Press Enter after typing.")] = False
    direction: Annotated[Literal["up", "down"], Field(description="Which way to scroll.")] = "down"
    amount: Annotated[int, Field(description="How far to scroll, pixels.", ge=1)] = 500
    times: Annotated[int, Field(description="How often to press the key.", ge=1, le=50)] = 1
    tab_mode: Annotated[
        Literal["open", "close", "switch"], Field(description="What to do with a tab.")
    ] = "open"
    tab_index: Annotated[
        int | None,
        Field(
            description="Which tab, counted from 0, to switch to; or to close: else the current."
        ),
    ] = None
    time: Annotated[float | None, Field(description="Seconds to wait.", ge=0, le=120)] = None
    script: Annotated[str, Field(description="JavaScript to run in the page.")] = ""
    format: Annotated[
        Literal["markdown", "text", "html"], Field(description="How scrape gives the page.")
    ] = "markdown"
    filenames: Annotated[
        list[str] | None, Field(description="Files in the upload folder (./uploads).")
    ] = None
    labels: Annotated[
        list[str] | None, Field(description="Options to choose, by what they show.")
    ] = None
    filename: Annotated[
        str | None, Field(description="What to call the download; a plain name.")
    ] = None
    browser: Annotated[
        Literal["chrome", "edge"] | None, Field(description="Which browser to launch.")
    ] = None
    headless: Annotated[bool, Field(description="Launch it without a window.")] = False
    attach_to_existing: Annotated[
        bool, Field(description="Use the browser that listens on cdp_port already.")
    ] = False
    cdp_port: Annotated[
        int, Field(description="Its debugging port, with attach_to_existing.", ge=1, le=65_535)
    ] = 9222
    more: Annotated[
        str | None,
        Field(description="For snapshot: a part that was left out, by its name there (m3)."),
    ] = None
    accept: Annotated[
        bool, Field(description="For dialog: OK or Cancel; text answers a prompt.")
    ] = True


_ALIASES = {"mode": "tab_mode"}
_LITERAL = ("text", "script")
"""Whose value may well be the word null."""


def heard(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """A call as models write it, in the tool's own fields.

    Models fill in every field they see: null means left out. ``loc`` is ``[x, y]``.
    """
    given = {
        _ALIASES.get(name, name): value
        for name, value in arguments.items()
        if value is not None and (name in _LITERAL or value not in ("null", "None"))
    }
    at = given.pop("loc", None)
    if isinstance(at, str):
        try:
            at = json.loads(at)
        except ValueError:
            given["ref"] = at
            return given
    if isinstance(at, list | tuple) and len(at) == 2:
        given["x"], given["y"] = at
    elif at is not None:
        given["loc"] = at  # no such field: the check says so
    return given
