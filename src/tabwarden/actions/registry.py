"""The registry of actions. Every interface is generated from it.

Most actions have a card (``page/task/card.py``). The others are async functions with a ``Browser``
or a ``Session`` as their first argument: the signature has the parameters' types and descriptions,
and the docstring is the tool's description.
"""

from __future__ import annotations

import copy
import functools
import inspect
import json
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal, NamedTuple, cast, get_args, get_origin, get_type_hints

import msgspec
from pydantic import BaseModel, Field, ValidationError

from tabwarden.actions.other_names import meant_parameter
from tabwarden.actions.saving import FILENAME, saving
from tabwarden.actions.sessions import Session
from tabwarden.browser import Browser
from tabwarden.budget import Budget
from tabwarden.config import ActionName, BrowserConfig, Milliseconds, Permission
from tabwarden.errors import InvalidArgument
from tabwarden.page.task import (
    CARDS,
    PYTHON_ONLY,
    Card,
    ForModels,
    Group,
    Need,
    Overwrite,
    model_of,
    parameters_of,
    wrong_argument,
)
from tabwarden.results import Picture, SavedFile
from tabwarden.similar import get_close_matches

TimeoutMs = Annotated[
    Milliseconds | None,
    Field(description="Time limit for the whole call in milliseconds."),
]
Shows = Annotated[
    Literal["none", "diff", "full"],
    Field(description="Also return the new outline (full) or its changes (diff)."),
]
TabId = Annotated[
    str | None, Field(description="Which tab (t1, t2, ...). Default: the active tab.")
]

Run = Callable[..., Awaitable[Any]]
Of = Literal["tab", "browser", "session"]
"""The object that an action runs on."""


class Checked(NamedTuple):
    """Valid arguments, and notes about arguments that had to be converted to other types."""

    arguments: dict[str, Any]
    coerced: tuple[str, ...]


