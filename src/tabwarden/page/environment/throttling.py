"""Limit the network and CPU speed of pages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tabwarden.errors import InvalidArgument
from tabwarden.page.call import between
from tabwarden.similar import get_close_matches
from tabwarden.supervisor.core.state.emulation import NetworkSpeed

_KBPS = 1_000 / 8
"""One kilobit per second in bytes per second."""


def _speed(name: str, download_kbps: float, upload_kbps: float, latency_ms: float) -> NetworkSpeed:
    return NetworkSpeed(
        name=name,
        latency_ms=latency_ms,
        download=download_kbps * _KBPS,
        upload=upload_kbps * _KBPS,
    )


NETWORKS = {
    one.name: one
    for one in (
        _speed("Slow 3G", 400, 400, 2_000),
        _speed("Fast 3G", 1_440, 675, 562.5),
        _speed("Slow 4G", 1_440, 675, 562.5),
        _speed("Fast 4G", 8_100, 1_350, 165),
    )
}
"""The network presets of Chromium's developer tools."""
SLOWEST_CPU = 100
_KEYS = ("download_kbps", "upload_kbps", "latency_ms")


def network_speed(value: str | Mapping[str, float]) -> NetworkSpeed | None:
    """Return a network speed from the name of a preset (in any case) or from numbers. Return None
    for ``""`` or ``{}``.

    Raises:
        InvalidArgument: the name is unknown, or a number is wrong.
    """
    if not value:
        return None
    if isinstance(value, Mapping):
        return _custom_speed(value)
    by_name = {name.lower(): one for name, one in NETWORKS.items()}
    speed = by_name.get(str(value).lower())
    if speed is None:
        near = get_close_matches(str(value).lower(), by_name, n=1, cutoff=0.0)[0]
        raise InvalidArgument(
            f"network must be one of {', '.join(NETWORKS)}, or an object with "
            f"{', '.join(_KEYS)}, not {str(value)[:100]!r}.",
            "To disconnect the network, use offline=true.",
            field="network",
            nearest=by_name[near].name,
        )
    return speed


def cpu_rate(value: float) -> float:
    between("cpu", value, 1, SLOWEST_CPU)
    return float(value)


def _custom_speed(numbers: Mapping[str, float]) -> NetworkSpeed:
    for key, value in numbers.items():
        if key not in _KEYS:
            raise InvalidArgument(
                f"Unknown field {str(key)[:100]!r} in network. The fields are {', '.join(_KEYS)}.",
                field="network",
            )
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1e9:
            raise InvalidArgument(
                f"{key} in network must be a number of at least 0, not {str(value)[:100]!r}.",
                field="network",
            )
    download, upload = numbers.get("download_kbps"), numbers.get("upload_kbps")
    return NetworkSpeed(
        latency_ms=float(numbers.get("latency_ms", 0)),
        download=-1.0 if download is None else max(1.0, download * _KBPS),
        upload=-1.0 if upload is None else max(1.0, upload * _KBPS),
    )


def describe_network(speed: NetworkSpeed) -> dict[str, Any]:
    """Return a speed in the format that callers use. An omitted number means no limit."""
    fields: dict[str, Any] = {"name": speed.name} if speed.name else {}
    for key, value in (("download_kbps", speed.download), ("upload_kbps", speed.upload)):
        if value >= 0:
            fields[key] = round(value / _KBPS, 1)
    return {**fields, "latency_ms": speed.latency_ms}
