"""OpenTelemetry: one span per action, if OpenTelemetry's API is installed.

If no provider is configured, the API returns a constant span that records nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from opentelemetry.trace import Span, Tracer


def tracer() -> Tracer | None:
    """Return the tracer, or None if OpenTelemetry's API is not installed."""
    try:
        from opentelemetry import trace
    except ImportError:
        return None
    return trace.get_tracer("tabwarden")


def start_span(source: Tracer | None, action: str) -> Span | None:
    """Start a span; return None if it would not be recorded."""
    if source is None:
        return None
    span = source.start_span(f"tabwarden.{action}")
    return span if span.is_recording() else None


def end_span(span: Span, outcome: str, tab_id: str | None, *, failed: bool) -> None:
    """End a span with the outcome of its action. The span contains nothing from the page."""
    from opentelemetry.trace import StatusCode

    span.set_attribute("tabwarden.outcome", outcome)
    if tab_id is not None:
        span.set_attribute("tabwarden.tab_id", tab_id)
    if failed:
        span.set_attribute("error.type", outcome)
        span.set_status(StatusCode.ERROR, outcome)
    span.end()
