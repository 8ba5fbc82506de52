"""Computer use: one tab as a screen, for models that see pictures and act at points of them.

A point is in pixels of the screenshot, which are CSS pixels of the viewport. A picture of a page
does not show the page's dialogs, so ``Screen`` draws them, and a click on a drawn button answers.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Coroutine, Sequence
from typing import Any
from weakref import WeakKeyDictionary

from tabwarden.actions import Answer, Session
from tabwarden.config import BrowserConfig
from tabwarden.errors import DialogPending, InvalidArgument
from tabwarden.hints import Next
from tabwarden.integrations.members import drawing, pointing, reading
from tabwarden.integrations.members.call import Failed, MemberCall, Outcome
from tabwarden.integrations.members.driving import Dialogs, driver_tools
from tabwarden.integrations.members.table import FUNCTION_TOOLS, MemberTools, Naming, members
from tabwarden.page import Screenshot
from tabwarden.page.call import answer_hint
from tabwarden.page.task import blocking_dialogs, dialog_json
from tabwarden.page.text import quoted
from tabwarden.supervisor.core.state.dialog_values import PendingDialog
from tabwarden.supervisor.core.state.state import SupervisorState
from tabwarden.tools.offer import Offer, Source

COMPUTER_TOOLS = ("browser_navigate", *FUNCTION_TOOLS)
"""Our tools beside a computer's members: a viewport has no address bar."""
SIZE = (1280, 720)
"""The viewport's width and height, unless the configuration has another."""
NOTCH_PX = 100
"""How far one notch of the mouse wheel scrolls, in CSS pixels."""
_ZOOMED_PX = 1280
_ACCEPTS = ("return", "enter", "kp_enter")
_DISMISSES = ("escape", "esc")
_SHORTCUTS = {
    "alt+left": "back",
    "alt+arrowleft": "back",
    "alt+right": "forward",
    "alt+arrowright": "forward",
    "f5": "reload",
    "ctrl+r": "reload",
    "control+r": "reload",
}
"""Keys that a browser's window handles, and the action for each. A page in a viewport gets no such
window."""
_CLOSES = ("ctrl+w", "control+w")

_REF = re.compile(r'("(?:[^"\\\n]|\\.)*+"?)| \[ref=e\d{1,9}\]')
"""A ref in a text of ours, which is of no use here. Text of the page is in double quotes."""

Point = Sequence[int]


