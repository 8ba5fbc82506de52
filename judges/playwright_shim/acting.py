"""Actions on the elements of a frame."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from playwright.async_api import Error

from judges.playwright_shim.finding import Finding
from judges.playwright_shim.outside import FREE, Shim, only_known, outside
from judges.playwright_shim.selectors import Selector, parsed


class Acting(Finding):
    async def click(self, selector: str, **options: Any) -> None:
        await self._click(parsed(selector, strict=options.pop("strict", False)), **options)

    async def dblclick(self, selector: str, **options: Any) -> None:
        await self.click(selector, click_count=2, **options)

    async def _click(
        self,
        selector: Selector,
        button: str | None = None,
        click_count: int | None = None,
        modifiers: Sequence[str] | None = None,
        timeout: float | None = None,
        **others: Any,
    ) -> None:
        only_known("click", {k: v for k, v in others.items() if k not in FREE})
        held = ["Control" if one == "ControlOrMeta" else one for one in modifiers or ()]
        await self._act(
            selector,
            lambda ref: self._page._browser.click(
                ref,
                button=button or "left",  # type: ignore[arg-type]
                count=click_count or 1,
                modifiers=held,
                tab_id=self._page._tab_id,
                timeout_ms=self._page._limit(timeout),
            ),
        )

    async def hover(self, selector: str, **options: Any) -> None:
        await self._hover(parsed(selector, strict=options.pop("strict", False)), **options)

    async def _hover(self, selector: Selector, timeout: float | None = None, **others: Any) -> None:
        only_known("hover", {k: v for k, v in others.items() if k not in FREE})
        await self._act(
            selector,
            lambda ref: self._page._browser.hover(
                ref, tab_id=self._page._tab_id, timeout_ms=self._page._limit(timeout)
            ),
        )

    async def fill(self, selector: str, value: str, **options: Any) -> None:
        await self._type(
            parsed(selector, strict=options.pop("strict", False)), value, clear=True, **options
        )

    async def type(self, selector: str, text: str, **options: Any) -> None:
        await self._type(
            parsed(selector, strict=options.pop("strict", False)), text, slowly=True, **options
        )

    async def _type(
        self,
        selector: Selector,
        text: str,
        clear: bool = False,
        slowly: bool = False,
        timeout: float | None = None,
        **others: Any,
    ) -> None:
        only_known("type", {k: v for k, v in others.items() if k not in FREE})
        await self._act(
            selector,
            lambda ref: self._page._browser.type(
                text,
                ref,
                clear=clear,
                slowly=slowly,
                tab_id=self._page._tab_id,
                timeout_ms=self._page._limit(timeout),
            ),
        )

    async def press(self, selector: str, key: str, **options: Any) -> None:
        await self._press(parsed(selector, strict=options.pop("strict", False)), key, **options)

    async def _press(
        self, selector: Selector, key: str, timeout: float | None = None, **others: Any
    ) -> None:
        """Type nothing into the field, which focuses it, and press the key."""
        await self._type(selector, "", timeout=timeout, **others)
        await self._page.keyboard.press(key)

    async def focus(self, selector: str, **options: Any) -> None:
        """Focus a field as a call of ``type`` does."""
        await self._focus(parsed(selector, strict=options.pop("strict", False)), **options)

    async def _focus(self, selector: Selector, **options: Any) -> None:
        try:
            await self._type(selector, "", **options)
        except Error as error:
            if "does not accept text" in str(error) or "none of them visible" in str(error):
                outside("raw input", "focus of an element that takes no text")
            raise

    async def check(self, selector: str, **options: Any) -> None:
        await self._set_checked(
            parsed(selector, strict=options.pop("strict", False)), True, **options
        )

    async def uncheck(self, selector: str, **options: Any) -> None:
        await self._set_checked(
            parsed(selector, strict=options.pop("strict", False)), False, **options
        )

    async def set_checked(self, selector: str, checked: bool, **options: Any) -> None:
        await self._set_checked(
            parsed(selector, strict=options.pop("strict", False)), checked, **options
        )

    async def _set_checked(
        self, selector: Selector, checked: bool, timeout: float | None = None, **others: Any
    ) -> None:
        only_known("check", {k: v for k, v in others.items() if k not in FREE})
        await self._act(
            selector,
            lambda ref: self._page._browser.fill_form(
                [{"ref": ref, "value": checked}],
                tab_id=self._page._tab_id,
                timeout_ms=self._page._limit(timeout),
            ),
        )

    async def select_option(self, selector: str, value: Any = None, **options: Any) -> list[str]:
        return await self._select(
            parsed(selector, strict=options.pop("strict", False)), value, **options
        )

    async def _select(
        self,
        selector: Selector,
        value: Any = None,
        label: Any = None,
        timeout: float | None = None,
        **others: Any,
    ) -> list[str]:
        only_known("select_option", {k: v for k, v in others.items() if k not in FREE})
        wanted = label if value is None else value
        if isinstance(wanted, Shim) or (
            isinstance(wanted, list) and any(isinstance(one, Shim) for one in wanted)
        ):
            outside("handles", "select_option(element=)")
        chosen = {"labels": wanted} if value is None else {"values": wanted}
        if wanted is None:
            chosen = {"values": []}
        await self._act(
            selector,
            lambda ref: self._page._browser.select(
                ref, **chosen, tab_id=self._page._tab_id, timeout_ms=self._page._limit(timeout)
            ),
        )
        found = await self._find(selector) if selector.criteria else [await self._one(selector)]
        if not found:  # the choice led to another page
            return []
        one = found[0]
        script = "el => [...(el.control || el).selectedOptions].map(one => one.value)"
        return list(await self._evaluate(script, one["ref"], []))

    async def set_input_files(self, selector: str, files: Any, **options: Any) -> None:
        await self._set_files(
            parsed(selector, strict=options.pop("strict", False)), files, **options
        )

    async def _set_files(
        self, selector: Selector, files: Any, timeout: float | None = None, **others: Any
    ) -> None:
        only_known("set_input_files", {k: v for k, v in others.items() if k not in FREE})
        names = file_names(files)
        await self._act(
            selector,
            lambda ref: self._page._browser.upload(
                names, ref, tab_id=self._page._tab_id, timeout_ms=self._page._limit(timeout)
            ),
        )

    async def drag_and_drop(self, source: str, target: str, **options: Any) -> None:
        only_known("drag_and_drop", {k: v for k, v in options.items() if k not in FREE})
        start = await self._target(parsed(source))
        await self._act(
            parsed(target),
            lambda ref: self._page._browser.drag(start, ref, tab_id=self._page._tab_id),
        )


def file_names(files: Any) -> list[str]:
    """Return the paths of files, for ``upload``."""
    listed = files if isinstance(files, list | tuple) else [files]
    if any(isinstance(one, dict) for one in listed):
        outside("options", "files without a path")
    return [str(Path(one).resolve()) for one in listed]
