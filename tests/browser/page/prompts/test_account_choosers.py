"""Account choosers: "Sign in with ..." (FedCM) is announced, shown and answered."""

from __future__ import annotations

import json
from http.server import BaseHTTPRequestHandler

import pytest
from support.eventually import eventually
from support.needs import needs, whole_chromium
from support.site import Respond, Site

from tabwarden.errors import InvalidArgument, NotInteractable
from tabwarden.sync import Browser

PAGE = """<button onclick="ask('passive')">Sign in</button>
<button onclick="ask('active')">Sign in now</button>
<button onclick="this.textContent = 'Hit'">Other</button><script>
function ask(mode) {
  const provider = {configURL: location.origin + '/config.json', clientId: '1'}
  navigator.credentials.get({identity: {mode, providers: [provider]}}).then(
    (found) => { document.title = `got ${found.token}` },
    (error) => { document.title = error.name })
}</script>"""
ACCOUNTS = [
    {"id": "1", "name": "Ann", "email": "ann@shop.example"},
    {"id": "2", "name": "Bob", "email": "bob@shop.example"},
]


def replies(value: object) -> Respond:
    def respond(request: BaseHTTPRequestHandler) -> None:
        body = json.dumps(value).encode()
        length = int(request.headers.get("Content-Length") or 0)
        asked = request.rfile.read(length).decode()
        if "account_id=" in asked:
            body = json.dumps({"token": asked.split("account_id=")[1].split("&")[0]}).encode()
        request.send_response(200)
        request.send_header("Content-Type", "application/json")
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        request.wfile.write(body)

    return respond


def log_in(request: BaseHTTPRequestHandler) -> None:
    request.send_response(200)
    request.send_header("Set-Login", "logged-in")
    request.send_header("Content-Length", "0")
    request.end_headers()


@pytest.fixture
def shop(site: Site) -> str:
    """A page that asks for an account of a provider at the same site."""
    base = site.there
    site.pages |= {
        "/login": log_in,
        "/.well-known/web-identity": replies({"provider_urls": [f"{base}/config.json"]}),
        "/config.json": replies(
            {
                "accounts_endpoint": "/accounts",
                "client_metadata_endpoint": "/client",
                "id_assertion_endpoint": "/token",
                "login_url": "/login",
            }
        ),
        "/accounts": replies({"accounts": ACCOUNTS}),
        "/client": replies({}),
        "/token": replies({"token": "none"}),
    }
    site.page("/shop", PAGE, title="Shop")
    return f"{base}/shop"


def opened(browser: Browser, shop: str, button: str = "Sign in") -> None:
    browser.goto(shop.replace("/shop", "/login"))
    browser.goto(shop)
    browser.click(browser.snapshot().ref(button))
    eventually(lambda: browser.state.account_choosers)


def test_agent_signs_in_with_an_account_of_its_choice(browser: Browser, shop: str) -> None:
    opened(browser, shop)
    shown = browser.snapshot()
    assert "Account chooser ac-1 is waiting in tab " in shown.text
    assert ' with "ann@shop.example" ("Ann"), "bob@shop.example" ("Bob")' in shown.text
    with pytest.raises(InvalidArgument, match="does not offer 'Zed'"):
        browser.choose("Zed")
    assert browser.choose("Bob").value == {"id": "ac-1", "choice": "bob@shop.example"}
    eventually(lambda: browser.state.tabs[0].title == "got 2")
    assert browser.state.account_choosers == ()


def test_agent_cancels_an_account_chooser(browser: Browser, shop: str) -> None:
    opened(browser, shop)
    browser.choose(cancel=True)
    eventually(lambda: browser.snapshot().title == "NetworkError")
    assert browser.state.account_choosers == ()


def test_account_chooser_ends_with_its_page(browser: Browser, shop: str) -> None:
    opened(browser, shop)
    browser.goto("about:blank")
    eventually(lambda: browser.state.account_choosers == ())


@needs("chromium")  # a headless shell shows no dialog then
def test_agent_continues_to_the_login_page_when_signed_out(site: Site, shop: str) -> None:
    site.pages["/accounts"] = lambda request: request.send_error(401)
    with Browser.launch(executable=whole_chromium()) as browser:
        opened(browser, shop)
        assert "Continue to the login page" in browser.snapshot().text
        browser.choose("Continue to the login page")
        eventually(lambda: len(browser.state.tabs) == 2)
        assert browser.state.tabs[1].url.endswith("/login")


@needs("chromium")  # a headless shell rejects the active mode
def test_click_under_an_account_chooser_says_how_to_answer_it(site: Site, shop: str) -> None:
    with Browser.launch(executable=whole_chromium()) as browser:
        opened(browser, shop, "Sign in now")
        other = browser.snapshot().ref("Other")
        with pytest.raises(NotInteractable, match=r"Account chooser ac-1 .*browser\.choose"):
            browser.click(other)
        browser.choose("ann@shop.example")
        eventually(lambda: browser.state.tabs[0].title == "got 1")
        assert browser.click(other).effect.startswith('1 line appeared: "Hit"')
