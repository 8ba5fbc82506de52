"""Web storage: what the page's origin keeps in localStorage and sessionStorage."""

from __future__ import annotations

from typing import Any

from tabwarden.errors import InvalidArgument, NotSupported
from tabwarden.page.result import Done
from tabwarden.page.task import Task
from tabwarden.page.worlds import WorldGone, call
from tabwarden.supervisor import Race, Tab

__all__ = ["checked_storage", "web_storage"]

_REPLACED = "The page was replaced meanwhile: take a new snapshot, and look whether it is done."


def checked_storage(mode: str, key: str | None, value: str | None) -> None:
    """Check that a mode has what it needs.

    Raises:
        InvalidArgument: naming the field.
    """
    for field, given in (("key", key), ("value", value)):
        if given is not None and not isinstance(given, str):
            raise InvalidArgument(f"{field} is a text.", field=field)
    if mode in ("set", "delete") and key is None:
        raise InvalidArgument(f"mode {mode!r} needs a key.", field="key")
    if mode == "set" and value is None:
        raise InvalidArgument("mode 'set' needs a value.", field="value")
    if mode != "set" and value is not None:
        raise InvalidArgument(f"value goes with mode 'set', not with {mode!r}.", field="value")
    if mode == "clear" and key is not None:
        raise InvalidArgument(
            "key goes with another mode than 'clear'.", "mode='delete' deletes one.", field="key"
        )


async def web_storage(
    task: Task,
    race: Race,
    tab: Tab,
    *,
    mode: str,
    area: str,
    key: str | None = None,
    value: str | None = None,
    values: bool = False,
    frame_id: str | None = None,
) -> Done:
    """Read or change one of an origin's two storages.

    Raises:
        FrameNotFound: no such frame.
        NotSupported: the document has no storage, or it is full.
    """
    frame = frame_id or task.state.top_frame_id(tab.tab_id) or tab.target_id
    try:
        world = await task.worlds.of(race, frame)
        told: dict[str, Any] = await call(race, world, "stored", area, mode, key, value)
    except WorldGone:
        return Done(note=_REPLACED)
    if "error" in told:
        raise _unable(told["error"], area)
    if mode == "get":
        shown = key is not None or values
        told["items"] = [
            item if shown else {"name": item["name"], "chars": len(item["value"])}
            for item in told["items"]
        ]
    return Done({"area": area, **told})


def _unable(error: str, area: str) -> NotSupported:
    if error == "QuotaExceededError":
        return NotSupported(
            f"{area}Storage of this origin is full.", "Delete something from it.", reason=error
        )
    return NotSupported(
        f"This document has no {area}Storage ({error}).",
        "Pages without an origin (data:, about:blank, sandboxed frames) have none: go to a page of "
        "the site first.",
        reason=error,
    )
