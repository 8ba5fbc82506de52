"""The tool ``browser_dialog`` of Hermes Agent, implemented with this package's registry."""

from __future__ import annotations

import json

from tabwarden.integrations.hermes.api.registry import SUPERVISOR_REGISTRY


def browser_dialog(
    action: str,
    prompt_text: str | None = None,
    dialog_id: str | None = None,
    task_id: str | None = None,
) -> str:
    """Accept or dismiss a task's open dialog, and return JSON.

    Args:
        action: ``accept`` or ``dismiss``.
        prompt_text: the text for a prompt, by default empty.
        dialog_id: which dialog, if several are open.
        task_id: the task; ``default`` by default.

    Returns:
        ``{"success": true, "action", "dialog"}``, or ``{"success": false, "error"}``.
    """
    supervisor = SUPERVISOR_REGISTRY.get(task_id or "default")
    if supervisor is None:
        return json.dumps(
            {
                "success": False,
                "error": "No CDP supervisor watches this task: no browser is connected. Call "
                "browser_navigate, or use /browser connect.",
            }
        )
    done = supervisor.respond_to_dialog(action, prompt_text=prompt_text, dialog_id=dialog_id)
    if not done["ok"]:
        return json.dumps({"success": False, "error": done["error"]})
    return json.dumps({"success": True, "action": action, "dialog": done["dialog"]})
