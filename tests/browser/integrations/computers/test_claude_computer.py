"""Anthropic's computer toolset over one tab, with the SDK's own classes."""

from __future__ import annotations

import asyncio
import base64
from typing import Any, NamedTuple

import pytest
from support.needs import needs, require, whole_chromium
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

from tabwarden.config import BrowserConfig, load_config
from tabwarden.integrations.members import drawing
from tabwarden.page.capture.picture import size_of
from tabwarden.sync import Browser

require("vendor-sdks")

from anthropic.types.beta import BetaToolUseBlock  # noqa: E402

from tabwarden.integrations.anthropic import AsyncClaudeComputer, ClaudeComputer  # noqa: E402


class Reply(NamedTuple):
    text: str
    is_error: bool
    image: bytes


def block(member: str, fields: dict[str, Any]) -> BetaToolUseBlock:
    return BetaToolUseBlock(
        type="tool_use", id="toolu_1", name=member, input=fields, toolset_name="computer"
    )


def reply_of(result: Any) -> Reply:
    assert result["toolset_name"] == "computer"
    content = result.get("content") or []
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else list(content)
    images = [one["source"]["data"] for one in blocks if one["type"] == "image"]
    text = "\n".join(one["text"] for one in blocks if one["type"] == "text")
    image = base64.b64decode(images[0]) if images else b""
    return Reply(text, bool(result.get("is_error")), image)


class Calls:
    """Calls of a model."""

    def __init__(self, driver: ClaudeComputer) -> None:
        self.driver = driver

    def __call__(self, member: str, /, **fields: Any) -> Reply:
        return reply_of(self.driver.tool_result(block(member, fields)))

    def tool(self, name: str, **fields: Any) -> Any:
        """Call a function tool of ours."""
        found = {tool.name: tool for tool in self.driver.function_tools}
        return found[name].call(fields)


@pytest.fixture
def claude(screen: Browser) -> Any:
    with ClaudeComputer(screen, confirm=lambda context: True) as driver:
        yield Calls(driver)


def test_screen_is_1280_x_720_and_a_pixel_is_a_css_pixel(config: BrowserConfig, site: Site) -> None:
    with ClaudeComputer(config, confirm=lambda context: True) as driver:
        claude = Calls(driver)
        assert size_of(claude("screenshot").image) == (1280, 720), "the first call opens a browser"
        claude.tool("browser_navigate", url=site.page("/", STAGE))
        assert size_of(claude("screenshot").image) == (1280, 720)


@pytest.mark.parametrize(
    ("member", "logged"),
    [
        ("left_click", "mouseup 0 100 40 1"),
        ("right_click", "contextmenu 2 100 40 0"),
        ("middle_click", "auxclick 1 100 40 1"),
        ("double_click", "dblclick 0 100 40 2"),
        ("triple_click", "mouseup 0 100 40 3"),
    ],
)
def test_clicks_hit_the_point_of_the_screenshot(
    member: str, logged: str, claude: Calls, screen: Browser
) -> None:
    claude("screenshot")
    reply = claude(member, coordinate=list(BUTTONS["plain"]))
    assert not reply.is_error
    assert "[ref=" not in reply.text
    assert 'At button "plain"' in reply.text
    assert logged in log(screen)


def test_click_without_a_coordinate_is_where_the_mouse_is(claude: Calls, screen: Browser) -> None:
    claude("mouse_move", coordinate=list(BUTTONS["plain"]))
    assert claude("cursor_position").text == "X=100,Y=40"
    claude("left_click")
    assert "plain 1" in log(screen)
    claude("scroll", scroll_direction="down", scroll_amount=2)
    assert screen.evaluate("scrollY").value == 200


def test_click_holds_the_keys_of_its_text(claude: Calls, screen: Browser) -> None:
    claude("left_click", coordinate=[600, 600], text="ctrl+shift")
    assert "mouseup 0 600 600 1 ctrl+shift" in log(screen)


def test_button_stays_down_until_it_is_released(claude: Calls, screen: Browser) -> None:
    claude("mouse_move", coordinate=[300, 300])
    claude("left_mouse_down")
    claude("mouse_move", coordinate=[500, 300])
    claude("left_mouse_up")
    notes = log(screen)
    down, up = notes.index("mousedown 0 300 300 1"), notes.index("mouseup 0 500 300 1")
    assert any(note.startswith("mousemove") for note in notes[down:up])
    again = claude("left_mouse_up")
    assert again.is_error
    assert "not down" in again.text


