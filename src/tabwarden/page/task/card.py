"""A card contains all metadata of an action, declared on the function that performs it.

``tools/generate_methods.py`` writes the methods of ``Browser`` from the cards, and the registry of
actions reads them (decision 0032).
"""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal, NamedTuple, TypeVar, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model

from tabwarden.config import ActionName, Permission
from tabwarden.errors import InvalidArgument
from tabwarden.page.task.call import ActionSpec
from tabwarden.page.task.result import ActionResult
from tabwarden.similar import get_close_matches

Group = Literal[
    "core",
    "pages",
    "vision",
    "prompts",
    "files",
    "logs",
    "network",
    "recording",
    "storage",
    "emulation",
    "devtools",
    "browsers",
]
"""A group of tools. Models see only the core group until they add others."""

Need = Literal["cdp", "dialogs"]
"""A capability that an action may require: a CDP connection, or dialogs that stay open until they
are answered."""

Run = Callable[..., Awaitable[Any]]
RunT = TypeVar("RunT", bound=Run)


@dataclass(frozen=True, slots=True, kw_only=True)
class Card(ActionSpec):
    """An action that an agent can perform, with metadata for the surfaces (CLI, HTTP, MCP)."""

    run: Run
    """``await run(call, **arguments)`` performs the action. Its signature defines the parameters,
    with the texts for models. The docstring is also the docstring of the ``Browser`` method. A
    function ``run(task, budget, **arguments)`` handles the whole call itself and returns the
    result."""
    about: str
    """The tool's description for models; "" if the action is not a tool."""
    method: str
    """The name of the ``Browser`` method."""
    permission: Permission
    """The permission that every call needs. ``permissions_of`` returns further permissions that a
    call needs."""
    group: Group
    command: str
    """The action's name on the command line."""
    gives: Any = None
    """The type of the result's ``value``; None if the result has no value."""
    shows: bool = True
    """Whether the action has a ``snapshot`` parameter."""
    without_page: bool = False
    """Whether the action works without the page, so that the tab may hang or be blocked."""
    turn: Literal["tab", "active tab"] | None = "tab"
    """The tab in whose queue the call waits for earlier calls: the call's tab or the active tab.
    None means that the call waits for no other call, because it needs nothing from the page."""
    sends_ahead: bool = False
    """Whether the caller's thread may send the script (``page/scripts/evaluate_fast_path.py``)."""
    answer: Callable[[ActionResult], Any] | None = None
    """Creates the method's return value if the method does not return an ``ActionResult``."""
    needs: Need | None = None
    """The capability that the action requires. Sessions that lack it do not offer the action."""
    switch: str | None = None
    """The configuration key that hides and disables the action when false."""
    read_only: bool = False
    """Whether the action never changes a page, a browser or stored data."""
    destructive: bool = True
    """Whether some arguments make the action delete or send something irreversibly."""
    idempotent: bool = False
    """Whether two calls have the same effect as one."""
    open_world: bool = True
    """Whether the action uses systems that other people control, such as websites and servers."""
    opens_browser: bool = False
    """Whether the action may open a browser if none is open."""
    aims: Callable[[Mapping[str, Any]], str | None] = lambda arguments: arguments.get("ref")
    """Returns the ref that identifies the call's tab, if the caller names no tab."""
    varies: Mapping[tuple[str, Any], Mapping[str, Any]] | None = None
    """Metadata that changes with an argument's value: ``{("mode", "start"): {"revives":
    False}}``."""
    saves: Mapping[str, Any] | None = None
    """The arguments that make the action return its full result. They are used if a tool call saves
    the result to a file. None means that a tool call can't save the result."""

    @property
    def of_tab(self) -> bool:
        """Whether a caller may name a tab."""
        return not {"call", "tab_id"}.isdisjoint(_names_of(self.run))

    @property
    def is_whole(self) -> bool:
        """Whether ``run`` handles the whole call."""
        return "task" in _names_of(self.run)

    def of(self, arguments: Mapping[str, Any]) -> Card:
        """Return the card for a call with these arguments."""
        changes: dict[str, Any] = {}
        for (name, value), facts in (self.varies or {}).items():
            if arguments.get(name, parameters_of(self.run)[name].default) == value:
                changes |= facts
        return replace(self, **changes) if changes else self

    def checked(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Return a call's arguments, converted to their types.

        Raises:
            InvalidArgument: an argument has the wrong type or a value that is not allowed.
        """
        try:
            model = _model_of(self.run).model_validate(dict(arguments))
        except ValidationError as error:
            raise wrong_argument(error) from None
        return {name: getattr(model, name) for name in model.model_fields_set}


CARDS: dict[Run, Card] = {}
"""The cards in all imported modules, keyed by the function."""


def card(
    name: ActionName,
    *,
    command: str | None = None,
    about: str = "",
    method: str | None = None,
    **facts: Any,
) -> Callable[[RunT], RunT]:
    """Make a function an action: ``run(call, ...)``. ``Card`` explains the arguments."""

    def register(run: RunT) -> RunT:
        CARDS[run] = Card(
            name=name,
            run=run,
            command=command or name.replace("_", "-"),
            about=inspect.cleandoc(about),
            method=method or name,
            **facts,
        )
        return run

    return register


class ForModels(NamedTuple):
    """In a parameter's annotation: the type and the name that models see instead of Python's."""

    kind: Any = None
    """A narrower type than the annotated type."""
    name: str | None = None


PYTHON_ONLY = "python only"
"""In a parameter's annotation: models don't see the parameter."""


class Parameter(NamedTuple):
    """One parameter of an action."""

    annotation: Any
    """The parameter's type, with its limits and its description for models."""
    default: Any
    """``...`` if the parameter is required."""
    positional: bool
    """Whether a Python caller may pass the argument by position."""


@functools.cache
def _names_of(run: Run) -> frozenset[str]:
    return frozenset(inspect.signature(run).parameters)


@functools.cache
def parameters_of(run: Run) -> Mapping[str, Parameter]:
    """Return the parameters of an action's function, without the parameters that every call has."""
    hints = get_type_hints(run, include_extras=True)
    return {
        name: Parameter(
            hints[name],
            ... if one.default is inspect.Parameter.empty else one.default,
            one.kind is not inspect.Parameter.KEYWORD_ONLY,
        )
        for name, one in inspect.signature(run).parameters.items()
        if name not in ("call", "task", "budget", "tab_id")
    }


@functools.cache
def _model_of(run: Run) -> type[BaseModel]:
    kinds = {name: (one.annotation, one.default) for name, one in parameters_of(run).items()}
    return model_of(run.__name__, kinds, strict=True)


def model_of(
    name: str, fields: Mapping[str, tuple[Any, Any]], *, strict: bool = False
) -> type[BaseModel]:
    """Return the model that checks arguments.

    Args:
        name: the model's name.
        fields: each argument's type and default.
        strict: reject a string for a number, and a number for a boolean.
    """
    model: type[BaseModel] = create_model(
        name,
        __config__=ConfigDict(extra="forbid", allow_inf_nan=False, strict=strict),
        **fields,  # type: ignore[call-overload]
    )
    return model


def wrong_argument(error: ValidationError) -> InvalidArgument:
    """Return the error about the first invalid argument."""
    first = error.errors()[0]
    field = str(first["loc"][0]) if first["loc"] else "arguments"
    if len(first["loc"]) > 1 and isinstance(first["loc"][1], int):
        field = f"{field}[{first['loc'][1]}]"
    if first["type"] == "missing":
        again = f"Call again with {field}."
        return InvalidArgument(f"{field!r} is missing.", again, field=field)
    value = repr(first["input"])[:200]
    near: list[str] = []
    if first["type"] == "literal_error" and isinstance(first["input"], str):
        choices = re.findall(r"'([^']+)'", first["msg"])
        near = get_close_matches(first["input"], choices, n=1)
    message = re.sub(r", unable to .*$", "", first["msg"])
    wanted = message.removeprefix("Input should be ")
    wanted = wanted.replace("an instance of Sequence", "a list")
    complaint = f"{field} is {value}: {message}."
    if wanted != message:
        complaint = f"{field} must be {wanted}, not {value}."
    return InvalidArgument(
        complaint,
        f"Did you mean {near[0]!r}?" if near else "Call again with a valid value.",
        field=field,
    )


MOST_CHARS = 10_000_000
"""A limit with more characters than any page has, so that nothing is cut. For ``Card.saves``."""

OptionalRef = Annotated[
    str | None,
    Field(
        description="The element's ref from the latest snapshot, such as e12, or a css= or xpath= "
        "selector that matches one visible element."
    ),
]
OneRef = Annotated[
    str,
    Field(description="The element's ref from the latest snapshot, or a css= or xpath= selector."),
]
X = Annotated[float | None, Field(description="CSS pixels from the left edge, instead of ref.")]
Y = Annotated[float | None, Field(description="CSS pixels from the top edge.")]
FrameId = Annotated[
    str | None, Field(description="The frame's frame_id from the snapshot's frame tree.")
]
Overwrite = Annotated[
    bool, Field(description="Replace an existing file. Default: add a number to the name.")
]
