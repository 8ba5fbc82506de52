"""Server access: token, Host, Origin, request limits, and the token file."""

from __future__ import annotations

import re
import socket
import stat
import sys
import threading
from pathlib import Path

import httpx2
import pytest
from browser.surfaces.http.client import TOKEN, Api, Serving, failed, opened_socket, serving
from click.testing import CliRunner
from support.site import Site

from tabwarden.surfaces.cli import main


@pytest.mark.parametrize(
    "shown",
    ["", f"Basic {TOKEN}", "Bearer", f"Bearer {TOKEN}x", f"Bearer {TOKEN[:-1]}", TOKEN],
)
@pytest.mark.parametrize("path", ["/", "/metrics", "/openapi.json", "/nope"])
@pytest.mark.threat
def test_server_rejects_every_request_without_the_token(
    path: str, shown: str, server: Serving
) -> None:
    headers = {"Authorization": shown} if shown else {}
    response = httpx2.get(server.url + path, headers=headers, trust_env=False)
    body = failed(response, 401)
    assert response.headers["www-authenticate"] == "Bearer"
    assert body["code"] == "denied"
    assert body["tabwarden"]["data"]["field"] == "Authorization"
    assert TOKEN not in response.text


@pytest.mark.long
def test_server_rejects_a_request_with_two_tokens(server: Serving) -> None:
    both = [("Authorization", f"Bearer {TOKEN}"), ("Authorization", "Bearer other")]
    assert httpx2.get(server.url, headers=both, trust_env=False).status_code == 401


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1:{port}", 200),
        ("localhost:{port}", 200),
        ("LocalHost:{port}", 200),
        ("[::1]:{port}", 200),
        ("evil.example:{port}", 403),
        ("localhost.evil.example:{port}", 403),
        ("localhost", 403),
        ("localhost:1", 403),
        ("10.0.0.1:{port}", 403),
        ("0.0.0.0:{port}", 403),
        ("", 403),
    ],
)
@pytest.mark.threat
def test_server_rejects_a_foreign_host_header(host: str, status: int, server: Serving) -> None:
    headers = {"Host": host.format(port=server.port), "Authorization": f"Bearer {TOKEN}"}
    response = httpx2.get(server.url, headers=headers, trust_env=False)
    assert response.status_code == status
    if status == 403:
        assert failed(response, 403)["tabwarden"]["data"]["field"] == "Host"


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("http://127.0.0.1:{port}", 200),
        ("http://localhost:{port}", 403),
        ("http://127.0.0.1:1", 403),
        ("https://127.0.0.1:{port}", 403),
        ("https://evil.example", 403),
        ("null", 403),
    ],
)
@pytest.mark.threat
def test_server_rejects_requests_from_other_origins(
    origin: str, status: int, server: Serving
) -> None:
    headers = {"Origin": origin.format(port=server.port), "Authorization": f"Bearer {TOKEN}"}
    response = httpx2.post(server.url + "/start", headers=headers, json={}, trust_env=False)
    assert response.status_code == status
    if status == 403:
        assert failed(response, 403)["tabwarden"]["data"]["field"] == "Origin"
        assert "access-control-allow-origin" not in response.headers


def test_page_with_the_token_cannot_read_or_stop_the_server(api: Api, site: Site) -> None:
    url = str(api.http.base_url).rstrip("/")
    api.post("/navigate", url=site.page("/", "page"))
    fetch = f"fetch('{url}/tabs', {{headers: {{Authorization: 'Bearer {TOKEN}'}}}})"
    assert api.value(f"{fetch}.then(() => 'read', () => 'refused')") == "refused"
    simple = f"fetch('{url}/stop', {{method: 'POST', mode: 'no-cors', body: '{{}}'}})"
    api.value(f"{simple}.then(() => 0, () => 0)")
    assert api.get("/tabs")["running"] is True


