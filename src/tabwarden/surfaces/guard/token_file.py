"""The tenants' tokens and their file, which only the server's user can read. Changes to the file
are atomic.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import stat
import tempfile
import time
from collections.abc import Callable, Collection
from datetime import datetime
from pathlib import Path

import msgspec
from platformdirs import user_state_path

from tabwarden.actions import checked_tenant
from tabwarden.config import PERMISSIONS, Permission
from tabwarden.errors import InvalidArgument
from tabwarden.files.locks import try_lock
from tabwarden.files.private_folder import make_private_folder
from tabwarden.files.secret_file import open_private
from tabwarden.surfaces.guard.principal import Principal

DEFAULT_ALLOW: tuple[Permission, ...] = ("read", "act", "files", "scripts")
"""A token's default permissions. They don't include ``live``, which grants a person's rights, and
``attach``, which gives access to browsers that no tenant owns, such as the user's own browser.
"""


class OldSecret(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The secret that a token had before its last rotation."""

    sha256: str
    until: datetime


class Token(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A token in the file. The file contains only a hash of the token's secret, so the token can't
    be used by someone who reads the file.
    """

    name: str
    tenant: str
    allow: tuple[Permission, ...]
    max_tasks: int | None
    created: datetime
    expires: datetime | None
    sha256: str
    old: OldSecret | None = None

    def is_valid(self, digest: str, now: datetime) -> bool:
        """Whether the secret with this digest is valid at the time ``now``. Runs in constant
        time.
        """
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
    """The tokens of all tenants. This list is immutable; methods that change the tokens return a
    new list.
    """

    version: int = 1
    tokens: tuple[Token, ...] = ()

    def find(self, digest: str, now: datetime) -> Token | None:
        """Return the token whose secret has this digest, if the token is valid at the time
        ``now``.
        """
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
            name: the token's name, which may be logged. The rules for tenants' names apply.
            secret: the secret that clients send.
            now: the current time.
            tenant: the tenant whose tasks the token can use. The default is ``name``.
            allow: the token's permissions.
            max_tasks: maximum number of the tenant's open browsers.
            expires: the time at which the token expires; None if it never expires.

        Raises:
            InvalidArgument: a value is invalid, or a token with this name exists.
        """
        checked_tenant(name, "name")
        if any(one.name == name for one in self.tokens):
            raise InvalidArgument(
                f"A token {name!r} already exists.",
                f"Choose another name, or give it a new secret: tabwarden token rotate {name}.",
                field="name",
            )
        if max_tasks is not None and max_tasks < 1:
            raise InvalidArgument(
                f"max_tasks must be at least 1, not {max_tasks}.",
                "Use a larger number, or omit it.",
                field="max_tasks",
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
        """Replace a token's secret. The previous secret stays valid until ``old_until``. Older
        secrets become invalid.

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
    """Return the hash of a secret. A plain SHA-256 is enough, because the secret has 256 random
    bits. Salted, slow hashes are for passwords, which people choose.
    """
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


LOCK_S = 5.0
"""How long to wait for another program that is changing the tokens."""
LOCK_PAUSE_S = 0.02
"""The pause between attempts to lock the tokens."""

_BYTES = 32


def fresh_token() -> str:
    """Return a new token: 256 random bits, with a prefix that secret scanners recognize."""
    return f"tabwarden_{secrets.token_urlsafe(_BYTES)}"


def tokens_file(configured: Path | None) -> Path:
    """Return the path of the tokens' file: ``server.tokens_file``, or a file in the user's state
    folder.
    """
    return configured or user_state_path("tabwarden") / "tokens.json"


def read_tokens(path: Path) -> TokenList:
    """Return the tokens in a file; an empty list if there is no file.

    Raises:
        InvalidArgument: the file can't be read, is invalid, or can be changed by other users.
    """
    if path.exists() and not path.is_file():  # reading a pipe could block forever
        raise _unusable(path, "it is not a regular file")
    try:
        with path.open("rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            text = file.read()
    except FileNotFoundError:
        return TokenList()
    except OSError as error:
        raise _unusable(path, f"it can't be read: {error.strerror}") from None
    # Windows has no permission bits. The user's own folder protects the file there.
    if os.name != "nt" and mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise _unusable(path, "other users can write to it")
    try:
        return msgspec.json.decode(text, type=TokenList)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise _unusable(path, str(error)) from None


def change_tokens(path: Path, change: Callable[[TokenList], TokenList]) -> TokenList:
    """Replace the tokens in a file with ``change(tokens)``, and return the new tokens. The change
    is atomic for other programs. If ``change`` raises, nothing changes.

    Raises:
        InvalidArgument: the file can't be read or written.
    """
    try:
        make_private_folder(path.parent)
        with open_private(path.with_name(f"{path.name}.lock"), "ab") as lock:
            _wait_for(lock.fileno(), path)
            changed = change(read_tokens(path))
            _write(path, msgspec.json.format(msgspec.json.encode(changed), indent=2) + b"\n")
    except OSError as error:
        raise _unusable(path, f"it can't be written: {error.strerror}") from None
    return changed


def _write(path: Path, text: bytes) -> None:
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")  # mode 0600
    try:
        with open(handle, "wb") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def _wait_for(lock: int, path: Path) -> None:
    until = time.monotonic() + LOCK_S
    while not try_lock(lock):
        if time.monotonic() > until:
            raise _unusable(path, "another program is changing it")
        time.sleep(LOCK_PAUSE_S)


def _unusable(path: Path, why: str) -> InvalidArgument:
    return InvalidArgument(
        f"The tokens in {path} can't be used: {why}.",
        "Fix the file, or set server.tokens_file to another file.",
        field="server.tokens_file",
    )
