"""A person takes over in the middle of what only people solve: a hung script, a dialog, a file
chooser, a login. Afterwards the agent goes on."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler

import pytest
from browser.page.person.test_input import Hands
from support.eventually import eventually
from support.pace import allow
from support.site import Site

from tabwarden.errors import NoDialog
from tabwarden.journal import as_person
from tabwarden.sync import Browser


@pytest.fixture
def apart() -> Iterator[ThreadPoolExecutor]:
    """Run calls on threads of their own."""
    with ThreadPoolExecutor() as pool:
        yield pool


@pytest.mark.long
def test_person_can_click_while_the_agents_script_hangs(
    browser: Browser, site: Site, apart: ThreadPoolExecutor
) -> None:
    browser.goto(site.page("/", "<button onclick=\"document.title = 'clicked'\">Go</button>"))
    hung = apart.submit(browser.evaluate, "for (;;);", timeout_ms=allow(6_000))
    eventually(lambda: browser._journal.running)
    hands = Hands(browser)
    hands.click(20, 15)
    eventually(
        lambda: (
            browser.state.tabs[0].title == "clicked" or hands.read("document.title") == "clicked"
        )
    )
    assert hung.exception(60) is not None
    browser.control.release()
    assert browser.evaluate("document.title").value == "clicked"


def test_agents_answer_to_a_dialog_that_a_person_answered_first_fails(
    browser: Browser, site: Site, apart: ThreadPoolExecutor
) -> None:
    script = "document.title = prompt('Code?')"
    browser.goto(site.page("/", f'<button onclick="{script}">Ask</button>'))
    asked = browser.click(browser.snapshot().ref("Ask"))
    assert asked.by is not None
    dialog_id = asked.by["dialog"]["id"]
    browser.control.take("Ann")
    late = apart.submit(browser.dialog, "dismiss", dialog_id=dialog_id, timeout_ms=20_000)
    with as_person("Ann"):
        answered = browser.dialog("accept", "4711")
    assert answered.value["closed_by"] == "person"
    browser.control.release()
    with pytest.raises(NoDialog) as gone:
        late.result(60)
    assert gone.value.data["recent_dialogs"][-1]["closed_by"] == "person"
    assert browser.evaluate("document.title").value == "4711"


def test_agent_learns_that_a_person_canceled_a_file_chooser(browser: Browser, site: Site) -> None:
    body = '<input type=file id=f hidden><button onclick="f.click()">Pick</button>'
    browser.goto(site.page("/", body))
    browser.click(browser.snapshot().ref("Pick"))
    (chooser,) = eventually(lambda: browser.state.file_choosers)
    browser.control.take("Ann")
    with as_person("Ann"):
        browser.upload([])  # she cancels it
    browser.control.release()
    (told,) = browser.snapshot().new_since_last.person
    assert told == f"Ann had control: answered {chooser.id}"


def test_password_that_a_person_types_during_a_handoff_stays_secret(
    browser: Browser, site: Site, apart: ThreadPoolExecutor
) -> None:
    """The server opens a password prompt, which only the person can answer, in a handoff."""

    def secured(request: BaseHTTPRequestHandler) -> None:
        given = request.headers.get("Authorization", "")
        if base64.b64encode(b"ann:opensesame").decode() not in given:
            request.send_response(401)
            request.send_header("WWW-Authenticate", 'Basic realm="x"')
            request.send_header("Content-Length", "0")
            request.end_headers()
            return
        body = b"<title>In</title>welcome"
        request.send_response(200)
        request.send_header("Content-Type", "text/html")
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        request.wfile.write(body)

    site.pages["/secured"] = secured
    assert browser.goto(f"{site.here}/secured").interrupted
    call = apart.submit(browser.handoff, "Log in as Ann", timeout_ms=20_000)
    eventually(lambda: browser.control.waiting_handoffs)
    browser.control.take("Ann")
    (challenge,) = browser.state.auth_challenges
    with as_person("Ann"):
        browser.auth("ann", "opensesame")
    browser.control.release("done")
    done = call.result(60)
    assert done.value["outcome"] == "done"
    (told,) = done.new_since_last.person
    assert f"answered {challenge.id}" in told
    assert "opensesame" not in repr(done)
    assert "welcome" in browser.snapshot().text