WAYS = """
const url = '{url}', token = '{token}', told = {{}};
const settled = (name, promise) => promise.then(
  value => told[name] = value, error => told[name] = 'refused');
const event = (element, good, bad) => new Promise((done, fail) => {{
  element[good] = () => done('let in'); element[bad] = fail;
}});
const image = new Image(); const script = document.createElement('script');
const socket = new WebSocket(url.replace('http', 'ws') + '/events');
const source = new EventSource(url + '/events');
const frame = document.createElement('iframe');
const form = document.createElement('form');
await Promise.all([
  settled('fetch', fetch(url + '/tabs').then(r => r.text())),
  settled('fetch with the token', fetch(url + '/tabs',
    {{headers: {{Authorization: 'Bearer ' + token}}}}).then(r => r.text())),
  settled('fetch without cors', fetch(url + '/stop',
    {{method: 'POST', mode: 'no-cors', body: '{{}}'}}).then(r => r.text() || 'refused')
    .then(text => text || 'refused')),
  settled('beacon', Promise.resolve(navigator.sendBeacon(url + '/stop', '{{}}') && 'refused')),
  settled('image', (image.src = url + '/screenshot', event(image, 'onload', 'onerror'))),
  settled('script', (script.src = url + '/metrics?token=' + token,
    document.body.append(script), event(script, 'onload', 'onerror'))),
  settled('websocket', event(socket, 'onopen', 'onerror')),
  settled('eventsource', event(source, 'onopen', 'onerror')),
  settled('form', new Promise(done => {{
    frame.name = 'answer';
    frame.onload = () => done('refused');  // whatever it was: the server's state tells
    document.body.append(frame);
    Object.assign(form, {{method: 'POST', action: url + '/stop', target: 'answer'}});
    document.body.append(form);
    form.submit();
  }})),
]);
return told;
"""


@pytest.mark.threat
def test_page_on_another_origin_cannot_reach_the_server(api: Api, site: Site) -> None:
    url = str(api.http.base_url).rstrip("/")
    api.post("/navigate", url=site.page("/", "page"))
    told = api.value(WAYS.format(url=url, token=TOKEN), timeoutMs=20_000)
    assert len(told) == 9
    assert set(told.values()) == {"refused"}, told
    about = api.get("/")
    assert about["running"] is True
    assert len(about["tabs"]) == 1


@pytest.mark.parametrize(
    "query", [f"token={TOKEN}", f"access_token={TOKEN}", f"authorization=Bearer%20{TOKEN}"]
)
@pytest.mark.threat
def test_server_ignores_a_token_in_the_query_string(query: str, server: Serving) -> None:
    response = httpx2.get(f"{server.url}/tabs?{query}", trust_env=False)
    assert TOKEN not in failed(response, 401)["error"]


@pytest.mark.threat
def test_server_rejects_a_request_with_two_content_lengths(server: Serving) -> None:
    """A proxy in front of the server may believe the other length, and then send the answer to the
    second request to another client."""
    hidden = f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n"
    body = f"0\r\n\r\n{hidden}"
    connection = opened_socket(server.url, "POST /stop", body, Transfer_Encoding="chunked")
    with connection, connection.makefile("rb") as answer:
        told = answer.read()
    assert told.startswith(b"HTTP/1.1 400")
    assert told.count(b"HTTP/1.1") == 1


@pytest.mark.threat
def test_server_rejects_a_websocket_upgrade(server: Serving) -> None:
    asks = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="}  # fmt: skip
    for shown, status in ((f"Bearer {TOKEN}", b" 403 "), ("", b" 401 ")):
        with opened_socket(server.url, "GET /tabs", Authorization=shown, **asks) as connection:
            answer = connection.recv(200)
            assert status in answer
            assert b" 101 " not in answer


def test_responses_forbid_caching_and_content_sniffing(plain_api: Api) -> None:
    for response in (plain_api.http.get("/"), plain_api.http.get("/nope")):
        assert response.headers["cache-control"] == "no-store"
        assert response.headers["x-content-type-options"] == "nosniff"
        assert response.headers["cross-origin-resource-policy"] == "same-origin"


@pytest.mark.threat
def test_overloaded_server_returns_503_with_retry_after(server: Serving) -> None:
    forever = '{"kind": "evaluate", "fn": "new Promise(() => {})", "timeoutMs": 60000}'
    with Api(server.url, task="crowd") as crowd:
        crowd.post("/start")
        held = [opened_socket(server.url, "POST /act?task=crowd", forever) for _ in range(64)]
        try:
            asked = (crowd.http.get("/tabs") for _ in range(2_000))
            # Until the last of them has been read.
            response = next(one for one in asked if one.status_code != 200)
            body = failed(response, 503)
            assert response.headers["retry-after"] == "1"
            assert body["code"] == "capacity"
        finally:
            for connection in held:
                connection.close()
        while crowd.http.get("/tabs").status_code == 503:
            pass
        crowd.post("/stop")


