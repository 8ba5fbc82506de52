#!/bin/sh
# A WebP screenshot with quality 100 is smaller than one with quality 99, and pixel-exact; a JPEG is neither.
#
# Versions: PyPI playwright 1.65.0, pillow 12.0.0; npm @sparticuz/chromium 153.0.0
# Seen: Page.captureScreenshot of a page with a gradient and two lines of text, 1280 x 720.
#     png            101,485 bytes
#     webp, 100       22,382 bytes, each pixel as in the PNG (lossless: chunk VP8L)
#     webp, 99        35,444 bytes, pixels differ
#     jpeg, 100      193,092 bytes, pixels differ
# Why it is surprising: Quality is a scale, so one expects that the last step makes the file slightly
#     larger, as with JPEG. The protocol reference says that `quality` is only for JPEG. But at exactly 100,
#     the encoder changes to a lossless method. Agents that send PNG because it is exact could send a fifth
#     of the bytes, and lowering 100 to 99 to save bytes makes the file larger and less exact.
# Measured: 2026-11-28
set -eu
. "$(dirname "$0")/prepare.sh"
chromium
pypi playwright==1.65.0 pillow==12.0.0
python - <<'PY'
import base64
import io
import os

from PIL import Image, ImageChops
from playwright.sync_api import sync_playwright

PAGE = """<body style="background: linear-gradient(45deg, red, blue, lime)">
<h1>Hello text</h1><p style="color: #345">some words</p>"""

files = {}
with sync_playwright() as playwright:
    browser = playwright.chromium.launch(executable_path=os.environ["CHROME"])
    page = browser.new_page()
    page.set_content(PAGE)
    session = page.context.new_cdp_session(page)
    for kind, quality in (("png", None), ("webp", 100), ("webp", 99), ("jpeg", 100), ("jpeg", 99)):
        asked = {"format": kind} | ({"quality": quality} if quality else {})
        files[kind, quality] = base64.b64decode(session.send("Page.captureScreenshot", asked)["data"])
    browser.close()

pixels = {key: Image.open(io.BytesIO(data)).convert("RGB") for key, data in files.items()}
exact = {key: ImageChops.difference(image, pixels["png", None]).getbbox() is None for key, image in pixels.items()}
for (kind, quality), data in files.items():
    print(f"{kind:5}{quality or '':5} {len(data):9,} bytes, {'exact' if exact[kind, quality] else 'pixels differ'}")
assert len(files["webp", 100]) < len(files["webp", 99]) < len(files["png", None])
assert len(files["jpeg", 100]) > len(files["jpeg", 99])
assert exact == {key: key in {("png", None), ("webp", 100)} for key in files}, exact
assert b"VP8L" in files["webp", 100][:1000]
PY
