"""Card: all facts about an action, declared on the function that does it.

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
"""A group of tools. A model pays for the core only, and adds the others when it needs them."""

Need = Literal["cdp", "dialogs"]
"""A capability that an action may require: a CDP connection, or dialogs that wait for an answer."""

Run = Callable[..., Awaitable[Any]]
RunT = TypeVar("RunT", bound=Run)


@dataclass(frozen=True, slots=True, kw_only=True)
class Card(ActionSpec):
    """One thing that an agent can do, and what surfaces need to know of it."""

    run: Run
    """``await run(call, **arguments)`` does it. Its signature has the parameters, with the texts
    for models; its docstring is the one of the method of ``Browser``. With ``run(task, budget,
    **arguments)``, it does the whole call, and returns its result."""
    about: str
    """The tool's description for models; "" if it is no tool."""
    method: str
    """The name of the method of ``Browser``."""
    permission: Permission
    """The one that every call needs. ``permissions_of`` says which calls need more."""
    group: Group
    command: str
    """The action's name on the command line."""
    gives: Any = None
    """The type of the result's ``value``; None if the result has no value."""
    shows: bool = True
    """The action has a parameter ``snapshot``."""
    without_page: bool = False
    """The action needs nothing from the page: the tab may hang or wait for an answer."""
    turn: Literal["tab", "active tab"] | None = "tab"
    """The tab whose earlier calls come first: the one that the call is for, or the active one.
    What needs nothing from the page waits for none."""
    sends_ahead: bool = False
    """The caller's thread may send the script (``page/scripts/evaluate_fast_path.py``)."""
    answer: Callable[[ActionResult], Any] | None = None
    """Makes what the method returns, if that is not an ``ActionResult``."""
    needs: Need | None = None
    """What the action requires. A session without it does not offer the action."""
    switch: str | None = None
    """The configuration key that hides and disables the action when false."""
    read_only: bool = False
    """Whether the action never changes a page, a browser or stored data."""
    destructive: bool = True
    """Whether some arguments make the action delete or send something irreversibly."""
    idempotent: bool = False
    """Whether two calls have the same effect as one."""
    open_world: bool = True
    """Whether the action uses things that other people control, such as pages and servers."""
    opens_browser: bool = False
    """Whether the action may open a browser if none is open."""
    aims: Callable[[Mapping[str, Any]], str | None] = lambda arguments: arguments.get("ref")
    """Returns the ref whose tab the call is for, if the caller names no tab."""
    varies: Mapping[tuple[str, Any], Mapping[str, Any]] | None = None
    """Facts that differ if a parameter has a value: ``{("mode", "start"): {"revives": False}}``."""
    saves: Mapping[str, Any] | None = None
    """With it, a tool call may save the result in a file. It has the arguments with which the
    action then cuts nothing."""

    @property
    def of_tab(self) -> bool:
        """Whether a caller may name a tab."""
        return not {"call", "tab_id"}.isdisjoint(_names_of(self.run))

    @property
    def is_whole(self) -> bool:
        """Whether ``run`` does the whole call."""
        return "task" in _names_of(self.run)

    def of(self, arguments: Mapping[str, Any]) -> Card:
        """Return the card for a call with these arguments."""
        changes: dict[str, Any] = {}
        for (name, value), facts in (self.varies or {}).items():
            if arguments.get(name, parameters_of(self.run)[name].default) == value:
                changes |= facts
        return replace(self, **changes) if changes else self

    def checked(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Return the arguments of a call with their types.

        Raises:
            InvalidArgument: an argument has the wrong type, or a value that is not allowed.
        """
        try:
            model = _model_of(self.run).model_validate(dict(arguments))
        except ValidationError as error:
            raise wrong_argument(error) from None
        return {name: getattr(model, name) for name in model.model_fields_set}


CARDS: dict[Run, Card] = {}
"""The cards of the modules that have been imported, by their functions."""


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
    """In a parameter's annotation: what models see instead."""

    kind: Any = None
    """A narrower type."""
    name: str | None = None


PYTHON_ONLY = "python only"
"""In a parameter's annotation: models don't see it."""


class Parameter(NamedTuple):
    """One parameter of an action."""

    annotation: Any
    """Its type, with the text for models and the limits."""
    default: Any
    """``...``: the caller must give it."""
    positional: bool
    """A Python caller may give it without its name."""


@functools.cache
def _names_of(run: Run) -> frozenset[str]:
    return frozenset(inspect.signature(run).parameters)


@functools.cache
def parameters_of(run: Run) -> Mapping[str, Parameter]:
    """Return the parameters of an action's function, without those that every call has."""
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
        strict: take no text for a number, and no number for a boolean.
    """
    made: type[BaseModel] = create_model(
        name,
        __config__=ConfigDict(extra="forbid", allow_inf_nan=False, strict=strict),
        **fields,  # type: ignore[call-overload]
    )
    return made


def wrong_argument(error: ValidationError) -> InvalidArgument:
    """Return the error about the first argument that is not valid."""
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
"""More than any page has: with this limit, nothing is cut. For ``Card.saves``."""

OptionalRef = Annotated[
    str | None,
    Field(
        description="The element's ref from the last snapshot, such as e12. Or css=... or "
        "xpath=... matching one visible element."
    ),
]
OneRef = Annotated[
    str, Field(description="The element's ref from the last snapshot, or css=... or xpath=...")
]
X = Annotated[float | None, Field(description="Instead of ref: CSS pixels from the left.")]
Y = Annotated[float | None, Field(description="CSS pixels from the top.")]
FrameId = Annotated[
    str | None, Field(description="A frame's frame_id from the snapshot's frame tree.")
]
Overwrite = Annotated[bool, Field(description="Replace a file of that name. Default: number it.")]
