"""Drivers for OpenAI's SDKs, with a tab as the screen: ``openai.lib.computer`` and the ``Computer``
of openai-agents.

A computer call's result is only a picture. So what the model must know besides is drawn on the next
picture: a dialog, a popup, an error.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from pydantic import Field

from tabwarden.actions import Answer
from tabwarden.errors import NotSupported
from tabwarden.integrations.members import Fields, MemberCall, Outcome, drawing, members
from tabwarden.integrations.members.computer import (
    COMPUTER_TOOLS,
    SIZE,
    computer_tools,
    error_code,
    screen_of,
)
from tabwarden.integrations.members.driving import AsyncDriver, Dialogs, SyncDriver
from tabwarden.page import Screenshot
from tabwarden.tools.offer import Offer, Source

_WAIT_S = 2
"""The contract leaves open how long ``wait`` waits."""


class Nothing(Fields):
    pass


class OfPoint(Fields):
    x: int
    y: int
    keys: list[str] | None = Field(default=None, description="Keys to hold down.")


class Click(OfPoint):
    button: Literal["left", "right", "wheel", "back", "forward"] = "left"


class Scroll(OfPoint):
    scroll_x: int
    scroll_y: int


class Drag(Fields):
    path: list[tuple[int, int]]
    keys: list[str] | None = None


class Keypress(Fields):
    keys: list[str] = Field(min_length=1)


class Type(Fields):
    text: str


openai_computer = members()
"""The actions of OpenAI's computer, by name."""


@openai_computer("screenshot", Nothing, needs="screenshot", about="Capture the screen.")
async def screenshot(call: MemberCall, fields: Nothing) -> Outcome:
    return await screen_of(call).screenshot(call)


@openai_computer("click", Click, needs="click", about="Click a point.")
async def click(call: MemberCall, fields: Click) -> Outcome:
    screen = screen_of(call)
    if fields.button in ("back", "forward"):
        return await screen.go(call, fields.button)
    button = {"wheel": "middle"}.get(fields.button, fields.button)
    return await screen.click(
        call, (fields.x, fields.y), button=button, modifiers=fields.keys or ()
    )


@openai_computer("double_click", OfPoint, needs="click", about="Double-click a point.")
async def double_click(call: MemberCall, fields: OfPoint) -> Outcome:
    keys = fields.keys or ()
    return await screen_of(call).click(call, (fields.x, fields.y), count=2, modifiers=keys)


@openai_computer("move", OfPoint, needs="mouse", about="Move the mouse.")
async def move(call: MemberCall, fields: OfPoint) -> Outcome:
    return await screen_of(call).move(call, (fields.x, fields.y), modifiers=fields.keys or ())


@openai_computer("drag", Drag, needs="mouse", about="Drag through points.")
async def drag(call: MemberCall, fields: Drag) -> Outcome:
    return await screen_of(call).drag(call, fields.path, modifiers=fields.keys or ())


@openai_computer("scroll", Scroll, needs="scroll", about="Turn the wheel at a point.")
async def scroll(call: MemberCall, fields: Scroll) -> Outcome:
    delta, at = (fields.scroll_x, fields.scroll_y), (fields.x, fields.y)
    return await screen_of(call).scroll(call, delta, at, modifiers=fields.keys or ())


@openai_computer("type", Type, needs="type", about="Type text at the focus.")
async def type_text(call: MemberCall, fields: Type) -> Outcome:
    return await screen_of(call).type(call, fields.text)


@openai_computer("keypress", Keypress, needs="press", about="Press a key combination.")
async def keypress(call: MemberCall, fields: Keypress) -> Outcome:
    keys = "+".join("space" if key == " " else key for key in fields.keys)
    return await screen_of(call).press(call, keys)


@openai_computer("wait", Nothing, needs="wait", about="Wait for the page.")
async def wait(call: MemberCall, fields: Nothing) -> Outcome:
    return await screen_of(call).wait(call, _WAIT_S)


class ActionRefused(RuntimeError):
    """An action's fields are not valid, such as a point outside the screen. The page got
    nothing."""


def _check(answer: Answer) -> None:
    if answer.is_error:
        raise ActionRefused(answer.text)


class Driving:
    """What all drivers for OpenAI's computer share."""

    def __init__(
        self,
        source: Source = None,
        *,
        dialogs: Dialogs = "ask",
        function_tools: Sequence[str] = COMPUTER_TOOLS,
    ) -> None:
        if not drawing.can_draw():
            raise NotSupported(
                "OpenAI's computer needs the library Pillow, which draws dialogs on screenshots.",
                "Install it: pip install 'tabwarden[computer]'.",
            )
        self._tools: Offer
        self._tools, self._toolset = computer_tools(
            source, openai_computer, dialogs, function_tools
        )
        self._notice = ""
        """What the model must know with the next picture."""
        self._last = drawing.blank(*SIZE)

    def _done(self, answer: Answer) -> None:
        """Keep an action's error or news for the next picture.

        Raises:
            ActionRefused: the action's fields are not valid. This ends the run of the SDK, as its
                contract wants.
        """
        if error_code(answer) == "invalid_argument":
            raise ActionRefused(answer.text)
        if answer.is_error:
            self._notice = answer.text
        elif news := answer.data.get("news"):
            self._notice = news

    def _shown(self, answer: Answer) -> Screenshot:
        """Return the picture of a screenshot, with the notice. Of a page that can't be captured,
        return the last picture, which says so."""
        if answer.picture is None:
            self._notice = f"This picture is old. {answer.text}"
        else:
            self._last = answer.picture
        notice, self._notice = self._notice, ""
        return drawing.with_notice(self._last, notice) if notice else self._last


class SyncDriving(SyncDriver, Driving):
    """What the sync drivers share. Use ``with``, or call ``close()`` at the end."""

    def open(self, url: str) -> None:
        """Open a URL. OpenAI's computer has no action for this.

        Raises:
            ActionRefused: the page could not be opened.
        """
        _check(self._tools.call_sync("browser_navigate", {"url": url}))

    def _act(self, name: str, **fields: Any) -> None:
        self._done(self._tools.call_sync(name, fields))

    def _look(self) -> Screenshot:
        return self._shown(self._tools.call_sync("screenshot"))


class AsyncDriving(AsyncDriver, Driving):
    """What the async drivers share. Use ``async with``, or await ``close()`` at the end."""

    async def open(self, url: str) -> None:
        """Open a URL. See ``SyncDriving.open``."""
        _check(await self._tools.call_async("browser_navigate", {"url": url}))

    async def _act(self, name: str, **fields: Any) -> None:
        self._done(await self._tools.call_async(name, fields))

    async def _look(self) -> Screenshot:
        return self._shown(await self._tools.call_async("screenshot"))
