"""Remove secrets from log lines: keys, passwords, and everything after the host in URLs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from urllib.parse import urlsplit

# Pages can choose the texts, so each pattern must match in linear time
# (tests/unit/test_patterns.py). If a match can begin at any character, its length is limited. A
# match without a length limit can begin only where a run of its characters begins.
_URL = re.compile(r"[a-z][a-z0-9+.-]{0,20}://[^\s\"'<>]+", re.IGNORECASE)
_HEADER = re.compile(
    r"(?i)\b((?:proxy-)?authorization|cookie|set-cookie|x-api-key)(\"?'?\s*[:=]\s*)[^\r\n]+"
)
_PAIR = re.compile(
    r"(?i)((?:token|secret|passw(?:or)?d|passphrase|pwd|credentials?|session[_-]?id|signature"
    r"|(?:api|access|account|private)[_-]?key|[_-]key)|\bkey|\bsig|\bauth|\bjwt)"
    r"(\"?'?\s*[=:]\s*\"?'?)[^\s&,;\"'}]+"
)
_JWT = re.compile(r"(?<![\w-])(?=[\w-]+\.[\w-])([\w-]*?\b)eyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]*)?")

_LONGEST_LINE = 20_000
"""The maximum length in characters. The rest of a longer text is omitted and not searched."""


def redacted(text: str) -> str:
    """Shorten the URLs in ``text`` to scheme, host and port, and remove the values after ``key=``,
    ``token=``, ``Authorization:`` and similar names.
    """
    if len(text) > _LONGEST_LINE:
        text = f"{text[:_LONGEST_LINE]}…"
    text = _HEADER.sub(r"\1\2…", hosts_only(text))
    return _JWT.sub(r"\1…", _PAIR.sub(r"\1\2…", text))


def without_credentials(text: str) -> str:
    """Remove JSON Web Tokens, secrets in URLs, and the values after ``Authorization:``, ``Cookie:``
    and similar names.
    """
    if "://" in text:
        text = _URL.sub(lambda match: url_without_secrets(match[0]), text)
    return _JWT.sub(r"\1…", _HEADER.sub(r"\1\2…", text))


def hosts_only(text: str) -> str:
    """Shorten every URL in ``text`` to scheme, host and port."""
    return _URL.sub(_host, text)


def _host(match: re.Match[str]) -> str:
    url = match[0].rstrip(".,:;)")
    rest = match[0][len(url) :]
    try:
        parts = urlsplit(url)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return f"an address{rest}"
    host = parts.hostname or ""
    return f"{parts.scheme}://{f'[{host}]' if ':' in host else host}{port}{rest}"


_SECRET_NAME = re.compile(
    r"(?i)token|secret|pass(?:w|phrase)|pwd|[_-]key|apikey|accesskey|signature|credential|jwt"
    r"|session|sessid|assertion|saml|verifier"
    r"|^(key|sig|auth|code|sid|ticket|nonce|otp|pin|x-amz-.*|se|sv|sp)$"
)
_IN_A_PATH = re.compile(r"(?<=;)[^;/=]+=[^;/]*")


def without_login(url: str) -> str:
    """Return a URL without its user name and password."""
    return _LOGIN.sub(r"\1", url, count=1) if "@" in url else url


def url_without_secrets(url: str) -> str:
    """Return a URL that a model may read. The path stays. The user name, the password, and the
    values of parameters such as ``access_token``, ``sig`` or ``code`` are removed.
    """
    head, hash_, fragment = without_login(url).partition("#")
    head, query_mark, query = head.partition("?")
    scheme, slashes, rest = head.partition("://")
    if slashes:
        host, slash, path = rest.partition("/")
        path = _IN_A_PATH.sub(lambda match: _pair(match[0]), path)
        head = f"{scheme}://{host}{slash}{path}"
    query = "&".join(_pair(pair) for pair in query.split("&"))
    fragment = "&".join(_pair(pair) for pair in fragment.split("&"))
    return _JWT.sub(r"\1…", f"{head}{query_mark}{query}{hash_}{fragment}")


def _pair(pair: str) -> str:
    name, equals, value = pair.partition("=")
    return f"{name}=…" if value and equals and _SECRET_NAME.search(name) else pair


_LOGIN = re.compile(r"(?i)^([a-z][a-z0-9+.:-]{0,60}:[/\\]{2,4})[^/\\?#]*@")


HIDDEN = "[hidden]"
"""The replacement for a secret header value."""
_SECRET_HEADER = re.compile(
    r"(?i)^(proxy-)?authorization$|^(set-)?cookie2?$|token|secret|passw|pwd|[-_]key$|apikey"
    r"|signature|credential|jwt|session|[-_]auth([-_]|$)|^auth([-_]|$)|assertion"
)
_NO_SECRET_HEADER = re.compile(r"(?i)^(access-control-|sec-websocket-key$|sec-(ch|fetch)-)")
_URL_HEADERS = {"location", "referer", "content-location", "refresh", "link", ":path"}


def headers_without_secrets(headers: Mapping[str, str]) -> dict[str, str]:
    """Return headers in which the values of authentication headers, such as ``Cookie``, are
    replaced.
    """
    redacted_headers = {}
    for name, value in headers.items():
        if logs_in(name):
            redacted_headers[name] = HIDDEN
        elif name.lower() in _URL_HEADERS:
            redacted_headers[name] = url_without_secrets(value)
        elif "://" in value or "eyJ" in value:  # a URL or a JSON Web Token
            redacted_headers[name] = without_credentials(value)
        else:
            redacted_headers[name] = value
    return redacted_headers


@lru_cache(maxsize=500)
def logs_in(name: str) -> bool:
    """Return whether a header with this name contains a secret."""
    return bool(_SECRET_HEADER.search(name)) and not _NO_SECRET_HEADER.match(name)


_STRING = r'"((?:[^"\\]|\\.)*+)(?:"|\\?\Z)'
"""A JSON string. The last string in shortened text may have no closing quote."""
_IN_JSON = re.compile(rf"({_STRING})(?:(\s*+:\s*)(?:{_STRING}|-?[0-9][\w.+-]*))?", re.DOTALL)
_IN_MULTIPART = re.compile(r'(name="([^"]{0,200})"[^\r\n]{0,200}\r\n\r\n)[^\r\n]*')


def _in_json(match: re.Match[str]) -> str:
    name, colon = match[2], match[3]
    return f'{match[1]}{colon}"…"' if colon and _SECRET_NAME.search(name) else match[0]


def body_without_secrets(text: str) -> str:
    """Return a request body without the values of fields such as ``password``. The body can be a
    form (URL-encoded or multipart) or JSON.
    """
    if text.lstrip()[:1] in ("{", "["):
        text = _IN_JSON.sub(_in_json, text)
    elif text.startswith("--"):
        text = _IN_MULTIPART.sub(
            lambda match: f"{match[1]}…" if _SECRET_NAME.search(match[2]) else match[0], text
        )
    elif "=" in text and not any(one.isspace() for one in text):
        text = "&".join(_pair(pair) for pair in text.split("&"))
    return without_credentials(text)
