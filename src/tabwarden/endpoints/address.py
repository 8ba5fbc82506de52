"""Addresses of endpoints that have a scheme of their own: ``steel:ID?timeout_s=600``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import parse_qsl

from tabwarden.errors import InvalidArgument

__all__ = ["Address", "parse_address", "split_scheme"]

_WITH_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+._-]*):(.*)", re.DOTALL)
_PORT = re.compile(r"\d{1,5}/?")
_BROWSERS_OWN = {"http", "https", "ws", "wss"}
_SESSION_ID = re.compile(r"[A-Za-z0-9._~-]*")


class Address(NamedTuple):
    """``scheme:session_id?key=value&...``, taken apart."""

    scheme: str
    """In lower case."""
    session_id: str
    """The session to join; "" for a new one."""
    options: Mapping[str, str]
    """As they stand in the address; what they mean is the endpoint's to say."""
    headers: Mapping[str, str]
    """To be sent when connecting; may hold secrets."""

    def __repr__(self) -> str:
        options = ", ".join(self.options)
        return f"Address({self.scheme}:{self.session_id}, options: {options or 'none'})"


def split_scheme(text: object) -> tuple[str, str] | None:
    """The scheme in lower case and what follows; None for a browser's own address.

    Those are ``http(s)://``, ``ws(s)://`` and ``host:port``, and whatever has no scheme at all.
    """
    matched = _WITH_SCHEME.fullmatch(text.strip()) if isinstance(text, str) else None
    if matched is None or _PORT.fullmatch(matched[2]):
        return None
    scheme = matched[1].lower()
    return None if scheme in _BROWSERS_OWN else (scheme, matched[2])


def parse_address(scheme: str, rest: str, headers: Mapping[str, str]) -> Address:
    """What follows a known scheme, taken apart.

    Raises:
        InvalidArgument: it is malformed.
    """
    session_id, _, query = rest.partition("?")
    if not _SESSION_ID.fullmatch(session_id):
        # Not quoted: it may be a pasted address with a token in it.
        raise InvalidArgument(
            f"What follows {scheme}: is no session id.",
            f"Write {scheme}: for a new session, {scheme}:SESSION_ID to join one, and options "
            "after a question mark.",
            field="endpoint",
        )
    try:
        pairs = parse_qsl(query, keep_blank_values=True, strict_parsing=True) if query else []
    except ValueError:
        raise InvalidArgument(
            f"The options of {scheme}: are malformed.",
            f"Write {scheme}:?key=value&key=value.",
            field="endpoint",
        ) from None
    return Address(scheme, session_id, dict(pairs), dict(headers))