def test_drag_begins_and_ends_at_its_points(claude: Calls, screen: Browser) -> None:
    reply = claude("left_click_drag", start_coordinate=[300, 300], coordinate=[500, 350])
    assert reply.text.startswith("Dragged.")
    notes = log(screen)
    assert any(note.startswith("mousedown 0 300 300") for note in notes)
    assert any(note.startswith("mouseup 0 500 350") for note in notes)
    assert claude("cursor_position").text == "X=500,Y=350"


def test_keyboard_types_presses_and_holds(claude: Calls, screen: Browser) -> None:
    claude("left_click", coordinate=list(FIELD))
    claude("type", text="Hello")
    assert screen.evaluate("field.value").value == "Hello"
    claude("key", text="ctrl+a")
    claude("key", text="BackSpace")
    assert screen.evaluate("field.value").value == ""
    claude("key", text="Left", repeat=3)
    assert log(screen).count("keydown ArrowLeft") == 3
    assert claude("hold_key", text="shift", duration=1).text.startswith("Held shift for 1s.")
    assert "keyup Shift" in log(screen)


def test_unknown_key_is_refused(claude: Calls, screen: Browser) -> None:
    reply = claude("key", text="Nonsense")
    assert reply.is_error
    assert "Nonsense" in reply.text
    assert not [note for note in log(screen) if note.startswith("key")]


def test_zoom_scales_a_region_up(claude: Calls) -> None:
    assert size_of(claude("zoom", region=[0, 0, 200, 100]).image) == (1280, 640)


def test_large_viewport_is_scaled_down_and_points_with_it(
    config: BrowserConfig, site: Site
) -> None:
    large = config.model_copy(update={"viewport": (2560, 1440)})
    with ClaudeComputer(large, confirm=lambda context: True) as driver:
        claude = Calls(driver)
        claude.tool("browser_navigate", url=site.page("/", STAGE))
        assert size_of(claude("screenshot").image) == (2000, 1125)
        x, y = BUTTONS["plain"]
        clicked = claude("left_click", coordinate=[round(x * 2000 / 2560), round(y * 2000 / 2560)])
        assert 'At button "plain"' in clicked.text
        outside = claude("left_click", coordinate=[2001, 5])
        assert outside.is_error
        assert "2000 x 1125" in outside.text


def test_wait_is_at_most_30_seconds(claude: Calls) -> None:
    assert claude("wait", duration=0).text == "Waited 0s."
    for duration in (31, -1):
        reply = claude("wait", duration=duration)
        assert reply.is_error
        assert "between 0 and 30" in reply.text


BAD: list[tuple[str, dict[str, Any], str]] = [
    ("left_click", {"coordinate": [5000, 40]}, "which is 1280 x 720"),
    ("left_click", {"coordinate": [100, -1]}, "which is 1280 x 720"),
    ("left_click", {"coordinate": [1, 2, 3]}, "coordinate"),
    ("left_click", {"coordinate": "here"}, "coordinate"),
    ("left_click", {"coordinate": [100, 40], "text": "ctrl+a"}, "'a' is not a modifier"),
    ("mouse_move", {}, "coordinate"),
    ("left_click_drag", {"coordinate": [1, 1]}, "start_coordinate"),
    ("left_click_drag", {"start_coordinate": [1, 1], "coordinate": [1, 721]}, "1280 x 720"),
    ("scroll", {"scroll_direction": "in", "scroll_amount": 1}, "scroll_direction"),
    ("scroll", {"scroll_direction": "up", "scroll_amount": 101}, "between 1 and 100"),
    ("scroll", {"scroll_direction": "up", "scroll_amount": 0}, "between 1 and 100"),
    ("hold_key", {"text": "a", "duration": 31}, "between 0 and 30"),
    ("key", {"text": ""}, "key"),
    ("key", {"text": "a", "repeat": 51}, "50"),
    ("key", {"text": "a", "repeat": 0}, "times"),
    ("type", {}, "text"),
    ("zoom", {"region": [1, 2, 3]}, "region"),
    ("zoom", {"region": [100, 100, 100, 200]}, "region"),
    ("hover", {}, "hover"),
]


