"""Text that a person types into a password field while in control never reaches the agent."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from typing import Any

import pytest
from browser.page.person.test_input import Hands
from support.eventually import eventually
from support.site import Site

from tabwarden.errors import TabwardenError
from tabwarden.journal import as_person
from tabwarden.page.control import HIDDEN
from tabwarden.sync import Browser

SECRET = "hunter2secret"
FORM = """<style>body {margin: 0} input {display: block; width: 300px; height: 40px}</style>
<input id=p type=password aria-label=Password><button id=eye style="display: block; height: 40px"
onclick="p.type = 'text'">Show</button><a id=a href="/in">In</a>"""


def typed_by_person(browser: Browser, text: str) -> Hands:
    """A person takes control, clicks the field and types."""
    hands = Hands(browser)
    hands.click(50, 20)
    for letter in text:
        hands.key(letter)
    return hands


def shown(browser: Browser) -> bytes:
    """A screenshot of the field."""
    return browser.screenshot(ref=browser.snapshot().ref("Password")).data


LEAKS: dict[str, Callable[[Browser], Any]] = {
    "snapshot": lambda browser: browser.snapshot().text,
    "find": lambda browser: browser.find(css="input").value,
    "scrape": lambda browser: browser.scrape(format="html").value,
    "evaluate": lambda browser: browser.evaluate("p.value").value,
    "throw": lambda browser: browser.evaluate("throw new Error(p.value)"),
    "wait": lambda browser: (
        browser.evaluate("document.title = p.value") and browser.state_message()
    ),
    "console": lambda browser: (
        browser.evaluate("console.error(p.value)"),
        browser.console().value,
    ),
    "url": lambda browser: browser.evaluate("location.hash = p.value").url,
    "cdp": lambda browser: browser.cdp("Runtime.evaluate", {"expression": "p.value"}).value,
}


@pytest.mark.whole
@pytest.mark.threat
def test_no_result_contains_text_that_a_person_typed_into_a_password_field(
    browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", FORM))
    hands = typed_by_person(browser, SECRET)
    hands.click(20, 60)  # the page's own reveal button shows the text
    eventually(lambda: hands.read("p.type") == "text")
    assert SECRET not in browser.snapshot().text
    held = shown(browser)
    browser.control.release()
    assert shown(browser) == held
    raw = browser.cdp("Page.captureScreenshot").value["data"]
    with as_person("Ann"):  # another text of the same length looks the same
        browser.evaluate("p.value = 'x'.repeat(p.value.length)")
    assert shown(browser) == held
    assert browser.cdp("Page.captureScreenshot").value["data"] == raw
    with as_person("Ann"):
        browser.evaluate(f"p.value = {SECRET!r}")
    for name, leak in LEAKS.items():
        try:
            told = repr(leak(browser))
        except TabwardenError as error:
            told = f"{error} {error.data}"
        assert SECRET not in told, name
    assert HIDDEN in repr(LEAKS["evaluate"](browser))


@pytest.mark.threat
def test_results_mask_a_password_typed_while_the_page_is_busy(browser: Browser, site: Site) -> None:
    busy = "<script>const hang = (end) => {while (Date.now() < end);}\n"
    busy += "onmousedown = () => setTimeout(() => hang(Date.now() + 600))</script>"
    there = site.page("/in", f"{FORM}{busy}", title="Busy")
    browser.goto(site.page("/", f"<a href='{there}' style='position: fixed; inset: 0'>In</a>"))
    hands = Hands(browser)
    hands.click(50, 20)
    eventually(lambda: browser.state.tabs[0].title == "Busy")  # no call has read this page
    hands.click(50, 20)
    hands.send(kind="paste", text=SECRET)
    eventually(lambda: hands.read("p.value") == SECRET)
    browser.control.release("done", f"It is {SECRET}")
    assert browser.evaluate("p.value").value == HIDDEN
    assert SECRET not in repr(browser.snapshot())


@pytest.mark.parametrize(
    "script",
    ["encodeURIComponent(p.value)", "JSON.stringify(p.value)", "p.value.replace('&', '&amp;')"],
)
def test_evaluate_masks_a_typed_password_in_url_json_and_html_encoding(
    script: str, browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", FORM))
    hands = typed_by_person(browser, 'm&1"ü 9x')
    eventually(lambda: hands.read("p.value.length") == 8)
    browser.control.release()
    assert str(browser.evaluate(script).value).strip('"') == HIDDEN


def test_results_mask_a_typed_password_after_the_page_navigates(
    browser: Browser, site: Site
) -> None:
    site.page("/in", "<p id=said></p><script>said.textContent = location.search</script>")
    body = FORM.replace("<input", "<form action=/in><input name=q").replace(
        "<button", "</form><button"
    )
    browser.goto(site.page("/", body))
    hands = typed_by_person(browser, SECRET)
    hands.key("Enter", "Enter", 13)
    eventually(lambda: browser.state.tabs[0].url.startswith(f"{site.here}/in?q="))
    browser.control.release()
    shown = browser.snapshot()
    assert SECRET not in shown.text + shown.url + repr(shown.new_since_last)
    assert HIDDEN in shown.url
    with zipfile.ZipFile(browser.trace().value["path"]) as trace:
        assert not any(SECRET.encode() in trace.read(name) for name in trace.namelist())


def test_results_mask_a_typed_one_time_code(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", FORM.replace("type=password", "autocomplete=one-time-code")))
    hands = typed_by_person(browser, "493817")
    eventually(lambda: hands.read("p.value.length") == 6)
    browser.control.release()
    assert "493817" not in browser.snapshot().text
    assert browser.evaluate("p.value").value == HIDDEN


def test_slow_page_does_not_reveal_a_typed_secret(browser: Browser, site: Site) -> None:
    busy = (
        "<script>onkeydown = () => { const t = Date.now(); while (Date.now() < t + 250); }</script>"
    )
    browser.goto(site.page("/", FORM + busy))
    hands = typed_by_person(browser, "pass9")
    eventually(lambda: hands.read("p.value.length") == 5)
    browser.control.release()
    assert browser.evaluate("p.value").value == HIDDEN
