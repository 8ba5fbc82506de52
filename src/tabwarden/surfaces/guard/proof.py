"""Proof: before a program sends its token to an address of this machine, the server proves that it
knows the token. Any program could have taken the port.

    GET /proof?nonce=NONCE&mac=MAC("client NONCE")
    200: MAC("server NONCE ADDRESS PORT")

MAC is HMAC-SHA256 with the token's SHA-256 as its key, since the server keeps no more of a tenant's
token. All values are in hexadecimal; a nonce has 32 bytes. The server answers only those who know a
token: with an answer, others could try tokens at their own pace. The address is the one at which
the connection arrives, so nobody can pass on the answer of a server that listens elsewhere.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Iterable

from starlette.types import Scope

PATH = "/proof"
_QUERY = re.compile(r"nonce=([0-9a-f]{64})&mac=([0-9a-f]{64})")


def proof_for(scope: Scope, digests: Iterable[str]) -> str | None:
    """Return the answer to a request for a proof; None if it is another request, or its sender
    knows no token.

    Args:
        scope: the request.
        digests: the SHA-256 of each token, in hexadecimal. Read only for a request for a proof.
    """
    if (scope["type"], scope["path"], scope.get("method")) != ("http", PATH, "GET"):
        return None
    asked = _QUERY.fullmatch(scope["query_string"].decode("latin-1"))
    if asked is None:
        return None
    nonce, client_mac = asked.groups()
    address, port = scope["server"]
    for key in digests:
        if hmac.compare_digest(client_mac, _mac(key, f"client {nonce}")):
            return _mac(key, f"server {nonce} {address} {port}")
    return None


def _mac(key: str, words: str) -> str:
    return hmac.new(key.encode(), words.encode(), "sha256").hexdigest()
