"""How long an answer to an agent waits for the effect of a click: one rule for all interfaces."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from browser.surfaces.cli.shell import shell

from tabwarden.budget import Budget
from tabwarden.engine import engine_loop
from tabwarden.page.input.pointing import mouse
from tabwarden.page.input.typing import keyboard
from tabwarden.page.task import CARDS
from tabwarden.page.walker import call_walker
from tabwarden.protocol import runtime
from tabwarden.supervisor.runtime import Race
from tabwarden.sync import Browser

PAGE = """data:text/html,
<script>const buy = () => { out.textContent = 'bought' }</script>
<button id="later" onclick="setTimeout(buy, +this.value)">Later</button>
<button id="now" onclick="buy()">Now</button>
<button id="named" onclick="this.title = 'in the cart'">Named</button>
<button id="looks" onclick="this.className = 'on'">Looks</button>
<button id="dead">Dead</button>
<button id="moves" onclick="out.animate({opacity: [0, 1]}, 300); buy()">Moves</button>
<input type="checkbox" id="box"><input id="name">
<p id="out"></p><p id="clock"></p>
"""
TIMER = "setInterval(() => { clock.textContent = Date.now() }, 5)"
CLOCK = "setInterval(() => { clock.textContent = Date.now() }, 200)"
SPINNER = (
    "document.body.append(Object.assign(document.createElement('style'), {textContent:"
    " '@keyframes turn { to { rotate: 360deg } } h1 { animation: turn 1s linear infinite }'}),"
    " Object.assign(document.createElement('h1'), {textContent: 'Shop'}))"
)


def click(browser: Browser, element: str, after: int | None = None) -> tuple[Any, float]:
    """Click as an agent does; return the result and how long it took in the page, in ms."""
    if after is not None:
        browser.evaluate(f"document.getElementById('{element}').value = {after}")
    browser.evaluate("addEventListener('mouseup', () => { window.up = performance.now() }, true)")
    result = browser.inside.act(CARDS[mouse.click], {"ref": f"css=#{element}"})
    took: Any = browser.evaluate("performance.now() - window.up").value
    return result, took


@pytest.fixture
def page(browser: Browser) -> Browser:
    browser.goto(PAGE)
    browser.snapshot()
    return browser


@pytest.mark.parametrize("after", [0, 1, 50, 100])
def test_click_reports_an_effect_that_comes_soon(page: Browser, after: int) -> None:
    result, took = click(page, "later", after)
    assert "bought" in result.effect
    assert after <= took


def test_click_does_not_wait_longer_than_the_effect_takes(page: Browser) -> None:
    assert min(click(page, "now")[1] for _ in range(5)) < 100


def test_dead_click_reports_how_long_it_waited(page: Browser) -> None:
    began = time.monotonic()
    result = page.inside.act(CARDS[mouse.click], {"ref": "css=#dead"})
    took = (time.monotonic() - began) * 1000
    words = result.effect.split()
    assert words[:3] == ["nothing", "observed", "in"]
    assert 150 <= int(words[3]) <= took + 1  # the page counts from before the press, in whole ms


def test_commands_dead_click_waits_once_although_it_shows_the_changes(tmp_path: Path) -> None:
    with shell(tmp_path) as terminal:
        terminal.run("open", PAGE)
        clicks = [terminal.run("click", "css=#dead").out for _ in range(3)]
    waits = [int(one.split("nothing observed in ")[1].split()[0]) for one in clicks]
    assert 150 <= min(waits) < 300


def test_a_fields_new_value_is_an_effect_that_ends_the_wait(page: Browser) -> None:
    waits = []
    for text in ("Ann", "Bo", "Cy"):
        typed = page.inside.act(CARDS[keyboard.type_into], {"text": text, "ref": "css=#name"})
        assert typed.effect.startswith("nothing else observed in ")
        waits.append(int(typed.effect.split()[4]))
    assert min(waits) < 150


def test_a_change_between_two_questions_ends_the_wait_in_the_page(page: Browser) -> None:
    task, tab = page.inside.task, page.state.tabs[0].tab_id

    async def ask() -> Any:
        with Race(task.supervisor, Budget(10_000), tab) as race:
            world = await task.worlds.of(race, task.state.top_frame_id(tab) or "")
            await call_walker(race, world, "effectBegins")
            await call_walker(race, world, "activity", 20)
            await race.call(runtime.Evaluate(expression="buy()"), world.session_id)
            return await call_walker(race, world, "activityAfter", 20, 60_000)

    assert engine_loop().run_sync(ask())["changed"]


def test_next_snapshot_shows_a_late_effect(page: Browser) -> None:
    result, _ = click(page, "later", 600)
    assert result.effect.startswith("nothing observed")
    page.wait(text="bought")
    assert "bought" in page.snapshot().text


@pytest.mark.parametrize(
    ("element", "fact"),
    [
        ("named", "changed name, description or value"),
        ("looks", "changed class or style"),
        ("box", "now checked"),
    ],
)
def test_click_reports_a_change_of_one_attribute(page: Browser, element: str, fact: str) -> None:
    assert fact in click(page, element)[0].effect


def test_click_waits_for_an_animation_that_it_started(page: Browser) -> None:
    result, took = click(page, "moves")
    assert "bought" in result.effect
    assert took >= 250


@pytest.mark.parametrize("disturbance", [CLOCK, SPINNER])
def test_slow_clocks_and_endless_animations_do_not_delay_the_answer(
    page: Browser, disturbance: str
) -> None:
    page.evaluate(disturbance)
    assert min(click(page, "now")[1] for _ in range(5)) < 150


def test_endless_changes_delay_the_answer_by_a_second_at_most(page: Browser) -> None:
    page.evaluate(TIMER)
    assert click(page, "dead")[1] < 3_000


def test_python_callers_get_the_result_without_this_wait(page: Browser) -> None:
    assert page.click("css=#dead").effect.startswith("nothing observed")
