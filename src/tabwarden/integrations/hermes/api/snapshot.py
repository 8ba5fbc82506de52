"""A supervisor's state for Hermes' tools, in Hermes Agent's format."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tabwarden.integrations.hermes.dialect import masked
from tabwarden.supervisor.core import SupervisorSnapshot as Snapshot
from tabwarden.supervisor.core import capped
from tabwarden.supervisor.core.state.dialog_values import ClosedDialog
from tabwarden.supervisor.core.state.dialog_values import PendingDialog as Dialog

Json = dict[str, Any]


@dataclass(frozen=True)
class PendingDialog:
    """An open dialog that blocks its page."""

    id: str
    type: str
    message: str
    default_prompt: str
    opened_at: float
    cdp_session_id: str
    frame_id: str | None = None
    bridge_request_id: str | None = None
    """The request or the paused call that keeps the dialog open; None for a native dialog."""

    @classmethod
    def of(cls, dialog: Dialog) -> PendingDialog:
        return cls(
            id=dialog.id,
            type=dialog.type,
            message=dialog.message,
            default_prompt=dialog.default_prompt,
            opened_at=dialog.opened_at,
            cdp_session_id=dialog.session_id,
            frame_id=dialog.frame_id,
            bridge_request_id=dialog.held_by or None,
        )

    def to_dict(self) -> Json:
        """Return the dialog as JSON, with secrets masked."""
        return {
            "id": self.id,
            "type": self.type,
            "message": masked(self.message),
            "default_prompt": masked(self.default_prompt),
            "opened_at": self.opened_at,
            "frame_id": self.frame_id,
        }


@dataclass(frozen=True)
class DialogRecord:
    """A closed dialog."""

    id: str
    type: str
    message: str
    opened_at: float
    closed_at: float
    closed_by: str
    """``agent``, ``auto_policy``, ``watchdog`` or ``remote``."""
    frame_id: str | None = None

    @classmethod
    def of(cls, dialog: ClosedDialog) -> DialogRecord:
        return cls(
            id=dialog.id,
            type=dialog.type,
            message=dialog.message,
            opened_at=dialog.opened_at,
            closed_at=dialog.closed_at,
            closed_by=dialog.closed_by,
            frame_id=dialog.frame_id,
        )

    def to_dict(self) -> Json:
        """Return the dialog as JSON, with secrets masked."""
        return {
            "id": self.id,
            "type": self.type,
            "message": masked(self.message),
            "opened_at": self.opened_at,
            "closed_at": self.closed_at,
            "closed_by": self.closed_by,
            "frame_id": self.frame_id,
        }


@dataclass(frozen=True)
class ConsoleEvent:
    """A console message, or an uncaught exception."""

    ts: float
    level: str
    text: str
    url: str | None = None


@dataclass(frozen=True)
class SupervisorSnapshot:
    """A supervisor's state at one moment."""

    task_id: str
    cdp_url: str
    active: bool
    """Whether the supervisor is connected to its browser."""
    pending_dialogs: tuple[PendingDialog, ...] = ()
    recent_dialogs: tuple[DialogRecord, ...] = ()
    frame_tree: Json = field(
        default_factory=lambda: {"top": None, "children": [], "truncated": False}
    )
    console_errors: tuple[ConsoleEvent, ...] = ()
    page_target_id: str | None = None
    """The CDP target of the task's own page."""

    def to_dict(self) -> Json:
        """Return the fields that ``browser_snapshot`` adds to its result."""
        fields: Json = {
            "pending_dialogs": [dialog.to_dict() for dialog in self.pending_dialogs],
            "frame_tree": self.frame_tree,
        }
        if self.recent_dialogs:
            fields["recent_dialogs"] = [dialog.to_dict() for dialog in self.recent_dialogs]
        if self.page_target_id:
            fields["page_target_id"] = self.page_target_id
        return fields


def frame_tree(state: Snapshot, tab_id: str) -> Json:
    """Return a tab's frames in Hermes' format: without empty fields, at most 30."""
    tree = state.frame_trees.get(tab_id)
    if tree is None or tree.top is None:
        return {"top": None, "children": [], "truncated": False}
    kept = capped(tree)
    return {
        "top": _node(tree.top),
        "children": [_node(node) for node in kept.children],
        "truncated": kept.truncated,
    }


def _node(node: Any) -> Json:
    fields = {
        "frame_id": node.frame_id,
        "url": node.url,
        "origin": node.origin,
        "is_oopif": node.is_oopif,
    }
    if node.is_oopif:
        fields["session_id"] = node.session_id
    if node.parent_frame_id:
        fields["parent_frame_id"] = node.parent_frame_id
    if node.name:
        fields["name"] = node.name
    return fields
