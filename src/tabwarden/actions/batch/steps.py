"""Read and check the steps of a batch, in the various formats that models write."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from tabwarden.actions.registry import ACTIONS, Action
from tabwarden.errors import InvalidArgument
from tabwarden.page.call import target_of
from tabwarden.similar import get_close_matches

MOST_STEPS = 100
_EXAMPLE = 'A step is {"tool": "click", "ref": "e3"}.'
_TOOL_KEYS = ("tool", "action", "name", "kind")
"""Keys that may contain the name of a step's tool. Some are also parameters of actions, so the
first key wins."""
_ARGUMENT_KEYS = ("arguments", "args", "input", "parameters", "params")
_ALIASES = {"eval": "evaluate", "fill": "fill_form", "script": "evaluate", "press_key": "press"}
_ANSWERS = ("accept", "dismiss")
_POINTS = ("click", "hover", "select")
"""Actions that need a ref or a point."""
_NO_STEPS = {
    "batch": "Put its steps into this batch.",
    "screenshot": "Take the screenshot after the batch.",
}


class Step(NamedTuple):
    """An action and its checked arguments."""

    action: Action
    arguments: dict[str, Any]
    coerced: tuple[str, ...] = ()
    """Notes about arguments that had to be converted."""


def read_steps(given: Any) -> list[Step]:
    """Check all steps of a batch.

    Raises:
        InvalidArgument: a step is not valid. ``field`` is a path such as ``steps[2].ref``.
    """
    given = _from_json(given)
    if isinstance(given, Mapping):
        given = [given]
    if not isinstance(given, list | tuple) or not given:
        raise InvalidArgument("steps must be a list of steps.", _EXAMPLE, field="steps")
    if len(given) > MOST_STEPS:
        raise InvalidArgument(
            f"A batch has at most {MOST_STEPS} steps, not {len(given)}.",
            "Send the remaining steps in another batch.",
            field="steps",
        )
    return [_step(number, one) for number, one in enumerate(given)]


def _step(number: int, raw: Any) -> Step:
    if isinstance(raw, Step):
        return raw
    raw = _from_json(raw)
    if not isinstance(raw, Mapping):
        raise InvalidArgument(
            f"Step {number + 1} is not an object: {repr(raw)[:100]}.",
            _EXAMPLE,
            field=f"steps[{number}]",
        )
    try:
        action, arguments = _parts(raw)
        checked = action.check(arguments)
        if action.name in _POINTS:
            target_of(*(checked.arguments.get(name) for name in ("ref", "x", "y")))
    except InvalidArgument as error:
        field = error.data.get("field")
        error.data["field"] = f"steps[{number}].{field}" if field else f"steps[{number}]"
        error.message = f"Step {number + 1}: {error.message}"
        raise
    return Step(action, checked.arguments, checked.coerced)


def _parts(raw: Mapping[str, Any]) -> tuple[Action, dict[str, Any]]:
    """Return the name of a step's action, and the step's arguments."""
    rest = dict(raw)
    if len(rest) == 1 and isinstance(inner := next(iter(rest.values())), Mapping):
        (name,) = rest  # {"click": {"ref": "e3"}}
        return _action(name, name), dict(inner)
    key = next((key for key in _TOOL_KEYS if key in rest), None)
    if key is None:
        raise InvalidArgument("The step has no tool name.", _EXAMPLE, field="tool")
    name = rest.pop(key)
    if key == "action" and name in _ANSWERS:
        return ACTIONS["browser_dialog"], {**rest, "action": name}
    action = _action(name, key)
    for holder in _ARGUMENT_KEYS:
        inner = _from_json(rest.get(holder))
        if isinstance(inner, Mapping) and holder not in action.parameters.model_fields:
            del rest[holder]
            rest |= inner
    return action, rest


def _action(name: Any, field: str) -> Action:
    plain = str(name).lower().removeprefix("browser_").replace("-", "_")
    actions = {action.command.replace("-", "_"): action for action in ACTIONS.values()}
    actions |= {action.name: action for action in ACTIONS.values()}
    action = actions.get(_ALIASES.get(plain, plain))
    if action is None:
        near = get_close_matches(plain, actions, n=1)
        raise InvalidArgument(
            f"There is no tool {str(name)[:100]!r}.",
            f"Did you mean {near[0]}?" if near else _EXAMPLE,
            field=field,
        )
    if action.name in _NO_STEPS or action.of == "session":
        raise InvalidArgument(
            f"{action.name} can't be a step of a batch.",
            _NO_STEPS.get(action.name, "Call it before or after the batch."),
            field=field,
        )
    return action


def _from_json(value: Any) -> Any:
    """Parse a JSON string, which some models write instead of a list or an object."""
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):  # RecursionError: the JSON is nested too deeply
        return value
