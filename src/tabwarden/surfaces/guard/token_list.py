"""The tokens of tenants, as values: create, rotate, revoke and find them. Does no I/O."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Collection
from datetime import datetime

import msgspec

from tabwarden.actions import checked_tenant
from tabwarden.config import PERMISSIONS, Permission
from tabwarden.errors import InvalidArgument
from tabwarden.surfaces.guard.principal import Principal

DEFAULT_ALLOW: tuple[Permission, ...] = ("read", "act", "files", "scripts")
"""``live`` gives whoever has the token a person's powers, and ``attach`` reaches browsers that no
tenant owns, such as the user's own. They must be asked for."""


class OldSecret(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The secret of a token before its last rotation."""

    sha256: str
    until: datetime


class Token(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is kept of a token. Its secret is not: who reads the file can't use it."""

    name: str
    tenant: str
    allow: tuple[Permission, ...]
    max_tasks: int | None
    created: datetime
    expires: datetime | None
    sha256: str
    old: OldSecret | None = None

    def is_valid(self, digest: str, now: datetime) -> bool:
        """Whether the secret with this digest is good at a time. Takes the same time for each."""
        is_now = hmac.compare_digest(self.sha256, digest)
        old = self.old
        was = hmac.compare_digest(old.sha256 if old else "", digest)
        if self.expires is not None and now >= self.expires:
            return False
        return is_now or (was and old is not None and now < old.until)

    @property
    def principal(self) -> Principal:
        return Principal(
            name=self.name,
            tenant=self.tenant,
            permissions=frozenset(self.allow),
            max_tasks=self.max_tasks,
        )


class TokenList(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All tokens of tenants. The changes return a new list."""

    version: int = 1
    tokens: tuple[Token, ...] = ()

    def find(self, digest: str, now: datetime) -> Token | None:
        """Return the token whose secret has this digest, if it is valid at that time."""
        valid = [one for one in self.tokens if one.is_valid(digest, now)]
        return valid[0] if valid else None

    def create(
        self,
        name: str,
        secret: str,
        now: datetime,
        *,
        tenant: str | None = None,
        allow: Collection[Permission] = DEFAULT_ALLOW,
        max_tasks: int | None = None,
        expires: datetime | None = None,
    ) -> TokenList:
        """Add a token.

        Args:
            name: its name, which logs may show; like a tenant's.
            secret: what its owner sends.
            now: the time.
            tenant: whose tasks it reaches; by default, the token's name is also the tenant's.
            allow: its permissions.
            max_tasks: maximum number of the tenant's open browsers.
            expires: when it ends; None: never.

        Raises:
            InvalidArgument: a value is not valid, or there is a token with this name.
        """
        checked_tenant(name, "name")
        if any(one.name == name for one in self.tokens):
            raise InvalidArgument(
                f"There is a token {name!r} already.",
                f"Choose another name, or give it a new secret: tabwarden token rotate {name}.",
                field="name",
            )
        if max_tasks is not None and max_tasks < 1:
            raise InvalidArgument(
                f"max_tasks is {max_tasks}.", "A token needs at least 1.", field="max_tasks"
            )
        made = Token(
            name=name,
            tenant=name if tenant is None else checked_tenant(tenant, "tenant"),
            allow=tuple(one for one in PERMISSIONS if one in allow),
            max_tasks=max_tasks,
            created=now,
            expires=expires,
            sha256=digest_of(secret),
        )
        return TokenList(tokens=(*self.tokens, made))

    def rotate(self, name: str, secret: str, old_until: datetime) -> TokenList:
        """Give a token a new secret. The last one is valid until ``old_until``; older ones end.

        Raises:
            InvalidArgument: there is no such token.
        """
        found = self.named(name)
        old = OldSecret(sha256=found.sha256, until=old_until)
        made = msgspec.structs.replace(found, sha256=digest_of(secret), old=old)
        return TokenList(tokens=tuple(made if one is found else one for one in self.tokens))

    def revoke(self, name: str) -> TokenList:
        """Remove a token. Raise ``InvalidArgument`` if there is no such token."""
        found = self.named(name)
        return TokenList(tokens=tuple(one for one in self.tokens if one is not found))

    def named(self, name: str) -> Token:
        """Return the token with this name. Raise ``InvalidArgument`` if there is none."""
        found = next((one for one in self.tokens if one.name == name), None)
        if found is None:
            raise InvalidArgument(
                f"There is no token {name[:100]!r}.",
                f"Tokens: {', '.join(one.name for one in self.tokens) or 'none'}.",
                field="name",
            )
        return found


def digest_of(secret: str) -> str:
    """Return what is kept of a secret.

    A plain SHA-256 is right here: the secret has 256 random bits, so nobody can guess it, however
    fast the hash is. Salt and slowness are for passwords, which people choose.
    """
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
