"""Screenshots: capture the viewport, the page, an element or a clip, within size limits."""

from __future__ import annotations

import base64
import math
from collections.abc import Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from pydantic import Field

from tabwarden.errors import BudgetExceeded, Denied, DialogPending, InvalidArgument
from tabwarden.files.local_path import local_path
from tabwarden.hints import joined
from tabwarden.page.call import (
    BARS,
    answer_hint,
    bar_sizes,
    bring_to_front,
)
from tabwarden.page.capture.annotate import labelled, refs_drawn
from tabwarden.page.capture.covering import cover_all
from tabwarden.page.capture.masking import secret_fields_masked
from tabwarden.page.capture.picture import Screenshot, size_of, write
from tabwarden.page.capture.region import checked_clip, fitted
from tabwarden.page.capture.timing import LARGE_PICTURE_MS, PATIENCE_MS
from tabwarden.page.elements import Region, element_of, shown_part
from tabwarden.page.recovery import find_stalled_gpu
from tabwarden.page.task import (
    PYTHON_ONLY,
    ActionResult,
    Call,
    ForModels,
    OptionalRef,
    TakenPicture,
    Task,
    View,
    blocking_dialogs,
    card,
    dialog_json,
)
from tabwarden.protocol import page
from tabwarden.results import Picture
from tabwarden.supervisor.core.state.dialog_values import PendingDialog
from tabwarden.supervisor.core.state.tabs import Tab
from tabwarden.supervisor.runtime import Race

Format = Literal["png", "jpeg", "webp"]
MAX_PIXELS = 4_000_000
"""No model uses an image with more pixels than this."""
MAX_BYTES = 3_500_000
"""In base64, this is 5 MB, the limit of the strictest model."""
_TRIES = 4
_LAST = "This is the latest image of the viewport"


class ScreenshotOptions(msgspec.Struct, frozen=True, kw_only=True):
    ref: str | None = None
    full_page: bool = False
    clip: Region | None = None
    annotated: bool = False
    image_format: Format = "png"
    quality: int | None = None
    max_pixels: int | None = MAX_PIXELS
    max_bytes: int | None = MAX_BYTES
    scale: float | None = None


def _wanted(
    *,
    ref: str | None,
    full_page: bool,
    clip: Mapping[str, Any] | None,
    annotated: bool,
    image_format: Format,
    quality: int | None,
    max_pixels: int | None,
    max_bytes: int | None,
    scale: float | None,
) -> ScreenshotOptions:
    """Check the arguments. Raise ``InvalidArgument`` for a conflict or a number out of range."""
    if ref is not None and (full_page or clip is not None):
        other = "full_page" if full_page else "clip"
        raise InvalidArgument(f"ref and {other} can't be combined.", "Give only one.", field=other)
    if quality is not None and image_format == "png":
        raise InvalidArgument(
            "quality does not apply to png.", "Use jpeg or webp.", field="quality"
        )
    return ScreenshotOptions(
        ref=ref,
        full_page=full_page,
        clip=None if clip is None else checked_clip(clip),
        annotated=annotated,
        image_format=image_format,
        quality=quality,
        max_pixels=max_pixels,
        max_bytes=max_bytes,
        scale=scale,
    )


async def _take(call: Call, options: ScreenshotOptions) -> Screenshot:
    """Capture the tab. If the page does not render, return the last image of the viewport.

    Raises:
        StaleRef, UnknownRef: the element does not exist.
        NotInteractable: no part of the element is visible.
        InvalidArgument: the clip is outside the page.
    """
    bring_to_front(call)
    call.memory.picture = None
    dialog = next(iter(blocking_dialogs(call.state, call.tab.tab_id)), None)
    is_still = dialog is not None and dialog.channel != "debugger"
    if call.task.vault.hidden.is_known and (
        is_still or not await cover_all(call.task, call.race, call.tab.tab_id)
    ):
        raise Denied(
            "No screenshot was taken: the page is not responding, so Tabwarden can't cover secrets "
            "that the page may show.",
            "Take a snapshot.",
        )
    if dialog is not None and is_still:
        call.task.supervisor.telemetry.fallback("last_frame", "dialog", tab_id=call.tab.tab_id)
        return await _last_frame(call.race, call.tab, options, dialog)
    picture = await _drawn(call, options, paused=dialog is not None)
    if picture is None and dialog is None and (words := await _unstalled(call.task, call.tab)):
        picture = await _drawn(call, options, paused=False)
        if picture is not None:
            picture = msgspec.structs.replace(picture, note=joined(words, picture.note))
    if picture is None:
        call.task.supervisor.telemetry.fallback("last_frame", "not_drawing", tab_id=call.tab.tab_id)
        return await _last_frame(call.race, call.tab, options, dialog)
    return picture


