"""People answer a task's open prompts, and take control of it."""

from __future__ import annotations

import base64
import re
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest
from support.eventually import eventually
from support.site import Site
from support.watching import Agents, RawViewer, Watched, open_view

from tabwarden.config import load_config
from tabwarden.journal import as_person
from tabwarden.page.task import ActionResult
from tabwarden.sync import Browser

ASKS = '<button onclick="document.title = String({})">Ask</button>'
FILES = """<input type=file aria-label=Photo onchange="
  files[0].text().then((text) => (document.title = files[0].name + ' ' + text))">"""


def see(viewer: Browser) -> str:
    return str(viewer.evaluate("document.body?.innerText").value)


def asks(agents: Agents, site: Site, script: str) -> Future[Any]:
    """Open a page whose button opens a dialog; return the agent's click."""
    agents.call(agents.browser.goto(site.page("/", ASKS.format(script))))
    ref = agents.call(agents.browser.snapshot()).ref("Ask")
    return agents.begin(agents.browser.click(ref))


def title(agents: Agents) -> str:
    return str(agents.call(agents.browser.evaluate("document.title")).value)


def press(viewer: Browser, words: str) -> None:
    """Click the button with this label."""
    eventually(lambda: words in see(viewer))
    viewer.click(viewer.snapshot().ref(words))


def test_person_answers_a_dialog_on_the_agents_page(
    browser: Browser, watched: Watched, agents: Agents, site: Site
) -> None:
    assert asks(agents, site, "prompt('Your name?', 'nobody')").result(60).interrupted
    open_view(browser, watched.link())
    eventually(lambda: "Your name?" in see(browser))
    browser.type("Ann", browser.snapshot().ref("Your name?"), clear=True)
    press(browser, "OK")
    eventually(lambda: title(agents) == "Ann")
    closed = agents.browser.state.recent_dialogs[-1]
    assert (closed.closed_by, closed.prompt_text) == ("person", "Ann")
    eventually(lambda: "Your name?" not in see(browser))


@pytest.mark.long
def test_live_view_shows_that_the_agent_answered_a_dialog_first(
    browser: Browser, watched: Watched, agents: Agents, site: Site
) -> None:
    asks(agents, site, "confirm('Really?')").result(60)
    open_view(browser, watched.link())
    eventually(lambda: "Really?" in see(browser))
    agents.call(agents.browser.dialog("dismiss"))
    eventually(lambda: "The agent answered with “Cancel”." in see(browser))
    assert title(agents) == "false"


@pytest.mark.long
def test_person_answers_a_password_prompt(
    browser: Browser, watched: Watched, agents: Agents, site: Site
) -> None:
    def guarded(request: Any) -> None:
        wanted = "Basic " + base64.b64encode(b"ann:sesame-9").decode()
        is_right = request.headers.get("Authorization") == wanted
        body = b"<title>inside</title>"
        request.send_response(200 if is_right else 401)
        request.send_header("WWW-Authenticate", 'Basic realm="the vault"')
        request.send_header("Content-Type", "text/html")
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        request.wfile.write(body)

    site.pages["/vault"] = guarded
    agents.begin(agents.browser.goto(f"{site.here}/vault"))
    open_view(browser, watched.link())
    eventually(lambda: "is asking for a user name" in see(browser))
    page = browser.snapshot()
    browser.type("ann", page.ref("User name"))
    browser.type("sesame-9", page.ref("Password"))
    press(browser, "Sign in")
    eventually(lambda: agents.browser.state.tabs[-1].title == "inside")
    told = browser.evaluate("document.documentElement.outerHTML").value
    assert "sesame-9" not in told


@pytest.mark.long
def test_person_uploads_a_file_from_their_machine_to_the_page(
    browser: Browser, watched: Watched, agents: Agents, site: Site, tmp_path: Path
) -> None:
    (tmp_path / "cat.txt").write_text("meow")
    agents.call(agents.browser.goto(site.page("/", FILES)))
    agents.call(agents.browser.click(agents.call(agents.browser.snapshot()).ref("Photo")))
    open_view(browser, watched.link())
    eventually(lambda: "The page is asking for a file" in see(browser))
    browser.configure(load_config().browser.model_copy(update={"upload_dir": tmp_path}))
    browser.upload(["cat.txt"], browser.snapshot().ref("The page is asking for a file."))
    press(browser, "Send")
    eventually(lambda: title(agents) == "cat.txt meow")


@pytest.mark.long
def test_person_can_grant_a_permission_that_the_page_requested(
    browser: Browser, watched: Watched, agents: Agents, site: Site
) -> None:
    script = "navigator.geolocation.getCurrentPosition(() => {}, () => {}), 1"
    asks(agents, site, script).result(60)
    open_view(browser, watched.link())
    press(browser, "Allow")
    state = "navigator.permissions.query({name: 'geolocation'}).then((one) => one.state)"
    eventually(lambda: agents.call(agents.browser.evaluate(state)).value == "granted")
    eventually(lambda: "know your location" not in see(browser))