@pytest.mark.parametrize(("member", "fields", "words"), BAD)
def test_bad_input_is_an_error_that_names_the_field(
    member: str, fields: dict[str, Any], words: str, claude: Calls, screen: Browser
) -> None:
    claude("screenshot")
    log(screen)
    reply = claude(member, **fields)
    assert reply.is_error
    assert words in reply.text
    assert pressed(screen) == [], "the page got nothing"


@pytest.mark.parametrize(
    ("kind", "accept", "logged"),
    [
        ("alert", True, "alert undefined"),
        ("confirm", True, "confirm true"),
        ("confirm", False, "confirm false"),
        ("prompt", True, "prompt Nobody"),
        ("prompt", False, "prompt null"),
    ],
)
def test_click_on_a_drawn_button_answers_the_dialog(
    kind: str, accept: bool, logged: str, claude: Calls, screen: Browser
) -> None:
    claude("screenshot")
    clicked = claude("left_click", coordinate=list(BUTTONS[kind]))
    assert not clicked.is_error
    assert f"{kind} " in clicked.text
    shown = claude("screenshot")
    assert shows_dialog(shown.image, kind)
    point = accept_point(kind) if accept else dismiss_point(kind)
    answered = claude("left_click", coordinate=list(point))
    assert f"The {kind} dialog was {'accepted' if accept else 'dismissed'}" in answered.text
    assert logged in log(screen)
    assert not shows_dialog(claude("screenshot").image, kind)


def test_click_never_answers_a_dialog_that_the_model_has_not_seen(
    claude: Calls, screen: Browser
) -> None:
    claude("screenshot")
    claude("left_click", coordinate=list(BUTTONS["confirm"]))
    blind = claude("left_click", coordinate=list(accept_point("confirm")))
    assert blind.is_error
    assert "Delete everything?" in blind.text
    assert claude("key", text="Return").is_error
    assert screen.state.pending_dialogs
    claude("screenshot")
    beside = claude("left_click", coordinate=list(BUTTONS["plain"]))
    assert beside.is_error
    assert "blocks the page" in beside.text
    claude("key", text="Escape")
    assert "confirm false" in log(screen)


def test_prompt_takes_typed_text(claude: Calls, screen: Browser) -> None:
    claude("left_click", coordinate=list(BUTTONS["prompt"]))
    claude("screenshot")
    claude("type", text="Ann")
    assert shows_dialog(claude("screenshot").image, "prompt")
    claude("key", text="Return")
    assert "prompt Ann" in log(screen)


def test_dialog_tool_answers_too(claude: Calls, screen: Browser) -> None:
    claude("left_click", coordinate=list(BUTTONS["confirm"]))
    claude.tool("browser_dialog", action="accept")
    assert "confirm true" in log(screen)


def test_zoom_shows_the_drawn_dialog(claude: Calls) -> None:
    claude("screenshot")
    claude("left_click", coordinate=list(BUTTONS["confirm"]))
    box = drawing.dialog_at("confirm", 1280, 720).frame
    zoomed = claude("zoom", region=list(box))
    assert size_of(zoomed.image)[0] == 1280


@pytest.mark.parametrize(
    "browser_kind", ["default", pytest.param("whole", marks=needs("chromium"))]
)
def test_native_dialog_is_drawn_on_the_last_picture(
    browser_kind: str, config: BrowserConfig, site: Site
) -> None:
    update: dict[str, Any] = {"dialog_bridge": "native"}
    if browser_kind == "whole":
        update["executable"] = whole_chromium()
    own = config.model_copy(update=update)
    with ClaudeComputer(own, confirm=lambda context: True) as driver:
        claude = Calls(driver)
        claude.tool("browser_navigate", url=site.page("/", STAGE))
        claude("screenshot")
        claude("left_click", coordinate=list(BUTTONS["confirm"]))
        with in_time(2):
            shown = claude("screenshot")
        assert shows_dialog(shown.image)
        assert size_of(shown.image) == (1280, 720)
        claude("left_click", coordinate=list(accept_point("confirm")))
        assert not shows_dialog(claude("screenshot").image)


def test_dialog_that_can_not_be_drawn_is_an_error_with_the_call_that_answers_it(
    claude: Calls, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drawing, "can_draw", lambda: False)
    assert claude.driver.function_tools
    claude("left_click", coordinate=list(BUTTONS["confirm"]))
    shown = claude("screenshot")
    assert shown.is_error
    assert "Delete everything?" in shown.text
    assert "browser_dialog(" in shown.text


