"""Locator, and ``expect``, which reads repeatedly until a time limit."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Awaitable, Callable
from typing import Any

from judges.playwright_shim.elements import ElementHandle
from judges.playwright_shim.frames import Frame
from judges.playwright_shim.outside import Shim, outside
from judges.playwright_shim.reading import READ
from judges.playwright_shim.selectors import Selector, parsed
from judges.playwright_shim.values import json_only

_EXPECTED_S = 5.0
_AGAIN_S = 0.05


class Locator(Shim):
    def __init__(self, frame: Frame, selector: Selector) -> None:
        self._frame, self._selector = frame, selector

    @property
    def page(self) -> Any:
        return self._frame.page

    @property
    def first(self) -> Locator:
        return self.nth(0)

    @property
    def last(self) -> Locator:
        return self.nth(-1)

    def nth(self, index: int) -> Locator:
        if self._selector.nth is not None:
            outside("selectors", "nth of nth")
        return Locator(self._frame, self._selector._replace(nth=index))

    def locator(self, selector: Any, **filters: Any) -> Locator:
        """Return elements inside these: two CSS selectors are one with a space between."""
        if not isinstance(selector, str) or any(one is not None for one in filters.values()):
            outside("selectors", "Locator.locator(filters)")
        inner = parsed(selector, strict=True)
        both = [one.criteria.get("css") for one in (self._selector, inner)]
        if None in both or self._selector.nth is not None or any("," in str(one) for one in both):
            outside("selectors", "Locator.locator(chain)")
        return Locator(self._frame, parsed(" ".join(map(str, both)), strict=True))

    # -- actions ----------------------------------------------------------------------------

    async def click(self, **options: Any) -> None:
        await self._frame._click(self._selector, **options)

    async def dblclick(self, **options: Any) -> None:
        await self._frame._click(self._selector, click_count=2, **options)

    async def hover(self, **options: Any) -> None:
        await self._frame._hover(self._selector, **options)

    async def fill(self, value: str, **options: Any) -> None:
        await self._frame._type(self._selector, value, clear=True, **options)

    async def clear(self, **options: Any) -> None:
        await self._frame._type(self._selector, "", clear=True, **options)

    async def type(self, text: str, **options: Any) -> None:
        await self._frame._type(self._selector, text, slowly=True, **options)

    async def press_sequentially(self, text: str, **options: Any) -> None:
        await self._frame._type(self._selector, text, slowly=True, **options)

    async def press(self, key: str, **options: Any) -> None:
        await self._frame._press(self._selector, key, **options)

    async def focus(self, **options: Any) -> None:
        await self._frame._focus(self._selector, **options)

    async def check(self, **options: Any) -> None:
        await self._frame._set_checked(self._selector, True, **options)

    async def uncheck(self, **options: Any) -> None:
        await self._frame._set_checked(self._selector, False, **options)

    async def set_checked(self, checked: bool, **options: Any) -> None:
        await self._frame._set_checked(self._selector, checked, **options)

    async def select_option(self, value: Any = None, **options: Any) -> list[str]:
        return await self._frame._select(self._selector, value, **options)

    async def set_input_files(self, files: Any, **options: Any) -> None:
        await self._frame._set_files(self._selector, files, **options)

    async def drag_to(self, target: Locator, **options: Any) -> None:
        if options:
            outside("options", "drag_to")
        start = await self._frame._target(self._selector)
        page = self._frame.page
        await self._frame._act(
            target._selector, lambda ref: page._browser.drag(start, ref, tab_id=page._tab_id)
        )

    # -- reading ----------------------------------------------------------------------------

    async def _read(self, script: str, *args: Any) -> Any:
        one = await self._frame._one(self._selector)
        return await self._frame._evaluate(script, one["ref"], args)

    async def evaluate(self, expression: str, arg: Any = None, **options: Any) -> Any:
        return await self._read(expression, *([] if arg is None else [json_only(arg)]))

    async def count(self) -> int:
        return len(await self._frame._find(self._selector))

    async def all(self) -> list[Locator]:
        return [self.nth(index) for index in range(await self.count())]

    async def element_handle(self, **options: Any) -> ElementHandle:
        return ElementHandle(self._frame, await self._frame._one(self._selector))

    async def element_handles(self) -> list[ElementHandle]:
        return [ElementHandle(self._frame, one) for one in await self._frame._find(self._selector)]

    async def _all(self, script: str) -> list[Any]:
        found = await self._frame._find(self._selector)
        return [await self._frame._evaluate(script, one["ref"], []) for one in found]

    async def all_inner_texts(self) -> list[Any]:
        return await self._all(READ["inner_text"])

    async def all_text_contents(self) -> list[Any]:
        return await self._all(READ["text_content"])

    async def inner_text(self, **options: Any) -> Any:
        return await self._read(READ["inner_text"])

    async def inner_html(self, **options: Any) -> Any:
        return await self._read(READ["inner_html"])

    async def text_content(self, **options: Any) -> Any:
        return await self._read(READ["text_content"])

    async def input_value(self, **options: Any) -> Any:
        return await self._read(READ["input_value"])

    async def get_attribute(self, name: str, **options: Any) -> Any:
        return await self._read(READ["get_attribute"], name)

    async def is_visible(self, **options: Any) -> bool:
        if not await self.count():
            return False
        return bool((await self._frame._one(self._selector))["visible"])

    async def is_hidden(self, **options: Any) -> bool:
        return not await self.is_visible()

    async def is_checked(self, **options: Any) -> bool:
        return await self._frame._is(self._selector, "checked")

    async def is_disabled(self, **options: Any) -> bool:
        return await self._frame._is(self._selector, "disabled")

    async def is_enabled(self, **options: Any) -> bool:
        return not await self._frame._is(self._selector, "disabled")

    async def screenshot(self, **options: Any) -> bytes:
        handle = await self.element_handle()
        return await handle.screenshot(**options)

    async def bounding_box(self, **options: Any) -> Any:
        return await (await self.element_handle()).bounding_box()

    async def wait_for(self, state: str = "visible", timeout: float | None = None) -> None:
        if self._selector.nth is not None or self._frame is not self._frame.page.main_frame:
            outside("waits", "Locator.wait_for of one of several")
        await self._frame.wait_for_selector(self._selector.source, state=state, timeout=timeout)


class Expected(Shim):
    """``expect(locator)``: reads until a value is as expected, and fails after 5 s."""

    def __init__(self, of: Any, negated: bool = False) -> None:
        self._of, self._negated = of, negated

    async def _until(
        self, read: Callable[[], Awaitable[Any]], good: Callable[[Any], bool], timeout: float | None
    ) -> None:
        end = time.monotonic() + (_EXPECTED_S if timeout is None else timeout / 1000)
        while True:
            try:
                value = await read()
                met = good(value) != self._negated
            except Exception as error:  # tried again
                value, met = error, False
            if met:
                return
            if time.monotonic() > end:
                raise AssertionError(f"Expected otherwise; actual value: {value!r}")
            await asyncio.sleep(_AGAIN_S)

    async def to_have_text(
        self, expected: Any, timeout: float | None = None, **others: Any
    ) -> None:
        if others or isinstance(expected, list | tuple):
            outside("assertions", "to_have_text with options")
        await self._until(
            self._of.text_content, lambda text: _same(text, expected, whole=True), timeout
        )

    async def to_contain_text(
        self, expected: Any, timeout: float | None = None, **others: Any
    ) -> None:
        if others or isinstance(expected, list | tuple):
            outside("assertions", "to_contain_text with options")
        await self._until(
            self._of.text_content, lambda text: _same(text, expected, whole=False), timeout
        )

    async def to_have_value(self, expected: Any, timeout: float | None = None) -> None:
        await self._until(
            self._of.input_value, lambda value: _same(value, expected, whole=True), timeout
        )

    async def to_have_attribute(
        self, name: str, expected: Any, timeout: float | None = None
    ) -> None:
        await self._until(
            lambda: self._of.get_attribute(name),
            lambda value: _same(value, expected, whole=True),
            timeout,
        )

    async def to_have_count(self, count: int, timeout: float | None = None) -> None:
        await self._until(self._of.count, lambda found: found == count, timeout)

    async def to_be_visible(self, timeout: float | None = None, **others: Any) -> None:
        await self._until(self._of.is_visible, bool, timeout)

    async def to_be_hidden(self, timeout: float | None = None) -> None:
        await self._until(self._of.is_hidden, bool, timeout)

    async def to_be_checked(self, timeout: float | None = None, **others: Any) -> None:
        await self._until(self._of.is_checked, bool, timeout)

    async def to_be_enabled(self, timeout: float | None = None, **others: Any) -> None:
        await self._until(self._of.is_enabled, bool, timeout)

    async def to_be_disabled(self, timeout: float | None = None) -> None:
        await self._until(self._of.is_disabled, bool, timeout)

    async def to_have_title(self, expected: Any, timeout: float | None = None) -> None:
        await self._until(self._of.title, lambda title: _same(title, expected, whole=True), timeout)

    async def to_have_url(self, expected: Any, timeout: float | None = None, **others: Any) -> None:
        async def url() -> Any:
            return self._of.url

        await self._until(url, lambda value: _same(value, expected, whole=True), timeout)

    async def not_to_be_visible(self, timeout: float | None = None) -> None:
        await Expected(self._of, not self._negated).to_be_visible(timeout)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        outside("assertions", f"expect().{name}")


def expect(of: Any, message: str | None = None) -> Any:
    return Expected(of)


def _same(text: Any, expected: Any, *, whole: bool) -> bool:
    if text is None:
        return False
    if isinstance(expected, re.Pattern):
        return expected.search(str(text)) is not None
    shown, wanted = (" ".join(str(one).split()) for one in (text, expected))
    return shown == wanted if whole else wanted in shown
