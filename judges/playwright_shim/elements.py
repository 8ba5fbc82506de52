"""ElementHandle: an element by its ref."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from judges.playwright_shim.frames import Frame
from judges.playwright_shim.outside import Shim, outside
from judges.playwright_shim.reading import READ
from judges.playwright_shim.selectors import Selector
from judges.playwright_shim.tree import InTree
from judges.playwright_shim.values import json_only, told

if TYPE_CHECKING:
    from judges.playwright_shim.pages import Page


class ElementHandle(Shim):
    def __init__(self, frame: InTree, found: Mapping[str, Any]) -> None:
        self._in = _Ref(frame._page, frame._id, str(found["ref"]))
        self._ref = str(found["ref"])

    async def evaluate(self, expression: str, arg: Any = None) -> Any:
        return await self._in._evaluate(
            expression, self._ref, [] if arg is None else [json_only(arg)]
        )

    def as_element(self) -> ElementHandle:
        return self

    async def click(self, **options: Any) -> None:
        await self._in._click(_ANY, **options)

    async def dblclick(self, **options: Any) -> None:
        await self._in._click(_ANY, click_count=2, **options)

    async def hover(self, **options: Any) -> None:
        await self._in._hover(_ANY, **options)

    async def fill(self, value: str, **options: Any) -> None:
        await self._in._type(_ANY, value, clear=True, **options)

    async def type(self, text: str, **options: Any) -> None:
        await self._in._type(_ANY, text, slowly=True, **options)

    async def press(self, key: str, **options: Any) -> None:
        await self._in._press(_ANY, key, **options)

    async def focus(self) -> None:
        await self._in._focus(_ANY)

    async def check(self, **options: Any) -> None:
        await self._in._set_checked(_ANY, True, **options)

    async def uncheck(self, **options: Any) -> None:
        await self._in._set_checked(_ANY, False, **options)

    async def set_checked(self, checked: bool, **options: Any) -> None:
        await self._in._set_checked(_ANY, checked, **options)

    async def select_option(self, value: Any = None, **options: Any) -> list[str]:
        return await self._in._select(_ANY, value, **options)

    async def set_input_files(self, files: Any, **options: Any) -> None:
        await self._in._set_files(_ANY, files, **options)

    async def inner_text(self) -> Any:
        return await self.evaluate(READ["inner_text"])

    async def inner_html(self) -> Any:
        return await self.evaluate(READ["inner_html"])

    async def text_content(self) -> Any:
        return await self.evaluate(READ["text_content"])

    async def input_value(self, **options: Any) -> Any:
        return await self.evaluate(READ["input_value"])

    async def get_attribute(self, name: str) -> Any:
        return await self.evaluate(READ["get_attribute"], name)

    async def is_checked(self) -> bool:
        return await self._in._marked(self._ref, "checked")

    async def is_disabled(self) -> bool:
        return await self._in._marked(self._ref, "disabled")

    async def is_enabled(self) -> bool:
        return not await self._in._marked(self._ref, "disabled")

    async def screenshot(self, **options: Any) -> bytes:
        page = self._in._page
        return await page._screenshot(ref=self._ref, **options)

    async def bounding_box(self) -> Any:
        page = self._in._page
        done = await told(page._browser.highlight(self._ref, tab_id=page._tab_id))
        return dict(done.value)

    async def eval_on_selector(self, *_: Any) -> Any:
        outside("selectors", "ElementHandle.eval_on_selector")

    async def query_selector(self, *_: Any) -> Any:
        outside("selectors", "ElementHandle.query_selector")

    async def query_selector_all(self, *_: Any) -> Any:
        outside("selectors", "ElementHandle.query_selector_all")

    async def wait_for_selector(self, *_: Any, **options: Any) -> Any:
        outside("selectors", "ElementHandle.wait_for_selector")


class _Ref(Frame):
    """A frame's actions on one element, whatever the selector."""

    def __init__(self, page: Page, frame_id: str | None, ref: str) -> None:
        super().__init__(page, frame_id)
        self._ref = ref

    async def _target(self, selector: Selector) -> str:
        return self._ref

    async def _one(self, selector: Selector) -> dict[str, Any]:
        return {"ref": self._ref}


_ANY = Selector({}, source="the element")
