"""Drivers for Anthropic's SDK: ``computer_toolset_20260801``, with a tab as the screen.

The members, fields and limits are those of ``anthropic.tools.computer`` (the same in anthropic
1.12.0 and 2.14.0).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from pydantic import Field

from tabwarden.actions import Answer
from tabwarden.integrations.anthropic.function_tools import (
    async_function_tools,
    sync_function_tools,
)
from tabwarden.integrations.members import Fields, MemberCall, Outcome, members, pointing
from tabwarden.integrations.members.computer import (
    COMPUTER_TOOLS,
    NOTCH_PX,
    ComputerTools,
    computer_tools,
    screen_of,
)
from tabwarden.integrations.members.driving import Dialogs
from tabwarden.surfaces.frameworks.extra import needs
from tabwarden.tools.forms import base64_of
from tabwarden.tools.offer import Offer, Source

with needs("anthropic", "anthropic", at_least="1.12"):
    from anthropic.lib.tools import ToolError
    from anthropic.tools.computer import (
        BetaAbstractComputerToolset20260801,
        BetaAsyncAbstractComputerToolset20260801,
        BetaComputerCursorPositionResult,
        BetaScreenshotResult,
        BetaToolsetCallContext,
    )

__all__ = ["AsyncClaudeComputer", "ClaudeComputer"]


class Nothing(Fields):
    pass


class AtPoint(Fields):
    coordinate: list[int]


class Click(Fields):
    coordinate: list[int] | None = None
    text: str | None = Field(default=None, description="Keys to hold down: ctrl+shift.")


class Drag(Fields):
    start_coordinate: list[int]
    coordinate: list[int]
    text: str | None = None


class Scroll(Click):
    scroll_direction: Literal["up", "down", "left", "right"]
    scroll_amount: int = Field(description="Notches of the wheel, 1 to 100.")


class Key(Fields):
    text: str
    repeat: int = 1


class HoldKey(Fields):
    text: str
    duration: float


class Type(Fields):
    text: str


class Wait(Fields):
    duration: float


class Zoom(Fields):
    region: list[int]


claude_computer = members()
"""The members of Anthropic's computer, by name."""


def _duration_ms(fields: Mapping[str, Any]) -> float:
    return float(min(fields["duration"], pointing.LONGEST_S) * 1000)


@claude_computer("screenshot", Nothing, needs="screenshot", about="Capture the screen.")
async def screenshot(call: MemberCall, fields: Nothing) -> Outcome:
    return await screen_of(call).screenshot(call)


@claude_computer("zoom", Zoom, needs="screenshot", about="Capture a region, scaled up.")
async def zoom(call: MemberCall, fields: Zoom) -> Outcome:
    return await screen_of(call).zoom(call, fields.region)


@claude_computer("cursor_position", Nothing, needs="mouse", about="Where the mouse is.")
async def cursor_position(call: MemberCall, fields: Nothing) -> Outcome:
    x, y = screen_of(call).pointer
    return Outcome(data={"x": x, "y": y})


def _click(name: str, *, button: str = "left", count: int = 1) -> None:
    @claude_computer(name, Click, needs="click", about=f"{name} at a point.")
    async def click(call: MemberCall, fields: Click) -> Outcome:
        keys = pointing.keys_of(fields.text)
        return await screen_of(call).click(
            call, fields.coordinate, button=button, count=count, modifiers=keys
        )


_click("left_click")
_click("right_click", button="right")
_click("middle_click", button="middle")
_click("double_click", count=2)
_click("triple_click", count=3)


@claude_computer("mouse_move", AtPoint, needs="mouse", about="Move the mouse.")
async def mouse_move(call: MemberCall, fields: AtPoint) -> Outcome:
    return await screen_of(call).move(call, fields.coordinate)


@claude_computer("left_mouse_down", Nothing, needs="mouse", about="Press the left button.")
async def left_mouse_down(call: MemberCall, fields: Nothing) -> Outcome:
    return await screen_of(call).button(call, "down")


@claude_computer("left_mouse_up", Nothing, needs="mouse", about="Release the left button.")
async def left_mouse_up(call: MemberCall, fields: Nothing) -> Outcome:
    return await screen_of(call).button(call, "up")


@claude_computer("left_click_drag", Drag, needs="mouse", about="Drag between two points.")
async def left_click_drag(call: MemberCall, fields: Drag) -> Outcome:
    path = [fields.start_coordinate, fields.coordinate]
    return await screen_of(call).drag(call, path, modifiers=pointing.keys_of(fields.text))


@claude_computer("scroll", Scroll, needs="scroll", about="Turn the wheel at a point.")
async def scroll(call: MemberCall, fields: Scroll) -> Outcome:
    pointing.check_range("scroll_amount", fields.scroll_amount, 1, 100, "notches")
    pixels = fields.scroll_amount * NOTCH_PX
    x, y = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}[
        fields.scroll_direction
    ]
    return await screen_of(call).scroll(
        call,
        (x * pixels, y * pixels),
        fields.coordinate,
        modifiers=pointing.keys_of(fields.text),
    )


