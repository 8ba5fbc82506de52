"""Frame: scripts, elements and actions in one frame. A page has the same methods."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from judges.playwright_shim.acting import Acting
from judges.playwright_shim.outside import FREE, only_known, outside
from judges.playwright_shim.reading import Reading
from judges.playwright_shim.selectors import Selector, parsed, role_selector
from judges.playwright_shim.values import told

if TYPE_CHECKING:
    from judges.playwright_shim.elements import ElementHandle
    from judges.playwright_shim.locators import Locator


class Frame(Acting, Reading):
    async def wait_for_selector(
        self, selector: str, timeout: float | None = None, state: str = "visible", **others: Any
    ) -> ElementHandle | None:
        from judges.playwright_shim.elements import ElementHandle

        only_known("wait_for_selector", {k: v for k, v in others.items() if k not in FREE})
        one = parsed(selector)
        if state != "visible":
            outside("waits", f"wait_for_selector(state={state})")
        if "css" in one.criteria:
            condition = {"selector": one.criteria["css"]}
        elif "text" in one.criteria:
            condition = {"text": one.criteria["text"]}
        else:
            outside("waits", f"wait_for_selector({selector})")
        done = await self._page._done(
            self._page._browser.wait(
                **condition, tab_id=self._page._tab_id, timeout_ms=self._page._limit(timeout)
            )
        )
        if done.value.get("ref"):
            return ElementHandle(self, {"ref": done.value["ref"], "visible": True})
        return ElementHandle(self, await self._one(one))

    async def wait_for_timeout(self, timeout: float) -> None:
        await told(self._page._browser.wait(timeout / 1000, tab_id=self._page._tab_id))

    async def goto(self, url: str, **options: Any) -> Any:
        outside("options", "Frame.goto")

    # -- locators ---------------------------------------------------------------------------

    def locator(self, selector: str, **filters: Any) -> Locator:
        from judges.playwright_shim.locators import Locator

        if any(value is not None for value in filters.values()):
            outside("selectors", f"locator({', '.join(filters)}=)")
        return Locator(self, parsed(selector, strict=True))

    def get_by_text(self, text: Any, exact: bool | None = None) -> Locator:
        return self._by("text", text, exact)

    def get_by_role(self, role: str, **filters: Any) -> Locator:
        from judges.playwright_shim.locators import Locator

        return Locator(self, role_selector(role, filters))

    def get_by_test_id(self, test_id: Any) -> Locator:
        return self._by("data-testid", test_id, True)

    def get_by_placeholder(self, text: Any, exact: bool | None = None) -> Locator:
        return self._by("placeholder", text, exact)

    def get_by_title(self, text: Any, exact: bool | None = None) -> Locator:
        return self._by("title", text, exact)

    def get_by_alt_text(self, text: Any, exact: bool | None = None) -> Locator:
        return self._by("alt", text, exact)

    def get_by_label(self, text: Any, exact: bool | None = None) -> Locator:
        return self._by("name", text, exact)

    def _by(self, kind: str, text: Any, exact: bool | None) -> Locator:
        from judges.playwright_shim.locators import Locator

        if not isinstance(text, str):
            outside("selectors", f"get_by_{kind}(a pattern)")
        if kind in ("text", "name"):
            if exact:
                outside("selectors", f"get_by_{kind}(exact=)")
            return Locator(self, Selector({kind: text}, strict=True, source=f"{kind}={text}"))
        quoted = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\a ")
        css = f'[{kind}="{quoted}"]' if exact else f'[{kind}*="{quoted}" i]'
        return Locator(self, parsed(css, strict=True))
