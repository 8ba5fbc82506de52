"""Launch options, from the first request on: in headers, pages and workers, and through a proxy."""

from __future__ import annotations

import json
from http.server import BaseHTTPRequestHandler

import pytest
from support.login_proxy import login_proxy
from support.site import Site

from tabwarden.errors import PageUnreachable
from tabwarden.sync import Browser

AGENT = "Mozilla/5.0 (Acme) Foo/1"
FACTS = """({agent: navigator.userAgent, language: navigator.language,
  zone: Intl.DateTimeFormat().resolvedOptions().timeZone, number: (1.5).toLocaleString()})"""
SCRIPTS = {
    "/worker.js": f"postMessage({FACTS})",
    "/shared.js": f"onconnect = (event) => event.ports[0].postMessage({FACTS})",
    "/service.js": f"onmessage = (event) => event.source.postMessage({FACTS})",
}
ASK = f"""async () => {{
  const said = (port) => new Promise((told) => (port.onmessage = (event) => told(event.data)));
  const service = said(navigator.serviceWorker);
  const registered = await navigator.serviceWorker.register('/service.js');
  await navigator.serviceWorker.ready;
  registered.active.postMessage(1);
  return {{page: {FACTS}, worker: await said(new Worker('/worker.js')),
    shared: await said(new SharedWorker('/shared.js').port), service: await service,
    size: [outerWidth, outerHeight]}};
}}"""


def test_pages_workers_and_headers_have_what_was_asked_for(site: Site) -> None:
    headers: dict[str, dict[str, str]] = {}

    def answer(request: BaseHTTPRequestHandler) -> None:
        headers[request.path] = {name.lower(): value for name, value in request.headers.items()}
        body = SCRIPTS.get(request.path, "<p>hello").encode()
        request.send_response(200)
        is_script = request.path in SCRIPTS
        request.send_header("Content-Type", "text/javascript" if is_script else "text/html")
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        request.wfile.write(body)

    for path in ("/", *SCRIPTS):
        site.pages[path] = answer
    with Browser.launch(
        user_agent=AGENT, locale="de-DE", timezone="Asia/Tokyo", window_size="900x700"
    ) as browser:
        browser.goto(site.there + "/")
        told = browser.evaluate(ASK).value
    seen = told
    assert seen.pop("size") == [900, 700]
    wanted = {"agent": AGENT, "language": "de-DE", "zone": "Asia/Tokyo", "number": "1,5"}
    assert seen == dict.fromkeys(("page", "worker", "shared", "service"), wanted)
    assert set(headers) == {"/", *SCRIPTS}
    for path, sent in headers.items():
        assert sent["user-agent"] == AGENT, path
        assert sent["accept-language"] == "de-DE,de;q=0.9", path
        assert not any(name.startswith("sec-ch-ua") for name in sent), path


@pytest.mark.parametrize("scheme", ["http", "socks5"])
def test_two_tasks_have_their_own_proxies_with_logins(site: Site, scheme: str) -> None:
    site.page("/", "<p>through", title="Through")
    url = site.here.replace("127.0.0.1", "shop.test") + "/"
    with login_proxy("ann:p@ss") as anns, login_proxy("bob:word") as bobs:
        proxy = {"server": f"127.0.0.1:{bobs.port}", "username": "bob", "password": "word"}
        proxy["server"] = f"{scheme}://{proxy['server']}"
        with (
            Browser.launch(proxy=f"{scheme}://ann:p%40ss@127.0.0.1:{anns.port}") as ann,
            Browser.launch(proxy=proxy, task_id="bob") as bob,
        ):
            ann.goto(url)
            assert "Through" in ann.state_message()
            bob.goto(site.here + "/?direct")
            assert ann.goto(url + "?again").url == url + "?again"
        assert any("-> shop.test" in line for line in anns.served())
        told = bobs.served()  # Chromium's own requests may be among them
        assert not any(place in line for line in told for place in ("-> shop.test", "-> 127."))
    assert {"/", "/?direct", "/?again"} <= set(site.hits)


def test_a_wrong_login_is_an_error_without_the_password(site: Site) -> None:
    with (
        login_proxy("ann:right") as proxy,
        Browser.launch(proxy=f"http://ann:wrong99@127.0.0.1:{proxy.port}") as browser,
    ):
        with pytest.raises(PageUnreachable) as caught:
            browser.goto(site.here.replace("127.0.0.1", "shop.test"))
        assert "wrong99" not in json.dumps(caught.value.to_dict())
    assert site.hits == []
