"""The one registry: what an action is, and how a function becomes one.

An action is written once, as an async function over a ``Browser``. Its signature gives the
parameters' types, ``Annotated`` texts their descriptions, its docstring the tool's; every surface
is derived from that.
"""

from __future__ import annotations

import copy
import difflib
import functools
import inspect
import json
from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import Annotated, Any, Literal, NamedTuple, cast, get_args, get_origin, get_type_hints

import msgspec
from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model

from tabwarden.actions.session import Need, Session
from tabwarden.browser import Browser
from tabwarden.budget import Budget
from tabwarden.config import ActionName, BrowserConfig, Milliseconds
from tabwarden.errors import InvalidArgument

__all__ = ["ACTIONS", "Action", "Checked", "Form", "action", "available"]

TimeoutMs = Annotated[
    Milliseconds | None,
    Field(description="Budget of the whole call in milliseconds; it returns by then."),
]
TabId = Annotated[
    str | None, Field(description="Which tab (t1, t2, ...); the active one when left out.")
]

Run = Callable[..., Awaitable[Any]]
Of = Literal["tab", "browser", "session"]
"""What an action is done on."""


class Checked(NamedTuple):
    """Arguments that fit, and what was made of those that nearly did."""

    arguments: dict[str, Any]
    coerced: tuple[str, ...]


class Form(msgspec.Struct, frozen=True, kw_only=True):
    """What a call takes: checked, and described."""

    tool: str
    """What errors call it."""
    parameters: type[BaseModel]

    def schema(self) -> dict[str, Any]:
        """JSON Schema of the parameters; a copy that is the caller's."""
        return copy.deepcopy(_schema_of(self.parameters))

    def check(self, given: Mapping[str, Any]) -> Checked:
        """Validate arguments; small models' slips (``"12"``, ``"null"``) are mended, and said.

        Raises:
            InvalidArgument: naming the field.
        """
        fields = self.parameters.model_fields
        for name in given:
            if name not in fields:
                raise self._unknown(name)
        mended = {name: _mended(value, fields[name].annotation) for name, value in given.items()}
        for name, value in mended.items():
            if isinstance(value, bool) and _is_number(fields[name].annotation):
                raise self._no_number(name, yes=value)
        try:
            made = self.parameters.model_validate(mended)
        except ValidationError as error:
            raise self._wrong(error) from None
        arguments = {name: getattr(made, name) for name in made.model_fields_set}
        coerced = tuple(
            f"{name}: {given[name]!r} was taken as {value!r}"
            for name, value in arguments.items()
            if isinstance(given[name], str) and not isinstance(value, str)
        )
        return Checked(arguments, coerced)

    def _no_number(self, name: str, *, yes: bool) -> InvalidArgument:
        return InvalidArgument(
            f"{self.tool}: {name} must be a number, not {'true' if yes else 'false'}.",
            "Call it again with a value that fits.",
            field=name,
        )

    def _unknown(self, name: str) -> InvalidArgument:
        fields = list(self.parameters.model_fields)
        near = difflib.get_close_matches(name, fields, n=1, cutoff=0.5)
        hint = f"Did you mean {near[0]}? " if near else ""
        return InvalidArgument(
            f"{self.tool} has no parameter {name!r}.",
            f"{hint}It takes: {', '.join(fields)}.",
            field=name,
        )

    def _wrong(self, error: ValidationError) -> InvalidArgument:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"][:1]) or "arguments"
        if first["type"] == "missing":
            return InvalidArgument(
                f"{self.tool} needs {field!r}.", "Call it again with it.", field=field
            )
        shown = repr(first["input"])[:200]
        return InvalidArgument(
            f"{self.tool}: {field} is {shown}: {first['msg']}.",
            "Call it again with a value that fits.",
            field=field,
        )


class Action(Form, frozen=True, kw_only=True):
    """One thing that an agent can do; ``tool`` is its name as an MCP tool."""

    command: str
    """Its name on the command line."""
    description: str
    run: Run
    switch: str | None
    """The configuration key that switches it off."""
    read_only: bool
    """It changes nothing: of pages, of the browser, or of what is kept here."""
    destructive: bool
    """It may take something away or do what can't be undone; else it only adds or arranges."""
    idempotent: bool
    """Doing it twice is the same as doing it once."""
    open_world: bool
    """It meets what others make: pages, servers."""
    gives: Any
    """The type of its result's ``value``, or a tuple of those it may be; None: it has no value.
    Where the result is no ``ActionResult``, the type of all of it."""
    opens: bool
    """Whether it may open a browser where none is (or no longer is)."""
    of: Of
    """What ``run`` takes first: the session's browser, or the session itself."""
    needs: Need | None
    """What it can't do without: not shown where the session lacks that."""

    @property
    def name(self) -> ActionName:
        """Its name in ``timeouts_ms``: the tool's without ``browser_``."""
        return cast("ActionName", self.tool.removeprefix("browser_"))


