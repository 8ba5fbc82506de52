"""Each count appears in the task's and the process's metrics, with few labels."""

from __future__ import annotations

import asyncio
import logging
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

import pytest
from prometheus_client.parser import text_string_to_metric_families
from support.pace import in_time

from tabwarden.errors import BudgetExceeded, JsError, TabwardenError
from tabwarden.telemetry import METRICS, ServerTelemetry, Telemetry, render


@pytest.fixture
def telemetry() -> Iterator[Telemetry]:
    telemetry = Telemetry("a-task")
    telemetry.opened()
    yield telemetry
    telemetry.closed()


def scraped(name: str, **labels: str) -> float:
    """A metric's current value in ``/metrics``; 0 if it is missing."""
    body, content_type = render()
    assert content_type.startswith("text/plain")
    for family in text_string_to_metric_families(body.decode()):
        for sample in family.samples:
            if sample.name == name and sample.labels == labels:
                return sample.value
    return 0


def test_telemetry_records_an_actions_count_and_duration_per_task_and_process(
    telemetry: Telemetry,
) -> None:
    before = scraped("tabwarden_actions_total", action="click", outcome="ok")
    timed = scraped("tabwarden_action_duration_seconds_count", action="click")
    with telemetry.acting("click", "t1"):
        pass
    telemetry.action("click", "ok", 0.25)
    metrics = telemetry.metrics()
    assert metrics["actions"] == {"click": {"ok": 2}}
    assert metrics["durations"]["click"]["count"] == 2
    assert metrics["durations"]["click"]["sum_ms"] >= 250
    assert scraped("tabwarden_actions_total", action="click", outcome="ok") == before + 2
    assert scraped("tabwarden_action_duration_seconds_count", action="click") == timed + 2


@pytest.mark.parametrize(
    ("error", "outcome", "counted"),
    [
        (BudgetExceeded("late"), "budget_exceeded", "timeouts"),
        (asyncio.CancelledError(), "cancelled", "cancels"),
        (JsError("threw"), "js_error", None),
        (ZeroDivisionError(), "internal_error", None),
    ],
)
def test_action_outcome_metric_is_the_error_code(
    telemetry: Telemetry, error: BaseException, outcome: str, counted: str | None
) -> None:
    with pytest.raises(type(error)), telemetry.acting("evaluate"):
        raise error
    metrics = telemetry.metrics()
    assert metrics["actions"] == {"evaluate": {outcome: 1}}
    assert metrics["evaluate"][outcome]["count"] == 1
    for key in ("timeouts", "cancels"):
        assert metrics[key] == ({"evaluate": 1} if key == counted else {})


def test_caller_can_set_an_actions_outcome_to_interrupted(telemetry: Telemetry) -> None:
    with telemetry.acting("click") as acting:
        acting.outcome = "interrupted"
    assert telemetry.metrics()["actions"] == {"click": {"interrupted": 1}}


def test_calls_in_flight_counts_running_calls(telemetry: Telemetry) -> None:
    with telemetry.acting("click"):
        assert telemetry.metrics()["calls_in_flight"] == 1
        assert scraped("tabwarden_calls_in_flight") >= 1
    assert telemetry.metrics()["calls_in_flight"] == 0


def test_metrics_nest_counters_by_their_labels(telemetry: Telemetry) -> None:
    telemetry.terminated()
    telemetry.ladder_step("Page.stopLoading")
    telemetry.rescued("freed", ["Page.stopLoading"])
    telemetry.fallback("last_frame", "dialog")
    telemetry.dialog_closed("confirm", "xhr", "watchdog")
    telemetry.dialog_closed("what a page says", "xhr", "remote")
    telemetry.reconnect("tried")
    telemetry.crashed("frame", reason="killed")
    telemetry.popup()
    telemetry.download("completed")
    told = {key: value for key, value in telemetry.metrics().items() if value}
    assert told == {
        "terminations": 1,
        "ladder_steps": {"Page.stopLoading": 1},
        "rescues": {"freed": 1},
        "fallbacks": {"last_frame": {"dialog": 1}},
        "dialogs": {"confirm": {"xhr": {"watchdog": 1}}, "other": {"xhr": {"remote": 1}}},
        "reconnects": {"tried": 1},
        "crashes": {"frame": 1},
        "popups": 1,
        "downloads": {"completed": 1},
        "tasks": 1,
    }


def test_process_totals_include_running_and_ended_tasks() -> None:
    popups, tasks = scraped("tabwarden_popups_total"), scraped("tabwarden_tasks")
    one, other = Telemetry("one"), Telemetry("other")
    one.opened()
    other.opened()
    other.gauge("tabs", lambda: 7)
    one.popup()
    other.popup()
    assert one.metrics()["popups"] == 1
    assert scraped("tabwarden_popups_total") == popups + 2
    assert scraped("tabwarden_tasks") == tasks + 2
    assert scraped("tabwarden_tabs") >= 7
    other.closed()
    other.closed()
    one.closed()
    assert scraped("tabwarden_popups_total") == popups + 2
    assert scraped("tabwarden_tasks") == tasks