class Screen:
    """One session's active tab as a screen with a mouse."""

    def __init__(self) -> None:
        self.pointer = (0, 0)
        """Where the mouse is."""
        self._picture: Screenshot | None = None
        """The last picture of the page, without what was drawn on it."""
        self._dialog_id = ""
        """The dialog that is drawn on the picture that the model saw last."""
        self._typed: str | None = None
        """The text in the field of the drawn prompt."""
        self._is_down = False
        """Whether the left button is held down."""
        self._tabs: frozenset[str] = frozenset()

    async def size(self, call: MemberCall) -> tuple[int, int]:
        """Return the screen's width and height."""
        if self._picture is None:
            await self.screenshot(call)
        if self._picture is None:
            return call.config.viewport or SIZE
        return self._picture.width, self._picture.height

    # -- pictures ---------------------------------------------------------------------------------

    async def screenshot(self, call: MemberCall) -> Outcome:
        """Return a picture of the tab, on which a waiting dialog is drawn.

        Raises:
            DialogPending: a dialog waits, and Pillow is not installed.
        """
        size = None if self._picture is None else (self._picture.width, self._picture.height)
        await _open(call)
        try:
            self._picture = (await reading.screenshot(call)).picture
        except Failed:
            if self._dialog(call) is None or not drawing.can_draw():
                raise
        dialog, words = self._dialog(call), ""
        shown = self._picture
        if dialog is not None:
            if self._picture is not None and drawing.can_draw():
                size = size or call.config.viewport or SIZE
                self._picture = await asyncio.to_thread(drawing.resized, self._picture, *size)
            shown, words = await self._with_dialog(call, dialog), dialog_line(dialog)
        self._dialog_id = "" if dialog is None else dialog.id
        return Outcome(picture=shown, text=words)

    async def zoom(self, call: MemberCall, region: Sequence[int]) -> Outcome:
        """Return a picture of a region, scaled up.

        Args:
            call: the call.
            region: left, top, right and bottom.
        """
        dialog = self._dialog(call)
        if dialog is None:
            return await reading.zoom(call, region)
        left, top, right, bottom = _checked_region(region)
        scale = min(_ZOOMED_PX / (right - left), _ZOOMED_PX / (bottom - top))
        shown = await self._with_dialog(call, dialog)
        box = drawing.Box(left, top, right, bottom)
        picture = await asyncio.to_thread(drawing.cropped, shown, box, scale)
        return Outcome(picture=picture, text=dialog_line(dialog))

    async def _with_dialog(self, call: MemberCall, dialog: PendingDialog) -> Screenshot:
        if not drawing.can_draw() and (state := _state(call)) is not None:
            raise DialogPending(
                f"{dialog_line(dialog)} A picture does not show it.",
                answer_hint(state, dialog),
                dialog=dialog_json(dialog),
            )
        if self._picture is None:
            self._picture = drawing.blank(*(call.config.viewport or SIZE))
        if dialog.id != self._dialog_id:
            self._typed = dialog.default_prompt if dialog.type == "prompt" else None
        return await asyncio.to_thread(
            drawing.with_dialog,
            self._picture,
            dialog.type,
            dialog.message,
            dialog.url,
            self._typed,
        )

    # -- the mouse --------------------------------------------------------------------------------

    async def click(
        self,
        call: MemberCall,
        at: Point | None = None,
        *,
        button: str = "left",
        count: int = 1,
        modifiers: Sequence[str] = (),
    ) -> Outcome:
        """Click a point, or where the mouse is. A click on a drawn button answers the dialog."""
        x, y = self._at(at)
        if (dialog := self._drawn(call)) is not None:
            assert self._picture is not None
            _, accept, dismiss = drawing.dialog_at(
                dialog.type, self._picture.width, self._picture.height
            )
            if accept.has(x, y) or (dismiss is not None and dismiss.has(x, y)):
                return await self._answer(call, dialog, accept=accept.has(x, y))
        return await self._mouse(
            call,
            "click",
            at,
            button=button if button != "left" else None,
            count=count if count > 1 else None,
            modifiers=list(modifiers) or None,
        )

    async def move(self, call: MemberCall, at: Point, *, modifiers: Sequence[str] = ()) -> Outcome:
        """Move the mouse."""
        return await self._mouse(call, "move", at, modifiers=list(modifiers) or None)

    async def button(self, call: MemberCall, mode: str, at: Point | None = None) -> Outcome:
        """Press (``down``) or release (``up``) the left button at a point, or where the mouse
        is.

        Raises:
            InvalidArgument: the button to release is not down.
        """
        if mode == "up" and not self._is_down:
            raise InvalidArgument("The left button is not down.", "Press it first.", field="mode")
        outcome = await self._mouse(call, mode, at)
        self._is_down = mode == "down"
        return outcome

    async def drag(
        self, call: MemberCall, path: Sequence[Point], *, modifiers: Sequence[str] = ()
    ) -> Outcome:
        """Drag with the left button through points."""
        if len(path) < 2:
            raise InvalidArgument("path must have at least 2 points.", "Give both.", field="path")
        points = [self._at(point) for point in path]
        outcome = await self._followed(call, pointing.drag(call, points, modifiers=modifiers))
        self.pointer = points[-1]
        return outcome

    async def scroll(
        self,
        call: MemberCall,
        delta: tuple[float, float],
        at: Point | None = None,
        *,
        modifiers: Sequence[str] = (),
    ) -> Outcome:
        """Turn the wheel.

        Args:
            call: the call.
            delta: CSS pixels to the right and down.
            at: where; by default where the mouse is.
            modifiers: keys to hold down.
        """
        point = self._at(at)
        if modifiers:
            return await self._mouse(
                call, "wheel", at, delta_x=delta[0], delta_y=delta[1], modifiers=list(modifiers)
            )
        where = call.point(*point)
        steps = [
            (word, abs(distance))
            for distance, words in ((delta[0], ("left", "right")), (delta[1], ("up", "down")))
            for word in [words[distance > 0]]
            if distance
        ]
        lines = [(await pointing.scroll(call, *step, where)).text for step in steps]
        return Outcome(text=" · ".join(filter(None, lines)))

    async def _mouse(self, call: MemberCall, mode: str, at: Point | None, **more: Any) -> Outcome:
        return await self._do(
            call, "mouse", mode=mode, **call.point(*self._at(at)), pixels="css", **more
        )

    # -- the keyboard -----------------------------------------------------------------------------

    async def type(self, call: MemberCall, text: str) -> Outcome:
        """Type text at the focus, or into the drawn prompt."""
        dialog = self._drawn(call)
        if dialog is not None and dialog.type == "prompt":
            self._typed = text.removesuffix("\n")
            if text.endswith("\n"):
                return await self._answer(call, dialog, accept=True)
            return Outcome(text="The text is in the prompt's field. Press OK.")
        return await self._do(call, "type", **await pointing.at_focus(call, text))

    async def type_at(
        self, call: MemberCall, at: Point, text: str, *, clear: bool, enter: bool
    ) -> Outcome:
        """Click a point, and type text there."""
        return await self._do(
            call,
            "type",
            **call.point(*self._at(at)),
            text=text,
            clear=clear or None,
            press_enter=enter or None,
        )

    async def press(
        self, call: MemberCall, keys: str, *, times: int = 1, hold_ms: float = 0, mode: str = ""
    ) -> Outcome:
        """Press a key, a chord or a sequence. Return and Escape answer the drawn dialog.

        Args:
            call: the call.
            keys: such as ``Return`` or ``ctrl+a``.
            times: how many times.
            hold_ms: how long to hold the keys down.
            mode: ``down`` or ``up`` for half a press.
        """
        name = keys.strip().lower()
        dialog = self._drawn(call)
        if dialog is not None and name in (*_ACCEPTS, *_DISMISSES):
            return await self._answer(call, dialog, accept=name in _ACCEPTS)
        if name in _SHORTCUTS:
            return await self._do(call, _SHORTCUTS[name])
        if name in _CLOSES and (state := _state(call)) is not None and len(state.tabs) > 1:
            return await self._do(call, "tabs", mode="close", tab_id=state.active_tab_id)
        return await self._do(
            call,
            "press",
            key=keys,
            times=times if times != 1 else None,
            hold_ms=hold_ms or None,
            mode=mode or None,
        )

    # -- time and places --------------------------------------------------------------------------

    async def wait(self, call: MemberCall, seconds: float) -> Outcome:
        """Wait.

        Raises:
            InvalidArgument: ``seconds`` is negative or more than 30.
        """
        pointing.check_range("duration", seconds, 0, pointing.LONGEST_S, "seconds")
        return await self._do(call, "wait", time_s=seconds) if seconds else Outcome()

    async def go(self, call: MemberCall, word: str) -> Outcome:
        """Go ``back`` or ``forward``, or ``reload``."""
        return await self._do(call, word)

    async def open(self, call: MemberCall, url: str) -> Outcome:
        """Open a URL in the tab."""
        return await self._do(call, "navigate", url=url)

    # -- inside -----------------------------------------------------------------------------------

    def _at(self, at: Point | None) -> tuple[int, int]:
        """Return a point, and note that the mouse is there.

        Raises:
            InvalidArgument: the point is not two numbers, or outside the last picture.
        """
        if at is None:
            return self.pointer
        if len(at) != 2:
            raise InvalidArgument(
                f"coordinate must have 2 numbers, not {len(at)}.", "Give x and y.", field="x"
            )
        x, y = at
        if self._picture is not None:
            width, height = self._picture.width, self._picture.height
            for field, value, size in (("x", x, width), ("y", y, height)):
                if not 0 <= value < size:
                    raise InvalidArgument(
                        f"{field}={value} is outside the screen, which is {width} x {height}.",
                        "Nothing was done. Give a point of the last screenshot.",
                        field=field,
                    )
        self.pointer = (x, y)
        return self.pointer

    def _dialog(self, call: MemberCall) -> PendingDialog | None:
        """Return the dialog that blocks the active tab, without secrets."""
        browser, state = call.session.current, _state(call)
        if browser is None or state is None or state.active_tab_id is None:
            return None
        dialogs = blocking_dialogs(state, state.active_tab_id)
        return browser.inside.task.control.hide(dialogs[0]) if dialogs else None

    def _drawn(self, call: MemberCall) -> PendingDialog | None:
        """Return the dialog that the model saw on the last picture, if it still waits. Input never
        answers a dialog that the model has not seen."""
        dialog = self._dialog(call)
        return dialog if dialog is not None and dialog.id == self._dialog_id else None

    async def _answer(self, call: MemberCall, dialog: PendingDialog, *, accept: bool) -> Outcome:
        outcome = await self._do(
            call,
            "dialog",
            action="accept" if accept else "dismiss",
            dialog_id=dialog.id,
            prompt_text=self._typed if accept and dialog.type == "prompt" else None,
        )
        words = f"The {dialog.type} dialog was {'accepted' if accept else 'dismissed'}."
        return Outcome(text=" · ".join(filter(None, (words, outcome.text))))

    async def _do(self, call: MemberCall, tool: str, **arguments: Any) -> Outcome:
        async def run() -> Outcome:
            answer = await call.do(tool, **arguments)
            new = [line for line in answer.words.split("\n") if line.startswith("new: ")]
            text = _REF.sub(lambda match: match[1] or "", call.line_of(answer))
            value = answer.data.get("value")
            if tool == "mouse" and isinstance(value, dict) and value.get("role"):
                name = f" {quoted(value['name'])}" if value.get("name") else ""
                text = " ".join(filter(None, (f"At {value['role']}{name}.", text)))
            news = " ".join(new)
            if answer.data.get("status") == "interrupted" and self._dialog(call) is None:
                news = text  # a policy answered the dialog, so no picture shows it
            return Outcome(text=text, data={"news": news})

        return await self._followed(call, run())

    async def _followed(self, call: MemberCall, action: Coroutine[Any, Any, Outcome]) -> Outcome:
        """Run an action. If it opened a popup, show the popup, as a browser's window does: a
        viewport has no other way to it."""
        await _open(call)
        earlier = _state(call)
        before = self._tabs | (frozenset() if earlier is None else frozenset(earlier.tabs))
        outcome = await action
        state = _state(call)
        if state is None or not before:
            return outcome
        self._tabs = frozenset(state.tabs)
        popups = [
            tab.tab_id
            for tab in state.tabs.values()
            if tab.tab_id not in before and tab.opener_tab_id == state.active_tab_id
        ]
        if not popups:
            return outcome
        try:
            await call.do("tabs", mode="switch", tab_id=popups[-1])
        except Failed:  # the result names the popup anyway
            return outcome
        words = f"The popup {popups[-1]} is on the screen now. ctrl+w closes it."
        return Outcome(text=" · ".join(filter(None, (outcome.text, words))), data={"news": words})


