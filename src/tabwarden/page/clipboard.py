"""The clipboard, as text. Done on a page of ours: pages need https, the focus and a permission for
it, and the agent's should be given none of that, nor hear of it."""

from __future__ import annotations

from typing import Any

import msgspec

from tabwarden.errors import InvalidArgument, NotSupported
from tabwarden.page.backstage import backstage
from tabwarden.page.task import Task
from tabwarden.protocol import browser
from tabwarden.supervisor import PermissionSetting, Race, Tab

__all__ = ["checked", "clipboard"]

_ORIGIN = "https://clipboard.invalid"
"""A name that never stands for anything (RFC 2606)."""
_PERMISSIONS = ("clipboard-read", "clipboard-write")
_LONGEST = 1_000_000
_SHOWN = 100_000


def checked(mode: str, text: str | None) -> None:
    """Check that a mode has what it needs.

    Raises:
        InvalidArgument: naming the field.
    """
    if mode == "read" and text is not None:
        raise InvalidArgument("text goes with mode 'write', not with 'read'.", field="text")
    if mode == "write" and not isinstance(text, str):
        raise InvalidArgument("mode 'write' needs a text.", field="text")
    if text is not None and len(text) > _LONGEST:
        raise InvalidArgument(
            f"text has {len(text)} characters, more than {_LONGEST}.", field="text"
        )


async def clipboard(task: Task, race: Race, tab: Tab, text: str | None) -> dict[str, Any]:
    """Write ``text``, or read what is there.

    Raises:
        NotSupported: the browser refuses.
    """
    async with backstage(task, race, tab) as stage:
        try:
            _permit(task, tab, "granted")
            if not await stage.at(_ORIGIN):
                raise NotSupported("The browser shows no page of ours.")
            told = await (stage.do("paste") if text is None else stage.do("copy", text))
        finally:
            _permit(task, tab, "prompt")
    if "error" in told:
        raise NotSupported(
            f"The browser keeps the clipboard from us: {told['error']}.",
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
