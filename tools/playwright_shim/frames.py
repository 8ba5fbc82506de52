"""Frame: scripts, elements and actions in one frame. A page has the same methods."""

from __future__ import annotations

import asyncio
import fnmatch
import re
from collections.abc import Callable, Sequence
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from playwright.async_api import Error

from playwright_shim.outside import Shim, only_known, outside
from playwright_shim.selectors import Selector, parsed, role_selector
from playwright_shim.values import decoded, json_only, told
from tabwarden.errors import InvalidArgument, TabwardenError

if TYPE_CHECKING:
    from playwright_shim.elements import ElementHandle
    from playwright_shim.locators import Locator
    from playwright_shim.pages import Page

_FREE = frozenset({"no_wait_after", "strict", "timeout"})
"""Options that change nothing here, or that each method reads itself."""


def millis(timeout: Any) -> float | None:
    """Return Playwright's time limit as Tabwarden's: 0 means none, so the longest is used."""
    if isinstance(timeout, timedelta):
        timeout = timeout.total_seconds() * 1000
    return None if timeout is None else (timeout or 60_000)


class Frame(Shim):
    def __init__(self, page: Page, frame_id: str | None) -> None:
        self._page, self._frame_id = page, frame_id

    # -- the tree ---------------------------------------------------------------------------

    @property
    def page(self) -> Page:
        return self._page

    def _node(self) -> Any:
        tree = self._page._tree()
        if self._frame_id is None:
            return tree.top
        return next(
            (one for one in (tree.top, *tree.children) if one.frame_id == self._frame_id), None
        )

    @property
    def _id(self) -> str | None:
        node = self._node()
        return node.frame_id if node else self._frame_id

    @property
    def url(self) -> str:
        node = self._node()
        return str(node.url) if node else ""

    @property
    def name(self) -> str:
        node = self._node()
        return str(node.name) if node else ""

    @property
    def parent_frame(self) -> Frame | None:
        node = self._node()
        return self._page._frame(node.parent_frame_id) if node and node.parent_frame_id else None

    @property
    def child_frames(self) -> list[Frame]:
        mine = self._id
        return [
            self._page._frame(one.frame_id)
            for one in self._page._tree().children
            if one.parent_frame_id == mine
        ]

    def is_detached(self) -> bool:
        return self._node() is None

    # -- scripts ----------------------------------------------------------------------------

    async def evaluate(self, expression: str, arg: Any = None) -> Any:
        from playwright_shim.elements import ElementHandle

        ref = arg._ref if isinstance(arg, ElementHandle) else None
        args = [] if arg is None or ref else [json_only(arg)]
        return await self._evaluate(expression, ref, args)

    async def _evaluate(self, script: str, ref: str | None, args: Sequence[Any]) -> Any:
        frame_id = None if ref or self is self._page.main_frame else self._id
        done = await self._page._done(
            self._page._browser.evaluate(script, ref, frame_id, args, tab_id=self._page._tab_id)
        )
        return decoded(done.value)

    async def title(self) -> Any:
        return await self.evaluate("document.title")

    async def set_content(
        self, html: str, timeout: float | None = None, wait_until: str = "load"
    ) -> None:
        """Write a document, as Playwright does: the one thing that the shim scripts."""
        await self.evaluate(
            "html => { document.open(); document.write(html); document.close() }", html
        )
        if self is self._page.main_frame and wait_until != "commit":
            await self._page.wait_for_load_state(wait_until, timeout=timeout)

    # -- elements ---------------------------------------------------------------------------

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
        """Return what an action takes as ``ref``: the selector itself, if it names one element."""
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
        except TabwardenError as error:
            return await told(_again(error))

    async def query_selector(
        self, selector: str, strict: bool | None = None
    ) -> ElementHandle | None:
        from playwright_shim.elements import ElementHandle

        found = await self._find(parsed(selector, strict=strict or False))
        return ElementHandle(self, found[0]) if found else None

    async def query_selector_all(self, selector: str) -> list[ElementHandle]:
        from playwright_shim.elements import ElementHandle

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

    async def wait_for_selector(
        self, selector: str, timeout: float | None = None, state: str = "visible", **others: Any
    ) -> ElementHandle | None:
        from playwright_shim.elements import ElementHandle

        only_known("wait_for_selector", {k: v for k, v in others.items() if k not in _FREE})
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

    # -- locators ---------------------------------------------------------------------------

    def locator(self, selector: str, **filters: Any) -> Locator:
        from playwright_shim.locators import Locator

        if any(value is not None for value in filters.values()):
            outside("selectors", f"locator({', '.join(filters)}=)")
        return Locator(self, parsed(selector, strict=True))

    def get_by_text(self, text: Any, exact: bool | None = None) -> Locator:
        return self._by("text", text, exact)

    def get_by_role(self, role: str, **filters: Any) -> Locator:
        from playwright_shim.locators import Locator

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
        from playwright_shim.locators import Locator

        if not isinstance(text, str):
            outside("selectors", f"get_by_{kind}(a pattern)")
        if kind in ("text", "name"):
            if exact:
                outside("selectors", f"get_by_{kind}(exact=)")
            return Locator(self, Selector({kind: text}, strict=True, source=f"{kind}={text}"))
        quoted = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\a ")
        css = f'[{kind}="{quoted}"]' if exact else f'[{kind}*="{quoted}" i]'
        return Locator(self, parsed(css, strict=True))

    # -- actions ----------------------------------------------------------------------------

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
        only_known("click", {k: v for k, v in others.items() if k not in _FREE})
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
        only_known("hover", {k: v for k, v in others.items() if k not in _FREE})
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
        only_known("type", {k: v for k, v in others.items() if k not in _FREE})
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
            if "takes no text" in str(error):
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
        only_known("check", {k: v for k, v in others.items() if k not in _FREE})
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
        only_known("select_option", {k: v for k, v in others.items() if k not in _FREE})
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
        only_known("set_input_files", {k: v for k, v in others.items() if k not in _FREE})
        names = file_names(files)
        await self._act(
            selector,
            lambda ref: self._page._browser.upload(
                names, ref, tab_id=self._page._tab_id, timeout_ms=self._page._limit(timeout)
            ),
        )

    async def drag_and_drop(self, source: str, target: str, **options: Any) -> None:
        only_known("drag_and_drop", {k: v for k, v in options.items() if k not in _FREE})
        start = await self._target(parsed(source))
        await self._act(
            parsed(target),
            lambda ref: self._page._browser.drag(start, ref, tab_id=self._page._tab_id),
        )

    # -- reading ----------------------------------------------------------------------------

    async def _read(
        self, selector: str, script: str, *args: Any, strict: bool | None = None
    ) -> Any:
        one = await self._one(parsed(selector, strict=strict))
        return await self._evaluate(script, one["ref"], args)

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
        read = await told(self._page._browser.snapshot(ref=ref, tab_id=self._page._tab_id))
        line = next((one for one in read.text.splitlines() if f"[ref={ref}]" in one), "")
        if not line:
            outside("elements", f"is_{mark} of an element without a line in the outline")
        state = line.partition(f"[ref={ref}]")[2]
        return re.search(rf"\b{mark}\b(?!=false)", state) is not None

    # -- waiting ----------------------------------------------------------------------------

    async def wait_for_timeout(self, timeout: float) -> None:
        await told(self._page._browser.wait(timeout / 1000, tab_id=self._page._tab_id))

    async def goto(self, url: str, **options: Any) -> Any:
        outside("options", "Frame.goto")


READ = {
    "inner_text": "el => el.innerText",
    "inner_html": "el => el.innerHTML",
    "text_content": "el => el.textContent",
    "input_value": "el => el.value",
    "get_attribute": "(el, name) => el.getAttribute(name)",
}
"""The properties that a caller reads with one ``evaluate`` on the element."""


def file_names(files: Any) -> list[str]:
    """Return the paths of files, for ``upload``."""
    listed = files if isinstance(files, list | tuple) else [files]
    if any(isinstance(one, dict) for one in listed):
        outside("options", "files without a path")
    return [str(Path(one).resolve()) for one in listed]


def matches(url: str, wanted: Any) -> bool:
    """Whether a URL is the one that a test waits for."""
    if wanted is None:
        return True
    if isinstance(wanted, re.Pattern):
        return wanted.search(url) is not None
    if callable(wanted):
        return bool(wanted(url))
    return fnmatch.fnmatchcase(url, str(wanted).replace("**", "*"))


async def _again(error: Exception) -> NoReturn:
    await asyncio.sleep(0)
    raise error
