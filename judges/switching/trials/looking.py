"""Trials of reading: boxes, scaled screenshots, and results in files."""

from __future__ import annotations

import io
import json
import re

from PIL import Image

from judges.switching.stage import AGENT_BROWSER, DEVTOOLS, OWN, PLAYWRIGHT, Stage
from judges.switching.trial import Trial

__all__ = ["BOXES", "FILES", "VISION"]

PLACES = {"Top": "the page", "Near": "a frame", "Far": "a frame of another site"}
BUTTON = """<button style="position:absolute;left:{left}px;top:40px;width:60px;height:30px"
    onclick="tell('hit', '{name}')">{name}</button>"""


def serve_boxes(stage: Stage) -> None:
    near, far, top = (
        BUTTON.replace("{name}", name).replace("{left}", str(left))
        for name, left in (("Near", 60), ("Far", 90), ("Top", 30))
    )
    stage.page("/near.html", near)
    stage.page("/far.html", far)
    style = "position:absolute;border:0;width:300px;height:120px;left:"
    stage.page(
        "/boxes.html",
        f"""{top}<iframe style="{style}200px;top:150px" src="/near.html"></iframe>
        <iframe style="{style}50px;top:300px" src="{stage.site.there}/far.html"></iframe>""",
    )


BOXES = Trial(
    "boxes",
    "click three buttons by the boxes of their elements: in the page, in a frame, in a frame of "
    "another site",
    serve_boxes,
    lambda stage: {
        f"the button in {words} was hit": f"hit/{name}" in stage.told
        for name, words in PLACES.items()
    },
    lacking={DEVTOOLS: "its snapshot has no boxes"},
)


def middle(text: str, name: str) -> tuple[float, float]:
    """Return the middle of the box in the line with the name.

    Raises:
        LookupError: no line has the name and a box.
    """
    for line in text.splitlines():
        if name in line and (found := re.search(r"\[box=([-\d.,]+)\]", line)):
            x, y, width, height = map(float, found[1].split(","))
            return x + width / 2, y + height / 2
    raise LookupError(f"no box of {name}")


@BOXES.way(OWN)
async def _(stage: Stage) -> None:
    async with stage.tabwarden("--tools", "vision") as user:
        await user.call("browser_navigate", url=f"{stage.here}/boxes.html")
        text = await user.call("browser_snapshot", boxes=True)
        for name in PLACES:
            x, y = middle(text, name)
            await user.call("browser_mouse", mode="click", x=x, y=y)
            await stage.hears(f"hit/{name}")


@BOXES.way(PLAYWRIGHT)
async def _(stage: Stage) -> None:
    async with stage.playwright("--caps=vision") as user:
        await user.call("browser_navigate", url=f"{stage.here}/boxes.html")
        text = await user.call("browser_snapshot", boxes=True)
        for name in PLACES:
            x, y = middle(text, name)
            await user.call("browser_mouse_click_xy", x=x, y=y)
            await stage.hears(f"hit/{name}")


@BOXES.way(AGENT_BROWSER)
async def _(stage: Stage) -> None:
    async with stage.agent_browser("get", "mouse") as user:
        await user.run("open", f"{stage.here}/boxes.html")
        await user.run("snapshot", "-i")
        refs = {name: user.ref(name) for name in PLACES}
        for name, ref in refs.items():
            box = json.loads(await user.run("get", "box", f"@{ref}", "--json"))["data"]
            x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
            await user.run("mouse", "move", f"{x:g}", f"{y:g}")
            await user.run("mouse", "down")
            await user.run("mouse", "up")
            await stage.hears(f"hit/{name}")


SPOTS = ((1_500, 900), (40, 60), (800, 500))
MOVE = f"""const spots = {json.dumps(SPOTS)};
let at = 0;
const put = () => Object.assign(spot.style, {{left: `${{spots[at][0]}}px`,
    top: `${{spots[at][1]}}px`}});
put(); spot.onclick = () => {{ tell('hit', at); at = (at + 1) % spots.length; put() }}"""


def serve_spots(stage: Stage) -> None:
    stage.page(
        "/spots.html",
        f"""<style>body {{margin: 0; overflow: hidden}} #spot {{position: fixed; width: 24px;
        height: 24px; background: #f00; border: 0; padding: 0; outline: 0}}</style>
        <button id=spot aria-label=Spot></button><script>{MOVE}</script>""",
    )


