"""Known: the last outline of a tab that was read, and of which documents.

It is shown while the page can't be read, but never as that of another page.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from tabwarden.page.excerpt import within
from tabwarden.page.line import quoted
from tabwarden.page.lines import Lines
from tabwarden.supervisor import SupervisorState, Tab, descendants

__all__ = ["Known", "documents_below", "still_known"]

_NOTHING_YET = "(no earlier outline of this tab)"
_CAME_ANEW = "(no outline of this page yet: it was loaded anew since the last one)"
_FRAME_LEFT = "(another document has come into this frame since)"


class Known(msgspec.Struct, frozen=True, kw_only=True):
    """An outline, and what it is one of."""

    lines: Lines
    root: str
    """The frame that it begins with."""
    url: str
    """What the tab showed then."""
    documents: Mapping[str, str]
    """What stood in each frame then: ``frame_id`` to loader id."""
    frames: Mapping[str, str] = {}
    """The refs of iframes to the ``frame_id`` in each."""

    @property
    def document(self) -> str:
        """The loader id of the document that it begins with; "" when that is not known."""
        return self.documents.get(self.root, "")


_NOTHING = Known(lines=Lines(), root="", url="", documents={})


def documents_below(state: SupervisorState, root: str | None) -> dict[str, str]:
    """What stands in a frame and in those below it now: ``frame_id`` to loader id."""
    if root is None or root not in state.frames:
        return {}
    return {one: state.frames[one].loader_id for one in (root, *descendants(state, [root]))}


def still_known(known: Known | None, state: SupervisorState, tab: Tab) -> tuple[Known, str]:
    """What of the last outline may be shown as this page's, and what is said where nothing may."""
    if known is None:
        return _NOTHING, _NOTHING_YET
    now = documents_below(state, known.root)
    if not now and _same(known.url, tab.url):  # a connection is being made again: frames come back
        return known, ""
    left = now.get(known.root) != known.document or not known.document
    if left or _is_elsewhere(known, state, tab):
        if _same(known.url, tab.url):
            return _NOTHING, _CAME_ANEW
        before = quoted(known.url)
        return _NOTHING, f"(no outline of this page yet; the one before it was {before})"
    return msgspec.structs.replace(known, lines=_without_left(known, now)), ""


def _is_elsewhere(known: Known, state: SupervisorState, tab: Tab) -> bool:
    """Whether the tab shows another address than its document's: another one is coming.

    The browser process knows of a commit before the page's process has told us.
    """
    if known.root != state.top_frame_id(tab.tab_id):
        return False
    return not _same(tab.url, known.url) and not _same(tab.url, state.frames[known.root].url)


def _without_left(known: Known, now: Mapping[str, str]) -> Lines:
    """The outline without what stood in frames that show another document since."""
    lines = known.lines
    for ref, frame_id in known.frames.items():
        if now.get(frame_id) == known.documents.get(frame_id) and frame_id in now:
            continue
        run = within(lines, ref)
        if run is None or len(run) < 2:  # it stood in another frame that was left
            continue
        shorter = lines[: run.start + 1]
        shorter.add(lines.depths[run.start] + 1, "note", _FRAME_LEFT)
        shorter.extend(lines[run.stop :])
        lines = shorter
    return lines


def _same(one: str, other: str) -> bool:
    return one.partition("#")[0] == other.partition("#")[0]
