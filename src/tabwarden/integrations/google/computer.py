"""Gemini's computer use: its predefined functions on one tab, without Google's SDK.

The functions and defaults are those of Google's guide (``environment: browser``; ai.google.dev,
November 2026): one set for Gemini 3.5 Flash and later, one for older models. Coordinates are 0 to
999 in both directions, whatever the screen's size.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Literal, TypeAlias

from pydantic import Field

from tabwarden.actions import Answer
from tabwarden.integrations.members import Fields, MemberCall, Outcome, members, pointing, tabs
from tabwarden.integrations.members.computer import (
    COMPUTER_TOOLS,
    computer_tools,
    screen_of,
)
from tabwarden.integrations.members.driving import AsyncDriver, Dialogs, SyncDriver
from tabwarden.tools.forms import base64_of, field_of, form_named
from tabwarden.tools.offer import Offer, Source

__all__ = ["AsyncGeminiComputer", "GeminiComputer", "calls_in"]

Confirm: TypeAlias = Callable[[str, Mapping[str, Any], str], bool | Awaitable[bool]]
"""Asks a person whether to run a function, by its name, arguments and Google's explanation."""

_GRID = 1000
_SEARCH_URL = "https://www.google.com"
_SCREENSHOT = "take_screenshot"


class Nothing(Fields):
    pass


class AtPoint(Fields):
    x: int = Field(ge=0, lt=_GRID)
    y: int = Field(ge=0, lt=_GRID)


class Type(Fields):
    text: str
    press_enter: bool = False


class TypeAt(AtPoint):
    text: str
    press_enter: bool = True
    clear_before_typing: bool = True


class Drag(Fields):
    start_x: int = Field(ge=0, lt=_GRID)
    start_y: int = Field(ge=0, lt=_GRID)
    end_x: int = Field(ge=0, lt=_GRID)
    end_y: int = Field(ge=0, lt=_GRID)


class Wait(Fields):
    seconds: float = 1


class Key(Fields):
    key: str


class Keys(Fields):
    keys: list[str] | str


class Document(Fields):
    direction: Literal["up", "down", "left", "right"]


class Scroll(AtPoint):
    direction: Literal["up", "down", "left", "right"]
    magnitude_in_pixels: float = Field(default=300, gt=0)


class ScrollAt(AtPoint):
    direction: Literal["up", "down", "left", "right"]
    magnitude: float = Field(default=800, gt=0)


class Url(Fields):
    url: str


gemini = members()
"""Gemini's predefined functions for browsers, by name."""


async def _point(call: MemberCall, x: int, y: int) -> tuple[int, int]:
    width, height = await screen_of(call).size(call)
    return x * width // _GRID, y * height // _GRID


def _delta(direction: str, pixels: float) -> tuple[float, float]:
    x, y = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}[direction]
    return x * pixels, y * pixels


@gemini(_SCREENSHOT, Nothing, needs="screenshot", about="Capture the screen.")
async def take_screenshot(call: MemberCall, fields: Nothing) -> Outcome:
    return await screen_of(call).screenshot(call)


@gemini("open_web_browser", Nothing, needs="screenshot", about="See the screen.")
async def open_web_browser(call: MemberCall, fields: Nothing) -> Outcome:
    return Outcome()  # the screenshot after each call opens the browser


def _click(name: str, *, button: str = "left", count: int = 1) -> None:
    @gemini(name, AtPoint, needs="click", about=f"{name} at a point.")
    async def click(call: MemberCall, fields: AtPoint) -> Outcome:
        at = await _point(call, fields.x, fields.y)
        return await screen_of(call).click(call, at, button=button, count=count)


def _mouse(name: str, mode: str) -> None:
    @gemini(name, AtPoint, needs="mouse", about=f"{name} at a point.")
    async def mouse(call: MemberCall, fields: AtPoint) -> Outcome:
        screen, at = screen_of(call), await _point(call, fields.x, fields.y)
        return await (screen.move(call, at) if mode == "move" else screen.button(call, mode, at))


def _go(name: str, word: str) -> None:
    @gemini(name, Nothing, needs=word, about=f"Go {word}.")
    async def go(call: MemberCall, fields: Nothing) -> Outcome:
        return await screen_of(call).go(call, word)


def _press(name: str, fields: type[Fields], mode: str = "") -> None:
    @gemini(name, fields, needs="press", about=f"{name}: use the keyboard.")
    async def press(call: MemberCall, fields: Any) -> Outcome:
        keys = fields.keys if isinstance(fields, Keys) else fields.key
        text = keys if isinstance(keys, str) else "+".join(keys)
        return await screen_of(call).press(call, text, mode=mode)


for _name in ("click", "click_at"):
    _click(_name)
_click("double_click", count=2)
_click("triple_click", count=3)
_click("middle_click", button="middle")
_click("right_click", button="right")
for _name, _mode in (("mouse_down", "down"), ("mouse_up", "up"), ("move", "move"),
                     ("hover_at", "move")):  # fmt: skip
    _mouse(_name, _mode)