def red(picture: bytes) -> tuple[float, float]:
    """Return the middle of an image's red pixels.

    Raises:
        LookupError: the image has no red pixels.
    """
    image = Image.open(io.BytesIO(picture)).convert("RGB")
    wide, high = image.size
    data = image.tobytes()
    found = [
        at // 3
        for at in range(0, len(data), 3)
        if data[at] > 200 and data[at + 1] < 60 and data[at + 2] < 60
    ]
    if not found:
        raise LookupError(f"nothing is red in a picture of {wide} x {high}")
    return (
        sum(at % wide for at in found) / len(found) + 0.5,
        sum(at // wide for at in found) / len(found) + 0.5,
    )


VISION = Trial(
    "click on a picture",
    "click three spots of a screen with two pixels per CSS pixel, where the picture shows them",
    serve_spots,
    lambda stage: {f"spot {at + 1} was hit": f"hit/{at}" in stage.told for at in range(3)},
)


@VISION.way(OWN)
async def _(stage: Stage) -> None:
    options = ["--window-size", "1600x1000", "--arg=--force-device-scale-factor=2"]
    async with stage.tabwarden("--tools", "vision,emulation", *options) as user:
        await user.call("browser_navigate", url=f"{stage.here}/spots.html")
        await user.call("browser_resize", width=1600, height=1000)
        for at in range(3):
            await user.call("browser_screenshot")
            x, y = red(user.pictures[-1])
            await user.call("browser_mouse", mode="click", x=x, y=y)
            await stage.hears(f"hit/{at}")


@VISION.way(PLAYWRIGHT)
async def _(stage: Stage) -> None:
    options = {"viewport": {"width": 1600, "height": 1000}, "deviceScaleFactor": 2}
    async with stage.playwright("--caps=vision", contextOptions=options) as user:
        await user.call("browser_navigate", url=f"{stage.here}/spots.html")
        for at in range(3):
            await user.call("browser_take_screenshot", scale="css")
            x, y = red(user.pictures[-1])
            await user.call("browser_mouse_click_xy", x=x, y=y)
            await stage.hears(f"hit/{at}")


@VISION.way(DEVTOOLS)
async def _(stage: Stage) -> None:
    async with stage.devtools("--experimentalVision") as user:
        await user.call("emulate", viewport="1600x1000x2")
        await user.call("navigate_page", url=f"{stage.here}/spots.html", type="url")
        for at in range(3):
            await user.call("take_screenshot")
            x, y = red(user.pictures[-1])
            await user.call("click_at", x=x, y=y)
            await stage.hears(f"hit/{at}")


@VISION.way(AGENT_BROWSER)
async def _(stage: Stage) -> None:
    async with stage.agent_browser("set", "mouse") as user:
        await user.run("open", f"{stage.here}/spots.html")
        await user.run("set", "viewport", "1600", "1000", "2")
        for at in range(3):
            await user.run("screenshot", "shot.png")
            x, y = red((stage.folder / "shot.png").read_bytes())
            await user.run("mouse", "move", f"{x:g}", f"{y:g}")
            await user.run("mouse", "down")
            await user.run("mouse", "up")
            await stage.hears(f"hit/{at}")


def serve_rows(stage: Stage) -> None:
    rows = "".join(f"<tr><td>Row {at}<td><button>Buy {at}</button>" for at in range(1_500))
    stage.page("/rows.html", f"<table>{rows}</table>")


FILES = Trial(
    "a result in a file",
    "save a page of 1,500 rows to a file instead of reading it",
    serve_rows,
    lambda stage: {
        "the file has all rows": any(
            "Buy 0" in text and "Buy 1499" in text
            for text in (
                path.read_text(errors="replace")
                for path in stage.folder.rglob("page*")
                if path.is_file()
            )
        ),
        "the agent has not read them": "Buy 1499" not in stage.text,
    },
)


@FILES.way(OWN)
async def _(stage: Stage) -> None:
    async with stage.tabwarden("--tools", "files", f"--output-dir={stage.folder}") as user:
        await user.call("browser_navigate", url=f"{stage.here}/rows.html")
        await user.call("browser_snapshot", filename="page.txt")


@FILES.way(PLAYWRIGHT)
async def _(stage: Stage) -> None:
    async with stage.playwright("--snapshot-mode=none") as user:
        await user.call("browser_navigate", url=f"{stage.here}/rows.html")
        await user.call("browser_snapshot", filename="page.yml")


@FILES.way(DEVTOOLS)
async def _(stage: Stage) -> None:
    async with stage.devtools() as user:
        await user.call("navigate_page", url=f"{stage.here}/rows.html", type="url")
        await user.call("take_snapshot", filePath=f"{stage.folder}/page.txt")


@FILES.way(AGENT_BROWSER)
async def _(stage: Stage) -> None:
    async with stage.agent_browser() as user:
        await user.run("open", f"{stage.here}/rows.html")
        user.calls += 1  # the shell takes what it prints
        stage.write("page.txt", await user.prepare("snapshot"))
