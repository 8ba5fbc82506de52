"""Web storage: the localStorage and sessionStorage of the page's origin."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from tabwarden.errors import InvalidArgument, NotSupported
from tabwarden.page.task import Call, Done, FrameId, card
from tabwarden.page.walker import WorldGone, call_walker
from tabwarden.results import Stored

_REPLACED = (
    "The page was replaced during the call. Take a new snapshot and check whether the call worked."
)


def _check(mode: str, key: str | None, value: str | None) -> None:
    """Raise ``InvalidArgument`` if the mode lacks an argument or does not accept it."""
    if mode in ("set", "delete") and key is None:
        raise InvalidArgument(f"mode {mode!r} needs a key.", field="key")
    if mode == "set" and value is None:
        raise InvalidArgument("mode 'set' needs a value.", field="value")
    if mode != "set" and value is not None:
        raise InvalidArgument(
            f"`value` works only with mode 'set', not with {mode!r}.", field="value"
        )
    if mode == "clear" and key is not None:
        raise InvalidArgument(
            "mode 'clear' deletes all keys, so it accepts no key.",
            "To delete one key, use mode='delete'.",
            field="key",
        )


@card(
    "storage",
    about="Read or change the localStorage or sessionStorage of the page's origin.",
    permission="scripts",
    group="storage",
    gives=Stored,
    shows=False,
    refreshes=False,
    varies={("mode", "get"): {"reads": True, "acts": False}},
)
async def storage(
    call: Call,
    mode: Annotated[
        Literal["get", "set", "delete", "clear"],
        Field(description="get without `key`: list all keys. clear: delete all keys."),
    ] = "get",
    *,
    area: Annotated[
        Literal["local", "session"], Field(description="localStorage or sessionStorage.")
    ] = "local",
    key: Annotated[str | None, Field(description="The item's key.")] = None,
    value: Annotated[str | None, Field(description="For set.")] = None,
    values: Annotated[
        bool, Field(description="Also list the values, which may be secrets.")
    ] = False,
    frame_id: FrameId = None,
) -> Done:
    """Read or change the web storage of the page's origin.

    ``value`` is ``{"area", "origin", "items": [{"name", "value"}]}``, or ``{"deleted": n}``.

    Args:
        mode: get one item or list all items, set or delete one item, or clear all items.
        area: ``local`` for localStorage, or ``session`` for this tab's sessionStorage.
        key: the item's key. Without a key, ``get`` lists all items, with lengths instead of
            values.
        value: for set.
        values: also list the values, which may be secrets.
        frame_id: use this frame's origin instead of the page's.

    Raises:
        InvalidArgument: a parameter that the mode needs is missing.
        NotSupported: the document has no storage, or its storage is full.
        FrameNotFound: the frame does not exist.
    """
    _check(mode, key, value)
    frame = frame_id or call.state.top_frame_id(call.tab.tab_id) or call.tab.target_id
    try:
        world = await call.task.worlds.of(call.race, frame)
        reply: dict[str, Any] = await call_walker(
            call.race, world, "stored", area, mode, key, value
        )
    except WorldGone:
        return Done(note=_REPLACED)
    if "error" in reply:
        raise _unable(reply["error"], area)
    if mode == "get":
        with_values = key is not None or values
        reply["items"] = [
            item if with_values else {"name": item["name"], "chars": len(item["value"])}
            for item in reply["items"]
        ]
    return Done({"area": area, **reply})


def _unable(error: str, area: str) -> NotSupported:
    if error == "QuotaExceededError":
        return NotSupported(
            f"This origin's {area}Storage is full.", "Delete some items.", reason=error
        )
    return NotSupported(
        f"This document has no {area}Storage ({error}).",
        "Pages without an origin (data:, about:blank, sandboxed frames) have no storage. First go "
        "to a page of the site.",
        reason=error,
    )