_go("go_back", "back")
_go("go_forward", "forward")
_press("press_key", Key)
_press("key_down", Key, "down")
_press("key_up", Key, "up")
_press("hotkey", Keys)
_press("key_combination", Keys)


@gemini("type", Type, needs="type", about="Type text at the focus.")
async def type_text(call: MemberCall, fields: Type) -> Outcome:
    screen = screen_of(call)
    outcome = await screen.type(call, fields.text)
    return await screen.press(call, "Enter") if fields.press_enter else outcome


@gemini("type_text_at", TypeAt, needs="type", about="Type text into the field at a point.")
async def type_text_at(call: MemberCall, fields: TypeAt) -> Outcome:
    at = await _point(call, fields.x, fields.y)
    return await screen_of(call).type_at(
        call, at, fields.text, clear=fields.clear_before_typing, enter=fields.press_enter
    )


@gemini("drag_and_drop", Drag, needs="mouse", about="Drag between two points.")
async def drag_and_drop(call: MemberCall, fields: Drag) -> Outcome:
    path = [
        await _point(call, fields.start_x, fields.start_y),
        await _point(call, fields.end_x, fields.end_y),
    ]
    return await screen_of(call).drag(call, path)


def _seconds_ms(fields: Mapping[str, Any]) -> float:
    return float(min(fields.get("seconds", 1), pointing.LONGEST_S) * 1000)


@gemini("wait", Wait, needs="wait", about="Wait for some seconds.", waits_ms=_seconds_ms)
async def wait(call: MemberCall, fields: Wait) -> Outcome:
    return await screen_of(call).wait(call, fields.seconds)


@gemini("wait_5_seconds", Nothing, needs="wait", about="Wait 5 seconds.", waits_ms=lambda _: 5_000)
async def wait_5_seconds(call: MemberCall, fields: Nothing) -> Outcome:
    return await screen_of(call).wait(call, 5)


@gemini("scroll", Scroll, needs="scroll", about="Turn the wheel at a point.")
async def scroll(call: MemberCall, fields: Scroll) -> Outcome:
    delta = _delta(fields.direction, fields.magnitude_in_pixels)
    return await screen_of(call).scroll(call, delta, await _point(call, fields.x, fields.y))


@gemini("scroll_at", ScrollAt, needs="scroll", about="Turn the wheel at a point.")
async def scroll_at(call: MemberCall, fields: ScrollAt) -> Outcome:
    side = (await screen_of(call).size(call))[fields.direction in ("up", "down")]
    delta = _delta(fields.direction, fields.magnitude * side / _GRID)
    return await screen_of(call).scroll(call, delta, await _point(call, fields.x, fields.y))


