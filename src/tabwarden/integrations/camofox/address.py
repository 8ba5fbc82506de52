"""The address of a Camofox server: ``camofox:``, ``camofox:http://host:9377``, options, keys."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import parse_qsl, urlsplit

from tabwarden.endpoints.address import split_scheme
from tabwarden.errors import InvalidArgument

__all__ = ["SCHEME", "CamofoxAddress", "parse_camofox"]

SCHEME = "camofox"
_DEFAULT_URL = "http://127.0.0.1:9377"
_OPTIONS = {"user"}
_LOOPBACK = {"localhost", "127.0.0.1", "::1"}


class CamofoxAddress(NamedTuple):
    """A Camofox server's URL, and our user name and key on that server."""

    url: str
    """The URL, without a trailing slash and without options."""
    key: str
    """The server's access key; "" for a server without keys."""
    user: str
    """The ``userId`` to use and to keep after the task; "" for a new user that exists only for this
    task.
    """

    def __repr__(self) -> str:
        return f"CamofoxAddress({self.url})"


def parse_camofox(endpoint: str, headers: Mapping[str, str]) -> CamofoxAddress:
    """Parse an endpoint. ``CAMOFOX_URL`` completes ``camofox:``. The key is from ``headers``
    (``Authorization: Bearer KEY``), or else from ``CAMOFOX_ACCESS_KEY`` or ``CAMOFOX_API_KEY``.

    Raises:
        InvalidArgument: the address is malformed.
    """
    parts = split_scheme(endpoint)
    rest = parts[1] if parts is not None else endpoint
    text, _, query = rest.partition("?")
    ours = os.environ.get("CAMOFOX_URL", "").strip()
    text = "" if text.rstrip("/") == ours.rstrip("/") else text
    url = text or ours or _DEFAULT_URL
    if "://" not in url:
        url = f"http://{url}"
    try:
        split = urlsplit(url)
        host, _port = split.hostname, split.port
        options = dict(parse_qsl(query, strict_parsing=True)) if query else {}
    except ValueError:
        raise _malformed() from None
    if split.scheme not in ("http", "https") or not host or "@" in split.netloc or split.query:
        raise _malformed()
    for name in options.keys() - _OPTIONS:
        raise InvalidArgument(
            f"`{SCHEME}:` has no option {name!r}.", "The only option is `user`.", field="endpoint"
        )
    key = _key(headers, to_default=not text or host in _LOOPBACK)
    if not (key.isascii() and key.isprintable()):
        raise InvalidArgument(
            "The Camofox server's key contains characters that an HTTP header can't carry.",
            "Correct CAMOFOX_ACCESS_KEY.",
            field="CAMOFOX_ACCESS_KEY",
        )
    return CamofoxAddress(url.rstrip("/"), key, options.get("user", ""))


def _key(headers: Mapping[str, str], *, to_default: bool) -> str:
    """Return the key. The environment's key is only for the server in ``CAMOFOX_URL`` and for
    servers on this computer, so that an agent that was misled by a page can't send the key to
    another server.
    """
    for name, value in headers.items():
        if name.lower() == "authorization":
            return value.removeprefix("Bearer ").strip()
    if not to_default:
        return ""
    variables = ("CAMOFOX_ACCESS_KEY", "CAMOFOX_API_KEY")
    return next((key for name in variables if (key := os.environ.get(name, "").strip())), "")


def _malformed() -> InvalidArgument:
    # Don't quote the text: it may be a pasted address that contains a secret.
    return InvalidArgument(
        f"The text after `{SCHEME}:` is not a server's address.",
        f"Write `{SCHEME}:http://host:9377`, or only `{SCHEME}:` with CAMOFOX_URL set. Set "
        "CAMOFOX_ACCESS_KEY to the key.",
        field="endpoint",
    )
