"""What a log line may say: no address beyond its host, no key, no password."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

__all__ = ["hosts_only", "redacted"]

_URL = re.compile(r"\b[a-z][a-z0-9+.-]*://[^\s\"'<>]+", re.IGNORECASE)
_HEADER = re.compile(
    r"(?i)\b((?:proxy-)?authorization|cookie|set-cookie|x-api-key)(\"?'?\s*[:=]\s*)[^\r\n]+"
)
_PAIR = re.compile(
    r"(?i)([\w-]*(?:token|secret|password|passwd|api[_-]?key|apikey|signature)|\bkey|\bsig|\bauth)"
    r"(\"?'?\s*[=:]\s*\"?'?)[^\s&,;\"'}]+"
)


def redacted(text: str) -> str:
    """``text`` with addresses cut down to scheme and host, and without what follows ``key=``,
    ``token=``, ``Authorization:`` and the like."""
    text = _HEADER.sub(r"\1\2…", hosts_only(text))
    return _PAIR.sub(r"\1\2…", text)


def hosts_only(text: str) -> str:
    """``text`` with every address in it cut down to scheme, host and port."""
    return _URL.sub(_host, text)


def _host(found: re.Match[str]) -> str:
    url = found[0].rstrip(".,:;)")
    rest = found[0][len(url) :]
    try:
        parts = urlsplit(url)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return f"an address{rest}"
    host = parts.hostname or ""
    return f"{parts.scheme}://{f'[{host}]' if ':' in host else host}{port}{rest}"
