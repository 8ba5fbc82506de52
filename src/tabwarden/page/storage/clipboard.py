"""Read or write text on the clipboard from Tabwarden's hidden page.

Clipboard access needs https, the focus and a permission. The hidden page has all three. So the
agent's pages don't need them and notice nothing.
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
"""A host name that never resolves (RFC 2606)."""
_PERMISSIONS = ("clipboard-read", "clipboard-write")
_LONGEST = 1_000_000
_SHOWN = 100_000


def _check(mode: str, text: str | None) -> None:
    """Raise ``InvalidArgument`` if the mode lacks an argument or does not accept it."""
    if mode == "read" and text is not None:
        raise InvalidArgument("`text` works only with mode 'write', not with 'read'.", field="text")
    if mode == "write" and text is None:
        raise InvalidArgument("mode 'write' needs `text`.", field="text")
    if text is not None and len(text) > _LONGEST:
        raise InvalidArgument(
            f"`text` has {len(text)} characters; the limit is {_LONGEST}.", field="text"
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
    text: Annotated[str | None, Field(description="For write: the text.")] = None,
) -> dict[str, Any]:
    """Read or write text on the clipboard. ``value`` is ``{"text", "chars"}``.

    All tabs, contexts and tasks in a browser share one clipboard. A browser with a window uses
    the desktop's clipboard; a headless browser that Tabwarden launched has a separate
    clipboard. Tabwarden uses a helper page, so the agent's page notices nothing and needs no
    permission.

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
                raise NotSupported(
                    "The clipboard is unavailable, because the helper page could not be opened."
                )
            response = await (stage.do("paste") if text is None else stage.do("copy", text))
        finally:
            _permit(call.task, call.tab, "prompt")
    if "error" in response:
        raise NotSupported(
            f"The browser denied access to the clipboard: {response['error']}.",
            "This can happen in a hosted browser, or if the browser's window is not in front.",
            reason=response["error"],
        )
    content = str(response["text"])
    if text is not None:
        return {"written": True, "chars": len(text)}
    return {"text": content[:_SHOWN], "chars": len(content), "truncated": len(content) > _SHOWN}


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
