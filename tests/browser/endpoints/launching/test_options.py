"""Launch options apply from the first request: in headers, pages, workers and proxies."""

from __future__ import annotations

import json
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
from browser.endpoints.processes import make_program
from support.login_proxy import login_proxy
from support.needs import needs, whole_chromium
from support.running import is_shell
from support.site import Site
from support.tls_site import tls_site

import tabwarden
from tabwarden.actions import dispatch, session_of
from tabwarden.budget import Budget
from tabwarden.config import BrowserConfig
from tabwarden.egress.gate import Gate, NetworkPolicy
from tabwarden.endpoints.configured import launch_options
from tabwarden.errors import BadCertificate, Denied, InvalidArgument, PageUnreachable
from tabwarden.fleet.hosting.hosted_browser import HostedBrowser
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


def test_launch_options_apply_to_pages_workers_and_headers(site: Site) -> None:
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
        shell = is_shell(browser)
    seen = told
    assert seen.pop("size") == [900, 700]
    wanted = {"agent": AGENT, "language": "de-DE", "zone": "Asia/Tokyo", "number": "1,5"}
    assert seen == dict.fromkeys(("page", "worker", "shared", "service"), wanted)
    assert set(headers) == {"/", *SCRIPTS}
    for path, sent in headers.items():
        assert sent["user-agent"] == AGENT, path
        plain = shell and path == "/service.js"  # a headless shell lists no weights there
        assert sent["accept-language"] == ("de-DE,de" if plain else "de-DE,de;q=0.9"), path
        assert not any(name.startswith("sec-ch-ua") for name in sent), path


def test_device_and_viewport_options_apply_to_the_first_page_and_after_a_reset(site: Site) -> None:
    page = "<meta name=viewport content='width=device-width'>"
    script = "[innerWidth, innerHeight, screen.width, screen.height, navigator.userAgent]"
    with Browser.launch(device="Pixel 9 landscape", viewport=(700, 300)) as browser:
        for _ in range(2):
            browser.goto(site.page("/", page))
            *sizes, agent = browser.evaluate(script).value
            assert sizes == [700, 300, 808, 360]
            assert "Android" in agent
            version = browser.cdp("Browser.getVersion").value["product"].partition("/")[2]
            assert f"Chrome/{version.partition('.')[0]}." in agent
            browser.emulate(reset=True)
        with pytest.raises(InvalidArgument, match="iPhone 15") as unknown:
            Browser.launch(device="iphone 155")
        assert unknown.value.data["field"] == "device"


@pytest.mark.parametrize("scheme", ["http", "socks5"])
def test_two_tasks_use_separate_proxies_with_separate_logins(site: Site, scheme: str) -> None:
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


@pytest.mark.long
@pytest.mark.parametrize(
    ("scheme", "error"),
    [("http", "ERR_PROXY_AUTH_REQUESTED"), ("socks5", "ERR_TUNNEL_CONNECTION_FAILED")],
)
def test_incorrect_proxy_login_raises_an_error_without_the_password(
    site: Site, scheme: str, error: str
) -> None:
    with (
        login_proxy("ann:right") as proxy,
        Browser.launch(proxy=f"{scheme}://ann:wrong99@127.0.0.1:{proxy.port}") as browser,
    ):
        with pytest.raises(PageUnreachable, match=error) as caught:
            browser.goto(site.here.replace("127.0.0.1", "shop.test"))
        assert "wrong99" not in json.dumps(caught.value.to_dict())
    assert site.hits == []


@needs("chromium")  # a headless shell has no certificate store
def test_tls_proxy_requires_a_trusted_certificate(site: Site, tmp_path: Path) -> None:
    site.page("/", "<p>through" + "x" * 300_000, title="Through")
    url = site.here.replace("127.0.0.1", "shop.test") + "/"
    with tls_site(tmp_path) as tls, login_proxy("ann:p@ss", tls.chain) as proxy:
        address = f"https://ann:p%40ss@localhost:{proxy.port}"
        with Browser.launch(
            executable=whole_chromium(), proxy=address, ca=tls.authority, ignore_https_errors=True
        ) as browser:
            assert browser.goto(url).title == "Through"
            assert len(browser.evaluate("document.body.textContent").value) > 300_000
            secure = f"https://shop.test:{tls.port}/"
            assert browser.goto(secure).url == secure
        with (
            Browser.launch(executable=whole_chromium(), proxy=address) as browser,
            pytest.raises(PageUnreachable, match="ERR_PROXY_CERTIFICATE_INVALID"),
        ):
            browser.goto(url)
        assert sum("-> shop.test" in line for line in proxy.served()) >= 2


