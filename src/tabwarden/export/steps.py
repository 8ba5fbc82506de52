"""Steps: what a script has to do, without the words of any one library."""

from __future__ import annotations

from typing import Any

import msgspec


class Secret(msgspec.Struct, frozen=True):
    """A value that the trace does not have. Scripts read it from this environment variable."""

    variable: str
    before: str = ""
    """The part of the value that the trace has."""
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
    """Those that found the element alone when it was recorded, the preferred one first."""
    point: tuple[float, float] | None = None
    """The point of the viewport that the call named instead of the element."""
    offset: tuple[float, float] | None = None
    """Where in the element the mouse went, from its corner; None for its middle."""
    position: tuple[float, float] | None = None
    """The same from the corner inside of its border."""
    size: tuple[float, float] | None = None
    is_verified: bool = True
    """Whether Tabwarden checked while recording that the locators find this element alone."""


class Answer(msgspec.Struct, frozen=True):
    """The answer to a dialog: accept or dismiss."""

    action: str
    text: str | Secret | None = None


class Step(msgspec.Struct, kw_only=True):
    """One thing to do, and what to wait for after it."""

    number: int
    """The number of the recorded call."""
    action: str
    """The name of the method of ``Browser``, or ``fill``: one field of ``fill_form``."""
    tab: str
    """The variable of the tab's page: ``page``, ``page2``."""
    arguments: dict[str, Any] = {}
    """The call's arguments, without those that name elements, tabs or a time limit."""
    target: Target | None = None
    goal: Target | None = None
    """Where a drag ends."""
    way: list[tuple[float, float]] = []
    """The points of the viewport through which the mouse or a finger went."""
    any_of: list[Step] = []
    """The waits of which one has to end. Each is a step of its own."""
    cut: str = ""
    """The argument that was too long for the trace."""
    made: str = ""
    """The name that the call gave to what it added: ``ro-1``."""
    is_removed: bool = False
    """Whether a later step removes what this one added."""
    fills: bool = True
    """Whether the typed text was the field's whole content afterwards."""
    answers: list[Answer] = []
    """The answers to the dialogs that the step opens, in order."""
    files: list[str] | None = None
    """The files for the file chooser that the step opens."""
    opens: str = ""
    """The variable of the page that the step opens in a new tab."""
    url: str = ""
    """Where the page went."""
    text: str = ""
    """The text that came into view."""


class Plan(msgspec.Struct, kw_only=True):
    """All steps of a trace."""

    steps: list[Step]
    tabs: list[str]
    """The variables of the pages, in the order in which they opened."""
    title: str = ""
    """The title of the last page."""
    viewport: tuple[int, int] | None = None
    launch: dict[str, Any] = {}
    """The options with which the browser was launched, by their names in the configuration."""
    credentials: tuple[Any, Any] | None = None
    """User name and password for HTTP authentication."""

    @property
    def secrets(self) -> list[str]:
        """The environment variables that the steps need, in the order of their use."""
        found: dict[str, None] = {}
        for one in self.steps:
            _collect([one.arguments, [answer.text for answer in one.answers]], found)
            _collect([wait.arguments for wait in one.any_of], found)
        _collect([self.credentials, self.launch], found)
        return list(found)


def _collect(value: Any, found: dict[str, None]) -> None:
    if isinstance(value, Secret):
        found[value.variable] = None
    elif isinstance(value, dict):
        _collect(list(value.values()), found)
    elif isinstance(value, list | tuple):
        for one in value:
            _collect(one, found)
