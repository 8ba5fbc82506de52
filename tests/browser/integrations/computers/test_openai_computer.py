"""OpenAI's computer over one tab: ``openai.lib.computer`` and openai-agents, with their own
classes."""

from __future__ import annotations

import asyncio
import base64
import io
from typing import Any

import pytest
from PIL import Image
from support.needs import require
from support.pace import in_time
from support.site import Site
from support.stage import (
    BUTTONS,
    FIELD,
    STAGE,
    accept_point,
    dismiss_point,
    log,
    pressed,
    shows_dialog,
)

from tabwarden.config import BrowserConfig
from tabwarden.errors import NotSupported
from tabwarden.integrations.members import drawing
from tabwarden.sync import Browser

require("vendor-sdks")

from openai.types.responses import ResponseComputerToolCall  # noqa: E402

from tabwarden.integrations.openai import AsyncOpenAIComputer, OpenAIComputer  # noqa: E402


def call_of(*actions: dict[str, Any]) -> ResponseComputerToolCall:
    return ResponseComputerToolCall.model_validate(
        {
            "type": "computer_call",
            "id": "cu_1",
            "call_id": "call_1",
            "status": "completed",
            "pending_safety_checks": [],
            "actions": list(actions),
        }
    )


def click(point: tuple[int, int], **more: Any) -> dict[str, Any]:
    return {"type": "click", "button": "left", "x": point[0], "y": point[1], **more}


def picture_of(output: Any) -> bytes:
    """The picture of a ``computer_call_output``, which is all that the model gets."""
    assert output["call_id"] == "call_1"
    assert set(output["output"]) == {"type", "image_url"}
    head, _, data = output["output"]["image_url"].partition(",")
    assert head == "data:image/png;base64"
    return base64.b64decode(data)


def has_notice(data: bytes) -> bool:
    """Whether a strip of ours is at the bottom of a picture."""
    image = Image.open(io.BytesIO(data)).convert("RGB")
    return image.getpixel((2, image.height - 2)) == (32, 33, 36)


class Calls:
    def __init__(self, driver: OpenAIComputer) -> None:
        self.toolset = driver.toolset()

    def __call__(self, *actions: dict[str, Any]) -> bytes:
        return picture_of(self.toolset.execute(call_of(*actions)))


@pytest.fixture
def openai(screen: Browser) -> Any:
    with OpenAIComputer(screen) as driver:
        yield Calls(driver)


def test_driver_opens_its_own_browser(config: BrowserConfig, site: Site) -> None:
    with OpenAIComputer(config) as driver:
        driver.open(site.page("/", STAGE))
        shown = Calls(driver)({"type": "screenshot"})
        assert Image.open(io.BytesIO(shown)).size == (1280, 720)
        with pytest.raises(RuntimeError, match="nonsense"):
            driver.open("nonsense://x")


@pytest.mark.parametrize(
    ("action", "logged"),
    [
        (click(BUTTONS["plain"]), "plain 1"),
        (click((600, 600), button="right"), "contextmenu 2 600 600 0"),
        (click((600, 600), button="wheel"), "auxclick 1 600 600 1"),
        (click((600, 600), keys=["CTRL", "SHIFT"]), "mouseup 0 600 600 1 ctrl+shift"),
        ({"type": "double_click", "x": 600, "y": 600}, "dblclick 0 600 600 2"),
        ({"type": "move", "x": 600, "y": 600}, "mousemove 0 600 600 0"),
        ({"type": "keypress", "keys": ["CTRL", "L"]}, "keydown l ctrl"),
        ({"type": "keypress", "keys": ["ARROWDOWN"]}, "keydown ArrowDown"),
        ({"type": "keypress", "keys": [" "]}, "keyup  "),
    ],
)
def test_actions_reach_the_page(
    action: dict[str, Any], logged: str, openai: Calls, screen: Browser
) -> None:
    openai(action)
    assert logged in log(screen)


def test_batch_of_actions_runs_in_order(openai: Calls, screen: Browser) -> None:
    drag = [{"x": 300, "y": 300}, {"x": 350, "y": 400}, {"x": 500, "y": 350}]
    openai(
        click(FIELD),
        {"type": "type", "text": "Hello"},
        {"type": "wait"},
        {"type": "drag", "path": drag},
        {"type": "scroll", "x": 600, "y": 400, "scroll_x": 0, "scroll_y": 250},
        {"type": "screenshot"},
    )
    assert screen.evaluate("[field.value, scrollY]").value == ["Hello", 250]
    assert any(note.startswith("mouseup 0 500 350") for note in log(screen))


