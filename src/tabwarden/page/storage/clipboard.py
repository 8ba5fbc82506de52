"""Clipboard: read or write text on Tabwarden's own hidden page. This needs https, the focus and a
permission, which the agent's pages should neither get nor notice.
"""

from __future__ import annotations

from typing import Any

import msgspec

from tabwarden.errors import InvalidArgument, NotSupported
from tabwarden.page.storage.origin_page import backstage
from tabwarden.page.task import ActionSpec, Call, Task
from tabwarden.protocol import browser
from tabwarden.supervisor import PermissionSetting, Tab

CLIPBOARD = ActionSpec(name="clipboard")

_ORIGIN = "https://clipboard.invalid"
"""This name never resolves (RFC 2606)."""
_PERMISSIONS = ("clipboard-read", "clipboard-write")
_LONGEST = 1_000_000
_SHOWN = 100_000


def checked(mode: str, text: str | None) -> None:
    """Check that the arguments fit the mode.

    Raises:
        InvalidArgument: an argument is missing or extra; the error names it.
    """
    if mode == "read" and text is not None:
        raise InvalidArgument("text works only with mode 'write', not with 'read'.", field="text")
    if mode == "write" and not isinstance(text, str):
        raise InvalidArgument("mode 'write' needs text.", field="text")
    if text is not None and len(text) > _LONGEST:
        raise InvalidArgument(
            f"text has {len(text)} characters; the limit is {_LONGEST}.", field="text"
        )


async def clipboard(call: Call, text: str | None) -> dict[str, Any]:
    """Write ``text`` to the clipboard, or read the clipboard.

    Raises:
        NotSupported: the browser refused.
    """
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
            "A hosted browser, or one in a window that is not in front, may do so.",
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
