"""Drop files or data on an element, as if a person dragged them from another program.

Chromium opens a dropped file in a new tab if no element accepts it. So we drop only where the page
accepts the drop.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from tabwarden.errors import InvalidArgument, NotInteractable
from tabwarden.hints import Hint, Next
from tabwarden.page.call import settle, target_of
from tabwarden.page.elements import Point
from tabwarden.page.input.forms.allowed_files import files_in
from tabwarden.page.input.forms.upload import copy_to_browser
from tabwarden.page.input.pointing import listen_for_drag, point_of, viewport
from tabwarden.page.task import Call, Done, OptionalRef, X, Y, card
from tabwarden.page.walker import WorldGone, call_walker
from tabwarden.protocol import input as input_
from tabwarden.results import Dropped

_COPY = 1
_MOST_DATA = 1_000_000
"""The maximum length of all data, in characters."""


def check_data(data: Any, *, has_files: bool) -> dict[str, str]:
    """Check the data, which is keyed by MIME type. Raise ``InvalidArgument`` if there is nothing to
    drop."""
    if not data and not has_files:
        raise InvalidArgument(
            "There is nothing to drop.",
            "Give filenames, data such as {'text/plain': 'words'}, or both.",
            field="filenames",
        )
    texts = data or {}
    if not isinstance(texts, Mapping) or not all(
        isinstance(kind, str) and "/" in kind and isinstance(text, str)
        for kind, text in texts.items()
    ):
        raise InvalidArgument(
            "data must map MIME types to strings.",
            "For example: {'text/plain': 'words', 'text/uri-list': 'https://example.com'}.",
            field="data",
        )
    if sum(map(len, texts.values())) > _MOST_DATA:
        raise InvalidArgument(f"data has more than {_MOST_DATA} characters.", field="data")
    return dict(texts)


async def _drop(
    call: Call,
    files: list[str],
    data: Mapping[str, str],
    *,
    ref: str | None,
    at: tuple[float, float] | None,
) -> Done:
    """Drop files and data. The value is ``{"files", "types", "effect"}``.

    Raises:
        NotInteractable: the page does not accept the drop there.
    """
    point = await point_of(call, ref, at)
    drag_data = input_.DragData(
        items=[input_.DragDataItem(mime_type=kind, data=text) for kind, text in data.items()],
        files=await copy_to_browser(call, files),
        drag_operations_mask=_COPY,
    )
    world = await listen_for_drag(call, point)
    # A frame in another process accepts a drop only after two mouse moves over that frame.
    for kind in ("dragEnter", "dragOver", "dragOver"):
        await call.race.call(_event(kind, point, drag_data), call.tab.session_id)
    try:
        is_accepted = world and await call_walker(call.race, world, "dragTaken", bool(files))
        if world is None or not is_accepted:
            call.task.supervisor.send(_event("dragCancel", point, drag_data), call.tab.session_id)
            raise _refusal(ref, has_files=bool(files))
        await call.race.call(_event("drop", point, drag_data), call.tab.session_id)
        note = await settle(call)
        events = await call_walker(call.race, world, "dragSeen", 0)
        effect = events["dropped"] or "none"
    except WorldGone:  # the drop navigated the page
        note, effect = "", "unknown"
    value = {"files": [Path(file).name for file in files], "types": list(data), "effect": effect}
    return Done(value, note)


def _event(kind: Any, point: Point, data: input_.DragData) -> input_.DispatchDragEvent:
    return input_.DispatchDragEvent(type=kind, x=point.x, y=point.y, data=data)


def _refusal(ref: str | None, *, has_files: bool) -> NotInteractable:
    place = ref or "The element at this point"
    hint = Hint(
        "Nothing was dropped. Give the ref of a drop area for files, or use a file input",
        Next("upload", ref="...", filenames=["..."]),
        ".",
    )
    return NotInteractable(
        f"{place} does not accept dropped {'files' if has_files else 'data'}.",
        hint
        if has_files
        else "Nothing was dropped. Give the ref of an element that accepts this data.",
        ref=ref,
        reason="refuses_drop",
    )


@card(
    "drop",
    about="Drop files or data on an element, as if dragged from outside the page.",
    permission="act",
    group="pages",
    gives=Dropped,
    uses_input=True,
)
async def drop(
    call: Call,
    ref: OptionalRef = None,
    filenames: Annotated[
        Sequence[str], Field(description="Names of files in the upload folder.")
    ] = (),
    *,
    data: Annotated[
        Mapping[str, str] | None,
        Field(description="Data to drop, keyed by MIME type: {'text/plain': 'words'}."),
    ] = None,
    x: X = None,
    y: Y = None,
) -> Done:
    """Drop files or data on an element, as if dragged from outside the page. ``value`` is
    ``{"files", "types", "effect"}``.

    Args:
        ref: the element, from a snapshot.
        filenames: names in the upload folder (``upload_dir`` of the configuration).
        data: strings by MIME type, such as ``{"text/plain": "words"}``.
        x, y: a point in the viewport in CSS pixels, instead of ``ref``.

    Raises:
        Denied: a name leads outside the folder.
        InvalidArgument: a file does not exist, or there is nothing to drop.
        NotInteractable: nothing there accepts the drop.
        StaleRef, UnknownRef, Obscured, DialogPending: as for ``click``.
    """
    at = target_of(ref, x, y)
    files = files_in(call.task.upload_folders, filenames)
    texts = check_data(data, has_files=bool(files))
    return await viewport.inside(
        call, at, lambda: _drop(call, files, texts, ref=ref, at=at), first=True
    )
