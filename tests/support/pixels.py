"""The pixels of an image, decoded by the browser itself: PNG, JPEG or WebP."""

from __future__ import annotations

import base64

from tabwarden.page import Screenshot
from tabwarden.sync import Browser

__all__ = ["colours", "size"]

_DRAWN = """async (data, type, points) => {
  const bytes = Uint8Array.from(atob(data), (c) => c.charCodeAt(0));
  const picture = await createImageBitmap(new Blob([bytes], {type}));
  const canvas = new OffscreenCanvas(picture.width, picture.height);
  const context = canvas.getContext("2d");
  context.drawImage(picture, 0, 0);
  const at = ([x, y]) => [...context.getImageData(x, y, 1, 1).data].slice(0, 3);
  return { size: [picture.width, picture.height], colours: points.map(at) };
}"""


def _read(browser: Browser, picture: Screenshot, points: list[tuple[float, float]]) -> dict:  # type: ignore[type-arg]
    data = base64.b64encode(picture.data).decode()
    args = [data, picture.media_type, points]
    return dict(browser.evaluate(_DRAWN, args=args, world="isolated").value)


def size(browser: Browser, picture: Screenshot) -> tuple[int, int]:
    """Width and height as the browser decodes them."""
    width, height = _read(browser, picture, [])["size"]
    return width, height


def colours(browser: Browser, picture: Screenshot, *points: tuple[float, float]) -> list[str]:
    """The nearest plain color at each point, in image pixels."""
    named = {
        "red": (255, 0, 0), "green": (0, 128, 0), "blue": (0, 0, 255), "white": (255, 255, 255),
        "black": (0, 0, 0), "yellow": (255, 255, 0), "tag": (214, 0, 108), "grey": (128, 128, 128),
    }  # fmt: skip

    def nearest(colour: list[int]) -> str:
        return min(
            named, key=lambda n: sum((a - b) ** 2 for a, b in zip(named[n], colour, strict=True))
        )

    return [nearest(colour) for colour in _read(browser, picture, list(points))["colours"]]
