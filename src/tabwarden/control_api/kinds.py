"""The kinds of act that ``POST /act`` accepts. Each kind is a shape of one registry action."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Annotated, Any

from pydantic import Field

from tabwarden.actions import ACTIONS
from tabwarden.config import BrowserConfig, Milliseconds
from tabwarden.control_api.demands import MAX_DELAY_MS, NoSelector, demand
from tabwarden.control_api.names import camel
from tabwarden.control_api.sent import as_sent
from tabwarden.control_api.shape import Arguments, Shape, shape
from tabwarden.errors import InvalidArgument
from tabwarden.hints import Hint, Next

BATCH = "batch"
"""The kind that contains other kinds (``acts.py``)."""

_REF = {
    "ref": (
        Annotated[
            str | None, Field(description="The element's ref from GET /snapshot, such as e12.")
        ],
        None,
    ),
}
_SELECTOR = {"selector": "ref"}
_DOUBLE = {
    "doubleClick": (Annotated[bool, Field(description="Click twice.")], False),
}


_DELAY = {
    "delayMs": (
        Annotated[
            int,
            Field(
                description="How long to hover before the click, in milliseconds.",
                ge=0,
                le=MAX_DELAY_MS,
            ),
        ],
        0,
    ),
}


def _clicks(arguments: dict[str, Any]) -> dict[str, Any]:
    double = arguments.pop("doubleClick", False)
    return {**arguments, "count": 2} if double else arguments


def _typing(arguments: dict[str, Any]) -> dict[str, Any]:
    # Clients of this API expect that typing replaces the field's content.
    slowly = arguments.pop("slowly", False)
    into_field = arguments.get("ref") is not None
    return {"clear": into_field and not slowly, "slowly": slowly, **arguments}


_NAMES_IN_CONDITIONS = {
    "fn": "script", "textGone": "text_gone", "loadState": "load_state", "hasText": "has_text",
    "frameId": "frame_id",
}  # fmt: skip


def _waiting(arguments: dict[str, Any]) -> dict[str, Any]:
    if arguments.get("time_s") is not None:
        arguments["time_s"] /= 1000
    if conditions := arguments.get("any_of"):
        arguments["any_of"] = [_condition(number, one) for number, one in enumerate(conditions)]
    return arguments


def _condition(number: int, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return a wait's condition with parameter names instead of field names."""
    named = {_NAMES_IN_CONDITIONS.get(k, k): v for k, v in given.items()}
    if (milliseconds := named.pop("timeMs", None)) is not None:
        if isinstance(milliseconds, bool) or not isinstance(milliseconds, int | float):
            field = f"anyOf[{number}].timeMs"
            raise InvalidArgument(f"{field} must be a number of milliseconds.", field=field)
        named["time_s"] = milliseconds / 1000
    return named


def _filling(arguments: dict[str, Any]) -> dict[str, Any]:
    # Clients of this API send each field's type; we read it from the field itself.
    fields = []
    for number, field in enumerate(arguments["fields"]):
        for key in field.keys() - {"ref", "selector", "type", "value"}:
            raise InvalidArgument(
                f'fields[{number}] unsupported field key "{key}".',
                "Send each field as {ref, value}.",
                field=f"fields[{number}]",
            )
        fields.append({k: v for k, v in as_sent(field).items() if k != "type"})
    return {**arguments, "fields": fields}


def _closing(arguments: dict[str, Any]) -> dict[str, Any]:
    return {**arguments, "mode": "close"}