@needs("chromium")  # a headless shell has no certificate store
def test_custom_ca_is_trusted_only_while_it_is_configured(tmp_path: Path) -> None:
    profile, program = tmp_path / "profile", whole_chromium()
    with tls_site(tmp_path) as site:
        with Browser.launch(
            executable=program, ca=site.authority, user_data_dir=profile
        ) as browser:
            url = f"https://localhost:{site.port}/"
            assert browser.goto(url).url == url
            with pytest.raises(BadCertificate, match="ERR_CERT_COMMON_NAME_INVALID"):
                browser.goto(f"https://127.0.0.1:{site.port}/")  # not the name in the certificate
        with (
            Browser.launch(executable=program, user_data_dir=profile) as browser,
            pytest.raises(BadCertificate, match="ERR_CERT_AUTHORITY_INVALID"),
        ):
            browser.goto(url)
        with Browser.launch(executable=program, ignore_https_errors=True) as browser:
            assert browser.goto(url).url == url


def test_launch_rejects_a_custom_ca_for_a_browser_that_ignores_it(tmp_path: Path) -> None:
    shell = make_program(tmp_path / "chrome-headless-shell", "exit 1")
    with (
        tls_site(tmp_path) as site,
        pytest.raises(InvalidArgument, match="no certificate store") as refused,
    ):
        Browser.launch(executable=shell, ca=site.authority)
    assert refused.value.data["field"] == "ca"


MANIFEST = {
    "manifest_version": 3,
    "name": "Marker",
    "version": "1",
    "background": {"service_worker": "background.js"},
    "host_permissions": ["<all_urls>"],
    "content_scripts": [{"matches": ["<all_urls>"], "js": ["content.js"]}],
}
BACKGROUND = """chrome.runtime.onMessage.addListener((message, sender, answer) => {
  fetch("http://169.254.169.254/").then(() => answer("let out"), () => answer("refused"));
  return true;
});"""
CONTENT = """chrome.runtime.sendMessage("go", (told) => {
  document.body.append(`The extension was ${told}`);
});"""


@needs("chromium")  # a headless shell has no extensions
def test_unpacked_extension_runs_and_obeys_the_network_policy(site: Site, tmp_path: Path) -> None:
    files = {"content.js": CONTENT, "background.js": BACKGROUND}
    for name, text in {**files, "manifest.json": json.dumps(MANIFEST)}.items():
        (tmp_path / name).write_text(text)
    with Browser.launch(executable=whole_chromium(), extensions=[tmp_path]) as browser:
        browser.goto(site.page("/", ""))
        browser.wait(text="The extension was")
        assert "The extension was refused" in browser.snapshot().text
        with pytest.raises(Denied):
            browser.cdp("Extensions.loadUnpacked", {"path": str(tmp_path)})


def test_launch_rejects_an_invalid_ca_file_or_extension_folder_before_it_starts(
    tmp_path: Path,
) -> None:
    (tmp_path / "manifest.json").write_text("{}")
    secret = tmp_path / "secret"
    secret.write_text("hunter2")
    wrong: list[tuple[str, dict[str, Any]]] = [
        ("ca", {"ca": secret}),
        ("ca", {"ca": tmp_path}),
        ("ca", {"ca": tmp_path / "missing"}),
        ("extensions", {"extensions": [tmp_path]}),
        ("extensions", {"extensions": [tmp_path / "missing"]}),
    ]
    for field, options in wrong:
        with pytest.raises(InvalidArgument) as caught:
            Browser.launch(**options)
        assert caught.value.data["field"] == field
        assert "hunter2" not in str(caught.value)


@pytest.mark.anyio
async def test_browser_open_accepts_launch_options_from_the_caller() -> None:
    config = BrowserConfig(window_size="800x600")  # type: ignore[arg-type]
    session = session_of(config)
    given = {"locale": "de-DE", "window_size": "900x700", "args": ["--force-dark-mode"]}
    script = "`${(1.5).toLocaleString()} ${outerWidth}`"
    try:
        opened = await dispatch(session, config, "browser_open", given)
        assert not opened.is_error, opened.text
        done = await dispatch(session, config, "browser_evaluate", {"script": script})
        assert "1,5 900" in done.text
    finally:
        await session.close()


@pytest.mark.long
@pytest.mark.anyio
async def test_fleet_host_launches_browsers_with_configured_options(site: Site) -> None:
    with login_proxy("ann:word") as proxy:
        config = BrowserConfig(
            proxy=f"http://ann:word@127.0.0.1:{proxy.port}",  # type: ignore[arg-type]
            timezone="Asia/Tokyo",
        )
        hosted = await HostedBrowser.start(launch_options(config), Budget(20_000))
        hosted.egress.judge = Gate(NetworkPolicy(private_networks=True))
        site.page("/", "<p>x")
        try:
            async with tabwarden.Browser.connect(hosted.ws_url) as browser:
                await browser.goto(site.here.replace("127.0.0.1", "shop.test"))
                zone = "Intl.DateTimeFormat().resolvedOptions().timeZone"
                assert (await browser.evaluate(zone)).value == "Asia/Tokyo"
        finally:
            await hosted.end(Budget(5_000))
        assert any("-> shop.test" in line for line in proxy.served())
