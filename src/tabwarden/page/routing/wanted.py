"""Check the arguments for a caller's route, and create the route."""

from __future__ import annotations

import base64
import json
import mimetypes
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tabwarden.errors import InvalidArgument
from tabwarden.files.plain_file import read_plain_file
from tabwarden.page.call import between, within
from tabwarden.page.environment import checked_headers
from tabwarden.page.routing.timing import LONGEST_DELAY_MS
from tabwarden.page.routing.url_pattern import pattern_of
from tabwarden.similar import get_close_matches
from tabwarden.supervisor.core.state.routes import MockedAnswer, Route, SecretHeader
from tabwarden.vault import Vault, names_in

ABORTS = {
    "aborted": "Aborted",
    "accessdenied": "AccessDenied",
    "addressunreachable": "AddressUnreachable",
    "blockedbyclient": "BlockedByClient",
    "blockedbyresponse": "BlockedByResponse",
    "connectionaborted": "ConnectionAborted",
    "connectionclosed": "ConnectionClosed",
    "connectionfailed": "ConnectionFailed",
    "connectionrefused": "ConnectionRefused",
    "connectionreset": "ConnectionReset",
    "failed": "Failed",
    "internetdisconnected": "InternetDisconnected",
    "namenotresolved": "NameNotResolved",
    "timedout": "TimedOut",
}
"""Maps Playwright's error names to CDP's."""
RESOURCE_TYPES = (
    "document", "stylesheet", "image", "media", "font", "script", "texttrack", "xhr", "fetch",
    "eventsource", "manifest", "ping", "other",
)  # fmt: skip
_METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
_LARGEST = 10_000_000
"""The maximum body size in bytes. The state stores the body, and each response sends it again."""


class AskedRoute(NamedTuple):
    """The arguments of a call."""

    url: str | None = None
    method: str | None = None
    resource_type: str | Sequence[str] | None = None
    abort: str | None = None
    status: int | None = None
    body: str | None = None
    file: Path | None = None
    content_type: str | None = None
    headers: Mapping[str, str | None] | None = None
    delay_ms: float | None = None
    times: int | None = None

    @property
    def answers(self) -> bool:
        parts = (self.status, self.body, self.file, self.content_type)
        return any(one is not None for one in parts)

    @property
    def may_answer_with_a_script(self) -> bool:
        """Whether the response could run a script. It could if it has a body or headers (of a
        redirect, for example)."""
        return self.answers and any((self.body, self.file, self.headers))


def wanted_route(asked: AskedRoute, vault: Vault | None = None) -> Route:
    """Return the route for a call's arguments.

    Args:
        asked: the call's arguments.
        vault: the secrets for the request's headers.

    Raises:
        Denied: a header contains a secret that must not be sent anywhere.
        InvalidArgument: an argument is wrong, or can't be combined with another argument.
    """
    value = asked.resource_type or ()
    types = (value,) if isinstance(value, str) else tuple(value)
    if "websocket" in types:
        raise InvalidArgument(
            "Routes do not apply to WebSockets.",
            "To block a WebSocket's host, use the network policy (browser.blocked_origins).",
            field="resource_type",
        )
    for one in types:
        _one_of("resource_type", one, RESOURCE_TYPES)
    _one_of("abort", asked.abort, tuple(ABORTS))
    method = asked.method.upper() if asked.method is not None else None
    _one_of("method", method, _METHODS)
    if asked.times is not None:
        within("times", asked.times, 1, 1_000_000)
    if asked.delay_ms is not None:
        between("delay_ms", asked.delay_ms, 0, LONGEST_DELAY_MS)
    headers = _headers(asked)
    secret = {} if asked.answers else _secret(headers, vault or Vault())
    plain = {name: value for name, value in headers.items() if name not in secret}
    if asked.abort is not None and (asked.answers or headers):
        raise InvalidArgument(
            "`abort` can't be combined with a response or headers.",
            "Add separate routes.",
            field="abort",
        )
    if asked.abort is None and not asked.answers and not headers and not asked.delay_ms:
        raise InvalidArgument(
            "The route does nothing.",
            "Give `abort`, a response (`status`, `body` or `path`), `headers` or `delay_ms`.",
            field="abort",
        )
    return Route(
        url=asked.url or "",
        covers=pattern_of(asked.url) if asked.url is not None else _every,
        method=method or "",
        resource_types=types,
        error=ABORTS[asked.abort] if asked.abort is not None else "",
        answer=_answer(asked, headers) if asked.answers else None,
        headers={} if asked.answers else plain,
        secret_headers=tuple(secret.values()),
        delay_s=(asked.delay_ms or 0) / 1000,
        times=asked.times,
    )


