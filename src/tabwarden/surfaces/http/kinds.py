"""Kinds: what ``POST /act`` can do, each a shape of one registry action."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Annotated, Any

from pydantic import Field

from tabwarden.actions import ACTIONS
from tabwarden.config import BrowserConfig, Milliseconds
from tabwarden.errors import InvalidArgument
from tabwarden.surfaces.http.shapes import Shape, shape

__all__ = ["BATCH", "KINDS", "SCRIPT_FIELDS", "kinds_without", "runs_script", "tools_off"]

BATCH = "batch"
"""The kind that holds others (``act.py``)."""

_REF = {
    "ref": (
        Annotated[str | None, Field(description="The element's ref from GET /snapshot: e12.")],
        None,
    ),
}
_SELECTOR = {"selector": "ref"}
_DOUBLE = {
    "doubleClick": (Annotated[bool, Field(description="Click twice.")], False),
}


_DELAY = {"delayMs": "delayMs has no effect: the mouse and the keys wait for the page itself."}


def _aimed(arguments: dict[str, Any]) -> dict[str, Any]:
    if arguments.get("ref") is None:
        raise InvalidArgument(
            "Which element? ref is missing.",
            "Take it from GET /snapshot (or give a selector).",
            field="ref",
        )
    return arguments


def _clicks(arguments: dict[str, Any]) -> dict[str, Any]:
    double = arguments.pop("doubleClick", False)
    arguments = arguments if "x" in arguments else _aimed(arguments)
    return {**arguments, "count": 2} if double else arguments


def _typing(arguments: dict[str, Any]) -> dict[str, Any]:
    # Clients of this API expect a field to be filled: what it held is replaced.
    slowly = arguments.pop("slowly", False)
    into_field = arguments.get("ref") is not None
    return {"clear": into_field and not slowly, "slowly": slowly, **arguments}


def _waiting(arguments: dict[str, Any]) -> dict[str, Any]:
    if arguments.get("time_s") is not None:
        arguments["time_s"] /= 1000
    return arguments


def _filling(arguments: dict[str, Any]) -> dict[str, Any]:
    # Clients of this API say what a field is; what it is is seen from the field itself.
    fields = [{k: v for k, v in field.items() if k != "type"} for field in arguments["fields"]]
    return {**arguments, "fields": fields}


def _closing(arguments: dict[str, Any]) -> dict[str, Any]:
    return {**arguments, "mode": "close"}


_SHAPES = (
    shape(
        "click",
        "browser_click",
        without=("x", "y", "count"),
        more={**_REF, **_DOUBLE},
        selectors=_SELECTOR,
        ignores=_DELAY,
        translate=_clicks,
    ),
    shape(
        "clickCoords",
        "browser_click",
        without=("ref", "count"),
        more={
            "x": (Annotated[float, Field(description="CSS pixels from the left.")], ...),
            "y": (Annotated[float, Field(description="CSS pixels from the top.")], ...),
            **_DOUBLE,
        },
        ignores=_DELAY,
        translate=_clicks,
    ),
    shape(
        "type",
        "browser_type",
        names={"press_enter": "submit"},
        without=("x", "y"),
        more={
            "clear": (
                Annotated[bool, Field(description="Replace what the field of ref holds.")],
                True,
            ),
            "slowly": (
                Annotated[bool, Field(description="Key by key, after what the field holds.")],
                False,
            ),
        },
        selectors=_SELECTOR,
        translate=_typing,
    ),
    shape("press", "browser_press", ignores=_DELAY),
    shape(
        "hover",
        "browser_hover",
        without=("x", "y"),
        more=_REF,
        selectors=_SELECTOR,
        translate=_aimed,
    ),
    # The mouse that moves over an element has it scrolled into view first.
    shape(
        "scrollIntoView",
        "browser_hover",
        without=("x", "y"),
        more=_REF,
        selectors=_SELECTOR,
        translate=_aimed,
    ),
    shape(
        "drag",
        "browser_drag",
        names={
            f"{ours}_{what}": f"{theirs}{what.capitalize()}"
            for ours, theirs in (("from", "start"), ("to", "end"))
            for what in ("ref", "x", "y")
        },
        selectors={"startSelector": "from_ref", "endSelector": "to_ref"},
    ),
    shape(
        "dragCoords",
        "browser_drag",
        names={"from_x": "x", "from_y": "y", "to_x": "endX", "to_y": "endY"},
        without=("from_ref", "to_ref"),
        needs=("from_x", "from_y", "to_x", "to_y"),
    ),
    shape("scroll", "browser_scroll", selectors=_SELECTOR),
    shape(
        "select",
        "browser_select",
        without=("x", "y"),
        more=_REF,
        selectors=_SELECTOR,
        translate=_aimed,
    ),
    shape("fill", "browser_fill_form", translate=_filling),
    shape("resize", "browser_resize"),
    shape(
        "wait",
        "browser_wait",
        names={"time_s": "timeMs"},
        more={
            "timeMs": (
                Annotated[
                    Milliseconds | None, Field(description="Just wait so many milliseconds.")
                ],
                None,
            ),
            "fn": (
                Annotated[
                    str | None,
                    Field(description="A function or expression: until it gives a true value."),
                ],
                None,
            ),
        },
        translate=_waiting,
        words="Wait for one thing, or for several, one after the other. Actions wait for what they "
        "set off by themselves.",
    ),
    shape("evaluate", "browser_evaluate", names={"script": "fn"}),
    shape("find", "browser_find"),
    shape(
        "upload",
        "browser_upload",
        names={"filenames": "paths"},
        selectors=_SELECTOR,
    ),
    shape("back", "browser_back"),
    shape("forward", "browser_forward"),
    shape("reload", "browser_reload"),
    shape("close", "browser_tabs", without=("mode", "tab_index", "url"), translate=_closing),
)
KINDS: Mapping[str, Shape] = {one.name: one for one in _SHAPES}
"""By kind, without ``batch``."""


SCRIPT_FIELDS: Mapping[str, str] = {"wait": "fn"}
"""Fields of other kinds that run a script as ``evaluate`` does."""


def tools_off(config: BrowserConfig) -> frozenset[str]:
    """The tools that the configuration switches off one by one."""
    switched = [one for one in ACTIONS.values() if one.switch is not None]
    return frozenset(one.tool for one in switched if not getattr(config, one.switch or ""))


def kinds_without(off: Collection[str]) -> list[str]:
    """What ``kind`` may be where some tools are switched off."""
    return [*(name for name, one in KINDS.items() if one.action.tool not in off), BATCH]


def runs_script(kind: str, arguments: Mapping[str, Any]) -> bool:
    """Whether an action runs a script of the client's: what ``evaluate_enabled`` is about."""
    field = SCRIPT_FIELDS.get(kind)
    return kind == "evaluate" or (field is not None and arguments.get(field) is not None)
