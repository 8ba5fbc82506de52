"""A dialog, prompt or hand-off is told at once, and the model can answer it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from support.needs import require
from support.site import Site

from tabwarden.config import load_config
from tabwarden.sync import Browser

require("vendor-sdks")

from support.vendors import ClaudeCalls, OpenAICalls, ref  # noqa: E402 - it needs the SDKs

from tabwarden.integrations.anthropic import ClaudeBrowser  # noqa: E402
from tabwarden.integrations.openai import OpenAIBrowser  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Callable

BODY = """<button onclick="o.textContent = 'answer ' + {call}">Ask</button><p id=o>none</p>"""
CALLS = {
    "alert": "alert('Look out')",
    "confirm": "confirm('Delete everything?')",
    "prompt": "prompt('Your name?', 'Nobody')",
}


def allow_all(*_: Any) -> bool:
    return True


def function_tool(driver: ClaudeBrowser, name: str) -> Callable[[dict[str, Any]], Any]:
    return next(tool for tool in driver.function_tools if tool.name == name).call


def button_of(calls: Any) -> str:
    page = calls("read_page", filter="all").text
    found = re.search(r'button "Ask" \[(?:ref=)?(\w+)\]', page)
    assert found is not None, page
    return found[1]


@pytest.mark.parametrize("kind", CALLS)
@pytest.mark.parametrize("place", ["top", "frame"])
def test_claude_answers_a_dialog_with_a_function_tool(
    kind: str, place: str, claude: ClaudeCalls, site: Site
) -> None:
    page = site.page("/asks", BODY.format(call=CALLS[kind]))
    if place == "frame":
        there = page.replace(site.here, site.there)
        page = site.page("/", f"<iframe src={there} width=500 height=300></iframe>")
    claude("navigate", url=page)
    button = button_of(claude)
    clicked = claude("left_click", target=ref(button))
    assert not clicked.is_error, "the click happened"
    assert clicked.text.startswith("Clicked.")
    assert kind in clicked.text
    assert "browser_dialog(" in clicked.text
    late = claude("left_click", target=ref(button))
    assert late.is_error
    assert "browser_dialog(" in late.text
    answer = function_tool(claude.driver, "browser_dialog")
    answer({"action": "accept", **({"prompt_text": "Ann"} if kind == "prompt" else {})})
    wanted = {"alert": "undefined", "confirm": "true", "prompt": "Ann"}[kind]
    assert f"answer {wanted}" in claude("get_page_text").text


@pytest.mark.parametrize("kind", CALLS)
def test_openai_answers_a_dialog_with_a_function_tool(
    kind: str, openai: OpenAICalls, site: Site
) -> None:
    openai("navigate", url=site.page("/", BODY.format(call=CALLS[kind])))
    clicked = openai("click", target=button_of(openai))
    assert not clicked.is_error
    assert kind in clicked.text
    assert "browser_dialog(" in clicked.text
    tools = {tool.tool["name"]: tool for tool in openai.toolset.driver.function_tools}
    assert "dismissed" in tools["browser_dialog"].execute({"action": "dismiss"})
    wanted = {"alert": "undefined", "confirm": "false", "prompt": "null"}[kind]
    assert f"answer {wanted}" in openai("get_page_text").text


def test_function_tool_reports_an_error_as_text(openai: OpenAICalls, site: Site) -> None:
    openai("navigate", url=site.page("/", "Hi"))
    tools = {tool.tool["name"]: tool for tool in openai.toolset.driver.function_tools}
    assert "No dialog is waiting" in tools["browser_dialog"].execute({"action": "accept"})
    assert "action" in tools["browser_dialog"].execute({"action": 5})
    assert "action" in tools["browser_dialog"].execute({})


@pytest.mark.parametrize("kind", CALLS)
def test_drivers_report_a_dismissed_dialog_with_the_action_that_opened_it(
    kind: str, site: Site
) -> None:
    page = site.page("/", BODY.format(call=CALLS[kind]))
    with ClaudeBrowser(dialogs="dismiss") as driver:
        claude = ClaudeCalls(driver)
        claude("navigate", url=page)
        clicked = claude("left_click", target=ref(button_of(claude)))
        assert re.search(rf'{kind} dialog ".+" was dismissed', clicked.text), clicked.text
        assert "browser_dialog" not in clicked.text
        assert "dismissed" not in claude("get_page_text").text
    with OpenAIBrowser(dialogs="dismiss") as openai_driver:
        openai = OpenAICalls(openai_driver.toolset(confirm=allow_all, url_policy=allow_all))
        openai("navigate", url=page)
        clicked = openai("click", target=button_of(openai))
        dismissed = [one for one in clicked.changes if one["type"] == "dialog_dismissed"]
        assert [one["kind"] for one in dismissed] == [kind]


def test_dialogs_are_dismissed_until_the_program_takes_the_function_tools(site: Site) -> None:
    page = site.page("/", BODY.format(call=CALLS["confirm"]))
    with ClaudeBrowser() as driver:
        claude = ClaudeCalls(driver)
        claude("navigate", url=page)
        button = button_of(claude)
        assert "was dismissed" in claude("left_click", target=ref(button)).text
        assert driver.function_tools
        assert "browser_dialog(" in claude("left_click", target=ref(button)).text


def test_driver_that_accepts_dialogs_says_so(site: Site) -> None:
    with ClaudeBrowser(dialogs="accept") as driver:
        claude = ClaudeCalls(driver)
        claude("navigate", url=site.page("/", BODY.format(call=CALLS["confirm"])))
        clicked = claude("left_click", target=ref(button_of(claude)))
        assert "Delete everything?" in clicked.text
        assert "accepted" in clicked.text
        assert "answer true" in claude("get_page_text").text


@pytest.mark.parametrize("dialogs", ["dismiss", "accept"])
def test_page_that_asks_before_it_is_left_does_not_lock_the_tab(dialogs: Any, site: Site) -> None:
    site.page("/next", "Next page")
    body = "<button>Ask</button><script>onbeforeunload = event => event.preventDefault()</script>"
    with ClaudeBrowser(dialogs=dialogs) as driver:
        claude = ClaudeCalls(driver)
        claude("navigate", url=site.page("/", body))
        claude("left_click", target=ref(button_of(claude)))  # the page needs a gesture to ask
        left = claude("navigate", url=f"{site.here}/next")
        assert not left.is_error, left
        assert left.tabs[0]["url"].endswith("/next"), left
        assert "Next page" in claude("get_page_text").text


def test_navigation_that_meets_a_dialog_says_so(
    claude: ClaudeCalls, openai: OpenAICalls, site: Site
) -> None:
    answer = function_tool(claude.driver, "browser_dialog")
    site.page("/next", "Next page")
    body = "<button>Ask</button><script>onbeforeunload = event => event.preventDefault()</script>"
    page = site.page("/", body)
    for calls in (claude, openai):
        calls("navigate", url=page)
        claude("left_click", target=ref(button_of(claude)))  # the page needs a gesture to ask
        left = calls("navigate", url=f"{site.here}/next")
        assert "beforeunload" in left.text
        assert "browser_dialog(" in left.text
        assert "Navigated" not in left.text
        assert left.is_error == (calls is claude), "Anthropic's result of navigate has no text"
        answer({"action": "accept"})
        site.page("/alert", "<script>alert('Hello there')</script>")
        loaded = calls("navigate", url=f"{site.here}/alert")
        assert "Navigated to" in loaded.text
        assert "Hello there" in loaded.text
        answer({"action": "accept"})


def test_dialogs_must_be_a_known_word() -> None:
    with pytest.raises(Exception, match="dialogs must be ask, dismiss or accept"):
        ClaudeBrowser(dialogs="never")  # type: ignore[arg-type]


def test_model_reads_the_name_of_a_secret_and_never_its_value(site: Site) -> None:
    seen: list[str] = []

    def post(handler: Any) -> None:
        length = int(handler.headers.get("Content-Length", 0))
        seen.append(handler.rfile.read(length).decode())
        handler.send_response(200)
        handler.send_header("Content-Length", "2")
        handler.end_headers()
        handler.wfile.write(b"ok")

    site.pages["/in"] = post
    body = "<form method=post action=/in><input name=k aria-label=Key><button>Ask</button></form>"
    page = site.page("/", body)
    secrets = {"KEY": {"value": "hunter2222", "origins": [site.here]}}
    config = load_config(None, secrets=secrets).browser
    with Browser.launch(config=config) as browser, ClaudeBrowser(browser) as driver:
        claude = ClaudeCalls(driver)
        claude("navigate", url=page)
        texts = [claude("read_page", filter="all").text]
        field = re.search(r'textbox "Key" \[(\w+)\]', texts[0])
        assert field is not None
        texts.append(claude("form_input", target=ref(field[1]), value="{{KEY}}").text)
        texts.append(claude("form_input", target=ref(field[1]), value="").text)
        claude("left_click", target=ref(field[1]))
        texts.append(claude("type", text="{{KEY}}").text)
        texts.append(claude("read_page", filter="all").text)
        texts.append(claude("key", text="Return").text)
    assert seen == ["k=hunter2222"]
    assert "hunter2222" not in "".join(texts)