def _state(call: MemberCall) -> SupervisorState | None:
    """Return the state of the open browser. ``Browser.state`` would compute all frame trees."""
    browser = call.session.current
    task = None if browser is None else browser.inside.open_task
    return None if task is None else task.supervisor.state


async def _open(call: MemberCall) -> None:
    """Open the browser if none is open. A person would see a screen, whatever they do first."""
    if call.session.current is None:
        await call.do("navigate", url="about:blank")


def dialog_line(dialog: PendingDialog) -> str:
    """Return a line that names a waiting dialog."""
    kind = f"{'An' if dialog.type == 'alert' else 'A'} {dialog.type} dialog"
    message = quoted(" ".join(dialog.message.split())[:200])
    return f"{kind} waits{f': {message}' if dialog.message else ''}."


def _checked_region(region: Sequence[int]) -> tuple[int, int, int, int]:
    if len(region) != 4 or region[2] <= region[0] or region[3] <= region[1] or min(region) < 0:
        raise InvalidArgument(
            "region must be left, top, right and bottom.", "Give 4 numbers.", field="region"
        )
    left, top, right, bottom = region
    return left, top, right, bottom


_SCREENS: WeakKeyDictionary[Session, Screen] = WeakKeyDictionary()


def screen_of(call: MemberCall) -> Screen:
    """Return the screen of a call's session."""
    return _SCREENS.setdefault(call.session, Screen())