async def _drawn(call: Call, options: ScreenshotOptions, *, paused: bool) -> Screenshot | None:
    """Return an image of the page, or None if the page does not render."""
    camera = _Camera(call.race, call.tab, options, paused=paused)
    document = call.state.document_in(call.tab.tab_id)
    async with (
        call.task.shutter.opened(call.race),
        secret_fields_masked(call.task),
        refs_drawn(call) if options.annotated else nullcontext() as lines,
    ):
        if options.ref is not None:
            part = await shown_part(call, await element_of(call, options.ref))
            camera.aim(part.region, part.note)
        elif options.full_page or options.clip is not None:
            await camera.measure()
        picture = await camera.take()
        if picture is None:
            return None
        shown = camera.shown(picture)
        taken = TakenPicture(
            id=next(call.task.picture_ids),
            document=document,
            width=picture.width,
            height=picture.height,
            x=shown.x,
            y=shown.y,
            scale=picture.width / shown.width,
            of_page=shown.beyond,
            view=camera.view,
        )
        call.memory.picture = taken
        labels = "" if lines is None else await labelled(call, lines, camera.in_view(shown))
        return msgspec.structs.replace(picture, id=taken.id, labels=labels)


async def _unstalled(task: Task, tab: Tab) -> str:
    """Kill the GPU process if it keeps the page from rendering. Return a message if it was killed.

    If the process could not be killed, this call's error will report that.
    """
    gpu_process = await find_stalled_gpu(task, tab.tab_id)
    if gpu_process is None or not gpu_process.ended:
        return ""
    task.supervisor.telemetry.ladder_step("kill", tab_id=tab.tab_id)
    return f"{gpu_process.words} ({gpu_process.step}.)"


