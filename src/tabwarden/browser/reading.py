"""Reading: snapshots, pictures, texts and elements of a page, and its console."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Literal

from tabwarden.browser.base import BrowserBase
from tabwarden.budget import Timeout
from tabwarden.errors import InvalidArgument
from tabwarden.journal import journaled
from tabwarden.page import Screenshot, Snapshot
from tabwarden.page.call import local_path, one_of
from tabwarden.page.capture import screenshot
from tabwarden.page.capture import write as write_picture
from tabwarden.page.snapshot import DEFAULT_MAX_CHARS, snapshot


class ReadingMethods(BrowserBase):
    """Methods that read a page."""

    @journaled
    async def snapshot(
        self,
        *,
        full: bool = False,
        frame_id: str | None = None,
        diff: bool = False,
        max_chars: int | None = None,
        ref: str | None = None,
        more: str | None = None,
        refs: Literal["known", "full"] = "known",
        boxes: bool = False,
        tab_id: str | None = None,
        timeout_ms: Timeout = None,
    ) -> Snapshot:
        """Read the page: one outline of all its frames, with refs for the interactive elements.

        Never fails because of the page. If a dialog blocks the page, a script hangs, or the page
        has crashed, the result is the last known outline, marked ``stale``, with the reason.

        Args:
            full: return the whole outline, however long.
            frame_id: read only this frame and the frames inside it.
            diff: return only the changes since the last snapshot of the same part.
            max_chars: maximum length of the outline, 40,000 by default. Elements in the viewport
                take priority, then other interactive elements. The outline lists the omitted
                parts and how to get them.
            ref: read only this element and its content.
            more: read a part that an earlier snapshot omitted, by the name that the snapshot gave
                it (``m3``).
            refs: ``full`` adds every ref's ``backendDOMNodeId``, at about 30 µs per ref; ``known``
                adds only the ids that Tabwarden already knows.
            boxes: write ``[box=x,y,width,height]`` behind each ref: the element's box in CSS pixels
                of the tab's viewport, also for elements in frames and outside the viewport.
            tab_id, timeout_ms: see ``Browser``.

        Raises:
            FrameNotFound: the frame does not exist.
            UnknownRef, StaleRef: no snapshot listed ``ref``, or its element is gone.
            InvalidArgument: a parameter is wrong, or two of them can't be combined: ``frame_id``,
                ``ref`` and ``more`` exclude each other, and ``diff`` excludes ``ref`` and ``more``.
        """
        chosen = {"frame_id": frame_id, "ref": ref, "more": more}
        given = [name for name, value in chosen.items() if value is not None]
        if diff and given and given != ["frame_id"]:
            given.append("diff")
        if len(given) > 1:
            raise InvalidArgument(
                f"{' and '.join(given)} can't be combined.", "Give one of them.", field=given[-1]
            )
        if max_chars is not None and (not isinstance(max_chars, int) or max_chars < 200):
            raise InvalidArgument("max_chars must be a number of at least 200.", field="max_chars")
        one_of("refs", refs, ("known", "full"))
        if max_chars is None and not full:
            max_chars = DEFAULT_MAX_CHARS
        task, budget = self._task, self._budget("snapshot", timeout_ms)
        turn = task.turns.enter(snapshot.SNAPSHOT, task.tab_of(ref, tab_id))
        work = partial(
            snapshot.read,
            task,
            budget,
            tab_id=tab_id,
            frame_id=frame_id,
            ref=ref,
            more=more,
            diff=diff,
            max_chars=max_chars,
            with_nodes=refs == "full",
            boxes=boxes,
            told=lambda: turn.note,
        )
        return await self._in_turn(turn, budget, work)

    @journaled
    async def screenshot(
        self,
        path: str | Path | None = None,
        *,
        ref: str | None = None,
        full_page: bool = False,
        annotate: bool = False,
        image_format: Literal["png", "jpeg", "webp"] = "png",
        clip: Mapping[str, float] | None = None,
        quality: int | None = None,
        max_pixels: int | None = screenshot.MAX_PIXELS,
        max_bytes: int | None = screenshot.MAX_BYTES,
        tab_id: str | None = None,
        timeout_ms: Timeout = None,
    ) -> Screenshot:
        """Capture the viewport, the whole page, one element, or a region.

        A picture that would be too large is scaled down. If the page would then be unreadable, the
        picture is cropped instead, and ``note`` says so. ``scale`` is the number of picture pixels
        per CSS pixel.

        Args:
            path: also write the picture to this file.
            ref: capture only the visible part of this element.
            full_page: capture the whole page.
            annotate: draw the refs of interactive elements on the picture.
            image_format: png, jpeg or webp.
            clip: capture only this region, ``{"x", "y", "width", "height"}`` in CSS pixels of the
                viewport, or of the page with ``full_page``.
            quality: 1 to 100, for jpeg and webp.
            max_pixels: maximum number of pixels, 4 million by default; None allows 16,384 per side.
            max_bytes: maximum size in bytes, 3.5 million by default; None sets no limit.
            tab_id, timeout_ms: see ``Browser``.

        Raises:
            DialogPending: a dialog blocks the page.
            StaleRef, UnknownRef: the element does not exist.
            NotInteractable: no part of the element is visible.
            InvalidArgument: a parameter is wrong, or the clip lies outside the page.
        """
        task = self._task
        file = None if path is None else local_path("path", path)
        want = screenshot.wanted(
            ref=ref,
            full_page=full_page,
            clip=clip,
            annotated=annotate,
            image_format=image_format,
            quality=quality,
            max_pixels=max_pixels,
            max_bytes=max_bytes,
        )
        done = await self._perform(
            screenshot.SCREENSHOT,
            lambda call: screenshot.take_screenshot(call, want),
            task.tab_of(ref, tab_id),
            timeout_ms,
        )
        taken = screenshot.taken(done)
        if file is not None:
            await self._engine.run_async(write_picture(taken, file))
        return taken
