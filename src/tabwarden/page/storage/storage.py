"""Web storage: the localStorage and sessionStorage of the page's origin."""

from __future__ import annotations

from typing import Any

from tabwarden.errors import InvalidArgument, NotSupported
from tabwarden.page.task import ActionSpec, Call, Done
from tabwarden.page.walker import WorldGone, call_walker

STORAGE = ActionSpec(name="storage", refreshes=False)
READ_STORAGE = ActionSpec(name="storage", refreshes=False, reads=True, acts=False)

_REPLACED = (
    "The page was replaced during the call: take a new snapshot and check whether the call worked."
)


def checked_storage(mode: str, key: str | None, value: str | None) -> None:
    """Raise ``InvalidArgument`` if the mode lacks an argument or does not accept it."""
    for field, given in (("key", key), ("value", value)):
        if given is not None and not isinstance(given, str):
            raise InvalidArgument(f"{field} must be a string.", field=field)
    if mode in ("set", "delete") and key is None:
        raise InvalidArgument(f"mode {mode!r} needs a key.", field="key")
    if mode == "set" and value is None:
        raise InvalidArgument("mode 'set' needs a value.", field="value")
    if mode != "set" and value is not None:
        raise InvalidArgument(
            f"value works only with mode 'set', not with {mode!r}.", field="value"
        )
    if mode == "clear" and key is not None:
        raise InvalidArgument(
            "key does not work with mode 'clear'.", "mode='delete' deletes one key.", field="key"
        )


async def web_storage(
    call: Call,
    *,
    mode: str,
    area: str,
    key: str | None = None,
    value: str | None = None,
    values: bool = False,
    frame_id: str | None = None,
) -> Done:
    """Read or change an origin's localStorage or sessionStorage.

    Raises:
        FrameNotFound: the frame does not exist.
        NotSupported: the document has no storage, or the storage is full.
    """
    frame = frame_id or call.state.top_frame_id(call.tab.tab_id) or call.tab.target_id
    try:
        world = await call.task.worlds.of(call.race, frame)
        told: dict[str, Any] = await call_walker(call.race, world, "stored", area, mode, key, value)
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
        "Pages without an origin (data:, about:blank, sandboxed frames) have no storage: go to a "
        "page of the site first.",
        reason=error,
    )