def test_person_takes_control_types_and_returns_control(
    browser: Browser, watched: Watched, agents: Agents, site: Site
) -> None:
    place = "position: fixed; inset: 0; font-size: 40px"
    field = f"<input style='{place}' oninput=\"document.title = value\" aria-label=Note>"
    agents.call(agents.browser.goto(site.page("/", field)))
    open_view(browser, watched.link(task="agent"))
    eventually(lambda: browser.evaluate("document.querySelector('canvas').dataset.number").value)
    press(browser, "Take control")
    eventually(lambda: "You have control" in see(browser))
    assert agents.browser.control.holder is not None
    waits = agents.begin(agents.browser.click(x=5, y=5, timeout_ms=60_000))
    box = browser.evaluate(
        "(({left, top, width, height}) => [left + width / 2, top + height / 2])"
        "(document.querySelector('canvas').getBoundingClientRect())"
    ).value
    browser.click(x=box[0], y=box[1])
    browser.press("h")
    browser.press("i")
    with as_person("a test"):  # its calls don't wait for Ann
        eventually(lambda: title(agents) == "hi")
    assert not waits.done()
    press(browser, "Give control back")
    assert waits.result(60).status == "ok"


@pytest.mark.long
def test_person_takes_control_for_a_handoff_and_completes_it(
    browser: Browser, watched: Watched, agents: Agents, site: Site
) -> None:
    waits = hands_off(browser, watched, agents, site)
    browser.click("css=.question button.primary")
    eventually(lambda: "Take control" not in see(browser))
    assert agents.browser.control.holder is not None
    press(browser, "Done, give control back")
    assert waits.result(60).value["outcome"] == "done"
    assert agents.browser.control.holder is None


def hands_off(
    viewer: Browser, watched: Watched, agents: Agents, site: Site
) -> Future[ActionResult]:
    """The agent requests a person, who has the task's page open."""
    agents.call(agents.browser.goto(site.page("/", "login")))
    waits = agents.begin(agents.browser.handoff("Please sign in", timeout_ms=60_000))
    open_view(viewer, watched.link(task="agent"))
    eventually(lambda: "Please sign in" in see(viewer))
    return waits


COUNT = """(() => {
  const shown = (css) => [...document.querySelectorAll(css)].filter((one) => one.checkVisibility());
  const has = (words) => shown("button").filter((one) => one.innerText.includes(words)).length;
  return [has("Done"), has("Take control"), shown(".message").length];
})()"""
"""The numbers of buttons that end a handoff, buttons that take control, and message fields."""


def test_live_view_shows_one_button_that_returns_control(
    browser: Browser, watched: Watched, agents: Agents, site: Site
) -> None:
    waits = hands_off(browser, watched, agents, site)
    assert browser.evaluate(COUNT).value == [1, 1, 1]
    browser.type("You are in.", browser.snapshot().ref("A message for the agent"))
    browser.click("css=.question button.primary")
    eventually(lambda: "You have control" in see(browser))
    assert browser.evaluate(COUNT).value == [1, 0, 1]
    press(browser, "Done, give control back")
    assert waits.result(60).value["message"] == "You are in."
    eventually(lambda: "The agent's question “Please sign in”: done" in see(browser))
    eventually(lambda: 'wrote "You are in."' in see(browser))
    assert "Had control" in see(browser)
    eventually(lambda: browser.evaluate(COUNT).value == [0, 1, 0])
    assert browser.evaluate("document.querySelectorAll('.toast').length").value == 0


@pytest.mark.long
def test_person_with_control_can_decline_a_handoff(
    browser: Browser, watched: Watched, agents: Agents, site: Site
) -> None:
    waits = hands_off(browser, watched, agents, site)
    browser.click("css=.question button.primary")
    eventually(lambda: "You have control" in see(browser))
    browser.type("It wants a code.", "css=.bar .message")
    press(browser, "I can't do it")
    told = waits.result(60).value
    assert (told["outcome"], told["message"]) == ("refused", "It wants a code.")
    eventually(lambda: "“Please sign in”: refused" in see(browser))
    assert agents.browser.control.holder is None


def test_timeline_shows_a_persons_answers_and_messages(
    browser: Browser, watched: Watched, agents: Agents, site: Site
) -> None:
    asks(agents, site, "prompt('Your name?', 'nobody')").result(60)
    open_view(browser, watched.link(task="agent"))
    press(browser, "OK")
    eventually(lambda: title(agents) == "nobody")
    eventually(lambda: "Answered a dialog with “nobody”" in see(browser))
    waits = agents.begin(agents.browser.handoff("Which size?", timeout_ms=60_000))
    eventually(lambda: "Which size?" in see(browser))
    browser.type("Medium", 'role=textbox[name="A message for the agent"]')
    press(browser, "Done")
    assert waits.result(60).value["message"] == "Medium"
    eventually(lambda: 'wrote "Medium"' in see(browser))


