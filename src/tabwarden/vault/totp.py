"""TOTP: one-time codes from a seed (RFC 6238)."""

from __future__ import annotations

import base64
import binascii
import hmac
from typing import NamedTuple
from urllib.parse import parse_qs, urlsplit

_ALGORITHMS = ("sha1", "sha256", "sha512")


class Totp(NamedTuple):
    key: bytes
    digits: int = 6
    period: int = 30
    """The number of seconds for which a code is valid."""
    algorithm: str = "sha1"

    def code(self, now: float) -> str:
        """Return the code at ``now``, in seconds since 1970."""
        counter = int(now // self.period).to_bytes(8, "big")
        digest = hmac.digest(self.key, counter, self.algorithm)
        at = digest[-1] & 15
        number = int.from_bytes(digest[at : at + 4], "big") & 0x7FFFFFFF
        return str(number % 10**self.digits).zfill(self.digits)

    def left_s(self, now: float) -> float:
        """Return the number of seconds for which the code at ``now`` stays valid."""
        return self.period - now % self.period


def parse_seed(text: str) -> Totp:
    """Parse a seed in the formats that sites show: base32 with or without spaces, or an
    ``otpauth://`` URL.

    Raises:
        ValueError: the seed is neither. The message does not quote it.
    """
    if not text.startswith("otpauth:"):
        return Totp(_key(text))
    try:
        parts = urlsplit(text)
        parameters = {name: values[0] for name, values in parse_qs(parts.query).items()}
        totp = Totp(
            _key(parameters.get("secret", "")),
            int(parameters.get("digits", 6)),
            int(parameters.get("period", 30)),
            parameters.get("algorithm", "SHA1").lower(),
        )
    except ValueError:
        raise ValueError("it is not a valid otpauth: URL") from None
    known = totp.algorithm in _ALGORITHMS and 6 <= totp.digits <= 8 and 5 <= totp.period <= 300
    if parts.netloc != "totp" or not known:
        raise ValueError("it is an otpauth: URL with unsupported parameters")
    return totp


def _key(text: str) -> bytes:
    plain = "".join(text.split()).replace("-", "").rstrip("=").upper()
    try:
        key = base64.b32decode(plain + "=" * (-len(plain) % 8))
    except binascii.Error:
        key = b""
    if not key:
        raise ValueError("a seed must be base32 (A to Z and 2 to 7) or an otpauth: URL")
    return key
