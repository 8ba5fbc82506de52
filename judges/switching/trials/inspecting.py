"""Trials for people who inspect pages: the reasons for slow loads, and accessibility."""

from __future__ import annotations

import asyncio
import io
import re
import sys
import time
from http.server import BaseHTTPRequestHandler
from pathlib import Path

from PIL import Image

from judges.switching.stage import AGENT_BROWSER, DEVTOOLS, OWN, PLAYWRIGHT, Stage, answer
from judges.switching.trial import Facts, Trial

__all__ = ["AUDIT", "PERFORMANCE"]

LATE_S = 0.6
BUSY = "const until = performance.now() + 300; while (performance.now() < until);"
MEASURE = """<script>
let shifted = 0;
new PerformanceObserver(list => list.getEntries().forEach(one => {
    shifted += one.hadRecentInput ? 0 : one.value; tell('cls', shifted.toFixed(4))
})).observe({type: 'layout-shift', buffered: true});
new PerformanceObserver(list => list.getEntries().forEach(
    one => tell('lcp', Math.round(one.startTime), one.element?.id || 'none'))
).observe({type: 'largest-contentful-paint', buffered: true});
</script>"""


def noise() -> bytes:
    """A picture with much in it: others are no candidates for the LCP."""
    made = io.BytesIO()
    Image.effect_noise((600, 300), 90).save(made, "PNG")
    return made.getvalue()


def serve_slow(stage: Stage) -> None:
    picture = noise()

    def hero(request: BaseHTTPRequestHandler) -> None:
        time.sleep(LATE_S)
        answer(request, picture, "image/png", {"Cache-Control": "no-store"})

    stage.site.pages["/hero.png"] = hero
    stage.script("/slow.js", BUSY)
    stage.page(
        "/slow.html",
        f"""{MEASURE}<script src="/slow.js"></script><div id=top></div><h1>Tea</h1>
        <img id=hero src="/hero.png" width=600 height=300 alt=Tea><p>Much tea.</p>
        <script>setTimeout(() => document.querySelector('#top').innerHTML =
            '<p style="height:120px">A banner</p>', 1_200)</script>""",
    )


def judge_slow(stage: Stage) -> Facts:
    """The page's own measurements of its last load decide which numbers are right."""
    told = stage.told
    lcp = [float(one.split("/")[1]) for one in told if one.startswith("lcp/")]
    cls = [float(one.split("/")[1]) for one in told if one.startswith("cls/")]
    said = stage.text
    lcp_said = [
        float(number.replace(",", "")) * (1_000 if unit == "s" else 1)
        for number, unit in re.findall(r"(?i)LCP\b[^\n]{0,60}?([\d.,]*\d) ?(ms|s)\b", said)
    ]
    cls_said = [float(number) for number in re.findall(r"(?i)CLS\b[^\n]{0,60}?(0\.\d+)", said)]
    return {
        "it told the LCP": bool(lcp) and any(abs(one - lcp[-1]) < lcp[-1] / 5 for one in lcp_said),
        "it named the element of the LCP": "hero" in said,
        "it told the CLS": bool(cls) and any(abs(one - cls[-1]) < cls[-1] / 5 for one in cls_said),
        "it named the slow script": "slow.js" in said,
    }


PERFORMANCE = Trial(
    "what makes a page slow",
    "LCP with its element, CLS, and the script that blocks the page",
    serve_slow,
    judge_slow,
    lacking={PLAYWRIGHT: "it measures nothing"},
)


@PERFORMANCE.way(OWN)
async def _(stage: Stage) -> None:
    async with stage.tabwarden("--tools", "devtools") as user:
        await user.call("browser_navigate", url=f"{stage.here}/slow.html")
        await user.call("browser_performance")


@PERFORMANCE.way(DEVTOOLS)
async def _(stage: Stage) -> None:
    async with stage.devtools() as user:
        await user.call("navigate_page", url=f"{stage.here}/slow.html", type="url")
        await user.call("performance_start_trace", reload=True, autoStop=True)
        of = user.found(r"(?i)insight set id: (\S+)")
        for name in ("LCPBreakdown", "CLSCulprits", "RenderBlocking"):  # as its answer says
            if name in user.answers[1]:
                await user.call("performance_analyze_insight", insightSetId=of, insightName=name)


@PERFORMANCE.way(AGENT_BROWSER)
async def _(stage: Stage) -> None:
    async with stage.agent_browser("vitals") as user:
        await user.run("open", f"{stage.here}/slow.html")
        await user.run("vitals")


RULES = {
    "image-alt": "a picture without a text",
    "button-name": "a button without a name",
    "label": "a field without a label",
    "color-contrast": "a text that is too pale",
    "select-name": "a list without a name in a frame of another site",
}


def serve_audited(stage: Stage) -> None:
    stage.page("/frame.html", "<main><h1>Frame</h1><select><option>Tea</select></main>")
    stage.page(
        "/audited.html",
        f"""<html lang=en><main><h1>Shop</h1><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw="
        width=9 height=9><button></button><input type=text><p style="color:#ccc">Pale words</p>
        <iframe title=More src="{stage.site.there}/frame.html"></iframe></main>""",
    )


AUDIT = Trial(
    "accessibility faults",
    "find five faults, of which one is in a frame of another site",
    serve_audited,
    lambda stage: {
        f"it reported {words}": re.search(rf"\b{rule}\b(?!-)", stage.text) is not None
        for rule, words in RULES.items()
    },
    lacking={PLAYWRIGHT: "it has no audit"},
)


@AUDIT.way(OWN)
async def _(stage: Stage) -> None:
    # What its user installs once, as docs/devtools.md says.
    stage.env["XDG_DATA_HOME"] = f"{stage.installed.folder}/data"
    program = Path(sys.executable).with_name("tabwarden")
    installing = await asyncio.create_subprocess_exec(program, "install", "axe", env=stage.env)
    await installing.wait()
    async with stage.tabwarden("--tools", "devtools") as user:
        await user.call("browser_navigate", url=f"{stage.here}/audited.html")
        await user.call("browser_audit")


@AUDIT.way(DEVTOOLS)
async def _(stage: Stage) -> None:
    async with stage.devtools() as user:
        await user.call("navigate_page", url=f"{stage.here}/audited.html", type="url")
        await user.call("lighthouse_audit", mode="snapshot", outputDirPath=str(stage.folder))


@AUDIT.way(AGENT_BROWSER)
async def _(stage: Stage) -> None:
    async with stage.agent_browser("a11y") as user:
        await user.run("open", f"{stage.here}/audited.html")
        await user.run("a11y", "--json")
