"""Configured secrets: a model inserts them by name, only on their own sites."""

from __future__ import annotations

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler

import pytest
from support.site import Site

from tabwarden.config import load_config
from tabwarden.errors import Denied, InvalidArgument, TabwardenError
from tabwarden.sync import Browser

PASSWORD = "hunter2-Wq/7+x"
LOGIN = """<form><label>User <input name=u></label><label>Password <input type=password name=p>
</label><label>Note <input name=n></label><label>Code <input name=c maxlength=3></label>
<input aria-label=Code2 maxlength=3></form>"""


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with Site() as site:
        yield site


@pytest.fixture(scope="module")
def safe(site: Site) -> Iterator[Browser]:
    secrets = {
        "SHOP_PASSWORD": {"value": PASSWORD, "origins": [site.here]},
        "SHOP_CODE": {"value": "GEZDGNBVGY3TQOJQ", "totp": True, "origins": [site.here]},
        "ONLY_HIDDEN": {"value": "never-shown"},
        "MISSING": {"env": "NO_SUCH_VARIABLE", "origins": [site.here]},
    }
    with Browser.launch(config=load_config(None, secrets=secrets).browser) as browser:
        yield browser


def held(browser: Browser, name: str) -> object:
    """Return a field's value reversed, so that it is not masked."""
    script = "(name) => document.querySelector(`[name=${name}]`).value.split('').reverse().join('')"
    return browser.evaluate(script, args=[name]).value


def test_type_and_fill_form_insert_a_secret_that_no_result_shows(safe: Browser, site: Site) -> None:
    safe.goto(site.page("/", LOGIN))
    page = safe.snapshot()
    told = [
        safe.type("{{SHOP_PASSWORD}}", page.ref("Password")),
        safe.type("{{SHOP_PASSWORD}}!", page.ref("Note")),
        safe.fill_form([{"ref": page.ref("User"), "value": "ann {{SHOP_PASSWORD}} {{ x }}"}]),
        safe.snapshot(full=True),
        safe.evaluate("[...document.querySelectorAll('input')].map(one => one.value)"),
    ]
    assert PASSWORD not in str(told)
    assert held(safe, "p") == PASSWORD[::-1]
    assert held(safe, "n") == "!" + PASSWORD[::-1]
    assert held(safe, "u") == f"ann {PASSWORD} {{{{ x }}}}"[::-1]


def test_type_spreads_a_totp_code_over_several_fields(safe: Browser, site: Site) -> None:
    move = "<script>document.querySelector('[name=c]').oninput = e => e.target.value.length == 3 &&"
    url = site.page("/", f"{LOGIN}{move} document.querySelector('[aria-label]').focus()</script>")
    safe.goto(url)
    done = safe.type("{{SHOP_CODE}}", safe.snapshot().ref("Code"))
    script = "[...document.querySelectorAll('[maxlength]')].map(one => one.value.length)"
    assert safe.evaluate(script).value == [3, 3], done


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{{SHOP_PASWORD}}", "Did you mean SHOP_PASSWORD"),
        ("{{ONLY_HIDDEN}}", "browser.secrets.ONLY_HIDDEN.origins"),
        ("{{MISSING}}", "NO_SUCH_VARIABLE is not set"),
        ("{{NOTHING_LIKE_IT}}", "{{ NOTHING_LIKE_IT }}"),
    ],
)
def test_type_and_fill_form_reject_an_unusable_secret_before_typing(
    safe: Browser, site: Site, text: str, words: str
) -> None:
    safe.goto(site.page("/", LOGIN))
    page = safe.snapshot()
    with pytest.raises(TabwardenError) as refused:
        safe.type(text, page.ref("User"))
    assert words in str(refused.value)
    assert refused.value.data["field"] == "text"
    fields = [{"ref": page.ref("User"), "value": "ann"}, {"ref": page.ref("Note"), "value": text}]
    with pytest.raises(TabwardenError) as refused:
        safe.fill_form(fields)
    assert refused.value.data["field"] == "fields[1].value"
    assert [held(safe, "u"), held(safe, "n")] == ["", ""]


def test_type_inserts_a_secret_only_on_its_configured_sites(safe: Browser, site: Site) -> None:
    """Also not from a cross-site frame in its page, or from a page without an origin."""
    site.page("/in", LOGIN)
    inner = f"<iframe src={site.there}/in></iframe><iframe sandbox=allow-scripts src=/in></iframe>"
    safe.goto(site.page("/", f"{inner}<iframe srcdoc='<input aria-label=Ours name=p>'></iframe>"))
    page = safe.snapshot()
    foreign = [ref for ref, one in page.refs.items() if one["name"] == "Note"]
    assert len(foreign) == 2
    for ref in foreign:
        with pytest.raises(Denied) as refused:
            safe.type("{{SHOP_PASSWORD}}", ref)
        assert "browser.secrets.SHOP_PASSWORD.origins" in str(refused.value)
    safe.type("{{SHOP_PASSWORD}}", page.ref("Ours"))
    with pytest.raises(InvalidArgument) as nowhere:
        safe.type("{{SHOP_PASSWORD}}")
    assert nowhere.value.data["field"] == "ref"
    safe.goto(f"{site.there}/in")
    with pytest.raises(Denied):
        safe.type("{{SHOP_PASSWORD}}", safe.snapshot().ref("Note"))
    assert held(safe, "n") == ""


def test_route_sends_a_secret_header_only_to_its_own_site_after_a_redirect(
    safe: Browser, site: Site
) -> None:
    got: list[tuple[str, str | None]] = []

    def here(request: BaseHTTPRequestHandler) -> None:
        got.append(("here", request.headers.get("X-Word")))
        request.send_response(302)
        request.send_header("Location", f"{site.there}/there")
        request.send_header("Access-Control-Allow-Origin", "*")
        request.send_header("Content-Length", "0")
        request.end_headers()

    def there(request: BaseHTTPRequestHandler) -> None:
        got.append(("there", request.headers.get("X-Word")))
        request.send_response(200)
        request.send_header("Access-Control-Allow-Origin", "*")
        request.send_header("Content-Length", "0")
        request.end_headers()

    site.pages |= {"/redirect": here, "/there": there}
    safe.goto(site.page("/", "x"))
    safe.network()
    added = safe.route(headers={"X-Word": "Key {{SHOP_PASSWORD}}"})
    try:
        safe.evaluate("fetch('/redirect').then(r => r.status)")
        assert got == [("here", f"Key {PASSWORD}"), ("there", None)]
        listed = safe.network().value["requests"]
        told = [safe.network(request_id=one["id"]) for one in listed]
        assert PASSWORD not in str([added, told, safe.route(mode="list"), safe.state])
        assert "{{SHOP_PASSWORD}}" in str(told)
        assert site.here in str(added.value)
    finally:
        safe.route(mode="remove")