_SHAPES = (
    shape(
        "click",
        "browser_click",
        without=("x", "y", "count"),
        more={**_REF, **_DOUBLE, **_DELAY},
        selectors=_SELECTOR,
        translate=_clicks,
    ),
    shape(
        "clickCoords",
        "browser_click",
        without=("ref", "count"),
        more={
            "x": (
                Annotated[
                    float,
                    Field(description="The distance from the viewport's left edge, in CSS pixels."),
                ],
                ...,
            ),
            "y": (
                Annotated[
                    float,
                    Field(description="The distance from the viewport's top edge, in CSS pixels."),
                ],
                ...,
            ),
            **_DOUBLE,
            **_DELAY,
        },
        translate=_clicks,
    ),
    shape(
        "type",
        "browser_type",
        names={"press_enter": "submit"},
        without=("x", "y"),
        more={
            "clear": (
                Annotated[bool, Field(description="Whether to replace the field's existing text.")],
                True,
            ),
            "slowly": (
                Annotated[
                    bool, Field(description="Whether to type key by key, after the existing text.")
                ],
                False,
            ),
        },
        selectors=_SELECTOR,
        translate=_typing,
    ),
    shape(
        "press",
        "browser_press",
        names={"hold_ms": "delayMs"},
    ),
    shape(
        "hover",
        "browser_hover",
        without=("x", "y"),
        more=_REF,
        selectors=_SELECTOR,
    ),
    # Hovering first scrolls the element into view.
    shape(
        "scrollIntoView",
        "browser_hover",
        without=("x", "y"),
        more=_REF,
        selectors=_SELECTOR,
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
    shape("drop", "browser_drop", names={"filenames": "paths"}, selectors=_SELECTOR),
    shape(
        "select",
        "browser_select",
        without=("x", "y"),
        more=_REF,
        selectors=_SELECTOR,
    ),
    shape("fill", "browser_fill_form", translate=_filling),
    shape(
        "wait",
        "browser_wait",
        names={"time_s": "timeMs", "script": "fn"},
        more={
            "timeMs": (
                Annotated[Milliseconds | None, Field(description="Wait this many milliseconds.")],
                None,
            ),
        },
        translate=_waiting,
        words="Wait for one or more conditions in sequence. Other actions already wait for their "
        "own effects.",
    ),
    shape("evaluate", "browser_evaluate", names={"script": "fn"}),
    shape(
        "upload",
        "browser_upload",
        names={"filenames": "paths"},
        selectors=_SELECTOR,
    ),
    shape("close", "browser_tabs", without=("mode", "tab_index", "url"), translate=_closing),
)
_ELSEWHERE = frozenset({
    "auth", "batch", "cdp", "choose", "clipboard", "close", "connect", "console", "cookies",
    "dialog", "disconnect", "download", "emulate", "highlight", "navigate", "network", "open",
    "pdf", "permission", "scrape", "screenshot", "snapshot", "storage", "storage_state",
})  # fmt: skip
"""Actions that have their own routes."""


def _kinds() -> Mapping[str, Shape]:
    kinds = {one.name: one for one in _SHAPES}
    shaped = {one.action.tool for one in _SHAPES}
    for tool, action in ACTIONS.items():
        if tool not in shaped and action.name not in _ELSEWHERE:
            has_ref = "ref" in action.parameters.model_fields
            kind = shape(camel(action.name), tool, selectors=_SELECTOR if has_ref else {})
            kinds[kind.name] = kind
    return kinds


KINDS = _kinds()
"""Maps each kind except ``batch`` to its ``Shape``."""


def checked_act(kind: str, given: Mapping[str, Any]) -> Arguments:
    """Return the arguments of the action that serves an act of this kind.

    Raises:
        NoSelector: this kind does not accept a selector.
        InvalidArgument: a field is missing, invalid or unknown.
    """
    kept = KINDS[kind]
    fields = kept.form.parameters.model_fields
    if given.keys() <= {
        *fields,
        *kept.ignores,
        "selector",
    }:  # otherwise the error is an unknown field
        demand(kind, given)
    if "selector" in given and "selector" not in fields:
        raise NoSelector(
            f"'selector' is not supported for {kind}.",
            Hint("Pass the element's ref from a snapshot", Next("snapshot"), "."),
            field="selector",
        )
    return kept.check(given)


SCRIPT_FIELDS: Mapping[str, str] = {"wait": "fn"}
"""Maps each kind besides ``evaluate`` that can run a script to the field that contains the script.
"""


def tools_off(config: BrowserConfig) -> frozenset[str]:
    """Return the tools that the configuration disables individually and the tools that the caller
    has no permission to use.
    """
    return frozenset(
        one.tool
        for one in ACTIONS.values()
        if (one.switch is not None and not getattr(config, one.switch))
        or one.permission not in config.allow
    )


def kinds_without(off: Collection[str]) -> list[str]:
    """Return the kinds that work while the tools in ``off`` are disabled."""
    return [*(name for name, one in KINDS.items() if one.action.tool not in off), BATCH]


def runs_script(kind: str, arguments: Mapping[str, Any]) -> bool:
    """Whether an action runs a client's script, which ``evaluate_enabled`` controls."""
    field = SCRIPT_FIELDS.get(kind)
    return kind == "evaluate" or (field is not None and arguments.get(field) is not None)
