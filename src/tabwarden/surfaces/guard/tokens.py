"""``Tokens``: the tokens that a running server accepts. Changes to the tokens' file apply at
once.
"""

from __future__ import annotations

import hmac
import logging
import os
import re
import secrets
import time
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from starlette.datastructures import Headers
from starlette.types import Scope

from tabwarden.errors import InvalidArgument
from tabwarden.surfaces.guard.principal import OPERATOR, Principal
from tabwarden.surfaces.guard.token_file import TokenList, digest_of, read_tokens

log = logging.getLogger("tabwarden.tokens")

_SETTLED_NS = 50_000_000
"""A file that changed more recently than this may change again with the same modification time,
because file systems' clocks are coarse.
"""


class _Look(NamedTuple):
    changed_ns: int
    size: int
    inode: int


class Grant(NamedTuple):
    """The permissions of a request with a valid token."""

    principal: Principal
    digest: str


class Tokens:
    """The operator's token, which is the server's own, and the tenants' tokens.

    Args:
        own: the server's own token.
        path: the file of the tenants' tokens; None if the server has no tenants.
    """

    def __init__(self, own: str, path: Path | None = None) -> None:
        self._own = own.encode()
        self._path = path
        self._list = TokenList()
        self._seen: _Look | None = None
        self._is_read = False
        self._problem = ""

    def grant(self, headers: Headers) -> Grant | None:
        """Return the grant for the token in a request's headers; None without a valid token."""
        named = headers.getlist("authorization")
        scheme, _, token = named[0].partition(" ") if len(named) == 1 else ("", "", "")
        # Compare the token whatever the scheme is, so that the time does not depend on the scheme.
        found = self._grant(token.strip())
        return found if scheme.lower() == "bearer" else None

    def _grant(self, token: str) -> Grant | None:
        # Always run both comparisons. Each takes the same time for every token.
        is_own = secrets.compare_digest(token.encode("utf-8", "surrogatepass"), self._own)
        digest = digest_of(token)
        found = self._now().find(digest, datetime.now(UTC))
        if is_own:
            return Grant(OPERATOR, "")
        return None if found is None else Grant(found.principal, digest)

    def proof(self, scope: Scope) -> str | None:
        """Return the proof for a program that checks whether this server knows its token; None for
        another request or an unknown token.
        """
        return proof_for(scope, self._digests())

    def _digests(self) -> Iterator[str]:
        yield digest_of(self._own.decode())
        for one in self._now().tokens:
            yield one.sha256
            if one.old is not None:
                yield one.old.sha256

    def is_valid(self, grant: Grant) -> bool:
        """Whether a grant is still valid. Changing a token invalidates its grants."""
        if grant.principal.is_operator:
            return True
        found = self._now().find(grant.digest, datetime.now(UTC))
        return found is not None and found.principal == grant.principal

    def _now(self) -> TokenList:
        """Return the tokens that are in the file now. Costs one ``stat`` if the file is
        unchanged.
        """
        if self._path is None:
            return self._list
        look = _look(self._path)
        if not self._is_read or look != self._seen:
            self._read(self._path, look)
        return self._list

    def _read(self, path: Path, look: _Look | None) -> None:
        self._seen = look
        self._is_read = look is None or time.time_ns() - look.changed_ns > _SETTLED_NS
        problem = ""
        try:
            self._list = read_tokens(path)
        except InvalidArgument as error:
            # Accept no token, because the change that can't be read may have revoked a token.
            self._list, self._is_read = TokenList(), False
            problem = f"{error.message} {error.hint}"
        if problem and problem != self._problem:
            log.error("all tenants' tokens are rejected: %s", problem)
        self._problem = problem


def _look(path: Path) -> _Look | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return _Look(found.st_ctime_ns, found.st_size, found.st_ino)


PATH = "/proof"
_QUERY = re.compile(r"nonce=([0-9a-f]{64})&mac=([0-9a-f]{64})")


def proof_for(scope: Scope, digests: Iterable[str]) -> str | None:
    """Return the response to a request for a proof; None for another request, or if the sender
    knows no token. Before a program sends its token to a port of this machine, the server proves
    that it knows the token, because another program could be using the port.

        GET /proof?nonce=NONCE&mac=MAC("client NONCE")
        200: MAC("server NONCE ADDRESS PORT")

    MAC is HMAC-SHA256 with the token's SHA-256 as its key, because the server stores only the hash
    of a tenant's token. All values are in hexadecimal; a nonce has 32 bytes. The server replies
    only to senders that know a token. With a reply, other senders could guess tokens offline.
    ADDRESS is the connection's local address, so another program can't relay a proof from a server
    that listens on another address.

    Args:
        scope: the request's scope.
        digests: the SHA-256 of each token, in hexadecimal. The iterable is consumed only if the
            request is for a proof.
    """
    if (scope["type"], scope["path"], scope.get("method")) != ("http", PATH, "GET"):
        return None
    challenge = _QUERY.fullmatch(scope["query_string"].decode("latin-1"))
    if challenge is None:
        return None
    nonce, client_mac = challenge.groups()
    address, port = scope["server"]
    for key in digests:
        if hmac.compare_digest(client_mac, _mac(key, f"client {nonce}")):
            return _mac(key, f"server {nonce} {address} {port}")
    return None


def _mac(key: str, words: str) -> str:
    return hmac.new(key.encode(), words.encode(), "sha256").hexdigest()