_NAMING = Naming(
    ref_prefix="e",
    read="screenshot",
    find="screenshot",
    calls={
        "snapshot": lambda _: ("screenshot", {}),
        "screenshot": lambda _: ("screenshot", {}),
        "goto": lambda arguments: ("browser_navigate", {"url": arguments.get("url", "...")}),
    },
)


class ComputerTools(MemberTools):
    """A vendor's computer as a toolset. See ``MemberTools``."""

    def __init__(self, table: members, function_tools: Sequence[str] = COMPUTER_TOOLS) -> None:
        super().__init__(table, _NAMING, function_tools=function_tools)
        self._is_offered = False

    def offer_function_tools(self, offer: Offer) -> list[Any]:
        """See ``MemberTools.offer_function_tools``."""
        self._is_offered = True
        return super().offer_function_tools(offer)

    def call(self, step: Next) -> str:
        """Name a call in a hint, unless the model does not have the tool."""
        is_ours = f"browser_{step.action}" in self.function_tools or step.action == "goto"
        return "" if is_ours and not self._is_offered else super().call(step)

    def obeyed(self, config: BrowserConfig) -> BrowserConfig:
        """See ``Toolset.obeyed``. Sets the viewport's size, which pictures and points share."""
        config = super().obeyed(config)
        if config.viewport is None and config.device is None:
            config = config.model_copy(update={"viewport": SIZE})
        return config


def computer_tools(
    source: Source, table: members, dialogs: Dialogs, function_tools: Sequence[str]
) -> tuple[Offer, ComputerTools]:
    """Return the tools of a computer's driver, and their toolset.

    Raises:
        InvalidArgument: ``dialogs`` or ``source`` is not valid.
    """
    toolset = ComputerTools(table, function_tools)
    offer = driver_tools(source, toolset, dialogs)
    if dialogs == "ask" and drawing.can_draw():
        toolset.dialog_policy = "must_respond"  # a click on the drawn dialog answers it
    return offer, toolset


def error_code(answer: Answer) -> str:
    """Return the code of a failed answer, or ""."""
    return str(answer.data["error"]["code"]) if answer.is_error else ""
