"""Confined: raw CDP of a task that has a browser context of its own stays in it.

The browser's own domains know no tasks: left to themselves they would give the user's cookies and
close other tasks' tabs. What can be aimed at a context or a target is aimed at this task's; what
works on the whole browser is refused.
"""

from __future__ import annotations

from typing import Any

from tabwarden.errors import Denied
from tabwarden.protocol import target
from tabwarden.supervisor import Race

__all__ = ["confined", "shown"]

_BROWSER_WIDE = ("Browser", "Extensions", "PWA", "SystemInfo", "Target", "Tethering", "Tracing")
_IN_A_CONTEXT = {
    "Browser.cancelDownload",
    "Browser.grantPermissions",
    "Browser.resetPermissions",
    "Browser.setDownloadBehavior",
    "Browser.setPermission",
    "Storage.clearCookies",
    "Storage.getCookies",
    "Storage.setCookies",
    "Target.createTarget",
}
"""They take a ``browserContextId``, and the default one where it is left out."""
_ON_A_TARGET = {
    "Browser.getWindowForTarget",
    "Target.activateTarget",
    "Target.attachToTarget",
    "Target.closeTarget",
    "Target.getTargetInfo",
}
_HARMLESS = {"Browser.getVersion", "SystemInfo.getInfo", "Target.getTargets"}


async def confined(
    race: Race, context: str | None, method: str, params: dict[str, Any]
) -> dict[str, Any]:
    """The parameters that a command is sent with.

    Args:
        race: the call's.
        context: the task's own; None: it shares the browser, and may do anything in it.
        method: the command.
        params: as the agent gave them.

    Raises:
        Denied: it would reach beyond the context.
    """
    if context is None:
        return params
    if method in _IN_A_CONTEXT:
        if params.get("browserContextId", context) != context:
            raise _beyond(method, "browserContextId is not this task's")
        return {**params, "browserContextId": context}
    if method in _ON_A_TARGET:
        if "targetId" in params and params["targetId"] not in await _targets(race, context):
            raise _beyond(method, "targetId is not this task's")
        return params
    if method in _HARMLESS or method.partition(".")[0] not in _BROWSER_WIDE:
        return params
    raise _beyond(method, "it works on the whole browser")


def shown(context: str | None, method: str, result: Any) -> Any:
    """What of a result is this task's."""
    if context is None or method != "Target.getTargets":
        return result
    own = [one for one in result["targetInfos"] if one.get("browserContextId") == context]
    return {**result, "targetInfos": own}


async def _targets(race: Race, context: str) -> set[str]:
    there = (await race.call(target.GetTargets(), None)).target_infos
    return {one.target_id for one in there if one.browser_context_id == context}


def _beyond(method: str, why: str) -> Denied:
    return Denied(
        f"{method} reaches beyond this task's own browser context: {why}.",
        "Other tasks and people use this browser. A browser that is launched, or attached to "
        "with context='shared', allows it.",
        method=method,
    )