def _every(_: str) -> bool:
    return True


def _headers(asked: AskedRoute) -> dict[str, str | None]:
    headers = asked.headers or {}
    removed = [name for name, value in headers.items() if value is None]
    if removed and asked.answers:
        raise InvalidArgument(
            "A response header needs a value. Only request headers can be removed.",
            field="headers",
        )
    values = {name: value or "" for name, value in headers.items()}
    checked_headers(values, sent=not asked.answers, may_be_secret=True)
    return dict(headers)


def _secret(headers: Mapping[str, str | None], vault: Vault) -> dict[str, SecretHeader]:
    """Return the headers that contain secrets, with the secrets filled in."""
    return {
        name: SecretHeader(name, *vault.for_header(value, "headers"))
        for name, value in headers.items()
        if value is not None and names_in(value)
    }


def _answer(asked: AskedRoute, headers: Mapping[str, str | None]) -> MockedAnswer:
    status = 200 if asked.status is None else asked.status
    within("status", status, 200, 599)
    if asked.body is not None and asked.file is not None:
        raise InvalidArgument("Give either `body` or `path`.", field="path")
    raw, kind = _content(asked)
    if len(raw) > _LARGEST:
        raise InvalidArgument(f"`body` has more than {_LARGEST:,} bytes.", field="body")
    sent = {name: value or "" for name, value in headers.items()}
    if kind and "content-type" not in {name.lower() for name in sent}:
        sent["Content-Type"] = kind
    return MockedAnswer(status, tuple(sent.items()), base64.b64encode(raw).decode())


def _content(asked: AskedRoute) -> tuple[bytes, str]:
    """Return a response's body and MIME type."""
    kind = asked.content_type or ""
    if not kind.isprintable():
        raise InvalidArgument("content_type must be one line.", field="content_type")
    if asked.file is not None:
        try:
            raw = read_plain_file(asked.file, _LARGEST)
        except OSError as error:
            raise InvalidArgument(
                f"The file {asked.file.name!r} can't be read: {error.strerror}.",
                f"Use a file of at most {_LARGEST:,} bytes, or give the content as `body`.",
                field="path",
            ) from None
        return raw, kind or mimetypes.guess_type(asked.file.name)[0] or "application/octet-stream"
    text = asked.body or ""
    kind = kind or (_kind_of(text) if text else "")
    if kind.startswith("text/") and "charset" not in kind:
        kind += "; charset=utf-8"
    return text.encode("utf-8", "replace"), kind


def _kind_of(text: str) -> str:
    if text.lstrip().startswith("<"):
        return "text/html"
    try:
        is_data = isinstance(json.loads(text), dict | list)
    except (ValueError, RecursionError):
        is_data = False
    return "application/json" if is_data else "text/plain"


def _one_of(field: str, value: Any, allowed: tuple[str, ...]) -> None:
    if value is None or value in allowed:
        return
    near = get_close_matches(str(value).lower(), allowed, n=1, cutoff=0.0)[0]
    raise InvalidArgument(
        f"{field} must be one of {', '.join(allowed)}, not {str(value)[:100]!r}.",
        f"The closest match is {near!r}.",
        field=field,
        nearest=near,
    )
