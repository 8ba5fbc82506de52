"""The last outline of a tab or frame. A snapshot shows this outline while the page can't be
read."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from tabwarden.page.text.lines import Lines
from tabwarden.page.text.parts import within
from tabwarden.page.text.untrusted_text import quoted
from tabwarden.supervisor.core.handlers import descendants
from tabwarden.supervisor.core.state.state import SupervisorState
from tabwarden.supervisor.core.state.tabs import Tab

_NOTHING_YET = "(no earlier outline of this tab)"
_RELOADED = "(no outline since this page was reloaded)"
_FRAME_REPLACED = "(this frame has loaded another document since then)"


class LastOutline(msgspec.Struct, frozen=True, kw_only=True):
    """An outline, and the documents in it."""

    lines: Lines
    root: str
    """The outermost frame of the outline."""
    url: str
    """The tab's URL at the time when the outline was read."""
    documents: Mapping[str, str]
    """Maps each ``frame_id`` to the loader id of the document that was read."""
    frames: Mapping[str, str] = {}
    """Maps the ref of each iframe to the ``frame_id`` of the frame inside."""

    @property
    def document(self) -> str:
        """Return the loader id of the outermost document, or "" if it is unknown."""
        return self.documents.get(self.root, "")

    def lines_in(self, frame_id: str, loader_id: str, depth: int) -> Lines:
        """Return the lines in a frame, indented from ``depth`` on, without notes about the whole
        frame. Return no lines if the outline does not contain the frame's current document."""
        ref = next((ref for ref, one in self.frames.items() if one == frame_id), None)
        run = within(self.lines, ref) if ref is not None else None
        if run is None or self.documents.get(frame_id) != loader_id:
            return Lines()
        first, inside = run.start + 1, self.lines.depths[run.start] + 1
        while first < run.stop and self.lines.roles[first] == "note":
            first += 1
        lines = self.lines[first : run.stop]
        lines.depths = [depth + one - inside for one in lines.depths]
        return lines


_NOTHING = LastOutline(lines=Lines(), root="", url="", documents={})


def documents_below(state: SupervisorState, root: str | None) -> dict[str, str]:
    """Map a frame and its descendants to the loader ids of their current documents."""
    if root is None or root not in state.frames:
        return {}
    return {one: state.frames[one].loader_id for one in (root, *descendants(state, [root]))}


def valid_outline(
    outline: LastOutline | None, state: SupervisorState, tab: Tab
) -> tuple[LastOutline, str]:
    """Return the part of the last outline that is still valid, or a message if no part is valid."""
    if outline is None:
        return _NOTHING, _NOTHING_YET
    current = documents_below(state, outline.root)
    if not current and _is_same_page(
        outline.url, tab.url
    ):  # after a reconnect, the frames reappear
        return outline, ""
    is_replaced = current.get(outline.root) != outline.document or not outline.document
    if is_replaced or _is_elsewhere(outline, state, tab):
        if _is_same_page(outline.url, tab.url):
            return _NOTHING, _RELOADED
        before = quoted(outline.url)
        return _NOTHING, f"(no outline of this page yet; the last outline is of {before})"
    return msgspec.structs.replace(outline, lines=_without_replaced_frames(outline, current)), ""


def _is_elsewhere(outline: LastOutline, state: SupervisorState, tab: Tab) -> bool:
    """Whether the tab already has the URL of a new document.

    The browser process reports a commit before the page's process does.
    """
    if outline.root != state.top_frame_id(tab.tab_id):
        return False
    return not _is_same_page(tab.url, outline.url) and not _is_same_page(
        tab.url, state.frames[outline.root].url
    )


def _without_replaced_frames(outline: LastOutline, current: Mapping[str, str]) -> Lines:
    """Return the outline without the frames that now show another document."""
    lines = outline.lines
    for ref, frame_id in outline.frames.items():
        if current.get(frame_id) == outline.documents.get(frame_id) and frame_id in current:
            continue
        run = within(lines, ref)
        if run is None or len(run) < 2:  # its parent frame was already removed
            continue
        shorter = lines[: run.start + 1]
        shorter.add(lines.depths[run.start] + 1, "note", _FRAME_REPLACED)
        shorter.extend(lines[run.stop :])
        lines = shorter
    return lines


def _is_same_page(one: str, other: str) -> bool:
    return one.partition("#")[0] == other.partition("#")[0]
