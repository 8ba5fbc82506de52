"""Clipboard: read or write text from Tabwarden's hidden page.

The clipboard needs https, the focus and a permission. The agent's pages should not get these or
notice anything.
"""

from __future__ import annotations

from typing import Any

import msgspec

from tabwarden.errors import InvalidArgument, NotSupported
from tabwarden.page.storage.origin_page import backstage
from tabwarden.page.task import ActionSpec, Call, Task
from tabwarden.protocol import browser
from tabwarden.supervisor.core.state.prompts import PermissionSetting
from tabwarden.supervisor.core.state.tabs import Tab

CLIPBOARD = ActionSpec(name="clipboard", acts=False)

_ORIGIN = "https://clipboard.invalid"
"""A name that never resolves (RFC 2606)."""
_PERMISSIONS = ("clipboard-read", "clipboard-write")
_LONGEST = 1_000_000
_SHOWN = 100_000


def checked(mode: str, text: str | None) -> None:
    """Raise ``InvalidArgument`` if the mode lacks an argument or does not accept it."""
    if mode == "read" and text is not None:
        raise InvalidArgument("text works only with mode 'write', not with 'read'.", field="text")
    if mode == "write" and not isinstance(text, str):
        raise InvalidArgument("mode 'write' needs text.", field="text")
    if text is not None and len(text) > _LONGEST:
        raise InvalidArgument(
            f"text has {len(text)} characters; the limit is {_LONGEST}.", field="text"
        )


async def clipboard(call: Call, text: str | None) -> dict[str, Any]:
    """Write ``text`` to the clipboard, or read the clipboard if ``text`` is None."""
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
