"""Dialogs, file choosers and downloads of a page."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playwright.async_api import Error
from playwright.async_api import TimeoutError as Late

from judges.playwright_shim.acting import file_names
from judges.playwright_shim.outside import Shim
from judges.playwright_shim.values import told

if TYPE_CHECKING:
    from judges.playwright_shim.browsers import BrowserContext
    from judges.playwright_shim.pages import Page


class Dialog(Shim):
    def __init__(self, context: BrowserContext, tab_id: str, dialog: Any) -> None:
        self._context, self._tab_id, self._id = context, tab_id, dialog.id
        self.type, self.message, self.default_value = (
            dialog.type,
            dialog.message,
            dialog.default_prompt,
        )

    @property
    def page(self) -> Page | None:
        return self._context._pages.get(self._tab_id)

    async def accept(self, prompt_text: str | None = None) -> None:
        await told(self._context._browser.dialog("accept", prompt_text, dialog_id=self._id))

    async def dismiss(self) -> None:
        await told(self._context._browser.dialog("dismiss", dialog_id=self._id))


class FileChooser(Shim):
    def __init__(self, page: Page, chooser: Any) -> None:
        self.page, self._multiple = page, chooser.multiple

    def is_multiple(self) -> bool:
        return bool(self._multiple)

    async def set_files(self, files: Any, **_: Any) -> None:
        await told(self.page._browser.upload(file_names(files), tab_id=self.page._tab_id))


class Download(Shim):
    def __init__(self, page: Page, download: Any) -> None:
        self.page, self._id = page, download.id
        self.url, self.suggested_filename = download.url, download.suggested_filename

    async def _ended(self) -> Any:
        return await until(
            lambda: next(one for one in self.page._browser.state.downloads if one.id == self._id),
            lambda one: one.status != "in_progress",
        )

    async def path(self) -> Path:
        one = await self._ended()
        if one.path is None:
            raise Error(one.reason or one.status)
        return Path(one.path)

    async def failure(self) -> str | None:
        one = await self._ended()
        return None if one.status == "completed" else one.reason or one.status

    async def save_as(self, path: Any) -> None:
        await asyncio.to_thread(Path(path).parent.mkdir, parents=True, exist_ok=True)
        await asyncio.to_thread(shutil.copyfile, await self.path(), path)


async def until(read: Callable[[], Any], good: Callable[[Any], bool] = bool) -> Any:
    """Read the browser's state until it is as expected."""
    for _ in range(1000):
        value = read()
        if good(value):
            return value
        await asyncio.sleep(0.01)
    raise Late("The test did not answer a dialog, or a download did not end, within 10 s.")
