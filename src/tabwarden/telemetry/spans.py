"""OpenTelemetry: one span an action, where its API is installed.

Without a provider its span is a constant that records nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from opentelemetry.trace import Span, Tracer

__all__ = ["end_span", "start_span", "tracer"]


def tracer() -> Tracer | None:
    """Where spans come from; None without the API."""
    try:
        from opentelemetry import trace
    except ImportError:
        return None
    return trace.get_tracer("tabwarden")


def start_span(source: Tracer | None, action: str) -> Span | None:
    """A span that is recorded, or None when nobody records."""
    if source is None:
        return None
    span = source.start_span(f"tabwarden.{action}")
    return span if span.is_recording() else None


def end_span(span: Span, outcome: str, tab_id: str | None, *, failed: bool) -> None:
    """End a span with how its action went; nothing of the page is in it."""
    from opentelemetry.trace import StatusCode

    span.set_attribute("tabwarden.outcome", outcome)
    if tab_id is not None:
        span.set_attribute("tabwarden.tab_id", tab_id)
    if failed:
        span.set_attribute("error.type", outcome)
        span.set_status(StatusCode.ERROR, outcome)
    span.end()
