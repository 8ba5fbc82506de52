"""A real browser's activity appears in metrics, log and spans, without secrets."""

from __future__ import annotations

import base64
import logging
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from support.eventually import eventually
from support.pace import allow
from support.relay import Relay
from support.site import Site

from tabwarden import BrowserConfig
from tabwarden.browser.opening import registry
from tabwarden.errors import BudgetExceeded, JsError, NotOpen, TargetCrashed
from tabwarden.sync import Browser
from tabwarden.telemetry import Telemetry, render

ASK = "<button onclick=\"document.title = 'got ' + prompt('Name?')\">Ask</button>"


@pytest.fixture
def relay(port: int) -> Iterator[Relay]:
    with Relay(port) as relay:
        yield relay


def metrics_once(browser: Browser, counted: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
    """The metrics, once ``counted`` is true for them."""
    found = eventually(lambda: metrics if counted(metrics := browser.metrics()) else None)
    assert found is not None
    return found


def telemetry_of(browser: Browser) -> Telemetry:
    supervisor = registry.get(browser.task_id)
    assert supervisor is not None
    return supervisor.telemetry


def told(caplog: pytest.LogCaptureFixture, event: str) -> list[dict[str, Any]]:
    return [vars(record) for record in caplog.records if record.message == event]


def test_metrics_count_actions_by_outcome(own_browser: Browser, site: Site) -> None:
    own_browser.goto(site.page("/", ASK))
    own_browser.evaluate("1")
    with pytest.raises(JsError):
        own_browser.evaluate("nothing.there")
    assert own_browser.click(own_browser.snapshot().ref("Ask")).interrupted
    metrics = own_browser.metrics()
    assert metrics["actions"] == {
        "goto": {"ok": 1},
        "evaluate": {"ok": 1, "js_error": 1},
        "snapshot": {"ok": 1},
        "click": {"interrupted": 1},
    }
    assert metrics["durations"]["evaluate"]["count"] == 2
    assert metrics["evaluate"]["ok"]["sum_ms"] > 0
    assert (metrics["tasks"], metrics["tabs"], metrics["calls_in_flight"]) == (1, 1, 0)


def test_metrics_and_log_record_the_recovery_after_an_endless_script(
    own_browser: Browser, site: Site, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "tabwarden")
    own_browser.goto(site.page("/", "page"))
    with pytest.raises(BudgetExceeded):
        own_browser.evaluate("while (true) {}", timeout_ms=allow(500))
    metrics = metrics_once(own_browser, lambda metrics: metrics["rescues"])
    assert metrics["timeouts"] == {"evaluate": 1}
    assert metrics["terminations"] >= 1
    assert metrics["ladder_steps"]["Runtime.terminateExecution"] >= 1
    (late,) = told(caplog, "action_ended")
    assert (late["levelname"], late["action"]) == ("WARNING", "evaluate")
    (rescue,) = told(caplog, "rescue")
    assert rescue["outcome"] in metrics["rescues"]
    assert "Runtime.terminateExecution" in rescue["steps"]


def test_metrics_count_a_stale_snapshot_behind_a_native_dialog(site: Site) -> None:
    with Browser.launch(config=BrowserConfig(dialog_bridge="native")) as browser:
        browser.goto(site.page("/", ASK))
        browser.click(browser.snapshot().ref("Ask"))
        assert browser.snapshot().stale
        browser.dialog("accept", "Ada")
        metrics = browser.metrics()
        assert metrics["actions"]["snapshot"] == {"ok": 1, "stale": 1}
        assert metrics["fallbacks"] == {"last_outline": {"dialog": 1}}
        assert metrics["dialogs"] == {"prompt": {"native": {"agent": 1}}}


def test_metrics_label_a_dialog_during_load_with_its_bridge_and_policy(
    site: Site, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "tabwarden")
    with Browser.launch(config=BrowserConfig(dialog_policy="auto_accept")) as browser:
        browser.goto(site.page("/", "<script>confirm('now?')</script>"))
        metrics = metrics_once(browser, lambda metrics: metrics["dialogs"])
        assert metrics["dialogs"] == {"confirm": {"xhr": {"auto_policy": 1}}}
        assert metrics["fallbacks"] == {"dialog_in_request": {"debugger_off": 1}}
    (closed,) = told(caplog, "dialog_closed")
    assert (closed["closed_by"], closed["levelname"]) == ("auto_policy", "INFO")
    assert len(told(caplog, "fallback")) == 1


def test_log_warns_when_the_watchdog_answers_a_dialog(
    site: Site, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "tabwarden")
    with Browser.launch(config=BrowserConfig(dialog_timeout_s=0.2)) as browser:
        browser.goto(site.page("/", ASK))
        browser.click(browser.snapshot().ref("Ask"))
        metrics = metrics_once(browser, lambda metrics: metrics["dialogs"])
        assert metrics["dialogs"] == {"prompt": {"debugger": {"watchdog": 1}}}
    (closed,) = told(caplog, "dialog_closed")
    assert (closed["closed_by"], closed["levelname"]) == ("watchdog", "WARNING")


@pytest.mark.long
def test_metrics_count_popups_downloads_and_crashes(folder: Path, site: Site) -> None:
    def respond(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Disposition", 'attachment; filename="report.txt"')
        handler.send_header("Content-Length", "4")
        handler.end_headers()
        handler.wfile.write(b"done")

    site.pages["/report"] = respond
    body = "<a href=/report>Get</a><button onclick=\"window.open('about:blank')\">Open</button>"
    with Browser.launch(config=BrowserConfig(download_dir=folder / "down")) as browser:
        browser.goto(site.page("/", body))
        browser.click(browser.snapshot().ref("Get"))
        metrics_once(browser, lambda metrics: metrics["downloads"] == {"completed": 1})
        browser.click(browser.snapshot().ref("Open"))
        assert metrics_once(browser, lambda metrics: metrics["popups"] == 1)["tabs"] == 2
        with pytest.raises(TargetCrashed):
            browser.cdp("Page.crash", timeout_ms=10_000)
        metrics = browser.metrics()
        assert metrics["crashes"]["tab"] >= 1
        assert metrics["actions"]["cdp"] == {"target_crashed": 1}


def test_metrics_and_log_record_a_reconnect(
    relay: Relay, site: Site, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "tabwarden")
    with Browser.connect(relay.url) as browser:
        browser.goto(site.page("/", "page"))
        relay.cut()
        metrics = metrics_once(browser, lambda metrics: metrics["reconnects"].get("done"))
        assert metrics["reconnects"]["done"] == 1
        assert metrics["reconnects"]["tried"] >= 1
    assert [record["levelname"] for record in told(caplog, "connection_lost")] == ["WARNING"]
    assert "done" in [record["result"] for record in told(caplog, "reconnect")]
    assert told(caplog, "browser_opened")[0]["attached"] is True
    assert len(told(caplog, "browser_closed")) == 1
    assert not told(caplog, "browser_gone")


@pytest.mark.long
def test_metrics_count_an_abandoned_reconnect(relay: Relay, site: Site) -> None:
    with Browser.connect(relay.url) as browser:
        browser.goto(site.page("/", "page"))
        relay.refuse()
        relay.cut()
        metrics = metrics_once(browser, lambda metrics: metrics["reconnects"].get("given_up"))
        assert metrics["reconnects"]["tried"] > 1
        assert "done" not in metrics["reconnects"]


def test_process_metrics_keep_the_counts_of_a_closed_browser(site: Site) -> None:
    def clicks() -> float:
        wanted = b'tabwarden_actions_total{action="goto",outcome="ok"} '
        return sum(
            float(line.removeprefix(wanted))
            for line in render()[0].splitlines()
            if line.startswith(wanted)
        )

    before = clicks()
    with Browser.launch() as browser:
        browser.goto(site.page("/", "page"))
        assert clicks() == before + 1
    assert clicks() == before + 1
    with pytest.raises(NotOpen):
        browser.metrics()


def test_action_span_is_a_child_of_the_callers_span(own_browser: Browser, site: Site) -> None:
    spans, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(spans))
    telemetry_of(own_browser).tracer = provider.get_tracer("tabwarden")
    with provider.get_tracer("the agent").start_as_current_span("a turn") as turn:
        own_browser.goto(site.page("/private", ASK))
        own_browser.click(own_browser.snapshot().ref("Ask"))
    found = {span.name: span for span in spans.get_finished_spans()}
    assert list(found) == ["tabwarden.goto", "tabwarden.snapshot", "tabwarden.click", "a turn"]
    parent = found["tabwarden.goto"].parent
    assert parent is not None
    assert parent.span_id == turn.get_span_context().span_id
    tab_id = own_browser.state.active_tab_id
    assert dict(found["tabwarden.click"].attributes or {}) == {
        "tabwarden.outcome": "interrupted",
        "tabwarden.tab_id": tab_id,
    }
    assert not any("private" in span.to_json() for span in found.values())


@pytest.mark.threat
def test_log_contains_no_secrets(
    relay: Relay, site: Site, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, "tabwarden")

    def vault(handler: BaseHTTPRequestHandler) -> None:
        right = "Basic " + base64.b64encode(b"ada:lovelace-secret").decode()
        refused = handler.headers.get("Authorization", "") != right
        handler.send_response(401 if refused else 200)
        if refused:
            handler.send_header("WWW-Authenticate", 'Basic realm="The vault"')
        handler.send_header("Content-Type", "text/html")
        handler.send_header("Content-Length", str(len(ASK)))
        handler.end_headers()
        handler.wfile.write(ASK.encode())

    site.pages["/vault"] = vault
    credentials = {site.here: {"username": "ada", "password": "lovelace-secret"}}
    config = BrowserConfig(credentials=credentials)  # type: ignore[arg-type]
    with Browser.connect(
        f"{relay.url}/?token=endpoint-secret",
        headers={"Authorization": "Bearer header-secret"},
        config=config,
    ) as browser:
        browser.tabs("open", url=f"{site.here}/vault?key=page-secret")
        browser.click(browser.snapshot().ref("Ask"))
        browser.dialog("accept", "typed-secret")
        assert browser.evaluate("document.title").value == "got typed-secret"
        browser.click(browser.snapshot().ref("Ask"))
        relay.cut()
        metrics_once(browser, lambda metrics: metrics["reconnects"].get("done"))
        browser.dialog("accept", "typed-secret")
        relay.refuse()
        relay.cut()
        metrics_once(browser, lambda metrics: metrics["reconnects"].get("given_up"))
    logged = [str(vars(record)) for record in caplog.records]
    assert told(caplog, "dialog_closed")
    assert told(caplog, "reconnect")
    assert not [line for line in logged if "-secret" in line]
