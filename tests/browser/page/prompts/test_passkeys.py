"""Passkeys: requests are announced, and the agent creates, uses or declines passkeys."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from support.eventually import eventually
from support.needs import needs, whole_chromium
from support.site import Site

from tabwarden.config import BrowserConfig
from tabwarden.errors import Denied, InvalidArgument
from tabwarden.sync import Browser

PAGE = """<button onclick="make()">Create</button><button onclick="use()">Sign in</button>
<button onclick="this.textContent = 'Hit'">Other</button><p id=out></p><script>
const say = (word) => { document.title = word }
const make = () => navigator.credentials.create({publicKey: {challenge: new Uint8Array(16),
  rp: {name: 'Shop'}, user: {id: new Uint8Array([7]), name: 'ann', displayName: 'Ann'},
  authenticatorSelection: {residentKey: 'required'},
  pubKeyCredParams: [{type: 'public-key', alg: -7}]}}).then((made) => { window.made = made
    say('created ' + made.type) }, (error) => say(error.name))
const use = () => navigator.credentials.get({publicKey: {challenge: new Uint8Array(16)}})
  .then((used) => say('used ' + (used.id === window.made?.id)), (error) => say(error.name))
</script>"""


@pytest.fixture(params=["shell", pytest.param("whole", marks=needs("chromium"))])
def opened(request: pytest.FixtureRequest, site: Site) -> Iterator[Browser]:
    """A browser with a page that uses passkeys."""
    about = {"executable": whole_chromium()} if request.param == "whole" else {}
    with Browser.launch(**about) as browser:
        site.page("/", PAGE)
        browser.goto(f"{site.there}/")
        yield browser


def has_title(browser: Browser, title: str) -> bool:
    return bool(browser.evaluate("document.title").value == title)


def pressed(browser: Browser, button: str) -> str:
    browser.click(browser.snapshot().ref(button))
    eventually(lambda: browser.state.passkey_requests)
    return browser.snapshot().text


def test_agent_creates_a_passkey_and_signs_in_with_it(opened: Browser) -> None:
    text = pressed(opened, "Create")
    assert (
        'Passkey request pk-1 is waiting in tab t1: create a passkey for "ann" at "localhost"?'
        in text
    )
    opened.choose("create")
    eventually(lambda: has_title(opened, "created public-key"))
    assert opened.state.passkey_requests == ()
    text = pressed(opened, "Sign in")
    assert 'Passkey request pk-2 is waiting in tab t1 for "localhost": ' in text
    with pytest.raises(InvalidArgument, match="does not offer 'bob'"):
        opened.choose("bob")
    opened.choose("ann")
    eventually(lambda: has_title(opened, "used true"))
    assert "privateKey" not in repr(opened.state)
    assert opened.click(opened.snapshot().ref("Other")).effect.startswith('1 line appeared: "Hit"')


def test_saved_state_keeps_passkeys_for_another_browser(site: Site, tmp_path: Path) -> None:
    site.page("/", PAGE)
    config = BrowserConfig(state_dir=str(tmp_path))
    with Browser.launch(config=config) as browser:
        browser.goto(f"{site.there}/")
        pressed(browser, "Create")
        browser.choose("create")
        eventually(lambda: has_title(browser, "created public-key"))
        assert browser.save_storage_state("shop.json").value["passkeys"] == 1
    with Browser.launch(config=config) as browser:
        browser.load_storage_state("shop.json")
        browser.goto(f"{site.there}/")
        assert '("ann")' in pressed(browser, "Sign in")
        browser.choose("ann")
        eventually(lambda: has_title(browser, "used false"))
        (passkey,) = browser.storage_state()["passkeys"]
        assert (passkey["rpId"], passkey["signCount"]) == ("localhost", 2)


def test_agent_declines_passkeys(opened: Browser) -> None:
    pressed(opened, "Create")
    opened.choose(cancel=True)
    eventually(lambda: has_title(opened, "NotAllowedError"))
    assert "this task has none for it" in pressed(opened, "Sign in")
    assert opened.click(opened.snapshot().ref("Other")).effect.startswith('1 line appeared: "Hit"')
    opened.choose(cancel=True)
    eventually(lambda: opened.state.passkey_requests == ())


def test_passkey_request_of_another_sites_frame_is_answered(opened: Browser, site: Site) -> None:
    site.page("/frame", PAGE)
    site.page("/", f'<iframe src="{site.there}/frame" allow="publickey-credentials-get *;'
              ' publickey-credentials-create *" width=600 height=300></iframe>')  # fmt: skip
    opened.goto(f"{site.here}/")
    pressed(opened, "Sign in")
    opened.choose(cancel=True)
    eventually(lambda: opened.state.passkey_requests == ())


def test_passkey_that_the_browser_refuses_opens_no_prompt(opened: Browser) -> None:
    opened.evaluate(
        "navigator.credentials.get({publicKey: {challenge: new Uint8Array(16), rpId:"
        " 'example.com'}}).catch((error) => say(error.name)); 0"
    )
    eventually(lambda: has_title(opened, "SecurityError"))
    assert opened.state.passkey_requests == ()


def test_page_error_after_an_answer_is_reported(opened: Browser) -> None:
    pressed(opened, "Create")
    opened.choose("create")
    eventually(lambda: has_title(opened, "created public-key"))
    opened.evaluate(
        "navigator.credentials.create({publicKey: {challenge: new Uint8Array(16), rp: {name:"
        " 'Shop'}, user: {id: new Uint8Array([7]), name: 'ann', displayName: 'Ann'},"
        " excludeCredentials: [{type: 'public-key', id: made.rawId}], pubKeyCredParams:"
        " [{type: 'public-key', alg: -7}]}}).catch((error) => say(error.name)); 0"
    )
    eventually(lambda: opened.state.passkey_requests)
    opened.choose("create")
    eventually(lambda: has_title(opened, "InvalidStateError"))
    assert opened.state.notes[-1].text == "pk-2: the page got InvalidStateError"


def test_passkey_request_ends_with_its_page_or_its_signal(opened: Browser) -> None:
    pressed(opened, "Sign in")
    opened.goto("about:blank")
    eventually(lambda: opened.state.passkey_requests == ())
    opened.back()
    opened.evaluate(
        "window.stop = new AbortController(); navigator.credentials.get({publicKey: {challenge:"
        " new Uint8Array(16)}, signal: stop.signal}).catch((error) => say(error.name)); 0"
    )
    eventually(lambda: opened.state.passkey_requests)
    opened.evaluate("stop.abort()")
    eventually(lambda: has_title(opened, "AbortError"))
    assert opened.state.passkey_requests == ()


def test_policy_that_answers_dialogs_declines_passkeys_with_a_note(site: Site) -> None:
    site.page("/", PAGE)
    with Browser.launch(config=BrowserConfig(dialog_policy="auto_dismiss")) as browser:
        browser.goto(f"{site.there}/")
        browser.click(browser.snapshot().ref("Sign in"))
        eventually(lambda: has_title(browser, "NotAllowedError"))
        (note,) = browser.state.notes
        assert note.text == "a passkey for localhost: dialog_policy is auto_dismiss"


def test_only_a_person_may_answer_if_the_configuration_says_so(site: Site) -> None:
    site.page("/", PAGE)
    with Browser.launch(config=BrowserConfig(passkeys="person")) as browser:
        browser.goto(f"{site.there}/")
        pressed(browser, "Create")
        with pytest.raises(Denied, match="Only a person may answer pk-1"):
            browser.choose("create")
        browser.choose(cancel=True)
        eventually(lambda: has_title(browser, "NotAllowedError"))


FLOOD = """<button onclick="for (let at = 0; at < 50; at++) use()">Go</button><script>
window.ended = 0
const use = () => navigator.credentials.get({publicKey: {challenge: new Uint8Array(16)}})
  .catch(() => ended++)
window.trace = () => [
  ...Reflect.ownKeys(window).filter((name) => /[0-9a-f]{16}/.test(String(name))),
  ...[navigator.credentials.get, navigator.credentials.create, window.showOpenFilePicker]
    .map(String).filter((source) => !source.includes('[native code]'))]
</script>"""


@pytest.mark.threat
def test_page_sees_no_trace_of_the_prompts_and_can_open_only_a_few(
    browser: Browser, site: Site
) -> None:
    site.page("/", FLOOD)
    browser.goto(f"{site.there}/")
    browser.click(browser.snapshot().ref("Go"))
    eventually(lambda: browser.evaluate("ended").value == 45)
    assert len(browser.state.passkey_requests) == 5
    assert browser.evaluate("trace().join()").value == ""


@pytest.mark.threat
def test_no_result_contains_a_passkeys_private_key(opened: Browser) -> None:
    pressed(opened, "Create")
    results = [opened.choose("create"), opened.snapshot(), opened.state]
    (passkey,) = opened.storage_state()["passkeys"]
    text = "".join(f"{one!r}{msgspec.json.encode(one, enc_hook=str)!r}" for one in results)
    assert passkey["privateKey"] not in text