def test_buttons_of_a_mouse_go_back_and_forward(openai: Calls, screen: Browser, site: Site) -> None:
    stage = screen.state.tabs[0].url
    screen.goto(site.page("/second", "<p>Second</p>"))
    openai(click((5, 5), button="back"))
    assert screen.state.tabs[0].url == stage
    openai(click((5, 5), button="forward"))
    assert screen.state.tabs[0].url.endswith("/second")


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (click((1280, 40)), "1280 x 720"),
        (click((-1, 40)), "1280 x 720"),
        (click((5, 5), keys=["A"]), "not a modifier"),
        ({"type": "keypress", "keys": []}, "keys"),
        ({"type": "keypress", "keys": ["NONSENSE"]}, "NONSENSE"),
        ({"type": "drag", "path": [{"x": 1, "y": 1}]}, "at least 2 points"),
        ({"type": "drag", "path": []}, "at least 2 points"),
        ({"type": "scroll", "x": 5000, "y": 1, "scroll_x": 0, "scroll_y": 1}, "1280 x 720"),
        ({"type": "move", "x": 1, "y": 720}, "1280 x 720"),
    ],
)
def test_action_with_invalid_fields_raises_and_the_page_gets_nothing(
    action: dict[str, Any], words: str, openai: Calls, screen: Browser
) -> None:
    openai({"type": "screenshot"})
    log(screen)
    with pytest.raises(RuntimeError, match=words):
        openai(action)
    assert pressed(screen) == []


@pytest.mark.parametrize("accept", [True, False])
def test_dialog_is_in_the_picture_and_a_click_answers_it(
    accept: bool, openai: Calls, screen: Browser
) -> None:
    shown = openai(click(BUTTONS["confirm"]))
    assert shows_dialog(shown)
    shown = openai(click(accept_point("confirm") if accept else dismiss_point("confirm")))
    assert not shows_dialog(shown)
    assert f"confirm {str(accept).lower()}" in log(screen)


def test_prompt_takes_text_and_enter(openai: Calls, screen: Browser) -> None:
    assert shows_dialog(openai(click(BUTTONS["prompt"])), "prompt")
    openai({"type": "type", "text": "Ann"}, {"type": "keypress", "keys": ["ENTER"]})
    assert "prompt Ann" in log(screen)


def test_input_beside_a_dialog_is_named_on_the_picture(openai: Calls, screen: Browser) -> None:
    openai(click(BUTTONS["confirm"]))
    shown = openai(click(BUTTONS["plain"]))
    assert has_notice(shown)
    assert shows_dialog(shown)
    assert screen.state.pending_dialogs


@pytest.mark.long
def test_page_that_hangs_is_freed_and_the_run_goes_on(openai: Calls, screen: Browser) -> None:
    with in_time(7):
        shown = openai(click(BUTTONS["hang"]))
    assert has_notice(shown)
    assert not has_notice(openai(click(BUTTONS["plain"])))
    assert "plain 1" in log(screen)


def test_popup_comes_to_the_screen_with_a_notice(openai: Calls, screen: Browser) -> None:
    shown = openai(click(BUTTONS["popup"]))
    assert has_notice(shown)
    openai({"type": "keypress", "keys": ["CTRL", "W"]})
    assert not has_notice(openai(click(BUTTONS["plain"])))
    assert "plain 1" in log(screen)


def test_async_driver(screen: Browser) -> None:
    async def run() -> bytes:
        async with AsyncOpenAIComputer(screen) as driver:
            toolset = driver.toolset()
            shown = picture_of(await toolset.execute(call_of(click(BUTTONS["confirm"]))))
            await toolset.execute(call_of(click(accept_point("confirm"))))
            with pytest.raises(RuntimeError, match="1280 x 720"):
                await toolset.execute(call_of(click((5000, 5))))
            return shown

    assert shows_dialog(asyncio.run(run()))
    assert "confirm true" in log(screen)


def test_driver_without_pillow_names_the_extra(
    screen: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drawing, "can_draw", lambda: False)
    with pytest.raises(NotSupported, match="Pillow"):
        OpenAIComputer(screen)


def test_dialog_that_tabwarden_answers_is_named_on_the_picture(
    config: BrowserConfig, site: Site
) -> None:
    with OpenAIComputer(config, dialogs="dismiss") as driver:
        driver.open(site.page("/", STAGE))
        shown = Calls(driver)(click(BUTTONS["confirm"]))
    assert has_notice(shown)
    assert not shows_dialog(shown)


def test_page_that_can_not_be_captured_gives_the_last_picture_with_a_notice(
    openai: Calls, screen: Browser
) -> None:
    before, config = openai({"type": "screenshot"}), screen.config
    screen.configure(config.model_copy(update={"allow": ["act"]}))
    try:
        shown = openai({"type": "screenshot"})
    finally:
        screen.configure(config)
    assert has_notice(shown)
    assert shown != before
