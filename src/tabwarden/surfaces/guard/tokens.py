"""Tokens: the tokens that a running server accepts. It sees changes of their file at once."""

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
"""A file that changed more recently may change again without a new time: clocks of file systems are
coarse."""


class _Look(NamedTuple):
    changed_ns: int
    size: int
    inode: int


class Grant(NamedTuple):
    """A valid token that a request showed."""

    principal: Principal
    digest: str


class Tokens:
    """The server's own token, which is the operator's, and the tokens of tenants.

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
        """Return what the token in a request's headers grants; None without a valid token."""
        named = headers.getlist("authorization")
        scheme, _, shown = named[0].partition(" ") if len(named) == 1 else ("", "", "")
        found = self._grant(shown.strip())  # even if the header has a different scheme
        return found if scheme.lower() == "bearer" else None

    def _grant(self, shown: str) -> Grant | None:
        # Both comparisons always take place, and each takes the same time for every token.
        is_own = secrets.compare_digest(shown.encode("utf-8", "surrogatepass"), self._own)
        digest = digest_of(shown)
        found = self._now().find(digest, datetime.now(UTC))
        if is_own:
            return Grant(OPERATOR, "")
        return None if found is None else Grant(found.principal, digest)

    def proof(self, scope: Scope) -> str | None:
        """Return the answer to a program that asks whether this server knows its token; None if the
        request is another one, or the server does not."""
        return proof_for(scope, self._digests())

    def _digests(self) -> Iterator[str]:
        yield digest_of(self._own.decode())
        for one in self._now().tokens:
            yield one.sha256
            if one.old is not None:
                yield one.old.sha256

    def is_valid(self, grant: Grant) -> bool:
        """Whether a grant still holds. A token that was changed is no longer the same."""
        if grant.principal.is_operator:
            return True
        found = self._now().find(grant.digest, datetime.now(UTC))
        return found is not None and found.principal == grant.principal

    def _now(self) -> TokenList:
        """Return the tokens that are in the file now. Costs one ``stat`` if it did not change."""
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
            # No token is valid then: the change that can't be read may be that one was revoked.
            self._list, self._is_read = TokenList(), False
            problem = f"{error.message} {error.hint}"
        if problem and problem != self._problem:
            log.error("no tenant's token is valid: %s", problem)
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
    """Return the answer to a request for a proof; None if it is another request, or its sender
    knows no token. Before a program sends its token to an address of this machine, the server
    proves that it knows the token: any program could have taken the port.

        GET /proof?nonce=NONCE&mac=MAC("client NONCE")
        200: MAC("server NONCE ADDRESS PORT")

    MAC is HMAC-SHA256 with the token's SHA-256 as its key, since the server keeps no more of a
    tenant's token. All values are in hexadecimal; a nonce has 32 bytes. The server answers only
    those who know a token: with an answer, others could try tokens at their own pace. The address
    is the one at which the connection arrives, so nobody can pass on the answer of a server that
    listens elsewhere.

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
