"""One span per action where tracing is configured, and none elsewhere."""

from __future__ import annotations

import sys

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from tabwarden.errors import StaleRef
from tabwarden.telemetry import Telemetry


@pytest.fixture
def spans() -> InMemorySpanExporter:
    return InMemorySpanExporter()


@pytest.fixture
def telemetry(spans: InMemorySpanExporter) -> Telemetry:
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(spans))
    telemetry = Telemetry("a-task")
    telemetry.tracer = provider.get_tracer("tabwarden")
    return telemetry


def test_each_action_creates_a_span(telemetry: Telemetry, spans: InMemorySpanExporter) -> None:
    with telemetry.acting("click", "t1"):
        pass
    (span,) = spans.get_finished_spans()
    assert span.name == "tabwarden.click"
    assert dict(span.attributes or {}) == {"tabwarden.outcome": "ok", "tabwarden.tab_id": "t1"}
    assert span.status.is_ok


def test_failed_span_contains_the_error_code_and_no_page_text(
    telemetry: Telemetry, spans: InMemorySpanExporter
) -> None:
    with pytest.raises(StaleRef), telemetry.acting("click", "t1"):
        raise StaleRef("e7 was the button 'Pay Ada 300'", element="Pay Ada 300")
    (span,) = spans.get_finished_spans()
    assert (span.attributes or {})["error.type"] == "stale_ref"
    assert not span.status.is_ok
    assert "Ada" not in span.to_json()


def test_tracer_provider_set_later_gets_spans_too() -> None:
    # A process can have only one provider, so this test uses another process.
    import subprocess

    script = """
from tabwarden.telemetry import Telemetry
telemetry = Telemetry("a-task")
with telemetry.acting("click"): pass
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
spans, provider = InMemorySpanExporter(), TracerProvider()
provider.add_span_processor(SimpleSpanProcessor(spans))
trace.set_tracer_provider(provider)
with telemetry.acting("goto"): pass
print([span.name for span in spans.get_finished_spans()])
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert done.stdout.strip() == "['tabwarden.goto']", done.stderr


def test_telemetry_works_without_the_opentelemetry_api(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "opentelemetry.trace")
    telemetry = Telemetry("a-task")
    assert telemetry.tracer is None
    with telemetry.acting("click"):
        pass
    assert telemetry.metrics()["actions"] == {"click": {"ok": 1}}