@pytest.mark.long
def test_server_creates_a_private_token_once_and_replaces_a_world_readable_token(
    tmp_path: Path,
) -> None:
    environment = {"XDG_STATE_HOME": str(tmp_path), "TABWARDEN_SERVER__TOKEN": ""}
    tokens = []
    for _ in range(2):
        with serving(**environment) as server:
            found = re.search(r"token: in (\S+)\)", "".join(server.told))
            assert found is not None
            path = Path(found[1])
            token = path.read_text().strip()
            with Api(server.url, token=token) as api:
                assert api.get("/")["ok"] is True
            assert token not in "".join(server.told)
            assert stat.S_IMODE(path.stat().st_mode) == 0o600
            tokens.append(token)
    assert tokens[0] == tokens[1]
    assert len(tokens[0]) >= 32
    path.chmod(0o644)
    with serving(**environment) as server:
        assert path.read_text().strip() != tokens[0]
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert "was readable by other users" in "".join(server.told)


@pytest.mark.threat
def test_server_never_writes_the_token_to_logs_or_errors(site: Site) -> None:
    with serving("--log-level", "DEBUG") as server, Api(server.url) as api:
        api.post("/navigate", url=site.page("/", "page"))
        api.fail("/act", 500, kind="evaluate", fn="while (true) {}", timeoutMs=200)
        wrong = httpx2.get(
            server.url, headers={"Authorization": f"Bearer {TOKEN}x"}, trust_env=False
        )
        assert TOKEN not in wrong.text
        httpx2.get(f"{server.url}/tabs?token={TOKEN}", trust_env=False)
        api.http.get(f"/no-such-route?token={TOKEN}")
        api.http.get(f"/tabs?{TOKEN}")
        api.http.get(f"/tabs?anything={TOKEN}")
        with api.http.stream("GET", "/events"):
            pass
        server.stop()
        assert TOKEN not in "".join(server.told)


@pytest.mark.parametrize(
    ("arguments", "environment", "words"),
    [
        (["--port", "70000"], {}, "server.port"),
        (["--host", "no.such.host.invalid"], {}, "can't listen on no.such.host.invalid"),
        (["--host", ""], {}, "server.host"),
        ([], {"TABWARDEN_SERVER__TOKEN": "short"}, "server.token"),
        ([], {"TABWARDEN_SERVER__TOKEN": "with a space in the middle"}, "server.token"),
        ([], {"TABWARDEN_SERVER__PROT": "1"}, "server.port"),
        ([], {"TABWARDEN_SERVR__PORT": "1"}, "TABWARDEN_SERVER__PORT"),
    ],
)
def test_serve_command_rejects_an_invalid_configuration(
    arguments: list[str],
    environment: dict[str, str],
    words: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    result = CliRunner().invoke(main, ["serve", *arguments])
    assert result.exit_code == 2
    assert words in result.output
    for value in environment.values():
        assert len(value) < 5 or value not in result.output


def test_serve_command_reports_a_port_in_use(server: Serving) -> None:
    result = CliRunner().invoke(main, ["serve", "--port", str(server.port)])
    assert result.exit_code == 2
    assert str(server.port) in result.output
    assert "--port 0" in result.output


@pytest.mark.threat
def test_server_accepts_other_machines_only_if_configured_and_prints_a_warning(
    server: Serving,
) -> None:
    other = "127.0.0.2"  # not the server's address, so it acts as another machine's address
    with pytest.raises(OSError, match=r"refused|not available|assign|timed out"):
        socket.create_connection((other, server.port), 5).close()
    with serving("--host", "0.0.0.0") as server:
        port = server.port
        if sys.platform == "linux":  # other systems do not have this address
            socket.create_connection((other, port), 5).close()
        with Api(f"http://127.0.0.1:{port}") as api:
            assert api.get("/")["ok"] is True
            rebound = api.http.get("/", headers={"Host": f"evil.example:{port}"})
            assert rebound.status_code == 403
        server.stop()
        assert "Other machines can reach this server" in "".join(server.told)


@pytest.mark.long
def test_concurrent_requests_do_not_mix_tasks(server: Serving, site: Site) -> None:
    names = [f"agent-{number}" for number in range(3)]
    titles: dict[str, str] = {}

    def work(name: str) -> None:
        with Api(server.url, task=name) as api:
            api.post("/navigate", url=site.page(f"/{name}", name, title=name))
            titles[name] = api.value("document.title")
            api.post("/stop")

    threads = [threading.Thread(target=work, args=(name,)) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert titles == {name: name for name in names}
