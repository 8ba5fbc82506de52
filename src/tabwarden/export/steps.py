"""The operations in a script, independent of any library."""

from __future__ import annotations

from typing import Any

import msgspec


class Secret(msgspec.Struct, frozen=True):
    """A secret value that the trace masks. Scripts read the value from this environment
    variable."""

    variable: str
    before: str = ""
    """The text before the secret, which is not masked. ``after`` is the text after the secret."""
    after: str = ""


class Target(msgspec.Struct, frozen=True, kw_only=True):
    """An element, and how to find it again."""

    tag: str
    role: str
    name: str
    text: str = ""
    """The element's text, if it is short."""
    frames: tuple[str, ...]
    """CSS selectors of the iframes around the element, outermost first."""
    locators: tuple[dict[str, Any], ...]
    """Locators that matched only this element during the recording, in order of preference."""
    point: tuple[float, float] | None = None
    """The point in the viewport, if the call named a point instead of an element."""
    offset: tuple[float, float] | None = None
    """The mouse's offset from the element's corner; None for the element's middle."""
    position: tuple[float, float] | None = None
    """The mouse's offset from the corner inside the element's border."""
    size: tuple[float, float] | None = None
    is_verified: bool = True
    """Whether Tabwarden checked during the recording that the locators match only this element."""


class Answer(msgspec.Struct, frozen=True):
    """The answer to a dialog: accept or dismiss."""

    action: str
    text: str | Secret | None = None


class Step(msgspec.Struct, kw_only=True):
    """One operation, and the effects to wait for afterwards."""

    number: int
    """The number of the recorded call."""
    action: str
    """The name of the ``Browser`` method, or ``fill`` for one field of ``fill_form``."""
    tab: str
    """The variable for the tab's page, such as ``page`` or ``page2``."""
    arguments: dict[str, Any] = {}
    """The call's arguments, except those for elements, the tab and the time limit."""
    target: Target | None = None
    goal: Target | None = None
    """Where a drag ends."""
    way: list[tuple[float, float]] = []
    """The points in the viewport through which the mouse or a finger moved."""
    any_of: list[Step] = []
    """Alternative waits, as separate steps. The step ends when one of them ends."""
    cut: str = ""
    """The name of the argument that was too long for the trace."""
    made: str = ""
    """The id of the route or script that the call added, such as ``ro-1``."""
    is_removed: bool = False
    """Whether a later step removes the route or script that this step added."""
    fills: bool = True
    """Whether the typed text was the field's whole content afterwards."""
    answers: list[Answer] = []
    """The answers to the dialogs that the step opens, in order."""
    files: list[str] | None = None
    """The files for the file chooser that the step opens."""
    opens: str = ""
    """The variable of the page that the step opens in a new tab."""
    url: str = ""
    """The URL to which the page navigated."""
    text: str = ""
    """The text that appeared."""


class Plan(msgspec.Struct, kw_only=True):
    """All steps of a trace."""

    steps: list[Step]
    tabs: list[str]
    """The variables for the pages, in the order in which the pages opened."""
    title: str = ""
    """The title of the last page."""
    viewport: tuple[int, int] | None = None
    launch: dict[str, Any] = {}
    """The browser's launch options, keyed by their names in the configuration."""
    credentials: tuple[Any, Any] | None = None
    """User name and password for HTTP authentication."""

    @property
    def secrets(self) -> list[str]:
        """The environment variables that the steps need, in the order in which the steps use
        them."""
        names: dict[str, None] = {}
        for one in self.steps:
            _collect([one.arguments, [answer.text for answer in one.answers]], names)
            _collect([wait.arguments for wait in one.any_of], names)
        _collect([self.credentials, self.launch], names)
        return list(names)


def _collect(value: Any, names: dict[str, None]) -> None:
    if isinstance(value, Secret):
        names[value.variable] = None
    elif isinstance(value, dict):
        _collect(list(value.values()), names)
    elif isinstance(value, list | tuple):
        for one in value:
            _collect(one, names)
