"""Gemini's predefined functions on one tab, in both of its vocabularies."""

from __future__ import annotations

import asyncio
import base64
import json
from typing import Any

import pytest
from support.pace import in_time
from support.site import Site
from support.stage import BUTTONS, FIELD, STAGE, accept_point, log, pressed, shows_dialog

from tabwarden.config import BrowserConfig
from tabwarden.integrations.google import AsyncGeminiComputer, GeminiComputer, calls_in
from tabwarden.page.capture.picture import size_of
from tabwarden.sync import Browser


def grid(point: tuple[int, int]) -> dict[str, int]:
    """A point in Gemini's grid, which is 1000 wide and high."""
    return {"x": -(-point[0] * 1000 // 1280), "y": -(-point[1] * 1000 // 720)}


class Reply:
    def __init__(self, part: dict[str, Any], name: str) -> None:
        response = part["functionResponse"]
        assert response["name"] == name
        self.fields: dict[str, str] = response["response"]
        parts = response.get("parts", [])
        self.image = base64.b64decode(parts[0]["inlineData"]["data"]) if parts else b""
        self.part = part


class Calls:
    def __init__(self, computer: GeminiComputer) -> None:
        self.computer = computer

    def __call__(self, name: str, /, **args: Any) -> Reply:
        return Reply(self.computer.answer({"name": name, "args": args}), name)


@pytest.fixture
def gemini(screen: Browser) -> Any:
    with GeminiComputer(screen) as computer:
        yield Calls(computer)


def test_computer_opens_its_own_browser(config: BrowserConfig, site: Site) -> None:
    with GeminiComputer(config) as computer:
        gemini = Calls(computer)
        opened = gemini("open_web_browser")
        assert opened.fields == {"url": "about:blank"}
        assert size_of(opened.image) == (1280, 720)
        shown = gemini("navigate", url=site.page("/", STAGE), intent="Start")
        assert shown.fields["url"] == f"{site.here}/"


@pytest.mark.parametrize(
    ("name", "args", "logged"),
    [
        ("click", grid(BUTTONS["plain"]), "plain 1"),
        ("click_at", grid(BUTTONS["plain"]), "plain 1"),
        ("double_click", grid((640, 360)), "dblclick 0 640 360 2"),
        ("triple_click", grid((640, 360)), "mouseup 0 640 360 3"),
        ("middle_click", grid((640, 360)), "auxclick 1 640 360 1"),
        ("right_click", grid((640, 360)), "contextmenu 2 640 360 0"),
        ("move", grid((640, 360)), "mousemove 0 640 360 0"),
        ("hover_at", grid((640, 360)), "mousemove 0 640 360 0"),
        ("press_key", {"key": "Tab"}, "keydown Tab"),
        ("key_down", {"key": "Shift"}, "keydown Shift shift"),
        ("hotkey", {"keys": ["Control", "b"]}, "keydown b ctrl"),
        ("key_combination", {"keys": "control+b"}, "keydown b ctrl"),
    ],
)
def test_functions_reach_the_page(
    name: str, args: dict[str, Any], logged: str, gemini: Calls, screen: Browser
) -> None:
    reply = gemini(name, **args, intent="Because")
    assert "error" not in reply.fields
    assert size_of(reply.image) == (1280, 720)
    assert logged in log(screen)
    if name == "key_down":
        gemini("key_up", key="Shift")
        assert "keyup Shift" in log(screen)


def test_mouse_goes_down_and_up(gemini: Calls, screen: Browser) -> None:
    gemini("mouse_down", **grid((320, 360)))
    gemini("mouse_up", **grid((640, 360)))
    notes = log(screen)
    assert "mousedown 0 320 360 1" in notes
    assert "mouseup 0 640 360 1" in notes


@pytest.mark.parametrize("fields", [("x", "y", "destination_x", "destination_y"),
                                    ("start_x", "start_y", "end_x", "end_y")])  # fmt: skip
def test_drag_and_drop_takes_the_fields_of_both_vocabularies(
    fields: tuple[str, ...], gemini: Calls, screen: Browser
) -> None:
    args = dict(zip(fields, (250, 500, 500, 500), strict=True))
    assert "error" not in gemini("drag_and_drop", **args).fields
    assert any(note.startswith("mouseup 0 640 360") for note in log(screen))


def test_type_text_at_replaces_and_presses_enter_by_default(gemini: Calls, screen: Browser) -> None:
    gemini("click", **grid(FIELD))
    gemini("type", text="old")
    assert screen.evaluate("field.value").value == "old"
    log(screen)
    gemini("type_text_at", **grid(FIELD), text="new")
    assert screen.evaluate("field.value").value == "new"
    assert "keydown Enter" in log(screen)
    gemini("type_text_at", **grid(FIELD), text="er", press_enter=False, clear_before_typing=False)
    assert len(screen.evaluate("field.value").value) == 5
    assert "keydown Enter" not in log(screen)


@pytest.mark.parametrize(
    ("name", "args", "moved"),
    [
        ("scroll", {"x": 500, "y": 500, "direction": "down"}, 300),
        ("scroll", {"x": 500, "y": 500, "direction": "down", "magnitude_in_pixels": 100}, 100),
        ("scroll_at", {"x": 500, "y": 500, "direction": "down", "magnitude": 500}, 360),
        ("scroll_document", {"direction": "down"}, 576),
    ],
)
def test_scroll_moves_the_page(
    name: str, args: dict[str, Any], moved: int, gemini: Calls, screen: Browser
) -> None:
    gemini(name, **args)
    assert screen.evaluate("scrollY").value == moved


def test_history_and_waits(gemini: Calls, screen: Browser, site: Site) -> None:
    stage = screen.state.tabs[0].url
    gemini("navigate", url=site.page("/second", "<p>Second</p>"))
    assert gemini("go_back").fields["url"] == stage
    assert gemini("go_forward").fields["url"].endswith("/second")
    assert "error" not in gemini("wait", seconds=0).fields
    assert "between 0 and 30" in gemini("wait", seconds=31).fields["error"]


BAD: list[tuple[str, dict[str, Any], str]] = [
    ("click", {"x": 1000, "y": 1}, "x"),
    ("click_at", {"x": -1, "y": 1}, "x"),
    ("click", {"x": 1}, "y"),
    ("click", {"x": "left", "y": 1}, "x"),
    ("type", {}, "text"),
    ("scroll", {"x": 1, "y": 1, "direction": "in"}, "direction"),
    ("scroll_at", {"x": 1, "y": 1, "direction": "up", "magnitude": 0}, "magnitude"),
    ("drag_and_drop", {"start_x": 1, "start_y": 1}, "end_x"),
    ("hotkey", {"keys": []}, "key"),
    ("press_key", {"key": "Nonsense"}, "Nonsense"),
    ("key_combination", {}, "keys"),
    ("navigate", {}, "url"),
    ("open_app", {"app_name": "x"}, "There is no tool"),
]


@pytest.mark.parametrize(("name", "args", "words"), BAD)
def test_bad_input_is_an_error_with_a_screenshot(
    name: str, args: dict[str, Any], words: str, gemini: Calls, screen: Browser
) -> None:
    reply = gemini(name, **args)
    assert words in reply.fields["error"]
    assert reply.image
    assert pressed(screen) == []


def test_dialog_is_named_drawn_and_answered(gemini: Calls, screen: Browser) -> None:
    asked = gemini("click", **grid(BUTTONS["confirm"]))
    assert "Delete everything?" in asked.fields["output"]
    assert shows_dialog(asked.image)
    answered = gemini("click", **grid(accept_point("confirm")))
    assert "accepted" in answered.fields["output"]
    assert not shows_dialog(answered.image)
    assert "confirm true" in log(screen)


def test_declared_function_answers_a_dialog(gemini: Calls, screen: Browser) -> None:
    names = [one["name"] for one in gemini.computer.declarations[0]["functionDeclarations"]]
    assert "browser_dialog" in names
    gemini("click", **grid(BUTTONS["confirm"]))
    reply = gemini("browser_dialog", action="dismiss")
    assert "dismissed" in reply.fields["output"]
    assert "confirm false" in log(screen)


@pytest.mark.long
def test_page_that_hangs_is_freed_in_time(gemini: Calls, screen: Browser) -> None:
    with in_time(7):
        reply = gemini("click", **grid(BUTTONS["hang"]))
    assert "6000 ms" in reply.fields["error"]
    assert reply.image


SAFETY = {"decision": "require_confirmation", "explanation": "A CAPTCHA."}


@pytest.mark.parametrize("verdict", [True, False, None, "yes"])
def test_only_a_person_can_confirm_what_google_wants_confirmed(
    verdict: object, screen: Browser
) -> None:
    asked: list[Any] = []

    def confirm(name: str, args: Any, explanation: str) -> Any:
        asked.append((name, explanation))
        return verdict

    with GeminiComputer(screen, confirm=None if verdict is None else confirm) as computer:
        reply = Calls(computer)("click", **grid(BUTTONS["plain"]), safety_decision=SAFETY)
    if verdict is True:
        assert reply.fields["safety_acknowledgement"] == "true"
        assert "plain 1" in log(screen)
    else:
        assert "safety_acknowledgement" not in reply.fields
        assert "Not executed" in reply.fields["error"]
        assert pressed(screen) == []
    assert asked == ([] if verdict is None else [("click", "A CAPTCHA.")])


def test_async_computer_and_its_async_confirmation(screen: Browser) -> None:
    async def confirm(*_: Any) -> bool:
        return True

    async def run() -> dict[str, Any]:
        async with AsyncGeminiComputer(screen, confirm=confirm) as computer:
            args = {**grid(BUTTONS["plain"]), "safety_decision": SAFETY}
            return await computer.answer({"name": "click", "args": args, "id": "c1"})

    part = asyncio.run(run())
    assert part["functionResponse"]["id"] == "c1"
    assert part["functionResponse"]["response"]["safety_acknowledgement"] == "true"
    assert "plain 1" in log(screen)


def test_responses_are_what_googles_sdk_accepts(gemini: Calls, screen: Browser) -> None:
    types = pytest.importorskip("google.genai.types")
    reply = {
        "candidates": [
            {"content": {"parts": [
                {"text": "I click."},
                {"functionCall": {"name": "click", "args": grid(BUTTONS["plain"])}},
            ]}}
        ]
    }  # fmt: skip
    for form in (reply, types.GenerateContentResponse.model_validate(reply)):
        (call,) = calls_in(form)
        part = types.Part.model_validate(gemini.computer.answer(call))
        assert part.function_response.name == "click"
        picture = part.function_response.parts[0].inline_data
        assert picture.mime_type == "image/png"
        assert picture.data.startswith(b"\x89PNG")


def test_step_of_an_interaction_gets_a_function_result(gemini: Calls, screen: Browser) -> None:
    interactions = pytest.importorskip("google.genai._gaos.types.interactions")
    step = {"type": "function_call", "id": "c1", "name": "click",
            "arguments": {**grid(BUTTONS["plain"]), "intent": "Try"}}  # fmt: skip
    (call,) = calls_in({"steps": [{"type": "thought"}, step]})
    result = gemini.computer.answer(call)
    read = interactions.FunctionResultStep.model_validate(result)
    assert (read.call_id, read.name, read.is_error) == ("c1", "click", False)
    assert json.loads(read.result[0].text)["url"].endswith("/stage")
    assert base64.b64decode(read.result[1].data).startswith(b"\x89PNG")
    assert "plain 1" in log(screen)