def test_popup_comes_to_the_screen_and_ctrl_w_closes_it(claude: Calls, screen: Browser) -> None:
    before = claude("screenshot").image
    clicked = claude("left_click", coordinate=list(BUTTONS["popup"]))
    assert "The popup t" in clicked.text
    assert claude("screenshot").image != before
    claude("key", text="ctrl+w")
    claude("left_click", coordinate=list(BUTTONS["plain"]))
    assert "plain 1" in log(screen)


def test_page_that_hangs_is_freed_in_time(claude: Calls, screen: Browser) -> None:
    with in_time(6):
        clicked = claude("left_click", coordinate=list(BUTTONS["hang"]))
    assert clicked.is_error
    assert "6000 ms" in clicked.text
    assert "Trace" not in clicked.text
    assert claude("screenshot").image
    claude("left_click", coordinate=list(BUTTONS["plain"]))
    assert "plain 1" in log(screen)


def test_typed_secret_stays_hidden(site: Site) -> None:
    secrets = {"PASSWORD": {"value": "hunter2-is-long", "origins": [site.here]}}
    with Browser.launch(config=load_config(None, secrets=secrets).browser) as safe:
        safe.goto(site.page("/", STAGE))
        with ClaudeComputer(safe, confirm=lambda context: True) as driver:
            claude = Calls(driver)
            claude("left_click", coordinate=list(FIELD))
            typed = claude("type", text="{{PASSWORD}}")
            assert not typed.is_error
            assert "hunter2" not in typed.text
            assert safe.evaluate("field.value.length").value == len("hunter2-is-long")
            assert claude("screenshot").image
            safe.evaluate("setTimeout(() => note(confirm(field.value)), 100)")
            safe.wait(time_s=0.3)
            waiting = claude("left_click", coordinate=list(BUTTONS["plain"]))
            assert waiting.is_error
            assert "hunter2" not in waiting.text
            assert shows_dialog(claude("screenshot").image), "the last picture, which hides secrets"


def test_async_twin(screen: Browser) -> None:
    async def run() -> None:
        async with AsyncClaudeComputer(screen, confirm=lambda context: True) as driver:

            async def call(member: str, **fields: Any) -> Reply:
                return reply_of(await driver.tool_result(block(member, fields)))

            await call("screenshot")
            await call("left_click", coordinate=list(BUTTONS["confirm"]))
            assert shows_dialog((await call("screenshot")).image)
            await call("left_click", coordinate=list(accept_point("confirm")))
            assert (await call("wait", duration=31)).is_error
            tools = {tool.name: tool for tool in driver.function_tools}
            assert "browser_navigate" in tools

    asyncio.run(run())
    assert "confirm true" in log(screen)


def test_toolset_is_declared_whole(screen: Browser) -> None:
    with ClaudeComputer(screen, confirm=lambda context: True) as driver:
        assert driver.to_dict() == {"type": "computer_toolset_20260801"}
        assert len(driver._toolset.members) == 17
    with pytest.raises(Exception, match="confirm"):
        ClaudeComputer(screen)


def test_page_that_asks_before_it_is_left_is_drawn_too(claude: Calls, screen: Browser) -> None:
    screen.evaluate("onbeforeunload = (event) => event.preventDefault()")
    claude("left_click", coordinate=list(BUTTONS["plain"]))  # a page may ask only after input
    claude.tool("browser_navigate", url="about:blank")
    assert shows_dialog(claude("screenshot").image, "beforeunload")
    left = claude("left_click", coordinate=list(accept_point("beforeunload")))
    assert "beforeunload dialog was accepted" in left.text
    assert screen.state.tabs[0].url == "about:blank"


@pytest.mark.parametrize(("dialogs", "answer"), [("dismiss", "false"), ("accept", "true")])
def test_dialog_that_tabwarden_answers_is_in_the_result(
    dialogs: Any, answer: str, config: BrowserConfig, site: Site
) -> None:
    with ClaudeComputer(config, dialogs=dialogs, confirm=lambda context: True) as driver:
        claude = Calls(driver)
        claude.tool("browser_navigate", url=site.page("/", STAGE))
        clicked = claude("left_click", coordinate=list(BUTTONS["confirm"]))
        assert "Delete everything?" in clicked.text
        assert not shows_dialog(claude("screenshot").image)
        browser = driver._tools.browser
        assert browser is not None
        after = claude("left_click", coordinate=list(BUTTONS["plain"]))
        assert not after.is_error
