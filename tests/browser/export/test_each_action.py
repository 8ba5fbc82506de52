"""Scripts and replays repeat input, routes, init scripts and waits, with the same end state."""

from __future__ import annotations

import asyncio
import runpy
from pathlib import Path
from typing import Any

import pytest
from support.beside import sync_playwright_browser
from support.recorded import run_in_tabwarden, write_recording
from support.site import Site

from tabwarden import Browser as AsyncBrowser
from tabwarden.export import SCRIPTS, Plan, plan_of, read_trace, replay
from tabwarden.sync import Browser

SAID = "said.textContent"
PAGE = """<style>div { height: 40px } p { height: 200px }</style>
<p id=said></p><script>
const say = what => said.textContent += what + " "
say(window.early + Intl.DateTimeFormat().resolvedOptions().timeZone)
addEventListener("keydown", e => e.repeat || say("down" + e.key))
addEventListener("keyup", e => say("up" + e.key))
const fetched = async path => say(await fetch(path, {headers: {"X-Kind": "page"}})
  .then(r => r.text(), () => "failed"))
</script>
<label><input type=checkbox onchange="say('gift' + checked)"> Gift</label>
<label><input type=checkbox checked onchange="say('card' + checked)"> Card</label>
<label>Name <input onfocus="say('focus')" onblur="say('blur')"></label>
<button onclick="say('tea' + event.detail)">Tea</button>
<button onclick="fetched('/api/a')">Ask</button> <button onclick="fetched('/api/b')">Other</button>
<button id=later disabled>Later</button>
<button onclick="setTimeout(() => {later.disabled = false; later.textContent = 'Now'}, 500)">
Enable</button>
<div id=pad tabindex=0 onmousedown="say('press')" onmouseup="say('release')"
  onwheel="say('wheel')">Pad</div>
<div id=skin style="touch-action: none" aria-label=Skin role=img ontouchstart="this.at = 0"
  ontouchmove="this.at = Math.round((event.touches[0].clientX - 8) / 50)"
  ontouchend="say('touch' + this.at)">Skin</div>
<div id=box aria-label=Box role=img ondragover="event.preventDefault()"
  ondrop="event.preventDefault(); say(event.dataTransfer.getData('text/plain'))">Box</div>"""


def act(browser: Browser, url: str) -> None:
    """Run each action once; the page records its input."""
    browser.emulate(timezone="Asia/Tokyo", user_agent="Tests/1")
    browser.add_init_script("window.early = 'early'")
    extra = browser.add_init_script("window.early = 'late'").value["id"]
    browser.init_script("remove", script_id=extra)
    browser.route("**/api/*", body="mocked", headers={"X-From": "route"})
    slow = browser.route(r"/api\/b/i", abort="failed", method="GET", delay_ms=20).value["id"]
    browser.goto(url)
    browser.check("label=Gift")
    browser.uncheck("label=Card")
    browser.focus("label=Name")
    for mode in ("down", "up"):
        browser.press("Shift", mode=mode)
    browser.press("a", hold_ms=30)
    picture = browser.screenshot(full_page=True)
    assert picture.width
    x, y = middle(browser, "button")
    browser.mouse("click", x, y, count=2, pixels="css")
    x, y = middle(browser, "#pad")
    browser.mouse("move", x, y, pixels="css")
    browser.mouse("down")
    browser.mouse("up")
    browser.mouse("wheel", delta_y=10)
    browser.touch("tap", "css=#skin")
    x, y = middle(browser, "#skin")
    browser.touch("swipe", x=58, y=y, to_x=158, to_y=y, pixels="css")
    browser.drop("css=#box", data={"text/plain": "dropped"})
    browser.click('role=button[name="Other"]')
    browser.wait(text="failed")
    browser.route(mode="remove", route_id=slow)
    browser.click('role=button[name="Ask"]')
    browser.wait(any_of=[{"text": "never"}, {"text": "mocked"}])
    browser.click('role=button[name="Other"]')
    browser.wait(script="said.textContent.split('mocked').length == 3")
    browser.click('role=button[name="Enable"]')
    browser.wait(ref="css=#later", state="enabled", has_text="now")
    browser.wait(any_of=[{"ref": "css=#later", "state": "hidden"}, {"ref": "css=#later"}])


def middle(browser: Browser, css: str) -> tuple[float, float]:
    box = f"document.querySelector('{css}').getBoundingClientRect()"
    script = f"(() => {{ const b = {box}; return [b.x + b.width / 2, b.y + b.height / 2] }})()"
    x, y = browser.evaluate(script).value
    return x, y


@pytest.fixture
def recorded(site: Site, tmp_path: Path) -> tuple[Plan, str]:
    with Browser.launch() as browser:
        browser._task.wants_locators = True
        act(browser, site.page("/", PAGE))
        said = browser.evaluate(SAID).value
        path = write_recording(browser, tmp_path / "calls.zip")
    return plan_of(read_trace(path)), said


@pytest.mark.long
def test_exported_scripts_and_replay_repeat_each_recorded_action(
    recorded: tuple[Plan, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan, said = recorded
    assert said.startswith("earlyAsia/Tokyo gifttrue cardfalse focus")
    assert "touch0 touch3 dropped" in said
    assert plan.secrets == ["TEXT_PLAIN"]
    monkeypatch.setenv("TEXT_PLAIN", "dropped")
    for kind, write in SCRIPTS.items():
        (tmp_path / f"{kind}.py").write_text(write(plan), "utf-8")
    assert "NotImplementedError" not in (tmp_path / "playwright.py").read_text("utf-8")
    assert in_playwright(tmp_path / "playwright.py") == said
    assert run_in_tabwarden(tmp_path / "tabwarden.py", SAID) == said
    assert asyncio.run(replayed(plan)) == said


def in_playwright(script: Path) -> Any:
    run = runpy.run_path(str(script))["run"]
    with sync_playwright_browser() as browser:
        page = browser.new_page()
        run(page)
        return page.evaluate(SAID)


async def replayed(plan: Plan) -> Any:
    async with AsyncBrowser.launch() as browser:
        await replay(browser, plan, secrets={"TEXT_PLAIN": "dropped"})
        return (await browser.evaluate(SAID)).value