def test_metrics_do_not_count_a_task_that_opened_no_browser() -> None:
    tasks = scraped("tabwarden_tasks")
    Telemetry("never").closed()
    assert scraped("tabwarden_tasks") == tasks


def test_every_metric_has_a_description_even_with_a_count_of_zero() -> None:
    families = {family.name: family for family in text_string_to_metric_families(_body())}
    for metric in METRICS:
        assert families[metric.name].documentation == metric.words
        assert families[metric.name].type == metric.kind


def test_metric_labels_contain_no_task_tab_or_url(telemetry: Telemetry) -> None:
    telemetry.crashed("tab", tab_id="t77", reason="https://secret.example/")
    assert {label for metric in METRICS for label in metric.labels} == {
        "action", "outcome", "step", "what", "reason", "type", "channel", "closed_by", "result",
        "status",
    }  # fmt: skip
    for text in ("a-task", "t77", "secret.example"):
        assert text not in _body()


def test_other_threads_can_read_metrics_while_telemetry_counts(telemetry: Telemetry) -> None:
    faults: list[BaseException] = []
    stop = threading.Event()

    def read() -> None:
        try:
            while not stop.is_set():
                telemetry.metrics()
                render()
        except BaseException as fault:
            faults.append(fault)
            raise

    reader = threading.Thread(target=read)
    reader.start()
    for number in range(2_000):
        telemetry.action("click", f"code_{number % 50}", 0.001)
    stop.set()
    reader.join()
    assert not faults
    assert sum(telemetry.metrics()["actions"]["click"].values()) == 2_000


def test_telemetry_adds_almost_no_time_to_a_click(telemetry: Telemetry) -> None:
    with in_time(0.0, overrun_s=5_000 * 40e-6):  # some 6 µs each
        for _ in range(5_000):
            with telemetry.acting("click", "t1"):
                pass


def test_importing_tabwarden_imports_no_metrics_client() -> None:
    asked = "import sys, tabwarden; print({'prometheus_client', 'opentelemetry'} & {*sys.modules})"
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_telemetry_logs_a_timeout_as_a_warning_and_a_click_not_at_all(
    telemetry: Telemetry, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "tabwarden")
    with telemetry.acting("click", "t1"):
        pass
    with pytest.raises(TabwardenError), telemetry.acting("click", "t2"):
        raise BudgetExceeded("late")
    (line,) = caplog.records
    assert (line.levelname, line.message) == ("WARNING", "action_ended")
    assert {"action": "click", "outcome": "budget_exceeded", "tab_id": "t2"}.items() <= vars(
        line
    ).items()


def test_telemetry_renames_fields_that_clash_with_log_record_attributes(
    telemetry: Telemetry, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "tabwarden")
    telemetry.fallback("last_frame", "dialog", name="x", message="y", args=())
    (line,) = caplog.records
    assert (line.name_, line.message_) == ("x", "y")  # type: ignore[attr-defined]


@pytest.mark.threat
def test_page_events_cannot_flood_the_log(
    telemetry: Telemetry, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "tabwarden")
    begun = time.monotonic()
    for number in range(500):
        telemetry.refused("not_allowed", place=f"https://a.test:{number}")
        telemetry.download("completed", download_id=f"dl-{number}")
        telemetry.dialog_closed("alert", "native", "policy")
        telemetry.fallback("dialog_native", "not_bridged")
    seconds = time.monotonic() - begun
    telemetry.closed()
    for event in ("connection_refused", "download", "dialog_closed", "fallback"):
        lines = [line for line in caplog.records if line.message == event]
        assert len(lines) <= seconds + 2  # the last one only counts the omitted ones
        left_out = sum(getattr(line, "left_out", 0) for line in lines)
        assert left_out + len(lines) in (500, 501)


def _body() -> str:
    return render()[0].decode()


def test_server_telemetry_counts_refusals_and_opening_tasks() -> None:
    server = ServerTelemetry(lambda: 3)
    server.refused("memory")
    server.refused("memory")
    assert scraped("tabwarden_refused_tasks_total", reason="memory") == 2
    assert scraped("tabwarden_opening_tasks") >= 3


def test_browser_memory_is_reported_under_its_tasks_name() -> None:
    telemetry = Telemetry("a3#2")
    script = "print(flush=True); input()"
    with subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()  # it is a whole Python now
        telemetry.opened(pid=process.pid)
        assert scraped("tabwarden_browser_memory_bytes", task_id="a3") > 1_000_000
        telemetry.closed()
        assert scraped("tabwarden_browser_memory_bytes", task_id="a3") == 0
        process.communicate(b"\n")
    assert scraped("tabwarden_free_memory_bytes") > 0
