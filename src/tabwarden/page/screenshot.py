"""Screenshots: the viewport, the whole page, or one element."""

from __future__ import annotations

import asyncio
import base64
from contextlib import nullcontext
from pathlib import Path
from typing import Literal

import msgspec

from tabwarden.errors import BudgetExceeded, DialogPending, InvalidArgument
from tabwarden.page.act import ANSWER_HINT
from tabwarden.page.aim import box
from tabwarden.page.annotate import refs_drawn
from tabwarden.page.blocking import blocking_dialogs
from tabwarden.page.element import element_of
from tabwarden.page.front import bring_to_front
from tabwarden.page.result import ActionResult, dialog_json
from tabwarden.page.task import Task
from tabwarden.protocol import page
from tabwarden.supervisor import PendingDialog, Race, Tab

__all__ = ["Screenshot", "take_screenshot", "taken", "write"]

Format = Literal["png", "jpeg", "webp"]
_PATIENCE_MS = 800.0
"""A page draws within a frame or two; one that does not by then stands still."""
_LAST = "this is what the tab showed last, the viewport as it was."
_MAX_SIDE = 16_384
"""Chromium's own limit for a captured surface; a longer page is cut there."""


class Screenshot(msgspec.Struct, frozen=True):
    """A picture."""

    data: bytes
    format: str
    note: str = ""

    @property
    def media_type(self) -> str:
        """The MIME type."""
        return f"image/{self.format}"


async def take_screenshot(
    task: Task,
    race: Race,
    tab: Tab,
    *,
    ref: str | None = None,
    full_page: bool = False,
    annotated: bool = False,
    image_format: Format = "png",
) -> Screenshot:
    """Capture what the tab shows; ``annotated`` with its refs drawn over it.

    Raises:
        InvalidArgument: both ``ref`` and ``full_page``.
        StaleRef, UnknownRef: no such element.
    """
    if ref is not None and full_page:
        raise InvalidArgument(
            "ref and full_page exclude each other.", "Give one of them.", field="full_page"
        )
    bring_to_front(task, race, tab)
    dialog = next(iter(blocking_dialogs(task.state, tab.tab_id)), None)
    if dialog is not None and dialog.channel != "debugger":
        task.supervisor.telemetry.fallback("last_frame", "dialog", tab_id=tab.tab_id)
        return await _last_frame(race, tab, image_format, dialog)
    clip, note = await _clip(task, race, tab, ref, full_page=full_page)
    command = page.CaptureScreenshot(
        format=image_format,
        clip=clip or msgspec.UNSET,
        capture_beyond_viewport=full_page,
    )
    async with refs_drawn(task, race, tab) if annotated else nullcontext():
        capture = race.start(command, tab.session_id)
        patience = min(_PATIENCE_MS, race.budget.remaining_ms() * 0.5)
        if not await race.answered(capture, at_most_ms=patience):
            task.supervisor.telemetry.fallback("last_frame", "not_drawing", tab_id=tab.tab_id)
            return await _last_frame(race, tab, image_format, dialog)
    captured = await race.result(capture)
    return Screenshot(base64.b64decode(captured.data), image_format, note)


async def _last_frame(
    race: Race, tab: Tab, image_format: Format, dialog: PendingDialog | None
) -> Screenshot:
    """What the compositor holds: it needs nothing of a page that stands still.

    A screencast's first frame comes from there (``Page.startScreencast``), while
    ``Page.captureScreenshot`` waits for the page to draw.

    Raises:
        DialogPending, BudgetExceeded: not even that came (headless shells only have the frames
            that a page draws meanwhile).
    """
    kind: Literal["png", "jpeg"] = "jpeg" if image_format == "jpeg" else "png"
    try:
        race.start(page.StartScreencast(format=kind), tab.session_id)
        frame = await race.event(
            page.ScreencastFrame,
            tab.session_id,
            at_most_ms=min(_PATIENCE_MS, race.budget.remaining_ms() * 0.5),
        )
    finally:
        race.supervisor.send(page.StopScreencast(), tab.session_id)
    if frame is None and dialog is not None:
        raise DialogPending(
            f"Dialog {dialog.id} ({dialog.type}) waits in tab {tab.tab_id}, and the page can't be "
            f"drawn behind it: {dialog.message[:200]!r}.",
            ANSWER_HINT,
            dialog=dialog_json(dialog),
        )
    if frame is None:
        raise BudgetExceeded("The page stands still and shows nothing that could be captured.")
    note = f"Dialog {dialog.id} waits" if dialog is not None else "The page does not draw"
    return Screenshot(base64.b64decode(frame.data), kind, f"{note}: {_LAST}")


def taken(done: ActionResult) -> Screenshot:
    """The picture of a screenshot that was performed.

    Raises:
        DialogPending: a dialog opened before it could be taken.
    """
    if isinstance(done.value, Screenshot):
        if not done.note:
            return done.value
        told = " ".join(filter(None, [done.note, done.value.note]))
        return msgspec.structs.replace(done.value, note=told)
    dialog = (done.by or {}).get("dialog", {})
    raise DialogPending(
        f"A dialog opened before the picture was taken: {dialog.get('message', '')[:200]!r}.",
        ANSWER_HINT,
        dialog=dialog,
    )


async def write(picture: Screenshot, path: Path) -> None:
    """Write a picture to a file.

    Raises:
        InvalidArgument: it can't be written there.
    """
    try:
        await asyncio.to_thread(path.write_bytes, picture.data)
    except OSError as error:
        raise InvalidArgument(
            f"The picture can't be written to {str(path)!r}: {error.strerror}.",
            "Name a file in a folder that exists.",
            field="path",
        ) from None


async def _clip(
    task: Task, race: Race, tab: Tab, ref: str | None, *, full_page: bool
) -> tuple[page.Viewport | None, str]:
    if ref is not None:
        x, y, width, height = await box(task, race, await element_of(task, race, tab, ref))
        metrics = await race.call(page.GetLayoutMetrics(), tab.session_id)
        seen = metrics.css_visual_viewport
        return (
            page.Viewport(
                x=x + seen.page_x,
                y=y + seen.page_y,
                width=max(1.0, width),
                height=max(1.0, height),
                scale=1,
            ),
            "",
        )
    if not full_page:
        return None, ""
    metrics = await race.call(page.GetLayoutMetrics(), tab.session_id)
    size = metrics.css_content_size
    note = "" if size.height <= _MAX_SIDE else f"The page is cut at {_MAX_SIDE} pixels."
    return (
        page.Viewport(
            x=0,
            y=0,
            width=min(size.width, _MAX_SIDE),
            height=min(size.height, _MAX_SIDE),
            scale=1,
        ),
        note,
    )
