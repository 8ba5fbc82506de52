"""The checker: compares Tabwarden's state with the view of a newly attached client."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from support.chaos.raw import RawClient, Refusal
from tabwarden.supervisor.core import SupervisorSnapshot

__all__ = ["View", "as_seen_afresh", "as_told"]


@dataclass(frozen=True)
class View:
    """The contents of a browser."""

    pages: frozenset[str]
    """The target IDs of its tabs."""
    frames: frozenset[tuple[str, str]]
    """The IDs and URLs of all frames in all tabs."""
    sessions: tuple[str, ...]
    """The attached targets: each page, and each frame that is a target, once."""

    def but(self, other: View) -> str:
        """The fields in which the two differ."""
        told = []
        if self.pages != other.pages:
            told.append(f"pages {set(self.pages ^ other.pages)}")
        if self.frames != other.frames:
            told.append(f"frames: only told {sorted(self.frames - other.frames)}, "
                        f"only there {sorted(other.frames - self.frames)}")  # fmt: skip
        if self.sessions != other.sessions:
            told.append(f"sessions {self.sessions} for {other.sessions}")
        return "; ".join(told)


def as_told(state: SupervisorSnapshot) -> View:
    """The contents according to Tabwarden's state."""
    frames = set()
    for tree in state.frame_trees.values():
        for node in [tree.top, *tree.children]:
            if node is not None:
                frames.add((node.frame_id, _bare(node.url)))
    return View(
        frozenset(tab.target_id for tab in state.tabs),
        frozenset(frames),
        tuple(sorted(session.target_id for session in state.sessions.values())),
    )


def as_seen_afresh(client: RawClient) -> View:
    """What the browser says.

    Raises:
        Refusal: something changed meanwhile, or does not answer.
    """
    found = client.targets("page", "iframe")
    frames: set[tuple[str, str]] = set()
    for info in found:
        attached = client.call(
            "Target.attachToTarget", {"targetId": info["targetId"], "flatten": True}
        )
        session_id = attached["sessionId"]
        try:
            tree = client.call("Page.getFrameTree", {}, session_id)["frameTree"]
        except Refusal as refusal:
            raise Refusal(f"{info['url']}: {refusal}") from None
        finally:
            client.call("Target.detachFromTarget", {"sessionId": session_id})
        _gather(tree, frames)
    return View(
        frozenset(info["targetId"] for info in found if info["type"] == "page"),
        frozenset(frames),
        tuple(sorted(info["targetId"] for info in found)),
    )


def _gather(tree: dict[str, Any], frames: set[tuple[str, str]]) -> None:
    frame = tree["frame"]
    frames.add((frame["id"], _bare(frame.get("unreachableUrl") or frame["url"])))
    for child in tree.get("childFrames", ()):
        _gather(child, frames)


def _bare(url: str) -> str:
    return url.partition("#")[0]
