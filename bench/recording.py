"""Measures the cost of the flight recorder, and its memory.

    python -m bench.recording [--quick] [--json FILE]

The same calls on two browsers, one of them without a recorder. *click*, *evaluate* and *type*
run without pauses. This is the worst case, because screenshots are taken during calls. *page* loads
a page with 20 requests in a browser that records all of them (``--har``).
"""

from __future__ import annotations

from contextlib import AsyncExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

from support.site import Site

from bench.actions import BUTTON, EMPTY, FIELD, PAGE, TEXT
from bench.bench import Asked, Bench, Found, alone
from bench.rows import OWN, Figure, Row
from bench.turns import Batch, in_turns, timed
from tabwarden import Browser
from tabwarden.config import RecorderConfig, load_config
from tabwarden.recording import RECORDER

OFF = "without"
HAR = "with --har"
OF_WITHOUT = 1.03
MEGABYTES = 20.0
MANY = 3_000
"""The number of calls that fill the ring."""


async def measure(asked: Asked, found: Found) -> None:
    base = load_config().browser
    configs = {OWN: base, OFF: base.model_copy(update={"recorder": RecorderConfig(enabled=False)})}
    async with AsyncExitStack() as stack:
        site = stack.enter_context(Site())
        url = site.page("/", PAGE)
        browsers: dict[str, Browser] = {}
        refs: dict[str, tuple[str, str]] = {}
        for name, config in configs.items():
            opening = Browser.launch(executable=asked.browser, config=config)
            browser = browsers[name] = await stack.enter_async_context(opening)
            await browser.goto(url)
            outline = await browser.snapshot()
            refs[name] = outline.ref(BUTTON), outline.ref(FIELD)
        rounds = asked.rounds(60, 10)
        folder = stack.enter_context(TemporaryDirectory())
        records = base.model_copy(update={"record_har": Path(folder)})
        har = await stack.enter_async_context(
            Browser.launch(executable=asked.browser, config=records)
        )

        clicks: dict[str, Batch] = {
            name: timed(lambda name=name: browsers[name].click(refs[name][0])) for name in browsers
        }
        found.add(await in_turns("click", clicks, rounds, 20, says=CLICK, way_s=asked.way_s))
        scripts: dict[str, Batch] = {
            name: timed(lambda name=name: browsers[name].evaluate("1 + 1")) for name in browsers
        }
        found.add(await in_turns("evaluate", scripts, rounds, 100, says=EVALUATE))
        typing: dict[str, Batch] = {
            name: timed(
                lambda name=name: browsers[name].type(TEXT, refs[name][1]),
                lambda name=name: browsers[name].evaluate(EMPTY),
            )
            for name in browsers
        }
        found.add(await in_turns("type", typing, rounds, 10, says=TYPE, way_s=asked.way_s))

        for number in range(asked.rounds(MANY, 300)):
            await browsers[OWN].evaluate(f"'x'.repeat(20_000) + {number}")
        site.pages["/picture"] = ""
        full = site.page("/full", "".join(f"<img src=/picture?{n}>" for n in range(20)))
        loads: dict[str, Batch] = {
            name: timed(lambda b=b: b.goto(full)) for name, b in ((HAR, har), (OFF, browsers[OFF]))
        }
        found.add(await in_turns("page", loads, rounds, 3, says=LOADED))
        recorder = RECORDER.of(browsers[OWN]._task)
        assert recorder is not None
        size = recorder.memory / 1e6
        found.add(Row("memory", {OWN: [size]}, says=MEMORY, unit="MB"))


CLICK = "clicks on a button, one after another"
EVALUATE = "a script that adds two numbers"
TYPE = "1,000 characters into an empty field"
LOADED = "a page that asks for 20 pictures"
MEMORY = "what the recorder keeps after calls with large results"

BENCH = Bench(
    "recording",
    "Flight recorder",
    measure,
    (
        Figure("click, of the time without", "click", OF_WITHOUT, share_of=OFF),
        Figure("type, of the time without", "type", OF_WITHOUT, share_of=OFF),
        Figure("evaluate, of the time without", "evaluate", OF_WITHOUT, share_of=OFF),
        Figure("memory of a task", "memory", MEGABYTES, unit="MB"),
    ),
)

if __name__ == "__main__":
    raise SystemExit(alone(BENCH))
