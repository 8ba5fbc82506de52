"""Argument checks that several actions share. Each error contains the name of the parameter."""

from __future__ import annotations

import math
import re
from numbers import Real
from typing import Any
from urllib.parse import urlsplit

from tabwarden.errors import Denied, InvalidArgument
from tabwarden.telemetry.redaction import without_login

_HOST = re.compile(r"^(localhost|[\w-]+(\.[\w-]+)+|\[[0-9a-fA-F:]+\])(:\d{1,5})?([/?#].*)?$")
_OPEN_SCHEMES = {"http", "https", "data", "blob", "about"}


def target_of(ref: str | None, x: float | None, y: float | None) -> tuple[float, float] | None:
    """Return ``(x, y)``, or None if the caller gave a ref. Raise an error unless the caller gave
    either a point or a ref."""
    if ref is not None and x is None and y is None:
        return None
    if ref is None and x is not None and y is not None:
        return (_in_view("x", x), _in_view("y", y))
    if ref is None and (x is not None or y is not None):
        missing = "y" if y is None else "x"
        raise InvalidArgument(
            f"A point needs both x and y: {missing} is missing.",
            "Give both x and y, or a ref.",
            field=missing,
        )
    raise InvalidArgument(
        "Give either ref, or both x and y.",
        "A ref comes from a snapshot; x and y are viewport coordinates in CSS pixels.",
        field="ref",
    )


def coordinate(field: str, value: Any) -> float:
    """Return a coordinate as a float. The point may be outside the viewport."""
    try:
        number = float(value) if isinstance(value, Real) else math.nan
    except OverflowError:
        number = math.nan
    if isinstance(value, bool) or not math.isfinite(number):
        raise InvalidArgument(
            f"{field} must be a number, not {repr(value)[:100]}.",
            "Give CSS pixels from the top left corner of the viewport.",
            field=field,
        )
    return number


def _in_view(field: str, value: Any) -> float:
    number = coordinate(field, value)
    if number < 0:
        raise InvalidArgument(
            f"{field}={number:g} is outside the viewport.",
            "Coordinates start at the viewport's top left corner. Scroll first, or use a ref.",
            field=field,
        )
    return number


def within(field: str, value: int, least: int, most: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise InvalidArgument(
            f"{field} must be a whole number from {least} to {most}, not {value!r}.", field=field
        )


def between(field: str, value: float, least: float, most: float) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
        raise InvalidArgument(
            f"{field} must be a number from {least:g} to {most:g}, not {value!r}.", field=field
        )


def one_of(field: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise InvalidArgument(
            f"{field} must be one of {', '.join(allowed)}, not {value!r}.", field=field
        )


def checked_url(url: str, *, allow_file_urls: bool = False) -> str:
    """Return the URL to navigate to. A bare host gets a scheme.

    Raises:
        InvalidArgument: ``url`` is not a URL.
        Denied: the policy forbids the scheme.
    """
    text = url.strip() if isinstance(url, str) else ""
    if _HOST.match(text):
        text = ("http://" if re.match(r"^(localhost|127\.|\[::1\])", text) else "https://") + text
    try:
        parts = urlsplit(text)
        host = parts.hostname
        _ = parts.port
    except ValueError:
        parts, host = urlsplit(""), None
    scheme = parts.scheme.lower()
    if not scheme or (scheme in ("http", "https") and not host):
        raise InvalidArgument(
            f"Invalid URL: {without_login(str(url))!r} is not a URL that the browser can open.",
            "Give a full URL such as 'https://example.com/'.",
            field="url",
        )
    if scheme == "about" and text.lower() not in ("about:blank", "about:srcdoc"):
        raise _denied(scheme)
    if scheme not in _OPEN_SCHEMES and not (scheme == "file" and allow_file_urls):
        raise _denied(scheme)
    return text


def _denied(scheme: str) -> Denied:
    return Denied(
        f"{scheme}: URLs are not allowed.",
        "Use an http or https URL. For file: URLs, set allow_file_urls in the configuration.",
        field="url",
    )
