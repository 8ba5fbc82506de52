"""Mask the kinds of secrets in page content that Hermes Agent masks.

Hermes keeps the first 6 and the last 4 characters of a secret with at least 18 characters, and
masks shorter secrets completely.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_SHORTEST_SHOWN = 18
_HIDDEN = "***"
_TOKEN_PREFIXES = (
    r"sk-[\w-]{10,}", r"gh[pousr]_[A-Za-z0-9]{10,}", r"github_pat_\w{10,}",
    r"xapp-\d+-[A-Za-z0-9-]{10,}", r"xox[abprs]-[A-Za-z0-9-]{10,}", r"AIza[\w-]{30,}",
    r"pplx-[A-Za-z0-9]{10,}", r"fal_[\w-]{10,}", r"fc-[A-Za-z0-9]{10,}", r"bb_live_[\w-]{10,}",
    r"gAAAA[\w=-]{20,}", r"AKIA[A-Z0-9]{16}", r"[sr]k_(?:live|test)_[A-Za-z0-9]{10,}",
    r"sk_\w{10,}", r"SG\.[\w-]{10,}", r"hf_[A-Za-z0-9]{10,}", r"r8_[A-Za-z0-9]{10,}",
    r"npm_[A-Za-z0-9]{10,}", r"pypi-[\w-]{10,}", r"do[op]_v1_[A-Za-z0-9]{10,}",
    r"am_[\w-]{10,}", r"tvly-[A-Za-z0-9]{10,}", r"exa_[A-Za-z0-9]{10,}",
    r"gsk_[A-Za-z0-9]{10,}", r"syt_[A-Za-z0-9]{10,}", r"retaindb_[A-Za-z0-9]{10,}",
    r"hsk-[A-Za-z0-9]{10,}", r"mem0_[A-Za-z0-9]{10,}", r"brv_[A-Za-z0-9]{10,}",
    r"xai-[A-Za-z0-9]{30,}", r"ntn_[A-Za-z0-9]{10,}", r"fw[-_][A-Za-z0-9]{30,}",
    r"fpk_[A-Za-z0-9]{30,}",
)  # fmt: skip
_TOKEN = re.compile(rf"(?<![\w-])(?:{'|'.join(_TOKEN_PREFIXES)})(?![\w-])", re.ASCII)
_JWT = re.compile(r"eyJ[\w-]{10,}(?:\.[\w=-]{4,}){0,2}", re.ASCII)
_PRIVATE_KEY = re.compile(
    r"-----BEGIN[A-Z ]*PRIVATE KEY-----(?:(?!-----BEGIN)[\s\S])*?-----END[A-Z ]*PRIVATE KEY-----"
)
_BEFORE_SECRET = (
    re.compile(r"((?:proxy-)?authorization:\s*(?:[a-z][\w.+-]*\s+)?)([^\s\"']+)", re.I),
    re.compile(r"((?:x-)?(?:goog-)?(?:api-?key|(?:api|auth|access)-token)\s*:\s*)(\S+)", re.I),
    re.compile(r"((?:postgres(?:ql)?|mysql|mongodb(?:\+srv)?|redis|amqp)://(?:[^:\s/]|/(?!/))+:)((?:[^@\s/]|/(?!/))+)(?=@)",
               re.I),
    re.compile(r"(\b\d{8,}:)([\w-]{30,})", re.ASCII),
    re.compile(r"(\b[A-Z0-9_]{0,50}(?:API_?KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL|AUTH)"
               r"[A-Z0-9_]{0,50}\s*=\s*['\"]?)([^\s'\"]+)"),
    re.compile(r"(\"(?:api_?key|(?:access_|refresh_|auth_)?token|secret|password|bearer|"
               r"secret_value|raw_secret|secret_input|key_material)\"\s*:\s*\")([^\"]+)", re.I),
)  # fmt: skip
"""Text that precedes a secret, which is kept, and the secret itself."""

Path = tuple[str, ...]
_ALWAYS_BINARY: Mapping[str, Path] = {
    "Page.captureScreenshot": ("data",),
    "Page.printToPDF": ("data",),
    "Network.streamResourceContent": ("bufferedData",),
    "HeadlessExperimental.beginFrame": ("screenshotData",),
    "CacheStorage.requestCachedResponse": ("response", "body"),
}
"""The fields of CDP results that contain base64. Masking apparent secrets in them would corrupt the
bytes.
"""
_FLAGGED_BINARY: Mapping[str, Path] = {
    "Network.getResponseBody": ("body",),
    "Fetch.getResponseBody": ("body",),
    "IO.read": ("data",),
    "Network.getRequestPostData": ("postData",),
}
"""The fields of CDP results that contain base64 if the adjacent field ``base64Encoded`` is true."""


def masked(value: Any) -> Any:
    """Return a JSON value with the secrets in its strings and keys masked."""
    if isinstance(value, str):
        return _masked_text(value)
    if isinstance(value, Mapping):
        return {masked(key): masked(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [masked(item) for item in value]
    return value


def masked_cdp(method: str, result: Any) -> Any:
    """Return a CDP result with its secrets masked, and its base64 unchanged.

    Only the fields that the protocol defines for ``method`` are treated as base64, because a page
    can put a field ``base64Encoded`` into its own values.
    """
    hidden = masked(result)
    path = _ALWAYS_BINARY.get(method)
    if path is None and isinstance(result, Mapping) and result.get("base64Encoded") is True:
        path = _FLAGGED_BINARY.get(method)
    if path is not None:
        original, copy = result, hidden
        for step in path[:-1]:
            original, copy = _inside(original, step), _inside(copy, step)
        data = _inside(original, path[-1])
        if isinstance(data, str) and isinstance(copy, dict):
            copy[path[-1]] = data
    return hidden


def _inside(value: Any, key: str) -> Any:
    return value.get(key) if isinstance(value, Mapping) else None


def _masked_text(text: str) -> str:
    text = _PRIVATE_KEY.sub("[a private key, masked]", text)
    for pattern in _BEFORE_SECRET:
        text = pattern.sub(lambda match: match[1] + _mask(match[2]), text)
    text = _JWT.sub(lambda match: _mask(match[0]), text)
    return _TOKEN.sub(lambda match: _mask(match[0]), text)


def _mask(secret: str) -> str:
    if "..." in secret or _HIDDEN in secret:  # already masked by another pattern
        return secret
    return f"{secret[:6]}...{secret[-4:]}" if len(secret) >= _SHORTEST_SHOWN else _HIDDEN