ACTIONS: dict[str, Action] = {}
"""By tool name, in the order in which they are shown."""


def action(
    tool: str,
    command: str,
    *,
    switch: str | None = None,
    read_only: bool = False,
    destructive: bool = True,
    idempotent: bool = False,
    open_world: bool = True,
    gives: Any = None,
    opens: bool = False,
    of: Of = "tab",
    needs: Need | None = None,
) -> Callable[[Run], Run]:
    """Register a function ``run(browser, **parameters)`` as an action, or ``run(session, ...)``.

    Args:
        tool: its MCP name. command: its command-line name.
        switch: the configuration key that hides and refuses it when false.
        read_only: it changes nothing, whatever its arguments.
        destructive: with some arguments it may lose or send what can't be had back.
        idempotent: a second call with the same arguments does nothing more.
        open_world: what it meets is not of our making.
        gives: the type of its result's value (``tabwarden.actions.values``), see ``Action``.
        opens: it may open a browser.
        of: what it is done on. tab: it takes ``tab_id``; session: ``run`` takes the session.
        needs: what of the browser it can't do without.
    """

    def register(run: Run) -> Run:
        ACTIONS[tool] = Action(
            tool=tool,
            command=command,
            description=inspect.cleandoc(run.__doc__ or ""),
            parameters=_model(tool, run, of_tab=of == "tab"),
            run=run,
            switch=switch,
            read_only=read_only,
            destructive=destructive and not read_only,
            idempotent=idempotent or read_only,
            open_world=open_world,
            gives=gives,
            opens=opens,
            of=of,
            needs=needs,
        )
        return run

    return register


def available(config: BrowserConfig, lacks: Collection[Need] = ()) -> list[Action]:
    """The actions that the configuration allows.

    Args:
        config: what is allowed.
        lacks: what there is not (``Session.lacks``): what needs it is left out.
    """
    if not config.enabled:
        return []
    return [
        one
        for one in ACTIONS.values()
        if (one.switch is None or getattr(config, one.switch)) and one.needs not in lacks
    ]


@functools.cache
def _schema_of(parameters: type[BaseModel]) -> dict[str, Any]:
    """Made once: it takes a millisecond, and models are shown all of them on each turn."""
    schema = parameters.model_json_schema()
    schema.pop("title", None)
    for field in schema.get("properties", {}).values():
        field.pop("title", None)
    return schema


def _model(tool: str, run: Run, *, of_tab: bool) -> type[BaseModel]:
    names = {"Browser": Browser, "Session": Session, "Budget": Budget}
    hints = get_type_hints(run, localns=names, include_extras=True)
    fields: dict[str, Any] = {}
    for name, parameter in inspect.signature(run).parameters.items():
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY and name != "timeout_ms":
            default = ... if parameter.default is inspect.Parameter.empty else parameter.default
            fields[name] = (hints[name], default)
    if of_tab and "tab_id" not in fields:
        fields["tab_id"] = (TabId, None)
    fields["timeout_ms"] = (TimeoutMs, None)
    made: type[BaseModel] = create_model(
        f"{tool}_parameters",
        __config__=ConfigDict(extra="forbid", allow_inf_nan=False),
        **fields,
    )
    return made


def _mended(value: Any, annotation: Any) -> Any:
    """``"null"`` for nothing, JSON in a string for a list or an object."""
    if not isinstance(value, str):
        return value
    kinds = _kinds(annotation)
    if type(None) in kinds and value.strip() in ("null", "None", "undefined"):
        return None
    if str not in kinds and kinds & {list, dict, tuple}:
        try:
            return json.loads(value)
        except (ValueError, RecursionError):  # RecursionError: nested without end
            return value
    return value


def _is_number(annotation: Any) -> bool:
    """Whether it takes numbers, and no booleans, which pydantic would take for 0 and 1."""
    kinds = _kinds(annotation)
    return bool(kinds & {int, float}) and bool not in kinds


def _kinds(annotation: Any) -> set[Any]:
    """The plain types that an annotation is made of."""
    arguments = get_args(annotation)
    origin = get_origin(annotation)
    if origin in (list, dict, tuple):
        return {origin}
    if origin is Annotated:
        return _kinds(arguments[0])
    if not arguments:
        return {annotation}
    return {kind for argument in arguments for kind in _kinds(argument)}
