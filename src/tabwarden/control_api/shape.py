"""Shape: the fields of one request or kind, derived from a registry action.

The fields are the action's parameters in camelCase. Some have other names that HTTP clients know.
The action also provides the schema, the checks and the descriptions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from copy import copy
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

import msgspec
from pydantic import ConfigDict, Field, create_model
from pydantic_core import PydanticUndefined

from tabwarden.actions import ACTIONS, Action, Form
from tabwarden.config import Milliseconds
from tabwarden.control_api.names import camel
from tabwarden.control_api.sent import as_sent
from tabwarden.errors import InvalidArgument, TabwardenError
from tabwarden.hints import Hint

_QUOTED = re.compile(r"""('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\\.)""")
_WORD = re.compile(r"\w+")

Fields = Mapping[str, tuple[Any, Any]]
"""Fields of a pydantic model. Maps each name to (annotation, default)."""
Arguments = dict[str, Any]
TargetId = Annotated[
    str | None,
    Field(
        description="The tab: its label, its id (t1), its target id, or a prefix of its target id. "
        "Default: the active tab."
    ),
]
TimeoutMs = Annotated[
    Milliseconds | None, Field(description="Time limit for the whole call in milliseconds.")
]


class Shape(msgspec.Struct, frozen=True, kw_only=True):
    """The fields of one kind of request, and the action that serves it."""

    name: str
    """The request's name in errors, such as ``click`` or ``POST /navigate``."""
    action: Action
    form: Form
    """Checks and describes the request's fields."""
    parameters: Mapping[str, str]
    """Maps each field to the action's parameter, where the names differ."""
    translate: Callable[[Arguments], Arguments]
    aliases: Mapping[str, str] = {}
    """Maps alternative field names that clients use to the action's parameters."""
    selectors: Mapping[str, str] = {}
    """Maps each field for a CSS selector to the parameter for a ref."""
    ignores: Mapping[str, str] = {}
    """Fields that clients of similar APIs send but that have no effect here. Maps each field to the
    reason.
    """
    holder: str = ""
    """The name of a field that may contain the other fields. Some clients nest them."""
    words: str = ""
    """A description, if the action's description doesn't fit."""

    @property
    def about(self) -> str:
        return self.words or self.action.description

    def check(self, given: Mapping[str, Any]) -> Arguments:
        """Return the action's arguments. ``tab_id`` is still the client's name for the tab.

        Raises:
            InvalidArgument: a field is invalid or unknown. The error contains the field's name and,
                if the field is unknown, the closest known name.
        """
        given = as_sent(self._unpacked(given))
        given = {f: v for f, v in given.items() if f not in self.ignores}
        checked = self.form.check(given).arguments
        arguments = {self.parameters.get(f, f): v for f, v in checked.items()}
        for field, parameter in {**self.aliases, **self.selectors}.items():
            value = arguments.pop(field, None)
            if value is not None:
                if arguments.get(parameter) is not None:
                    raise InvalidArgument(
                        f"{self.name}: {field} means the same as {self.field_of(parameter)}.",
                        "Pass one of them.",
                        field=field,
                    )
                arguments[parameter] = f"css={value}" if field in self.selectors else value
        return self.translate(arguments)

    def passed_over(self, given: Mapping[str, Any]) -> list[str]:
        """Return a note about each field in ``given`` that has no effect."""
        nothing = (None, False, "", "false", "0")
        notes = [why for field, why in self.ignores.items() if given.get(field) not in nothing]
        return list(dict.fromkeys(notes))

    def field_of(self, parameter: str, given: Collection[str] = ()) -> str:
        """Return the name of the field that sets a parameter of the action. If several fields can
        set the parameter, prefer the field that the client sent (``given``).
        """
        for field, meant in {**self.aliases, **self.selectors}.items():
            if meant == parameter and field in given:
                return field
        fields = {parameter: field for field, parameter in self.parameters.items()}
        return fields.get(parameter, parameter)

    def in_fields(self, error: TabwardenError, given: Collection[str] = ()) -> None:
        """Replace parameter names with the request's field names in an error of the action.

        Quoted text in the error does not change.
        """
        wrong = error.data.get("field")
        if wrong is not None:
            error.data["field"] = self.field_of(wrong, given)
        if error.code != "invalid_argument":
            return
        # A name without "_" can be an ordinary word. Replace the name only where it is the first
        # word.
        names = {name for name in self.action.parameters.model_fields if "_" in name}
        about, _, rest = error.message.partition(" ")
        if about == wrong:
            error.message = f"{error.data['field']} {rest}"
        error.message = self._renamed(error.message, names, given)
        if not isinstance(error.hint, Hint):
            error.hint = self._renamed(error.hint, names, given)

    def _renamed(self, text: str, names: Collection[str], given: Collection[str]) -> str:
        parts = _QUOTED.split(text)
        parts[::2] = [
            _WORD.sub(
                lambda word: self.field_of(word[0], given) if word[0] in names else word[0], part
            )
            for part in parts[::2]
        ]
        return "".join(parts)

    def schema(self) -> dict[str, Any]:
        schema = self.form.schema()
        schema["properties"] |= {
            field: {
                "description": f"Ignored, with a note in the response. {why}",
                "deprecated": True,
            }
            for field, why in self.ignores.items()
        }
        return schema

    def _unpacked(self, given: Mapping[str, Any]) -> dict[str, Any]:
        held = given.get(self.holder) if self.holder else None
        if held is None:
            return dict(given)
        if not isinstance(held, Mapping):
            raise InvalidArgument(
                f"{self.name}: {self.holder} is not an object.",
                "Put the fields in an object there, or at the top level of the request.",
                field=self.holder,
            )
        return {**held, **{f: v for f, v in given.items() if f != self.holder}}


def shape(
    name: str,
    tool: str,
    *,
    names: Mapping[str, str] | None = None,
    without: Collection[str] = (),
    needs: Collection[str] = (),
    more: Fields | None = None,
    aliases: Mapping[str, str] | None = None,
    selectors: Mapping[str, str] | None = None,
    ignores: Mapping[str, str] | None = None,
    holder: str = "",
    words: str = "",
    translate: Callable[[Arguments], Arguments] = dict,
) -> Shape:
    """Create the shape of a request that ``tool`` serves. See ``Shape`` for the other arguments.

    Args:
        name: the request's name in errors.
        tool: the name of the registry action's tool.
        names: maps parameters to fields, for fields that are not just the parameter's name in
            camelCase.
        without: parameters that clients can't set.
        needs: parameters that clients must set, although they are optional in the action.
        more: fields that the action doesn't have. ``translate`` must remove them from the
            arguments.
        translate: makes the final changes to the validated arguments.
    """
    action = ACTIONS[tool]
    called = {"tab_id": "targetId", **(names or {})}
    fields: dict[str, Any] = {}
    parameters: dict[str, str] = {}
    for parameter, info in action.parameters.model_fields.items():
        if parameter not in without:
            field = _field(parameter, called)
            fields[field] = (info.annotation, info)
            if parameter in needs:
                needed = copy(info)
                needed.default = PydanticUndefined
                fields[field] = (_without_none(info.annotation), needed)
            if field != parameter:
                parameters[field] = parameter
    if "targetId" in fields:
        fields["targetId"] = (TargetId, None)
    for alias, parameter in (aliases or {}).items():
        annotation: Any = action.parameters.model_fields[parameter].annotation
        words = f"An alias of {_field(parameter, called)}."
        fields[alias] = (Annotated[annotation | None, Field(description=words)], None)
    for selector, parameter in (selectors or {}).items():
        words = (
            f"Instead of {_field(parameter, called)}: a CSS selector that matches one visible "
            "element."
        )
        fields[selector] = (Annotated[str | None, Field(description=words)], None)
    model = create_model(
        name, __config__=ConfigDict(extra="forbid"), **{**fields, **dict(more or {})}
    )
    form = Form(tool=name, model=lambda: model)
    return Shape(
        name=name,
        action=action,
        form=form,
        parameters=parameters,
        translate=translate,
        aliases=aliases or {},
        selectors=selectors or {},
        ignores=ignores or {},
        holder=holder,
        words=words,
    )


def form(name: str, /, **fields: tuple[Any, Any]) -> Form:
    """Create the shape of a request that runs no action. Each field is (annotation, default)."""
    model = create_model(name, __config__=ConfigDict(extra="forbid"), **fields)  # type: ignore[call-overload]
    return Form(tool=name, model=lambda: model)


def _field(parameter: str, called: Mapping[str, str]) -> str:
    return called.get(parameter) or camel(parameter)


def _without_none(annotation: Any) -> Any:
    """Return an annotation without None."""
    if get_origin(annotation) in (Union, UnionType):
        kept = tuple(one for one in get_args(annotation) if one is not type(None))
        return Union[kept]  # noqa: UP007 - built from a list
    return annotation
