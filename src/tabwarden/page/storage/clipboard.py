"""Clipboard: read or write text from Tabwarden's hidden page.

The clipboard needs https, the focus and a permission. The agent's pages should not get these or
notice anything.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from pydantic import Field

from tabwarden.errors import InvalidArgument, NotSupported
from tabwarden.page.storage.origin_page import backstage
from tabwarden.page.task import Call, Task, card
from tabwarden.protocol import browser
from tabwarden.results import ClipboardRead, ClipboardWritten
from tabwarden.supervisor.core.state.prompts import PermissionSetting
from tabwarden.supervisor.core.state.tabs import Tab

_ORIGIN = "https://clipboard.invalid"
"""A name that never resolves (RFC 2606)."""
_PERMISSIONS = ("clipboard-read", "clipboard-write")
_LONGEST = 1_000_000
_SHOWN = 100_000


def _check(mode: str, text: str | None) -> None:
    """Raise ``InvalidArgument`` if the mode lacks an argument or does not accept it."""
    if mode == "read" and text is not None:
        raise InvalidArgument("text works only with mode 'write', not with 'read'.", field="text")
    if mode == "write" and text is None:
        raise InvalidArgument("mode 'write' needs text.", field="text")
    if text is not None and len(text) > _LONGEST:
        raise InvalidArgument(
            f"text has {len(text)} characters; the limit is {_LONGEST}.", field="text"
        )


@card(
    "clipboard",
    about="Read or write the clipboard's text, which all tabs share.",
    permission="act",
    group="storage",
    idempotent=True,
    open_world=False,
    gives=(ClipboardRead, ClipboardWritten),
    shows=False,
    acts=False,
    without_page=True,
)
async def clipboard(
    call: Call,
    mode: Annotated[Literal["read", "write"], Field(description="What to do.")] = "read",
    text: Annotated[str | None, Field(description="For write.")] = None,
) -> dict[str, Any]:
    """Read or write the clipboard, as text; ``value`` is ``{"text", "chars"}``.

    The clipboard belongs to the browser, not to a task: all tabs and contexts of a browser
    share it. A browser with a window shares the desktop's clipboard; a headless browser that
    Tabwarden launched has a separate one. Tabwarden uses a helper page, so the agent's page
    notices nothing and needs no permission.

    Args:
        mode: read or write.
        text: the text to write, at most a million characters.
        tab_id: a tab in the browser context to use; the active tab by default.

    Raises:
        InvalidArgument: the text to write is missing or too long.
        NotSupported: the browser rejects clipboard access.
    """
    _check(mode, text)
    async with backstage(call) as stage:
        try:
            _permit(call.task, call.tab, "granted")
            if not await stage.at(_ORIGIN):
                raise NotSupported("Clipboard unavailable: the helper page could not be opened.")
            told = await (stage.do("paste") if text is None else stage.do("copy", text))
        finally:
            _permit(call.task, call.tab, "prompt")
    if "error" in told:
        raise NotSupported(
            f"The browser denies access to the clipboard: {told['error']}.",
            "This may happen in a hosted browser, or if the browser's window is not in front.",
            reason=told["error"],
        )
    found = str(told["text"])
    if text is not None:
        return {"written": True, "chars": len(text)}
    return {"text": found[:_SHOWN], "chars": len(found), "truncated": len(found) > _SHOWN}


def _permit(task: Task, tab: Tab, setting: PermissionSetting) -> None:
    for name in _PERMISSIONS:
        task.supervisor.send(
            browser.SetPermission(
                permission=browser.PermissionDescriptor(name=name),
                setting=setting,
                origin=_ORIGIN,
                browser_context_id=tab.browser_context_id or msgspec.UNSET,
            ),
            None,
        )
