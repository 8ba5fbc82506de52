"""Check that the environment's proxy does not handle connections that must bypass it."""

from __future__ import annotations

from urllib.parse import urlsplit
from urllib.request import getproxies_environment, proxy_bypass

from tabwarden.surfaces.doctor.finding import Finding
from tabwarden.surfaces.doctor.patient import Patient

_LOOPBACK = ("localhost", "127.0.0.1")
_KINDS = {"http", "https", "all"}
_SCHEMES = {"http", "https", "socks4", "socks4a", "socks5", "socks5h"}


def check_proxies(patient: Patient) -> list[Finding]:
    """Check ``http_proxy`` and similar variables. Findings never show their passwords."""
    proxies = {
        kind: url for kind, url in getproxies_environment().items() if kind in _KINDS and url
    }
    if not proxies:
        return [Finding(check="proxies", status="ok", message="The environment sets no proxy.")]
    found = [_malformed(kind) for kind, url in proxies.items() if _address(url) is None]
    if found:
        return found
    named = ", ".join(sorted({str(_address(url)) for url in proxies.values()}))
    caught = [host for host in _LOOPBACK if not proxy_bypass(host)]
    if caught and proxies.keys() & {"http", "all"}:
        found.append(
            Finding(
                check="proxies",
                status="warning",
                message=f"Programs on this machine would use the proxy {named} for "
                f"{' and '.join(caught)}, so clients of tabwarden serve or of a browser's "
                "port can't connect. Tabwarden itself bypasses the proxy.",
                command='export NO_PROXY="localhost,127.0.0.1,::1${NO_PROXY:+,$NO_PROXY}"',
            )
        )
    host = _endpoint_host(patient.config.browser.endpoint)
    if host and not proxy_bypass(host):
        found.append(
            Finding(
                check="proxies",
                status="warning",
                message=f"Connections to the endpoint on {host} use the proxy {named}, which must "
                "allow WebSockets.",
                command=f'export NO_PROXY="{host}${{NO_PROXY:+,$NO_PROXY}}"',
            )
        )
    words = f"The proxy {named} does not affect connections to this machine."
    return found or [Finding(check="proxies", status="ok", message=words)]


def _malformed(kind: str) -> Finding:
    name = f"{kind.upper()}_PROXY"
    return Finding(
        check="proxies",
        status="problem",
        message=f"{name} is not a valid proxy address, so connections fail.",
        command=f"unset {name} {name.lower()}",
    )


def _address(url: str) -> str | None:
    """Return a proxy's host and port; None if the URL is invalid."""
    try:
        parts = urlsplit(url if "://" in url else f"http://{url}")
        port = parts.port
    except ValueError:
        return None
    if parts.scheme.lower() not in _SCHEMES or not parts.hostname or " " in url:
        return None
    return f"{parts.hostname}:{port}" if port else parts.hostname


def _endpoint_host(endpoint: str | None) -> str | None:
    """Return the endpoint's host if the endpoint is a URL on another computer; else None."""
    if endpoint is None or "://" not in endpoint:
        return None
    try:
        host = urlsplit(endpoint).hostname
    except ValueError:
        return None
    return None if host in {*_LOOPBACK, "::1"} else host
