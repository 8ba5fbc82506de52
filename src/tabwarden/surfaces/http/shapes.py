"""Shape: what one request or kind takes, made from a registry action: the same parameters in
camelCase, some under the names that HTTP clients know.

The schema, the checks and their words are those of the action; nothing is described twice.
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
from tabwarden.errors import InvalidArgument, TabwardenError

__all__ = [
    "Fields",
    "Shape",
    "TargetId",
    "TimeoutMs",
    "camel",
    "form",
    "shape",
]

_QUOTED = re.compile(r"""('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")""")
_WORD = re.compile(r"\w+")

Fields = Mapping[str, tuple[Any, Any]]
"""Fields of a pydantic model: name to (annotation, default)."""
Arguments = dict[str, Any]
TargetId = Annotated[
    str | None,
    Field(
        description="Which tab: its label, t1, its target id or the beginning of that; the active "
        "one when left out."
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
    form: Form
    """The request's fields: checks and describes them."""
    parameters: Mapping[str, str]
    """The action's parameter for each field that has another name."""
    translate: Callable[[Arguments], Arguments]
    aliases: Mapping[str, str] = {}
    """Fields that mean the same as a parameter, by other names that clients know."""
    selectors: Mapping[str, str] = {}
    """Fields with a CSS selector for what a parameter names by its ref."""
    ignores: Mapping[str, str] = {}
    """Fields that clients of such APIs send and that mean nothing here, with why."""
    holder: str = ""
    """A field that holds the others, for clients that put them there."""
    words: str = ""
    """What it does, where that is not what its action says."""

    @property
    def about(self) -> str:
        """What it does, in words."""
        return self.words or self.action.description

    def check(self, given: Mapping[str, Any]) -> Arguments:
        """The action's arguments; ``tab_id`` is still what the client called the tab.

        Raises:
            InvalidArgument: naming the field, and for an unknown one the nearest.
        """
        given = {f: v for f, v in self._unpacked(given).items() if f not in self.ignores}
        checked = self.form.check(given).arguments
        arguments = {self.parameters.get(f, f): v for f, v in checked.items()}
        for field, parameter in {**self.aliases, **self.selectors}.items():
            value = arguments.pop(field, None)
            if value is not None:
                if arguments.get(parameter) is not None:
                    raise InvalidArgument(
                        f"{self.name}: {field} stands for {self.field_of(parameter)}.",
                        "Give one of them.",
                        field=field,
                    )
                arguments[parameter] = f"css={value}" if field in self.selectors else value
        return self.translate(arguments)

    def passed_over(self, given: Mapping[str, Any]) -> list[str]:
        """What to tell of fields that mean nothing here."""
        nothing = (None, False, "", "false", "0")
        told = [why for field, why in self.ignores.items() if given.get(field) not in nothing]
        return list(dict.fromkeys(told))

    def field_of(self, parameter: str, given: Collection[str] = ()) -> str:
        """What a request calls a parameter of the action.

        Args:
            parameter: the action's name for it.
            given: what the request has: one of several names is the one that is there.
        """
        for field, meant in {**self.aliases, **self.selectors}.items():
            if meant == parameter and field in given:
                return field
        fields = {parameter: field for field, parameter in self.parameters.items()}
        return fields.get(parameter, parameter)

    def in_fields(self, error: TabwardenError, given: Collection[str] = ()) -> None:
        """Put an error of the action into the words of the request: the field that is wrong, and
        the parameters that it names. What it quotes stays as it is.

        Args:
            error: as the action told it.
            given: what the request has.
        """
        wrong = error.data.get("field")
        if wrong is not None:
            error.data["field"] = self.field_of(wrong, given)
        if error.code != "invalid_argument":
            return
        # A name without "_" is a word of the language too: only where the sentence is about it.
        names = {name for name in self.action.parameters.model_fields if "_" in name}
        about, _, rest = error.message.partition(" ")
        if about == wrong:
            error.message = f"{error.data['field']} {rest}"
        error.message = self._renamed(error.message, names, given)
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
        """JSON Schema of the fields."""
        schema = self.form.schema()
        schema["properties"] |= {
            field: {"description": f"Passed over, and said. {why}", "deprecated": True}
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
                "Put the fields in it, or beside it.",
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
    """The shape of a request that ``tool`` serves.

    Args:
        name: what errors call it.
        tool: the registry's action.
        names: parameters that are not simply their own name in camelCase.
        without: parameters that clients don't give.
        needs: parameters that clients must give, though the action has them optional.
        more: fields beside the action's; ``translate`` must take them away.
        aliases: other names for parameters.
        selectors: fields that name by CSS what these parameters name by ref.
        ignores: fields that are passed over, each with the words that say so.
        holder: a field that may hold the others.
        words: what it does, where that is not what the action says.
        translate: the last hand on checked arguments, by parameter.
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
                fields[field] = (_given(info.annotation), needed)
            if field != parameter:
                parameters[field] = parameter
    if "targetId" in fields:
        fields["targetId"] = (TargetId, None)
    for alias, parameter in (aliases or {}).items():
        annotation: Any = action.parameters.model_fields[parameter].annotation
        words = f"The same as {_field(parameter, called)}."
        fields[alias] = (Annotated[annotation | None, Field(description=words)], None)
    for selector, parameter in (selectors or {}).items():
        words = f"Instead of {_field(parameter, called)}: CSS that matches one visible element."
        fields[selector] = (Annotated[str | None, Field(description=words)], None)
    model = create_model(
        name, __config__=ConfigDict(extra="forbid"), **{**fields, **dict(more or {})}
    )
    form = Form(tool=name, parameters=model)
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


def form(name: str, **fields: tuple[Any, Any]) -> Form:
    """The fields of a request that no single action serves: ``form.check`` checks them.

    Args:
        name: what errors call it.
        fields: each with (annotation, default).
    """
    model = create_model(name, __config__=ConfigDict(extra="forbid"), **fields)  # type: ignore[call-overload]
    return Form(tool=name, parameters=model)


def _field(parameter: str, called: Mapping[str, str]) -> str:
    return called.get(parameter) or camel(parameter)


def _given(annotation: Any) -> Any:
    """An annotation without None."""
    if get_origin(annotation) in (Union, UnionType):
        kept = tuple(one for one in get_args(annotation) if one is not type(None))
        return Union[kept]  # noqa: UP007 - made from a list
    return annotation


def camel(name: str) -> str:
    """``snake_case`` in camelCase."""
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)
