"""Parse endpoint addresses such as ``steel:ID?timeout_s=600``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import parse_qsl

from tabwarden.errors import InvalidArgument

_WITH_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+._-]*):(.*)", re.DOTALL)
_PORT = re.compile(r"\d{1,5}/?")
_BROWSERS_OWN = {"http", "https", "ws", "wss"}
_SESSION_ID = re.compile(r"[A-Za-z0-9._~-]*")


class Address(NamedTuple):
    """The parts of ``scheme:session_id?key=value&...``."""

    scheme: str
    """The scheme, in lower case."""
    session_id: str
    """The ID of the session to join; "" to create a session."""
    options: Mapping[str, str]
    """The options as text. The endpoint interprets them."""
    headers: Mapping[str, str]
    """Headers for the connection; may contain secrets."""

    def __repr__(self) -> str:
        options = ", ".join(self.options)
        return f"Address({self.scheme}:{self.session_id}, options: {options or 'none'})"


def split_scheme(text: object) -> tuple[str, str] | None:
    """Split an address into its scheme, in lower case, and the rest. Return None for the URL or
    port of a browser: ``http(s)://``, ``ws(s)://``, ``host:port``, or no scheme.
    """
    matched = _WITH_SCHEME.fullmatch(text.strip()) if isinstance(text, str) else None
    if matched is None or _PORT.fullmatch(matched[2]):
        return None
    scheme = matched[1].lower()
    return None if scheme in _BROWSERS_OWN else (scheme, matched[2])


def parse_address(scheme: str, rest: str, headers: Mapping[str, str]) -> Address:
    """Parse ``rest``, the part of an address after its scheme.

    Raises:
        InvalidArgument: the address is malformed.
    """
    session_id, _, query = rest.partition("?")
    if not _SESSION_ID.fullmatch(session_id):
        # Don't quote the text: it may be a pasted address that contains a token.
        raise InvalidArgument(
            f"The text after `{scheme}:` is not a session id.",
            f"Write `{scheme}:` for a new session, or `{scheme}:SESSION_ID` to join a session. "
            "Options follow a question mark.",
            field="endpoint",
        )
    try:
        pairs = parse_qsl(query, keep_blank_values=True, strict_parsing=True) if query else []
    except ValueError:
        raise InvalidArgument(
            f"The options of `{scheme}:` are malformed.",
            f"Write `{scheme}:?key=value&key=value`.",
            field="endpoint",
        ) from None
    return Address(scheme, session_id, dict(pairs), dict(headers))
