"""Budgets over HTTP: timeouts, disconnects and concurrent requests."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler

import pytest
from browser.surfaces.http.client import Api, Serving, opened_socket, serving
from support.eventually import eventually
from support.pace import in_time, long_before
from support.site import Site

LOOP = '{"kind": "evaluate", "fn": "while (true) {}", "timeoutMs": 60000}'
TOLD_LOOP = """{"kind": "evaluate", "timeoutMs": 60000, "fn": "const told = new XMLHttpRequest();
told.open('GET', '/began', false); told.send(); while (true) {}"}""".replace("\n", " ")
"""Report to the page's server that the script is running, and continue to run."""


def running(api: Api) -> int:
    """The server's running calls, from its own metrics."""
    for line in api.http.get("/metrics").text.splitlines():
        if line.startswith("tabwarden_calls_in_flight "):
            return int(float(line.split()[1]))
    raise AssertionError("no such metric")


@pytest.mark.parametrize(
    "fn",
    [
        "while (true) {}",
        "new Promise(() => {})",
        "() => { for (;;) try { for (;;); } catch {} }",
        "(async () => { for (;;) await 0 })()",
        "/(a+)+$/.test('a'.repeat(40) + '!')",
        "({ get x() { for (;;); } })",
    ],
)
def test_request_with_a_hung_script_ends_at_its_budget_and_the_tab_still_works(
    fn: str, api: Api
) -> None:
    with in_time(0.5):
        body = api.fail("/act", 500, kind="evaluate", fn=fn, timeoutMs=500)
    assert body["code"] == "ACT_OPERATION_FAILED"
    assert body["tabwarden"]["code"] == "budget_exceeded"
    assert body["tabwarden"]["data"]["timeout_ms"] == 500
    assert api.value("1 + 1") == 2


@pytest.mark.long
def test_input_and_navigation_on_a_hung_page_end_at_their_budget(api: Api, site: Site) -> None:
    silent = threading.Event()

    def never(request: BaseHTTPRequestHandler) -> None:
        silent.wait(30)

    site.pages["/silent"] = never
    handlers = "onclick='for (;;);' oninput='for (;;);' onmousemove='for (;;);'"
    api.post("/navigate", url=site.page("/", f"<input aria-label=Name {handlers}>"))
    for fields in (
        {"kind": "click", "ref": api.ref('"Name"')},
        {"kind": "type", "ref": api.ref('"Name"'), "text": "a"},
        {"kind": "hover", "ref": api.ref('"Name"')},
    ):
        with in_time(0.5):
            body = api.fail("/act", 500, **fields, timeoutMs=500)
        assert body["tabwarden"]["code"] == "budget_exceeded"
        assert api.value("1 + 1") == 2
    body = api.fail("/navigate", 504, url=site.here + "/silent", timeoutMs=400)
    assert body["code"] == "budget_exceeded"
    assert api.value("1 + 1") == 2
    silent.set()


@pytest.mark.long
def test_request_without_a_timeout_uses_the_configured_default(site: Site) -> None:
    environment = {"TABWARDEN_BROWSER__TIMEOUTS_MS": '{"evaluate": 300}'}
    with serving(**environment) as server, Api(server.url) as api:
        api.post("/navigate", url=site.page("/", "page"))
        body = api.fail("/act", 500, kind="evaluate", fn="new Promise(() => {})")
        assert body["tabwarden"]["data"]["timeout_ms"] == 300


@pytest.mark.parametrize("pause_s", [0, 0.3])
def test_client_disconnect_stops_its_script(
    pause_s: float, api: Api, server: Serving, site: Site
) -> None:
    api.post("/navigate", url=site.page("/", "page"))
    site.page("/began", "")
    for _ in range(3):
        site.hits.clear()
        connection = opened_socket(server.url, "POST /act", TOLD_LOOP)
        eventually(lambda: "/began" in site.hits)
        with long_before(20):
            connection.close()
            threading.Event().wait(pause_s)
            assert api.value("1 + 1", timeoutMs=20_000) == 2
    eventually(lambda: running(api) == 0)
    assert 'action="evaluate",outcome="cancelled"' in api.http.get("/metrics").text


def test_client_disconnect_cancels_every_kind_of_wait(
    api: Api, server: Serving, site: Site
) -> None:
    silent = threading.Event()
    site.pages["/silent"] = lambda request: silent.wait(30) and None
    api.post("/navigate", url=site.page("/", "page"))
    for request, body in (
        ("POST /act", '{"kind": "wait", "text": "never", "timeoutMs": 60000}'),
        ("POST /act", '{"kind": "wait", "fn": "false", "timeoutMs": 60000}'),
        ("POST /act", f'{{"kind": "batch", "actions": [{LOOP}, {LOOP}]}}'),
        ("POST /navigate", f'{{"url": "{site.here}/silent", "timeoutMs": 60000}}'),
        ("POST /wait/download", '{"timeoutMs": 60000}'),
    ):
        connection = opened_socket(server.url, request, body)
        eventually(lambda: running(api) == 1)
        connection.close()
        eventually(lambda: running(api) == 0)
        assert api.value("1 + 1") == 2
    silent.set()


def test_server_survives_a_disconnect_during_the_request_body(api: Api, server: Serving) -> None:
    opened_socket(server.url, "POST /act", '{"kind": "evaluate"', Content_Length="900").close()
    assert api.value("1 + 1") == 2


def test_slow_script_does_not_delay_other_requests_on_its_tab(api: Api, site: Site) -> None:
    api.post("/navigate", url=site.page("/", "<button>Go</button>"))
    ref = api.ref('"Go"')
    done: list[str] = []

    def slow() -> None:
        with Api(str(api.http.base_url)) as other:
            other.act("evaluate", fn="new Promise(done => window.finish = done)")
        done.append("slow")

    thread = threading.Thread(target=slow)
    thread.start()
    eventually(lambda: api.value("typeof finish === 'function'"))
    api.act("click", ref=ref)
    api.get("/snapshot")
    api.post("/screenshot")
    done.append("quick")
    api.value("finish()")
    thread.join(20)
    assert done == ["quick", "slow"]


def test_server_answers_many_concurrent_requests(api: Api) -> None:
    answers: list[int] = []

    def ask(number: int) -> None:
        with Api(str(api.http.base_url)) as other:
            answers.append(other.value(f"new Promise(d => setTimeout(d, 50, {number}))"))

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert sorted(answers) == list(range(20))
