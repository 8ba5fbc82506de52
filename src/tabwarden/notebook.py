"""Show a browser in a notebook. Page text is untrusted, so this module escapes it."""

from __future__ import annotations

from html import escape

from tabwarden.supervisor.core import SupervisorSnapshot

__all__ = ["html_of"]

_LONGEST = 200
"""The maximum length of titles, URLs and messages, in characters."""


def html_of(line: str, state: SupervisorSnapshot) -> str:
    """Return a browser's state line, its tabs and its open dialogs as HTML."""
    rows = [
        _row("→" if tab.tab_id == state.active_tab_id else "", tab.tab_id, tab.title, tab.url)
        for tab in state.tabs
    ]
    rows += [
        _row("!", dialog.id, f"{dialog.type}: {dialog.message}", dialog.url)
        for dialog in state.pending_dialogs
    ]
    return f"<div><code>{_shown(line)}</code><table>{''.join(rows)}</table></div>"


def _row(*cells: str) -> str:
    return f"<tr>{''.join(f'<td>{_shown(cell)}</td>' for cell in cells)}</tr>"


def _shown(text: str) -> str:
    return escape(text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…")