@gemini("scroll_document", Document, needs="scroll", about="Scroll the page by a screen.")
async def scroll_document(call: MemberCall, fields: Document) -> Outcome:
    width, height = await screen_of(call).size(call)
    side = height if fields.direction in ("up", "down") else width
    delta = _delta(fields.direction, side * 0.8)
    return await screen_of(call).scroll(call, delta, (width // 2, height // 2))


@gemini("navigate", Url, needs="navigate", about="Open a URL.")
async def navigate(call: MemberCall, fields: Url) -> Outcome:
    return await screen_of(call).open(call, fields.url)


@gemini("search", Nothing, needs="navigate", about="Open the search engine.")
async def search(call: MemberCall, fields: Nothing) -> Outcome:
    return await screen_of(call).open(call, _SEARCH_URL)


_OLDER_DRAG = {"x": "start_x", "y": "start_y", "destination_x": "end_x", "destination_y": "end_y"}
"""The fields of ``drag_and_drop`` in models before Gemini 3.5, and their names today."""


class _Driving:
    """What both share."""

    def __init__(
        self,
        source: Source = None,
        *,
        dialogs: Dialogs = "ask",
        function_tools: Sequence[str] = COMPUTER_TOOLS,
        confirm: Confirm | None = None,
    ) -> None:
        self._tools: Offer
        self._tools, self._toolset = computer_tools(source, gemini, dialogs, function_tools)
        self._confirm = confirm

    @property
    def declarations(self) -> list[dict[str, Any]]:
        """Our tools that open URLs and answer dialogs and prompts, for ``tools`` beside the
        computer."""
        tools = self._toolset.offer_function_tools(self._tools)
        return form_named("gemini").definitions(tools)

    def _fields(self, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        if name not in gemini.table:
            return dict(arguments)
        if name == "drag_and_drop":
            arguments = {_OLDER_DRAG.get(key, key): value for key, value in arguments.items()}
        return self._toolset.fields_of(name, arguments)

    def _response(
        self, call: Any, answer: Answer, picture: Answer, *, asked: bool
    ) -> dict[str, Any]:
        """Return a call's response, with the screen after it.

        Returns:
            A ``functionResponse`` part; for a step of the Interactions API, a ``function_result``.
        """
        active = [tab["url"] for tab in tabs.tab_entries(self._tools.browser) if tab["active"]]
        fields: dict[str, Any] = {"url": active[0] if active else "about:blank"}
        texts = [answer.text] if picture is answer else [answer.text, picture.text]
        is_error = answer.is_error or picture.is_error
        if text := " ".join(filter(None, texts)):
            fields["error" if is_error else "output"] = text
        if asked and answer is not _UNCONFIRMED:
            fields["safety_acknowledgement"] = "true"
        shown = picture.picture
        call_id, name = field_of(call, "id"), field_of(call, "name")
        if field_of(call, "type") == "function_call":
            content: list[dict[str, Any]] = [{"type": "text", "text": json.dumps(fields)}]
            if shown is not None:
                content.append(
                    {"type": "image", "mime_type": shown.media_type, "data": base64_of(shown)}
                )
            step = {"type": "function_result", "call_id": call_id, "name": name}
            return {**step, "result": content, "is_error": is_error}
        response: dict[str, Any] = {"name": name, "response": fields}
        if call_id:
            response["id"] = call_id
        if shown is not None:
            inline = {"mimeType": shown.media_type, "data": base64_of(shown)}
            response["parts"] = [{"inlineData": inline}]
        return {"functionResponse": response}


_UNCONFIRMED = Answer(
    text="Not executed: a person must confirm this action, and did not.",
    data={"error": {"code": "denied"}},
    is_error=True,
)


def calls_in(reply: Any) -> list[Any]:
    """Return the function calls in a model's reply."""
    steps = field_of(reply, "steps")
    if steps is not None:
        return [step for step in steps if field_of(step, "type") == "function_call"]
    candidates = field_of(reply, "candidates")
    content = field_of(candidates[0], "content") if candidates else reply
    parts = [
        field_of(part, "functionCall") or field_of(part, "function_call")
        for part in field_of(content, "parts") or ()
    ]
    return [call for call in parts if call is not None]


def _read(call: Any) -> tuple[str, dict[str, Any], str | None]:
    """Return a call's name, its arguments, and Google's explanation if a person must confirm it."""
    arguments = dict(field_of(call, "args") or field_of(call, "arguments") or {})
    decision = arguments.get("safety_decision")
    if not decision or field_of(decision, "decision") in ("regular", "allowed"):
        return str(field_of(call, "name")), arguments, None
    return str(field_of(call, "name")), arguments, str(field_of(decision, "explanation") or "")


class GeminiComputer(SyncDriver, _Driving):
    """Runs the functions of Gemini's computer use on a tab. No SDK is needed.

    ``parts = [computer.answer(call) for call in calls_in(response)]``: send them as the next user
    turn. Use ``with GeminiComputer() as computer``. The first call opens the browser.

    A response has the URL, a screenshot, what happened, and any error. The screenshot shows a
    waiting dialog, and a click on its button answers it (extra ``computer``).

    Args:
        source: as for ``tabwarden.tools.Tools``: an open ``Browser``, a configuration, or None.
        dialogs: ``ask``: the model answers dialogs. ``dismiss`` or ``accept``: Tabwarden does, and
            the next result says so. An open ``Browser`` keeps its own policy.
        function_tools: which tools of ours ``declarations`` has.
        confirm: asks a person about a call with a ``safety_decision``. Only ``True`` runs the call.
            Without it, such calls are not run.

    Raises:
        InvalidArgument: an argument is not valid.
    """

    def answer(self, call: Any) -> dict[str, Any]:
        """Run a function call.

        Args:
            call: a ``function_call`` of a part, or a ``function_call`` step of the Interactions
                API, as the SDK's object or a dictionary.

        Returns:
            A part with the ``functionResponse``; for a step, a ``function_result``.
        """
        name, arguments, explanation = _read(call)
        asked, answer = explanation is not None, _UNCONFIRMED
        if explanation is None or (
            self._confirm is not None and self._confirm(name, arguments, explanation) is True
        ):
            answer = self._tools.call_sync(name, self._fields(name, arguments))
        has_picture = name == _SCREENSHOT and answer.picture is not None
        picture = answer if has_picture else self._tools.call_sync(_SCREENSHOT)
        return self._response(call, answer, picture, asked=asked)


class AsyncGeminiComputer(AsyncDriver, _Driving):
    """Runs the functions of Gemini's computer use on a tab. See ``GeminiComputer``.

    Use ``async with AsyncGeminiComputer() as computer``. ``confirm`` may be async.
    """

    async def answer(self, call: Any) -> dict[str, Any]:
        """Run a function call. See ``GeminiComputer.answer``."""
        name, arguments, explanation = _read(call)
        asked, answer, verdict = explanation is not None, _UNCONFIRMED, explanation is None
        if explanation is not None and self._confirm is not None:
            reply = self._confirm(name, arguments, explanation)
            verdict = await reply if inspect.isawaitable(reply) else reply
        if verdict is True:
            answer = await self._tools.call_async(name, self._fields(name, arguments))
        has_picture = name == _SCREENSHOT and answer.picture is not None
        picture = answer if has_picture else await self._tools.call_async(_SCREENSHOT)
        return self._response(call, answer, picture, asked=asked)