@claude_computer("type", Type, needs="type", about="Type text at the focus.")
async def type_text(call: MemberCall, fields: Type) -> Outcome:
    return await screen_of(call).type(call, fields.text)


@claude_computer("key", Key, needs="press", about="Press a key, a chord or a sequence.")
async def key(call: MemberCall, fields: Key) -> Outcome:
    return await screen_of(call).press(call, fields.text, times=fields.repeat)


@claude_computer(
    "hold_key", HoldKey, needs="press", about="Hold a key down.", waits_ms=_duration_ms
)
async def hold_key(call: MemberCall, fields: HoldKey) -> Outcome:
    pointing.check_range("duration", fields.duration, 0, pointing.LONGEST_S, "seconds")
    return await screen_of(call).press(call, fields.text, hold_ms=fields.duration * 1000)


@claude_computer("wait", Wait, needs="wait", about="Wait for some seconds.", waits_ms=_duration_ms)
async def wait(call: MemberCall, fields: Wait) -> Outcome:
    return await screen_of(call).wait(call, fields.duration)


class _Driving:
    """What both drivers share."""

    _tools: Offer
    _toolset: ComputerTools

    def _open(self, source: Source, dialogs: Dialogs, function_tools: Sequence[str]) -> None:
        self._tools, self._toolset = computer_tools(
            source, claude_computer, dialogs, function_tools
        )

    def _arguments(self, name: str, input: Any) -> dict[str, Any]:  # noqa: A002 - the SDK's name
        """Return a member's fields."""
        return self._toolset.fields_of(name, input.model_dump())

    def _result(self, name: str, answer: Answer) -> Any:
        """Return what the SDK expects of a member."""
        if answer.is_error:
            raise ToolError(answer.text)
        if answer.picture is not None:
            return BetaScreenshotResult(data=base64_of(answer.picture), media_type="image/png")
        if name == "cursor_position":
            return BetaComputerCursorPositionResult(x=answer.data["x"], y=answer.data["y"])
        return answer.data["text"]


class ClaudeComputer(_Driving, BetaAbstractComputerToolset20260801):
    """Anthropic's computer toolset with a tab's viewport as the screen, for ``Anthropic``.

    ``client.beta.messages.tool_runner(tools=[computer, *computer.function_tools], ...)``. Use
    ``with ClaudeComputer(confirm=...) as computer``, or call ``close()`` at the end. The first call
    opens the browser.

    Screenshots show a waiting dialog, and a click on its button answers it (extra ``computer``).

    Args:
        source: as for ``tabwarden.tools.Tools``: an open ``Browser``, a configuration, or None.
        dialogs: ``ask``: the model answers dialogs. ``dismiss`` or ``accept``: Tabwarden does, and
            the next result says so. An open ``Browser`` keeps its own policy.
        function_tools: which tools of ours ``function_tools`` has.
        sdk_options: ``configs``, ``confirm`` (the SDK needs it for the keyboard), ``tool_configs``.

    Raises:
        InvalidArgument: an argument of ours is not valid.
        anthropic.lib.tools.ToolsetConfigError: an option of the SDK is not valid.
    """

    def __init__(
        self,
        source: Source = None,
        *,
        dialogs: Dialogs = "ask",
        function_tools: Sequence[str] = COMPUTER_TOOLS,
        **sdk_options: Any,
    ) -> None:
        super().__init__(**sdk_options)
        self._open(source, dialogs, function_tools)

    @property
    def function_tools(self) -> list[Any]:
        """Tools that open URLs and answer dialogs and prompts, for ``tools=`` beside this."""
        return sync_function_tools(self._tools, self._toolset)

    def execute(self, context: BetaToolsetCallContext, name: Any, input: Any) -> Any:  # noqa: A002
        """Run a member. See the SDK's ``execute``."""
        _ = context
        return self._result(name, self._tools.call_sync(name, self._arguments(name, input)))

    def close(self) -> None:
        """Stop the running call, and close the browser if this driver opened it."""
        self._tools.close_sync()
        super().close()


class AsyncClaudeComputer(_Driving, BetaAsyncAbstractComputerToolset20260801):
    """Anthropic's computer toolset, for ``AsyncAnthropic``. See ``ClaudeComputer``.

    Use ``async with AsyncClaudeComputer(confirm=...) as computer``.
    """

    def __init__(
        self,
        source: Source = None,
        *,
        dialogs: Dialogs = "ask",
        function_tools: Sequence[str] = COMPUTER_TOOLS,
        **sdk_options: Any,
    ) -> None:
        super().__init__(**sdk_options)
        self._open(source, dialogs, function_tools)

    @property
    def function_tools(self) -> list[Any]:
        """Tools that open URLs and answer dialogs and prompts, for ``tools=`` beside this."""
        return async_function_tools(self._tools, self._toolset)

    async def execute(
        self,
        context: BetaToolsetCallContext,
        name: Any,
        input: Any,  # noqa: A002
    ) -> Any:
        """Run a member. See the SDK's ``execute``."""
        _ = context
        arguments = self._arguments(name, input)
        return self._result(name, await self._tools.call_async(name, arguments))

    async def close(self) -> None:
        """Stop the running call, and close the browser if this driver opened it."""
        await self._tools.close_async()
        await super().close()
