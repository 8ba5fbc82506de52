"""The groups of tools. A model pays for the core only, and adds the others when it needs them."""

from __future__ import annotations

_NAMES = {
    "core": "navigate snapshot screenshot click type press scroll select fill_form batch wait "
    "dialog evaluate",
    "pages": "tabs back forward reload find scrape hover drag upload drop check uncheck focus "
    "inspect page_tool",
    "vision": "mouse touch",
    "prompts": "auth choose permission handoff",
    "files": "download pdf",
    "logs": "console network highlight",
    "network": "init_script route",
    "recording": "trace",
    "storage": "cookies storage storage_state clipboard",
    "emulation": "emulate resize",
    "devtools": "performance audit memory coverage",
    "browsers": "open connect disconnect close cdp",
}
GROUPS: dict[str, tuple[str, ...]] = {
    group: tuple(f"browser_{name}" for name in names.split()) for group, names in _NAMES.items()
}
"""The tools of each group, by the group's name. Each tool is in one group."""