class _Camera:
    """Takes a screenshot, and takes it again at another scale if the image is too large or does not
    have the requested scale."""

    def __init__(self, race: Race, tab: Tab, options: ScreenshotOptions, *, paused: bool) -> None:
        self._race, self._tab, self._options, self._paused = race, tab, options, paused
        self._whole: Region | None = None
        """The region that the caller wants; None for the current viewport."""
        self._region: Region | None = None
        """The part of ``_whole`` to capture, and its scale."""
        self._metrics: page.GetLayoutMetricsResult | None = None
        self._density = 1.0
        """Device pixels per CSS pixel, measured from the image."""
        self.view: View
        """The page's scroll position and visible size when the image was taken."""
        self._layout: page.LayoutViewport
        self._notes: list[str] = []
        self._fitted = self._smaller = ""
        self._still = False
        """Whether the page failed to respond."""
        self._bars = (0.0, 0.0)
        """The sizes of the viewport's scroll bars, which the layout metrics don't include."""

    def aim(self, region: Region, note: str) -> None:
        self._whole, self._density = region, region.density
        self._notes.append(note)
        self._fit()

    async def measure(self) -> None:
        """Measure the page or the clip, and choose the part to capture, if the page responds."""
        bars = self._race.start(BARS, self._tab.session_id)
        metrics = self._race.start(page.GetLayoutMetrics(), self._tab.session_id)
        if await self._race.answered(metrics, at_most_ms=self._patience()):
            self._bars = await bar_sizes(self._race, bars)
            self._aim_by(await self._race.result(metrics))
        else:
            self._still = True

    def _aim_by(self, metrics: page.GetLayoutMetricsResult) -> None:
        view, content = metrics.css_layout_viewport, metrics.css_content_size
        width, height = view.client_width + self._bars[0], view.client_height + self._bars[1]
        shown = Region(view.page_x, view.page_y, width, height)
        whole = Region(0, 0, math.ceil(content.width), math.ceil(content.height))
        region = whole if self._options.full_page else shown
        if (clip := self._options.clip) is not None:
            region = clip._replace(x=clip.x + region.x, y=clip.y + region.y).within(region)
        if min(region.width, region.height) < 1:
            raise InvalidArgument(
                "The clip is outside the page.",
                f"The viewport is {shown.width:.0f} x {shown.height:.0f} CSS pixels, and the page "
                f"is {whole.width:.0f} x {whole.height:.0f} (full_page=true).",
                field="clip",
            )
        self._whole = region._replace(beyond=region.within(shown) != region)
        self._fit()

    def shown(self, picture: Screenshot) -> Region:
        """Return the region of the page that an image shows, in CSS pixels."""
        if self._region is not None:
            return self._region
        zoomed = picture.scale * self._layout.client_width / self.view.width
        width, height = picture.width / zoomed, picture.height / zoomed
        return Region(self.view.x, self.view.y, width, height, beyond=False)

    def in_view(self, region: Region) -> Region:
        """Convert a region from page coordinates to viewport coordinates."""
        x, y = self._layout.page_x, self._layout.page_y
        return region._replace(x=region.x - x, y=region.y - y)

    async def take(self) -> Screenshot | None:
        for tries_left in reversed(range(_TRIES)):
            picture = None if self._still else await self._captured()
            if picture is None or tries_left == 0 or not self._rescaled(picture):
                return picture
        return None

    def _fit(self) -> None:
        if self._whole is not None:
            scale = (self._options.scale or self._density) / self._density
            fit = self._whole._replace(density=self._density, scale=scale)
            self._region, self._fitted = fitted(fit, self._options.max_pixels)

    def _rescaled(self, picture: Screenshot) -> bool:
        """If the image is too large, or does not have the requested scale, choose another scale.
        Return whether to take the image again."""
        most_pixels, most_bytes = self._options.max_pixels, self._options.max_bytes
        many = most_pixels is not None and picture.width * picture.height > most_pixels
        large = most_bytes is not None and len(picture.data) > most_bytes
        off = self._is_off(picture)
        if not many and not large and not off:
            return False
        if self._whole is None and self._metrics is not None:  # the image showed the viewport
            self._aim_by(self._metrics)
        if many or off:
            self._fit()
        if large and most_bytes is not None and self._region is not None:
            scale = self._region.scale * math.sqrt(most_bytes / len(picture.data)) * 0.9
            self._region = self._region._replace(scale=scale)
            self._smaller = f"The image is scaled to {scale:.0%} to stay within {most_bytes} bytes."
        return self._region is not None

    def _is_off(self, picture: Screenshot) -> bool:
        """Whether the image does not have the requested scale, because the density was not known
        before. Chromium rounds the sides, so one pixel does not count."""
        scale = self._options.scale
        if scale is None or self._fitted or self._smaller:
            return False
        return abs(picture.width - self.shown(picture).width * scale) > 1

    async def _captured(self) -> Screenshot | None:
        region = self._region
        command = page.CaptureScreenshot(
            format=self._options.image_format,
            quality=msgspec.UNSET if self._options.quality is None else self._options.quality,
            clip=msgspec.UNSET if region is None else region.viewport(),
            capture_beyond_viewport=region is not None and region.beyond,
        )
        bars = self._race.start(BARS, self._tab.session_id)
        measured = self._race.start(page.GetLayoutMetrics(), self._tab.session_id)
        capture = self._race.start(command, self._tab.session_id)
        if not await self._race.answered(measured, at_most_ms=self._patience()):
            return None
        most_ms = self._patience() if self._paused else self._patience(LARGE_PICTURE_MS)
        if not await self._race.answered(capture, at_most_ms=most_ms):
            return None
        data = base64.b64decode((await self._race.result(capture)).data)
        self._bars = await bar_sizes(self._race, bars)
        metrics = await self._race.result(measured)
        self.view, self._layout = View.of(metrics), metrics.css_layout_viewport
        width, height = size_of(data)
        if region is not None:
            scale = width / region.width
            self._density = scale / region.scale
        else:
            self._metrics, view = metrics, metrics.css_layout_viewport
            sides = (
                (width, view.client_width + self._bars[0]),
                (height, view.client_height + self._bars[1]),
            )
            scale = self._density = min((a / b for a, b in sides if b), default=1.0)
        notes = [*self._notes, self._fitted if not self._smaller else "", self._smaller]
        note = " ".join(words for words in notes if words)
        return Screenshot(data, self._options.image_format, note, width, height, scale)

    def _patience(self, at_rest_ms: float = PATIENCE_MS) -> float:
        patience_ms = at_rest_ms * self._race.supervisor.hang_patience
        return min(patience_ms, self._race.budget.remaining_ms() * 0.5)


async def _last_frame(
    race: Race, tab: Tab, options: ScreenshotOptions, dialog: PendingDialog | None
) -> Screenshot:
    """Return the compositor's last image, even if the page does not respond.

    ``Page.startScreencast`` gets its first frame from the compositor. ``Page.captureScreenshot``
    would wait for the page to render.

    Raises:
        DialogPending, BudgetExceeded: no frame arrived. A headless shell sends only frames that the
            page draws during the screencast.
    """
    kind: Literal["png", "jpeg"] = "jpeg" if options.image_format == "jpeg" else "png"
    try:
        race.start(page.StartScreencast(format=kind), tab.session_id)
        frame = await race.event(
            page.ScreencastFrame,
            tab.session_id,
            at_most_ms=min(PATIENCE_MS, race.budget.remaining_ms() * 0.5),
        )
    finally:
        race.supervisor.send(page.StopScreencast(), tab.session_id)
    if frame is None and dialog is not None:
        raise DialogPending(
            f"Dialog {dialog.id} ({dialog.type}) is waiting in tab {tab.tab_id}, and the browser "
            f"can't render the page behind it: {dialog.message[:200]!r}.",
            answer_hint(race.supervisor.state, dialog),
            dialog=dialog_json(dialog),
        )
    if frame is None:
        raise BudgetExceeded("The page is not rendering, so there is nothing to capture.")
    why = f"dialog {dialog.id} is waiting" if dialog is not None else "the page is not rendering"
    data = base64.b64decode(frame.data)
    return Screenshot(data, kind, f"{_LAST}, because {why}.", *size_of(data))


