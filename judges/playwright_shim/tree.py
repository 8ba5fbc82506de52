"""A frame's place in its page, and the scripts in the frame."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from judges.playwright_shim.outside import Shim
from judges.playwright_shim.values import decoded, json_only

if TYPE_CHECKING:
    from judges.playwright_shim.frames import Frame
    from judges.playwright_shim.pages import Page


class InTree(Shim):
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
        return str(node.url) if node else self._page._last_url

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
        from judges.playwright_shim.elements import ElementHandle

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
        """Write a document with a script, as Playwright does. The shim scripts nothing else."""
        await self.evaluate(
            "html => { document.open(); document.write(html); document.close() }", html
        )
        if self is self._page.main_frame and wait_until != "commit":
            await self._page.wait_for_load_state(wait_until, timeout=timeout)
