"""Hermes Agent's own settings, if this process is Hermes: the browser's address, and the URLs that
pages may have.

Hermes has moved these functions between modules, so we look for each in all known modules.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

_HOMES = {
    "_eval_ssrf_guard_active": ("browser_tool_eval_policy", "browser_tool"),
    "_current_page_private_url": ("browser_tool_eval_policy", "browser_tool"),
    "_expression_targets_private_url": ("browser_tool_eval_policy", "browser_tool"),
    "_url_blocked": ("browser_tool_eval_policy",),
    "_page_url_blocked": ("browser_tool_eval_policy",),
    "_get_cdp_override": ("browser_tool_cdp", "browser_tool"),
    "_get_cdp_override_raw": ("browser_tool_cdp", "browser_tool"),
    "check_browser_requirements": ("browser_tool_install", "browser_tool"),
    "_is_safe_url": ("browser_tool",),
}
ALLOWED_ON_PRIVATE_PAGES = frozenset(
    {
        "Browser.getVersion", "Target.getTargets", "Target.attachToTarget",
        "Target.detachFromTarget", "Page.navigate", "Page.reload", "Page.stopLoading",
    }
)  # fmt: skip
"""Commands that read nothing from a page."""


def rule(name: str) -> Callable[..., Any] | None:
    """Return Hermes' function ``name``; None if this process is not Hermes or lacks the
    function."""
    for module in _HOMES[name]:
        try:
            home = importlib.import_module(f"tools.{module}")
        except ImportError:
            continue
        function: Callable[..., Any] | None = getattr(home, name, None)
        if function is not None:
            return function
    return None


def endpoint() -> str:
    """Return the address of the browser that the user has connected Hermes to, or ""."""
    override = rule("_get_cdp_override")
    return str((override() if override is not None else "") or "").strip()


def has_endpoint() -> bool:
    """Whether an address is configured. If the version of Hermes allows it, this check uses no
    network.
    """
    requirements = rule("check_browser_requirements")
    if requirements is not None and not requirements():
        return False
    override = rule("_get_cdp_override_raw") or rule("_get_cdp_override")
    return bool(override is not None and override())


def guards(task_id: str) -> bool:
    """Whether Hermes forbids this task's scripts to use private addresses."""
    active = rule("_eval_ssrf_guard_active")
    return bool(active is not None and active(task_id))


def is_private(url: str) -> bool:
    """Whether Hermes' rule for pages that are already open forbids a page at ``url``."""
    blocked = rule("_page_url_blocked")
    return bool(url and blocked is not None and blocked(_browser_tool(), url))


def why_private(task_id: str, method: str, params: dict[str, Any]) -> str:
    """Return why Hermes forbids a command; "" if Hermes allows the command."""
    if not guards(task_id):
        return ""
    if method == "Page.navigate" and _leads_to_private(str(params.get("url") or "")):
        return f"{params['url']} is a private or internal address."
    script = rule("_expression_targets_private_url") if method == "Runtime.evaluate" else None
    named = script(str(params.get("expression") or "")) if script is not None else None
    if named:
        return f"The script contains {named}, a private or internal address."
    if method in ALLOWED_ON_PRIVATE_PAGES:
        return ""
    page = rule("_current_page_private_url")
    url = page(task_id) if page is not None else None
    return f"The page {url} is at a private or internal address." if url else ""


def _leads_to_private(url: str) -> bool:
    blocked = rule("_url_blocked")
    if blocked is not None:
        return bool(blocked(_browser_tool(), url))
    safe = rule("_is_safe_url")  # before Hermes 0.20
    return safe is not None and not safe(url)


def _browser_tool() -> Any:
    return importlib.import_module("tools.browser_tool")
