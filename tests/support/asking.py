"""Pages that open one prompt after another, and the answers to them."""

from __future__ import annotations

from typing import Any, get_args

from support.eventually import eventually
from tabwarden.config import BrowserConfig
from tabwarden.sync import Browser

__all__ = [
    "BRIDGES",
    "BRIDGES_AND_POLICIES",
    "STRICT",
    "answer_all",
    "asking_page",
    "next_dialog",
    "pending_dialogs",
]

STRICT = "default-src 'none'; script-src 'unsafe-inline'; connect-src 'none'"
KNOWN = get_args(BrowserConfig.model_fields["dialog_bridge"].annotation)
BRIDGES = [bridge for bridge in ("debugger", "auto", "xhr") if bridge in KNOWN]
# A page without connect permission cannot use the XHR bridge.
BRIDGES_AND_POLICIES = [(b, p) for b in BRIDGES for p in ("", STRICT) if (b, p) != ("xhr", STRICT)]

ASKING = """<script>
window.got = [];
const ask = (number, last) => {
  got.push(prompt("Number " + number, "nothing"));
  if (number < last) setTimeout(ask, 0, number + 1, last);
};
</script>"""


def asking_page(policy: str, body: str = "") -> str:
    """A page whose ``ask(1, n)`` opens n prompts, with or without a Content-Security-Policy."""
    meta = f'<meta http-equiv="Content-Security-Policy" content="{policy}">' if policy else ""
    return f"{meta}{ASKING}{body}"


def next_dialog(browser: Browser, message: str) -> Any:
    """The dialog with this message, once it is open."""
    return eventually(
        lambda: next((d for d in browser.state.pending_dialogs if d.message == message), None)
    )


def pending_dialogs(browser: Browser, count: int) -> tuple[Any, ...]:
    """The open dialogs, once there are ``count``, read from the state without waiting."""
    eventually(lambda: len(browser.state.pending_dialogs) == count)
    return browser.state.pending_dialogs


def answer_all(browser: Browser, count: int) -> list[str]:
    """Answer this many prompts, each with its own value; return the values."""
    values = [f"value {number} é" for number in range(1, count + 1)]
    for number, value in enumerate(values, 1):
        dialog = next_dialog(browser, f"Number {number}")
        browser.dialog("accept", value, dialog_id=dialog.id)
    return values
