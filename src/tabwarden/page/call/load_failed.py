"""The error for a URL that the browser could not load."""

from __future__ import annotations

from tabwarden.errors import BadCertificate, Denied, PageUnreachable, TabwardenError
from tabwarden.hints import Hint, Next, joined
from tabwarden.page.call.named_place import reason_of
from tabwarden.page.task import Call
from tabwarden.page.text import address
from tabwarden.supervisor.core.handlers import failing_route
from tabwarden.supervisor.core.state.routes import Route
from tabwarden.supervisor.core.state.tabs import Frame
from tabwarden.telemetry.redaction import without_login

_NAMES = ("net::ERR_NAME_", "net::ERR_ICANN_")
_OFFLINE = ("net::ERR_INTERNET_DISCONNECTED", "net::ERR_NETWORK_CHANGED")

_HINTS = {
    "net::ERR_TOO_MANY_REDIRECTS": "The server is in a redirect loop, often because a cookie or "
    "a login is missing. Open the page that sets the cookie, or try another address.",
    "net::ERR_UNSAFE_REDIRECT": "The server redirects to an address that web pages are not "
    "allowed to open. Check the address.",
    "net::ERR_UNSAFE_PORT": "Browsers refuse to load pages from this port. Check the address.",
    "net::ERR_EMPTY_RESPONSE": "The server closed the connection without a response. Try again "
    "later.",
    "net::ERR_HTTP_RESPONSE_CODE_FAILURE": "The server sent an error status without a page.",
    "net::ERR_INVALID_RESPONSE": "The server's response is not valid HTTP. Check the address.",
    "net::ERR_INVALID_HTTP_RESPONSE": "The server's response is not valid HTTP. Check the address.",
    "net::ERR_SSL_PROTOCOL_ERROR": "The server does not use TLS on this port. Try http://.",
    "net::ERR_FILE_NOT_FOUND": "The file does not exist. Check the path.",
    "net::ERR_ACCESS_DENIED": "The browser is not allowed to read the file. Check the path.",
}
"""Hints for errors that occur even though the server is running."""
_DOWN = ("net::ERR_CONNECTION_", "net::ERR_TIMED_OUT", "net::ERR_ADDRESS_", "net::ERR_SOCKS_")
_BLOCKED = "net::ERR_BLOCKED_BY_"
_OF_PROXY = {
    "net::ERR_PROXY_AUTH_REQUESTED": "The proxy rejected the username and password "
    "(browser.proxy). Only the person responsible can correct them.",
    "net::ERR_PROXY_CERTIFICATE_INVALID": "The browser does not trust the proxy's certificate "
    "(browser.proxy). Set browser.ca to the certificate authority's file.",
    "net::ERR_PROXY_CONNECTION_FAILED": "The proxy (browser.proxy, HTTPS_PROXY) is not responding.",
    "net::ERR_TUNNEL_CONNECTION_FAILED": "The proxy did not connect to this server. Check the "
    "address. Some SOCKS proxies reject wrong credentials this way.",
}
"""Hints for the errors of the user's own proxy."""


def why_not_loaded(call: Call, top: Frame) -> str:
    """Return why the browser shows its error page; "" if the reason is unknown."""
    requests = call.memory.requests
    error_text = requests.failed.get(top.loader_id) if requests is not None else None
    if requests is None or error_text is None:
        return ""
    error: TabwardenError
    try:
        error_text = reason_of(call.task, top.url, error_text, requests.failed_before)
        error = load_failed(top.url, error_text, failing_route(call.state, top.url))
    except Denied as denied:
        error = denied
    return joined(error.message, error.hint)


def load_failed(
    url: str, error_text: str, route: Route | None = None
) -> PageUnreachable | BadCertificate:
    """Return the error for a failed load.

    Args:
        url: the URL that failed.
        error_text: the browser's reason, such as ``net::ERR_CONNECTION_REFUSED``.
        route: the route that made the request fail.
    """
    if error_text.startswith("net::ERR_CERT_"):
        return BadCertificate(
            f"The browser does not trust the certificate of {address(url)}: {error_text}.",
            "Check the address. Only the person responsible can decide to trust this server.",
            url=url,
            error_text=error_text,
        )
    hint = _HINTS.get(error_text, "Check the address, or try again later.")
    if route is not None:
        remove = Next("route", mode="remove", route_id=route.id)
        hint = Hint(f"Route {route.id} makes this request fail. Remove the route", remove, ".")
    elif error_text.startswith(_NAMES):
        hint = "The server's name could not be resolved. Check the address."
    elif error_text in _OF_PROXY:
        hint = _OF_PROXY[error_text]
    elif error_text.startswith(_DOWN):
        hint = "The server may be down. Check the address, or try again later."
    elif error_text.startswith(_BLOCKED):
        hint = (
            "The browser blocks this URL because of a rule set by the server, an extension or this "
            "computer."
        )
    elif error_text in _OFFLINE:
        hint = "The computer is offline. Try again later."
    return PageUnreachable(
        f"{address(url)} could not be loaded: {error_text}.",
        hint,
        url=without_login(url),
        error_text=error_text,
    )
