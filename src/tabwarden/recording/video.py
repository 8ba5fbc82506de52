"""Render a trace's screenshots as a video, with the pointer and a caption for each call.

The package's extra ``video`` is needed: PyAV encodes the video, and Pillow draws the frames.
"""

from __future__ import annotations

import io
from bisect import bisect_right
from collections.abc import Iterator
from fractions import Fraction
from typing import IO, Any

from tabwarden.errors import NotSupported
from tabwarden.recording.records import Record
from tabwarden.recording.titles import error_of, title_of
from tabwarden.recording.trace import Trace

VIDEO_FPS = 5
"""Frames per second."""


_CAPTION = 28
"""Height of the caption in pixels."""
_CODECS = {
    "webm": ("libvpx-vp9", {"deadline": "realtime", "cpu-used": "8", "row-mt": "1"}),
    "mp4": ("libx264", {"preset": "ultrafast"}),
}
"""The encoders that PyAV includes, and their fastest settings."""
_DARK, _LIGHT, _RED = (24, 24, 27), (244, 244, 245), (239, 68, 68)
_POINTER_S = 1.0
"""How long the pointer stays visible after a mouse press."""
_LONGEST_STILL_S = 5.0
"""Periods without changes that are longer than this are shortened to this duration."""


def check_video() -> None:
    """Raise ``NotSupported`` if the extra for videos is not installed."""
    try:
        import av  # noqa: F401
        import PIL  # noqa: F401
    except ImportError:
        raise NotSupported(
            "Videos need the libraries PyAV and Pillow.",
            "Install them: pip install 'tabwarden[video]'.",
        ) from None


def write_video(trace: Trace, file: IO[bytes], form: str = "webm") -> None:
    """Write a trace as a video.

    Args:
        trace: the trace with screenshots and calls.
        file: the file to write.
        form: ``webm`` or ``mp4``.

    Raises:
        NotSupported: the extra for videos is not installed.
    """
    check_video()
    import av

    video_frame: Any = av.VideoFrame
    codec, settings = _CODECS.get(form, _CODECS["webm"])
    width, height = _size(trace)
    # Each image is drawn once, but may be used for many frames.
    with av.open(file, "w", format="mp4" if form == "mp4" else "webm") as container:
        stream: Any = container.add_stream(codec, rate=VIDEO_FPS, options=settings)
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        stream.bit_rate = 1_000_000
        stream.time_base = Fraction(1, 1000)
        stream.codec_context.time_base = Fraction(1, 1000)
        for shown_ms, image in _frames(trace, (width, height)):
            frame = video_frame.from_image(image)
            frame.pts, frame.time_base = shown_ms, Fraction(1, 1000)
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))


def _size(trace: Trace) -> tuple[int, int]:
    """Return the size of the first screenshot, including a caption. Encoders require even
    numbers."""
    first = trace.pictures[0] if trace.pictures else {"width": 1280, "height": 720}
    return first["width"] // 2 * 2, (first["height"] + _CAPTION) // 2 * 2


def _frames(trace: Trace, size: tuple[int, int]) -> Iterator[tuple[int, Any]]:
    """Yield the times in milliseconds at which the video changes, with the images."""
    film, last_at, shown_ms = _Film(trace, size), 0.0, 0
    moments = sorted(
        {
            *(one["at"] for one in trace.pictures),
            *(one["began"] for one in trace.calls),
            *(one["ended"] or one["began"] for one in trace.calls),
            *((one["ended"] or one["began"]) + _POINTER_S for one in trace.calls if one["point"]),
            float(trace.about["ended"]),
        }
    )
    for moment in moments:
        step = min(moment - last_at, _LONGEST_STILL_S) if last_at else 0.0
        shown_ms += max(1, round(step * 1000)) if last_at else 0
        last_at = moment
        yield shown_ms, film.at(moment)
    yield shown_ms + 1000 // VIDEO_FPS, film.at(last_at)


class _Film:
    def __init__(self, trace: Trace, size: tuple[int, int]) -> None:
        self._trace, self._size = trace, size
        self._opened: tuple[str, Any] | None = None

    def at(self, moment: float) -> Any:
        """Draw the frame for a point in time."""
        from PIL import Image, ImageDraw, ImageFont

        image = Image.new("RGB", self._size, _DARK)
        place = bisect_right(self._trace.pictures, moment, key=lambda one: float(one["at"]))
        picture = self._trace.pictures[max(0, place - 1)] if self._trace.pictures else None
        scale = 1.0
        if picture is not None:
            opened = self._picture(picture)
            scale = opened.width / picture["width"] * picture["scale"]
            image.paste(opened, (0, 0))
        draw = ImageDraw.Draw(image)
        call = self._call(moment)
        if call is not None:
            font = ImageFont.load_default(14)
            failed = error_of(call) if call["ended"] and call["ended"] <= moment else ""
            words = f"{title_of(call)}   {failed}" if failed else title_of(call)
            top = self._size[1] - _CAPTION
            draw.text((10, top + 5), words, fill=_RED if failed else _LIGHT, font=font)
            until = (call["ended"] or moment) + _POINTER_S
            if call["point"] and call["began"] <= moment < until:
                x, y = (side * scale for side in call["point"])
                draw.ellipse((x - 9, y - 9, x + 9, y + 9), outline=_RED, width=3)
        return image

    def _picture(self, picture: Record) -> Any:
        from PIL import Image

        if self._opened is None or self._opened[0] != picture["file"]:
            opened = Image.open(io.BytesIO(self._trace.images[picture["file"]])).convert("RGB")
            room = (self._size[0], self._size[1] - _CAPTION)
            if opened.width > room[0] or opened.height > room[1]:
                opened.thumbnail(room)
            self._opened = picture["file"], opened
        return self._opened[1]

    def _call(self, moment: float) -> Record | None:
        """Return the last call that had begun; for a batch, the last step that had begun."""
        begun = [one for one in self._trace.calls if one["began"] <= moment]
        return begun[-1] if begun else None
