"""Throttling: the speed of the network and of the processor that pages get."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tabwarden.errors import InvalidArgument
from tabwarden.page.call import between
from tabwarden.similar import get_close_matches
from tabwarden.supervisor.core.state.emulation import NetworkSpeed

_KBPS = 1_000 / 8
"""Bytes per second in a kilobit per second."""


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
"""The networks of Chromium's developer tools."""
SLOWEST_CPU = 100
_KEYS = ("download_kbps", "upload_kbps", "latency_ms")


def network_speed(given: str | Mapping[str, float]) -> NetworkSpeed | None:
    """Return the speed of a network by its name, in any case, or by its numbers; None for ``""``
    or ``{}``.

    Raises:
        InvalidArgument: the name is unknown, or a number is wrong.
    """
    if not given:
        return None
    if isinstance(given, Mapping):
        return _own(given)
    known = {name.lower(): one for name, one in NETWORKS.items()}
    found = known.get(str(given).lower())
    if found is None:
        near = get_close_matches(str(given).lower(), known, n=1, cutoff=0.0)[0]
        raise InvalidArgument(
            f"network must be one of {', '.join(NETWORKS)}, or an object with "
            f"{', '.join(_KEYS)}, not {str(given)[:100]!r}.",
            "To disconnect the network, use offline.",
            field="network",
            nearest=known[near].name,
        )
    return found


def cpu_rate(given: float) -> float:
    between("cpu", given, 1, SLOWEST_CPU)
    return float(given)


def _own(given: Mapping[str, float]) -> NetworkSpeed:
    for key, value in given.items():
        if key not in _KEYS:
            raise InvalidArgument(
                f"network has no field {str(key)[:100]!r}. It has {', '.join(_KEYS)}.",
                field="network",
            )
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1e9:
            raise InvalidArgument(
                f"{key} of network must be a number from 0, not {str(value)[:100]!r}.",
                field="network",
            )
    download, upload = given.get("download_kbps"), given.get("upload_kbps")
    return NetworkSpeed(
        latency_ms=float(given.get("latency_ms", 0)),
        download=-1.0 if download is None else max(1.0, download * _KBPS),
        upload=-1.0 if upload is None else max(1.0, upload * _KBPS),
    )


def shown_network(speed: NetworkSpeed) -> dict[str, Any]:
    """Return a speed as callers write it; a number that is left out has no limit."""
    told: dict[str, Any] = {"name": speed.name} if speed.name else {}
    for key, value in (("download_kbps", speed.download), ("upload_kbps", speed.upload)):
        if value >= 0:
            told[key] = round(value / _KBPS, 1)
    return {**told, "latency_ms": speed.latency_ms}