class Form(msgspec.Struct, frozen=True, kw_only=True):
    """Checks and describes the parameters of a call."""

    tool: str
    """The tool's name, for errors."""
    model: Callable[[], type[BaseModel]]
    """Makes the model of the parameters, at the first call: that takes 2 ms for each tool."""

    @property
    def parameters(self) -> type[BaseModel]:
        return self.model()

    def schema(self) -> dict[str, Any]:
        """Return a copy of the parameters' JSON Schema, which the caller may change."""
        return copy.deepcopy(_schema_of(self.parameters))

    def check(self, unchecked: Mapping[str, Any]) -> Checked:
        """Validate arguments. Repair common mistakes of small models (``"12"``, ``"null"``, a
        string instead of a list with one string, another tool's name for a parameter).

        Raises:
            InvalidArgument: an argument is not valid; ``field`` is its name.
        """
        fields = self.parameters.model_fields
        named, renamed = self._named(unchecked)
        mended = {name: _mended(value, fields[name].annotation) for name, value in named.items()}
        for name, value in mended.items():
            if isinstance(value, bool) and _is_number(fields[name].annotation):
                raise self._no_number(name, yes=value)
        try:
            made = self.parameters.model_validate(mended)
        except ValidationError as error:
            raise wrong_argument(error) from None
        arguments = {name: getattr(made, name) for name in made.model_fields_set}
        coerced = tuple(
            f"{name}: {named[name]!r} was read as {value!r}"
            for name, value in arguments.items()
            if isinstance(named[name], str) and not isinstance(value, str)
        )
        return Checked(arguments, (*renamed, *coerced))

    def _named(self, arguments: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
        """Return the arguments under this tool's parameter names, and notes about renamed
        arguments."""
        fields = self.parameters.model_fields
        named: dict[str, Any] = {name: value for name, value in arguments.items() if name in fields}
        notes = []
        for name in (name for name in arguments if name not in fields):
            other = meant_parameter(name, arguments[name], fields)
            if other is None:
                raise self._unknown(name)
            meant, value = other
            if meant is None:
                continue
            if meant in named:
                raise self._unknown(name)
            named[meant] = value
            notes.append(f"{name} was read as {meant}")
        return named, notes

    def _no_number(self, name: str, *, yes: bool) -> InvalidArgument:
        return InvalidArgument(
            f"{name} must be a number, not {'true' if yes else 'false'}.",
            "Call again with a valid value.",
            field=name,
        )

    def _unknown(self, name: str) -> InvalidArgument:
        fields = list(self.parameters.model_fields)
        near = get_close_matches(name, fields, n=1, cutoff=0.5)
        hint = f"Did you mean {near[0]}? " if near else ""
        return InvalidArgument(
            f"There is no parameter {name!r}.",
            f"{hint}The parameters are: {', '.join(fields)}.",
            field=name,
        )


class Action(Form, frozen=True, kw_only=True):
    """An operation that an agent can perform; ``tool`` is its MCP tool name."""

    command: str
    """The action's name on the command line."""
    description: str
    run: Run
    permission: Permission
    """The permission that every call needs. ``permissions_of`` returns all permissions that a call
    needs."""
    group: Group
    switch: str | None
    """The configuration key that hides and disables the action when false."""
    read_only: bool
    """Whether the action never changes a page, a browser or stored data."""
    destructive: bool
    """Whether the action, with some arguments, deletes or sends something irreversibly."""
    idempotent: bool
    """Whether two calls have the same effect as one."""
    open_world: bool
    """Whether the action interacts with anything that other people control, such as pages and
    servers."""
    gives: Any
    """The type of the result's ``value``, or a tuple of possible types; None if the result has no
    value. If the result is not an ``ActionResult``, this is the type of the result itself."""
    opens: bool
    """Whether the action may open a browser if none is open. For a batch, its first step
    decides."""
    of: Of
    """``session``: ``run`` receives the session instead of its browser. ``tab``: the action has a
    parameter ``tab_id``."""
    needs: Need | None
    """The capability that the action requires. A session without it does not offer the action."""

    @property
    def name(self) -> ActionName:
        """The action's name in ``timeouts_ms``: the tool's name without ``browser_``."""
        return cast("ActionName", self.tool.removeprefix("browser_"))


ACTIONS: dict[str, Action] = {}
"""The actions by tool name, in display order."""
_BY_TOOL: dict[str, Run] = {}


def action(
    tool: str,
    command: str,
    *,
    permission: Permission,
    group: Group,
    switch: str | None = None,
    read_only: bool = False,
    destructive: bool = True,
    idempotent: bool = False,
    open_world: bool = True,
    gives: Any = None,
    opens: bool = False,
    of: Of = "tab",
    needs: Need | None = None,
    saves: Mapping[str, Any] | None = None,
) -> Callable[[Run], Run]:
    """Register a function ``run(browser, **parameters)`` or ``run(session, ...)`` as an action.

    ``Action`` explains the arguments. With ``saves``, a call may save the result to a file. Such a
    call uses the arguments in ``saves``, which prevent truncation.
    """

    def register(run: Run) -> Run:
        able = run if saves is None else saving(run, saves, is_picture=gives is Picture)
        ACTIONS[tool] = Action(
            tool=tool,
            command=command,
            description=inspect.cleandoc(run.__doc__ or ""),
            model=functools.cache(
                functools.partial(_model, tool, run, of_tab=of == "tab", saves=saves is not None)
            ),
            run=able,
            permission=permission,
            group=group,
            switch=switch,
            read_only=read_only,
            destructive=destructive and not read_only,
            idempotent=idempotent or read_only,
            open_world=open_world,
            gives=gives if saves is None else (*_all(gives), SavedFile),
            opens=opens,
            of=of,
            needs=needs,
        )
        return run

    return register


def by_tool(name: ActionName) -> Callable[[Run], Run]:
    """Make the action's tool call ``run(browser, act, **arguments)``, because the tool offers more
    than the ``Browser`` method. ``act(browser, **arguments)`` runs the action itself."""

    def register(run: Run) -> Run:
        _BY_TOOL[name] = run
        return run

    return register


def register_cards() -> None:
    """Register the actions that have a card, and sort all actions by group and name."""
    import tabwarden.browser.cards  # noqa: F401 - registers all cards

    for card in CARDS.values():
        if card.about:
            _register(card)
    groups = get_args(Group)
    ordered = sorted(ACTIONS.values(), key=lambda one: (groups.index(one.group), one.tool))
    ACTIONS.clear()
    ACTIONS.update((one.tool, one) for one in ordered)


def _register(card: Card) -> None:
    tool = "browser_navigate" if card.name == "goto" else f"browser_{card.name}"

    @functools.cache
    def model() -> type[BaseModel]:
        fields = {
            seen.name or name: (annotation, default)
            for name, seen, annotation, default in _for_models(card)
        }
        if card.shows:
            fields["snapshot"] = (Shows, "none")
        return _model_of(tool, fields, of_tab=card.of_tab, saves=card.saves is not None)

    @functools.cache
    def renamed() -> dict[str, str]:
        return {seen.name: name for name, seen, _, _ in _for_models(card) if seen.name is not None}

    async def run(browser: Browser, **arguments: Any) -> Any:
        own = {renamed().get(name, name): value for name, value in arguments.items()}
        return await browser.inside.act(card, own)

    by_tool = _BY_TOOL.get(card.name)
    able = run if by_tool is None else lambda browser, **more: by_tool(browser, run, **more)
    if card.saves is not None:
        able = saving(able, card.saves, is_picture=card.gives is Picture)
    ACTIONS[tool] = Action(
        tool=tool,
        command=card.command,
        description=card.about,
        model=model,
        run=able,
        permission=card.permission,
        group=card.group,
        switch=card.switch,
        read_only=card.read_only,
        destructive=card.destructive and not card.read_only,
        idempotent=card.idempotent or card.read_only,
        open_world=card.open_world,
        gives=card.gives if card.saves is None else (*_all(card.gives), SavedFile),
        opens=card.opens_browser,
        of="tab" if card.of_tab else "browser",
        needs=card.needs,
    )


def _for_models(card: Card) -> Iterator[tuple[str, ForModels, Any, Any]]:
    """Yield the parameters that models see: each name, what models see instead, the annotation and
    the default.
    """
    for name, one in parameters_of(card.run).items():
        marks = getattr(one.annotation, "__metadata__", ())
        if PYTHON_ONLY in marks:
            continue
        seen = next((mark for mark in marks if isinstance(mark, ForModels)), ForModels())
        annotation = one.annotation if seen.kind is None else Annotated[(seen.kind, *marks)]
        yield name, seen, annotation, one.default


def available(config: BrowserConfig, session: Session | None = None) -> list[Action]:
    """Return the actions that the configuration allows and the session's browser supports."""
    return [one for one in ACTIONS.values() if is_available(one, config, session)]


def is_available(action: Action, config: BrowserConfig, session: Session | None = None) -> bool:
    """Whether the configuration allows an action and the session's browser supports it."""
    return (
        config.enabled
        and (action.switch is None or bool(getattr(config, action.switch)))
        and action.permission in config.allow
        and (session is None or session.can_do(action.name, action.needs))
    )


@functools.cache
def _schema_of(parameters: type[BaseModel]) -> dict[str, Any]:
    """Return the JSON Schema. The schema is cached, because computing it takes a millisecond, and a
    model gets all schemas on each turn."""
    schema = parameters.model_json_schema()
    schema.pop("title", None)
    properties = schema.get("properties", {})
    for name, field in properties.items():
        properties[name] = _without_null(field)
        properties[name].pop("title", None)
    return schema


def _without_null(field: dict[str, Any]) -> dict[str, Any]:
    """Describe an optional field by its values only, because leaving the field out has the same
    meaning as null."""
    if {"type": "null"} not in field.get("anyOf", ()):
        return field
    values = [value for value in field["anyOf"] if value != {"type": "null"}]
    about = {key: value for key, value in field.items() if (key, value) != ("default", None)}
    del about["anyOf"]
    return {**(values[0] if len(values) == 1 else {"anyOf": values}), **about}


def _all(gives: Any) -> tuple[Any, ...]:
    return gives if isinstance(gives, tuple) else (gives,)


def _model(tool: str, run: Run, *, of_tab: bool, saves: bool) -> type[BaseModel]:
    names = {"Browser": Browser, "Session": Session, "Budget": Budget}
    hints = get_type_hints(run, localns=names, include_extras=True)
    fields: dict[str, Any] = {}
    for name, parameter in inspect.signature(run).parameters.items():
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY and name != "timeout_ms":
            default = ... if parameter.default is inspect.Parameter.empty else parameter.default
            fields[name] = (hints[name], default)
    return _model_of(tool, fields, of_tab=of_tab, saves=saves)


def _model_of(tool: str, fields: dict[str, Any], *, of_tab: bool, saves: bool) -> type[BaseModel]:
    if saves:
        fields |= {"filename": (FILENAME, None), "overwrite": (Overwrite, False)}
    if of_tab and "tab_id" not in fields:
        fields["tab_id"] = (TabId, None)
    fields["timeout_ms"] = (TimeoutMs, None)
    return model_of(f"{tool}_parameters", fields)


def _mended(value: Any, annotation: Any) -> Any:
    """Convert ``"null"`` to None, and a JSON string to the expected list or object."""
    if not isinstance(value, str):
        return value
    kinds = _kinds(annotation)
    if type(None) in kinds and value.strip() in ("null", "None", "undefined"):
        return None
    if str not in kinds and kinds & {list, dict, tuple}:
        try:
            return json.loads(value)
        except (ValueError, RecursionError):  # RecursionError: the JSON is nested too deeply
            return [value] if _allows_strings(annotation) else value
    return value


def _allows_strings(annotation: Any) -> bool:
    """Whether a list of strings is allowed, so that a single string can replace such a list."""
    if get_origin(annotation) in (list, Sequence):
        (item,) = get_args(annotation)
        return item is str or get_origin(item) is Literal
    return any(_allows_strings(part) for part in get_args(annotation))


def _is_number(annotation: Any) -> bool:
    """Whether only numbers are allowed. Needed because pydantic would convert booleans to 0 and
    1."""
    kinds = _kinds(annotation)
    return bool(kinds & {int, float}) and bool not in kinds


def _kinds(annotation: Any) -> set[Any]:
    """Return the plain types in an annotation."""
    arguments = get_args(annotation)
    origin = get_origin(annotation)
    if origin in (list, dict, tuple):
        return {origin}
    if origin in (Sequence, Mapping):
        return {list if origin is Sequence else dict}
    if origin is Annotated:
        return _kinds(arguments[0])
    if not arguments:
        return {annotation}
    return {kind for argument in arguments for kind in _kinds(argument)}
