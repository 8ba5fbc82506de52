"""One task's numbers as a plain dict."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from tabwarden.telemetry.definitions import METRICS

if TYPE_CHECKING:
    from tabwarden.telemetry.counters import Sample


def as_dict(samples: Iterable[Sample]) -> dict[str, Any]:
    """Return the numbers as nested dicts, keyed by metric, then by the value of each label. A
    metric without labels is just a number. A histogram is ``{"count": n, "sum_ms": ms}``."""
    read: dict[str, Any] = {metric.key: {} if metric.labels else 0 for metric in METRICS}
    for metric, name, labels, value in samples:
        path = [metric.key, *(given for label, given in labels if label in metric.labels)]
        if metric.kind != "histogram":
            _put(read, path, int(value))
        elif name.endswith("_count"):
            _put(read, [*path, "count"], int(value))
        elif name.endswith("_sum"):
            _put(read, [*path, "sum_ms"], round(value * 1000, 3))
    return read


def _put(into: dict[str, Any], path: list[str], value: float) -> None:
    *above, last = path
    for key in above:
        into = into.setdefault(key, {})
    into[last] = value
