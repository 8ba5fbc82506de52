"""Shape: what one request or kind takes, made from a registry action: the same parameters in
camelCase, some under the names that HTTP clients know.

The schema, the checks and their words are those of the action; nothing is described twice.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Annotated, Any

import msgspec
from pydantic import ConfigDict, Field, create_model

from tabwarden.actions import ACTIONS, Action
from tabwarden.config import Milliseconds

__all__ = ["Fields", "Shape", "TargetId", "TimeoutMs", "camel", "form", "shape"]

Fields = Mapping[str, tuple[Any, Any]]
"""Fields of a pydantic model: name to (annotation, default)."""
Arguments = dict[str, Any]
TargetId = Annotated[
    str | None,
    Field(
        description="Which tab: t1, its target id or the beginning of that; the active one when "
        "left out."
    ),
]
TimeoutMs = Annotated[
    Milliseconds | None, Field(description="Budget of the whole call in milliseconds.")
]


class Shape(msgspec.Struct, frozen=True, kw_only=True):
    """The fields of one kind of request, and the action that serves it."""

    name: str
    """What errors call it: ``click``, ``POST /navigate``."""
    action: Action
    form: Action
    """The action with the request's fields for parameters: checks and describes them."""
    parameters: Mapping[str, str]
    """The action's parameter for each field that has another name."""
    translate: Callable[[Arguments], Arguments]

    def check(self, given: Mapping[str, Any]) -> Arguments:
        """The action's arguments; ``tab_id`` is still what the client called the tab.

        Raises:
            InvalidArgument: naming the field, and for an unknown one the nearest.
        """
        checked = self.form.check(given).arguments
        return self.translate({self.parameters.get(f, f): v for f, v in checked.items()})

    def field_of(self, parameter: str) -> str:
        """What the request calls a parameter of the action."""
        fields = {parameter: field for field, parameter in self.parameters.items()}
        return fields.get(parameter, parameter)

    def schema(self) -> dict[str, Any]:
        """JSON Schema of the fields."""
        return self.form.schema()


def shape(
    name: str,
    tool: str,
    *,
    names: Mapping[str, str] | None = None,
    without: Collection[str] = (),
    more: Fields | None = None,
    translate: Callable[[Arguments], Arguments] = dict,
) -> Shape:
    """The shape of a request that ``tool`` serves.

    Args:
        name: what errors call it.
        tool: the registry's action.
        names: parameters that are not simply their own name in camelCase.
        without: parameters that clients don't give.
        more: fields beside the action's; ``translate`` must take them away.
        translate: the last hand on checked arguments, by parameter.
    """
    action = ACTIONS[tool]
    called = {"tab_id": "targetId", **(names or {})}
    fields: dict[str, Any] = {}
    parameters: dict[str, str] = {}
    for parameter, info in action.parameters.model_fields.items():
        if parameter not in without:
            field = called.get(parameter) or camel(parameter)
            fields[field] = (info.annotation, info)
            if field != parameter:
                parameters[field] = parameter
    if "targetId" in fields:
        fields["targetId"] = (TargetId, None)
    model = create_model(
        name, __config__=ConfigDict(extra="forbid"), **{**fields, **dict(more or {})}
    )
    form = msgspec.structs.replace(action, tool=name, parameters=model)
    return Shape(name=name, action=action, form=form, parameters=parameters, translate=translate)


def form(name: str, **fields: tuple[Any, Any]) -> Action:
    """The fields of a request that no single action serves: ``form.check`` checks them.

    Args:
        name: what errors call it.
        fields: each with (annotation, default).
    """
    model = create_model(name, __config__=ConfigDict(extra="forbid"), **fields)  # type: ignore[call-overload]
    return msgspec.structs.replace(next(iter(ACTIONS.values())), tool=name, parameters=model)


def camel(name: str) -> str:
    """``snake_case`` in camelCase."""
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)
