"""Properties and states of elements in a frame."""

from __future__ import annotations

import re
from typing import Any

from playwright.async_api import Error

from judges.playwright_shim.finding import Finding
from judges.playwright_shim.outside import outside
from judges.playwright_shim.selectors import Selector, parsed
from judges.playwright_shim.values import told


class Reading(Finding):
    async def _read(
        self, selector: str, script: str, *args: Any, strict: bool | None = None
    ) -> Any:
        one = await self._one(parsed(selector, strict=strict))
        return await self._evaluate(script, one["ref"], args)

    async def content(self) -> Any:
        return await self._evaluate(
            "(document.doctype ? new XMLSerializer().serializeToString(document.doctype) : '')"
            " + document.documentElement.outerHTML",
            None,
            [],
        )

    async def inner_text(self, selector: str, **options: Any) -> Any:
        return await self._read(selector, READ["inner_text"], strict=options.get("strict"))

    async def inner_html(self, selector: str, **options: Any) -> Any:
        return await self._read(selector, READ["inner_html"], strict=options.get("strict"))

    async def text_content(self, selector: str, **options: Any) -> Any:
        return await self._read(selector, READ["text_content"], strict=options.get("strict"))

    async def input_value(self, selector: str, **options: Any) -> Any:
        return await self._read(selector, READ["input_value"], strict=options.get("strict"))

    async def get_attribute(self, selector: str, name: str, **options: Any) -> Any:
        return await self._read(selector, READ["get_attribute"], name, strict=options.get("strict"))

    async def is_visible(self, selector: str, **options: Any) -> bool:
        found = await self._find(parsed(selector))
        return bool(found and found[0]["visible"])

    async def is_hidden(self, selector: str, **options: Any) -> bool:
        return not await self.is_visible(selector)

    async def is_checked(self, selector: str, **options: Any) -> bool:
        return await self._is(parsed(selector), "checked")

    async def is_disabled(self, selector: str, **options: Any) -> bool:
        return await self._is(parsed(selector), "disabled")

    async def is_enabled(self, selector: str, **options: Any) -> bool:
        return not await self._is(parsed(selector), "disabled")

    async def _is(self, selector: Selector, mark: str) -> bool:
        """Read a state from the element's line of the outline."""
        return await self._marked((await self._one(selector))["ref"], mark)

    async def _marked(self, ref: str, mark: str) -> bool:
        try:
            read = await told(self._page._browser.snapshot(ref=ref, tab_id=self._page._tab_id))
        except Error as error:
            if "line of its own" in str(error):
                outside("elements", f"is_{mark} of an element without a line in the outline")
            raise
        line = next(one for one in read.text.splitlines() if f"[ref={ref}]" in one)
        state = line.partition(f"[ref={ref}]")[2]
        return re.search(rf"\b{mark}\b(?!=false)", state) is not None


READ = {
    "inner_text": "el => el.innerText",
    "inner_html": "el => el.innerHTML",
    "text_content": "el => el.textContent",
    "input_value": "el => el.value",
    "get_attribute": "(el, name) => el.getAttribute(name)",
}
"""The properties that a caller reads with one ``evaluate`` on the element."""
