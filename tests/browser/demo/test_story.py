"""The complete demo, with a real browser in the real shop."""

from __future__ import annotations

import io
import urllib.request
from pathlib import Path

import pytest
from rich.console import Console

from tabwarden.demo.chapters import STEPS
from tabwarden.demo.reading import find
from tabwarden.demo.stage import Stage, Step
from tabwarden.demo.story import run_demo
from tabwarden.demo.surprise import expect
from tabwarden.demo.telling import Teller

PNG = b"\x89PNG\r\n\x1a\n"
OPEN, BASKET, CONFIRM = STEPS[:3]


def run(output: Path, steps: tuple[Step, ...] = STEPS, *, keep: bool = False) -> tuple[int, str]:
    out = io.StringIO()
    code = run_demo(
        headed=False, keep=keep, output=output, steps=steps, teller=Teller(Console(file=out))
    )
    return code, out.getvalue()


@pytest.mark.long
def test_demo_completes_all_steps_and_saves_screenshots(tmp_path: Path) -> None:
    code, text = run(tmp_path)
    assert code == 0, text
    assert "11 of 11 steps succeeded" in text
    assert sorted(path.name for path in tmp_path.iterdir()) == ["paid.png", "shop.png"]
    for path in tmp_path.iterdir():
        assert path.read_bytes().startswith(PNG)
        assert f"Picture: {path}\n" in text
    for seen in (
        'Dialog d-1 is waiting in tab t1: confirm "Empty the basket?',
        'iframe "Bank check"',
        "Thank you. €38.50 paid with the card ending 4242.",
        '"code": "budget_exceeded"',
        '"code": "target_crashed"',
        '"code": "stale_ref"',
    ):
        assert seen in text


def test_demo_continues_after_a_step_that_fails_with_an_open_dialog(tmp_path: Path) -> None:
    async def give_up(stage: Stage) -> None:
        seen = await stage.look()
        clicked = await stage.browser.click(find(seen.text, "button", "Empty the basket"))
        expect(not clicked.interrupted, "A dialog came in the way.")

    broken = Step("confirm", CONFIRM.title, "", give_up, CONFIRM.needs)
    dependent = Step("after", "What needs that", "", give_up, ("confirm",))
    code, text = run(tmp_path, (OPEN, BASKET, broken, dependent, STEPS[-1]))
    assert code == 1
    assert "✗ surprise: A dialog came in the way." in text
    assert f'skipped: it needs "{CONFIRM.title}"' in text
    assert "4 of 6 steps succeeded" in text
    assert (tmp_path / "shop.png").read_bytes().startswith(PNG)
    assert "has ended" in text


def test_keep_option_leaves_shop_and_browser_open_until_enter_is_pressed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stages: list[Stage] = []
    waited: list[bool] = []

    async def remember(stage: Stage) -> None:
        stages.append(stage)

    def press_enter() -> str:
        (stage,) = stages
        with urllib.request.urlopen(stage.shop.shop) as page:
            waited.append(page.status == 200 and stage.browser.is_open)
        assert stage.browser.state.health.status == "live"
        return ""

    monkeypatch.setattr("builtins.input", press_enter)
    code, text = run(tmp_path, (OPEN, Step("remember", "Remember", "", remember)), keep=True)
    assert code == 0, text
    assert waited == [True]
    assert "Press Enter to quit." in text
    assert not stages[0].browser.is_open


def test_ctrl_c_during_the_demo_closes_the_browser(tmp_path: Path) -> None:
    stages: list[Stage] = []

    async def interrupt(stage: Stage) -> None:
        stages.append(stage)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(tmp_path, (OPEN, Step("interrupt", "Interrupt", "", interrupt)))
    assert not stages[0].browser.is_open