def taken(done: ActionResult) -> Screenshot:
    """Return the image of a screenshot action. Raise ``DialogPending`` if a dialog opened before
    the image was taken."""
    if isinstance(done.value, Screenshot):
        if not done.note:
            return done.value
        note = joined(done.note, done.value.note)
        return msgspec.structs.replace(done.value, note=note)
    dialog = (done.by or {}).get("dialog", {})
    raise DialogPending(
        f"A dialog opened before the screenshot was taken: {dialog.get('message', '')[:200]!r}.",
        done.next,
        dialog=dialog,
    )


@card(
    "screenshot",
    about="Take a screenshot of the viewport, the whole page, one element or an area.",
    permission="read",
    group="core",
    gives=Picture,
    saves={},
    shows=False,
    read_only=True,
    refreshes=False,
    looks=True,
    acts=False,
    answer=taken,
)
async def screenshot(
    call: Call,
    path: Annotated[str | Path | None, PYTHON_ONLY] = None,
    *,
    ref: OptionalRef = None,
    full_page: Annotated[bool, Field(description="Capture the whole page.")] = False,
    annotate: Annotated[
        bool, Field(description="Draw the refs of interactive elements on the image.")
    ] = False,
    image_format: Annotated[
        Literal["png", "jpeg", "webp"],
        ForModels(name="format"),
        Field(description="The image format."),
    ] = "png",
    clip: Annotated[
        Mapping[str, float] | None,
        Field(
            description="Capture only {x, y, width, height} in CSS pixels, relative to the "
            "viewport (to the page, with full_page)."
        ),
    ] = None,
    quality: Annotated[
        int | None,
        Field(description="Image quality from 1 to 100, for jpeg and webp.", ge=1, le=100),
    ] = None,
    max_pixels: Annotated[
        Annotated[int, Field(ge=1_000)] | None,
        ForModels(Annotated[int, Field(ge=1_000)]),
        Field(description="Maximum number of pixels. Larger images are scaled down or cropped."),
    ] = MAX_PIXELS,
    max_bytes: Annotated[
        Annotated[int, Field(ge=10_000)] | None,
        ForModels(Annotated[int, Field(ge=10_000)]),
        Field(description="Maximum image size in bytes."),
    ] = MAX_BYTES,
    scale: Annotated[
        float | None, Field(description="Image pixels per CSS pixel.", ge=0.1, le=32)
    ] = None,
) -> Screenshot:
    """Capture the viewport, the whole page, one element, or a region.

    An image that would be too large is scaled down. If the page would then be unreadable, the
    image is cropped instead, and ``note`` says so. ``scale`` is the number of image pixels per
    CSS pixel.

    Args:
        path: also write the image to this file.
        ref: capture only the visible part of this element.
        full_page: capture the whole page.
        annotate: draw the refs of interactive elements on the image.
        image_format: png, jpeg or webp.
        clip: capture only this region, ``{"x", "y", "width", "height"}`` in CSS pixels from the
            viewport's top left corner, or from the page's with ``full_page``.
        quality: 1 to 100, for jpeg and webp.
        max_pixels: maximum number of pixels, 4 million by default; None allows 16,384 per side.
        max_bytes: maximum size in bytes, 3.5 million by default; None sets no limit.
        scale: image pixels per CSS pixel, from 0.1 to 32; by default the display's. With
            ``clip``, a large scale shows details. With 1, image pixels are CSS pixels.

    Raises:
        DialogPending: a dialog blocks the page.
        StaleRef, UnknownRef: the element does not exist.
        NotInteractable: no part of the element is visible.
        InvalidArgument: a parameter is wrong, or the clip is outside the page.
    """
    file = None if path is None else local_path("path", path)
    picture = await _take(
        call,
        _wanted(
            ref=ref,
            full_page=full_page,
            clip=clip,
            annotated=annotate,
            image_format=image_format,
            quality=quality,
            max_pixels=max_pixels,
            max_bytes=max_bytes,
            scale=scale,
        ),
    )
    if file is not None:
        await write(picture, file)
    return picture
