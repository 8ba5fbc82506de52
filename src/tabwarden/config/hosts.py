"""The host names that a server answers to, beside its own address (``server.allowed_hosts``)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Annotated

from pydantic import AfterValidator

_FORM = re.compile(
    r"(?P<name>(?:\*\.)?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])\.?(?::(?P<port>\d{1,5}))?"
)
_USUAL_PORTS = frozenset({"80", "443"})
"""A ``Host`` without a port means one of these: behind a proxy, nobody knows which."""


def _checked(text: str) -> str:
    if _FORM.fullmatch(text.lower()) is None:
        raise ValueError(
            f"{text[:200]!r} is not a host: write tabwarden.internal, tabwarden.internal:8414, "
            "*.example.com, 10.0.0.7 or [fd00::7]"
        )
    return text.lower()


AllowedHost = Annotated[str, AfterValidator(_checked)]
"""``name``, with or without ``:port``. ``*.name`` stands for all names below ``name``."""


def is_allowed_host(named: str, allowed: Iterable[str]) -> bool:
    """Whether one of the allowed hosts is the one that a ``Host`` header names. An allowed host
    without a port allows every port.
    """
    told = _FORM.fullmatch(named.lower())
    return told is not None and any(_fits(told, _FORM.fullmatch(each)) for each in allowed)


def _fits(told: re.Match[str], allowed: re.Match[str] | None) -> bool:
    if allowed is None or told["name"].startswith("*"):
        return False
    port, name = allowed["port"], allowed["name"]
    if port is not None and port not in ({told["port"]} if told["port"] else _USUAL_PORTS):
        return False
    if name.startswith("*"):
        return told["name"].endswith(name[1:])
    return told["name"] == name