def test_message_sent_with_returned_control_reaches_the_agent(
    browser: Browser, watched: Watched, agents: Agents, site: Site
) -> None:
    agents.call(agents.browser.goto(site.page("/", "hello")))
    open_view(browser, watched.link(task="agent"))
    press(browser, "Take control")
    eventually(lambda: "You have control" in see(browser))
    browser.type("Use the other form.", "css=.bar .message")
    press(browser, "Give control back")
    eventually(lambda: 'wrote "Use the other form."' in see(browser))
    (told,) = agents.call(agents.browser.snapshot()).new_since_last.person
    assert told == 'Ann had control: did nothing, and wrote "Use the other form."'


def test_live_view_question_shows_its_origin_opening_time_and_default_answer(
    browser: Browser, watched: Watched, agents: Agents, site: Site
) -> None:
    asks(agents, site, "confirm('Really?')").result(60)
    open_view(browser, watched.link())
    eventually(lambda: "Really?" in see(browser))
    place = "document.querySelector('.question header').innerText"
    told = str(browser.evaluate(place).value)
    assert told.startswith("agent")  # the task's name
    assert f"{site.here.removeprefix('http://')} asks" in told
    assert re.search(r"since \d\d:\d\d:\d\d", told)
    assert "closes by itself with “Cancel”" in told
    agents.call(agents.browser.dialog("dismiss"))
    agents.begin(agents.browser.handoff("Sign in", timeout_ms=5_000))
    eventually(lambda: "The agent is asking for a person on 127.0.0.1" in see(browser))
    assert "the agent is told that nobody came" in see(browser)
    (asked,) = agents.browser.control.waiting_handoffs
    agents.browser.control.answer(asked.id, "refused", "Ben")
    eventually(lambda: "Ben answered the agent: refused." in see(browser))


def test_toast_message_covers_no_buttons(
    browser: Browser, watched: Watched, agents: Agents, site: Site
) -> None:
    asks(agents, site, "confirm('Really?')").result(60)
    open_view(browser, watched.link(task="agent"))
    eventually(lambda: "Really?" in see(browser))
    agents.call(agents.browser.dialog("dismiss"))
    eventually(lambda: browser.evaluate("document.querySelectorAll('.toast').length").value)
    covered = """[...document.querySelectorAll("main button, main input")].filter((button) => {
      const toast = document.querySelector(".toast").getBoundingClientRect();
      const box = button.getBoundingClientRect();
      return box.width && box.top < toast.bottom && box.bottom > toast.top
        && box.left < toast.right && box.right > toast.left;
    }).map((button) => button.innerText)"""
    assert browser.evaluate(covered).value == []


def tab_to(viewer: Browser, words: str) -> None:
    """Press Tab until the button with this label has the focus."""
    for _ in range(300):  # each call of earlier tests is a tab stop, too
        viewer.press("Tab")
        if viewer.evaluate("document.activeElement.innerText").value == words:
            return
    raise AssertionError(f"Tab does not reach {words!r}")


@pytest.mark.long
def test_person_can_answer_and_control_with_the_keyboard_alone(
    browser: Browser, watched: Watched, agents: Agents, site: Site
) -> None:
    asks(agents, site, "confirm('Really?')").result(60)
    open_view(browser, watched.link(task="agent"))
    eventually(lambda: "Really?" in see(browser))
    tab_to(browser, "OK")
    browser.press("Enter")
    eventually(lambda: title(agents) == "true")
    agents.call(
        agents.browser.goto(site.page("/", "<input autofocus oninput='document.title = value'>"))
    )
    tab_to(browser, "Take control")
    browser.press("Enter")
    eventually(lambda: "You have control" in see(browser))
    browser.press("h")
    with as_person("a test"):  # its calls don't wait for the person
        eventually(lambda: title(agents) == "h")
    browser.press("Escape", times=2)
    browser.press("Enter")  # the focus is on the button that returns control
    eventually(lambda: agents.browser.control.holder is None)


def test_read_only_link_cannot_answer_or_take_control(
    browser: Browser, watched: Watched, agents: Agents, site: Site
) -> None:
    asks(agents, site, "confirm('Really?')").result(60)
    open_view(browser, watched.link(read_only=True))
    eventually(lambda: "Your link only allows watching" in see(browser))
    assert browser.evaluate("document.querySelectorAll('.question button').length").value == 0
    browser.evaluate(f"location.hash = '#/task/{watched.live.id}.agent'")
    eventually(lambda: "Your link only allows watching." in see(browser))
    assert "View only" in see(browser)
    assert "Take control" not in see(browser)
    viewer, name = RawViewer(watched, read_only=True), f"{watched.live.id}.agent"
    viewer.until(lambda told: told.get("task") == name)
    wait = {"kind": "dialog", "id": agents.browser.state.pending_dialogs[0].id, "accept": True}
    for message in ({"type": "answer", **wait}, {"type": "control", "what": "take"}):
        viewer.send({"task": name, **message})
        viewer.until(lambda told: told["type"] == "refused")
    viewer.close()
    assert agents.browser.state.pending_dialogs
    assert agents.browser.control.holder is None
