"""Finds elements in a frame by selector, and identifies them for actions."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from playwright.async_api import Error

from judges.playwright_shim.selectors import Selector, parsed
from judges.playwright_shim.tree import InTree
from judges.playwright_shim.values import as_playwright, json_only
from tabwarden.errors import InvalidArgument, TabwardenError

if TYPE_CHECKING:
    from judges.playwright_shim.elements import ElementHandle


class Finding(InTree):
    async def _find(self, selector: Selector, most: int = 1000) -> list[dict[str, Any]]:
        """Return this frame's own elements, in the order of ``find``."""
        alone = self is self._page.main_frame and not self._page._tree().children
        done = await self._page._done(
            self._page._browser.find(
                **selector.criteria,
                frame_id=None if alone else self._id,
                max=most,
                tab_id=self._page._tab_id,
            )
        )
        return selector.chosen(
            [one for one in done.value["found"] if alone or one["frame_id"] == self._id]
        )

    async def _target(self, selector: Selector) -> str:
        """Return the argument ``ref`` for an action: the selector itself, if it matches one
        element."""
        if selector.direct and self is self._page.main_frame and not self._page._tree().children:
            return selector.direct
        return str((await self._one(selector))["ref"])

    async def _one(self, selector: Selector) -> dict[str, Any]:
        found = await self._find(selector)
        if not found and selector.criteria.get("text"):
            await self._page._done(
                self._page._browser.wait(text=selector.criteria["text"], tab_id=self._page._tab_id)
            )
            found = await self._find(selector)
        if not found:
            raise Error(f"{selector} matches no element.")
        if selector.strict and len(found) > 1:
            raise Error(f"strict mode violation: {selector} resolved to {len(found)} elements")
        return found[0]

    async def _act(self, selector: Selector, act: Callable[[str], Any]) -> Any:
        """Act on the element. If several match, take the first, as the error suggests."""
        target = await self._target(selector)
        try:
            return await self._page._done(act(target), raw=True)
        except InvalidArgument as error:
            listed = error.data.get("candidates")
            if selector.strict or not listed:
                raise Error(("strict mode violation: " if listed else "") + str(error)) from error
            return await self._page._done(act(listed[0]["ref"]))
        except TabwardenError:
            with as_playwright():
                raise

    async def query_selector(
        self, selector: str, strict: bool | None = None
    ) -> ElementHandle | None:
        from judges.playwright_shim.elements import ElementHandle

        one = parsed(selector, strict=strict or False)
        found = await self._find(one)
        if one.strict and len(found) > 1:
            raise Error(f"strict mode violation: {selector} resolved to {len(found)} elements")
        return ElementHandle(self, found[0]) if found else None

    async def query_selector_all(self, selector: str) -> list[ElementHandle]:
        from judges.playwright_shim.elements import ElementHandle

        return [ElementHandle(self, one) for one in await self._find(parsed(selector))]

    async def eval_on_selector(
        self, selector: str, expression: str, arg: Any = None, strict: bool = False
    ) -> Any:
        found = await self._find(parsed(selector, strict=strict))
        if not found:
            raise Error(f"failed to find element matching selector {selector!r}")
        return await self._evaluate(
            expression, found[0]["ref"], [] if arg is None else [json_only(arg)]
        )
