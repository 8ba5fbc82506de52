"""The file of the tenants' tokens: only its user can read it, and each change is whole."""

from __future__ import annotations

import os
import secrets
import stat
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
from platformdirs import user_state_path

from tabwarden.errors import InvalidArgument
from tabwarden.files.locks import try_lock
from tabwarden.files.private_folder import make_private_folder
from tabwarden.files.secret_file import open_private
from tabwarden.surfaces.guard.timing import LOCK_PAUSE_S, LOCK_S
from tabwarden.surfaces.guard.token_list import TokenList

_BYTES = 32


def fresh_token() -> str:
    """Return a new token of a tenant: 256 random bits, with a prefix that scanners can find."""
    return f"tabwarden_{secrets.token_urlsafe(_BYTES)}"


def tokens_file(configured: Path | None) -> Path:
    """Return the path of the file: ``server.tokens_file``, or a file in the user's state folder."""
    return configured or user_state_path("tabwarden") / "tokens.json"


def read_tokens(path: Path) -> TokenList:
    """Return the tokens in a file; none if there is no file.

    Raises:
        InvalidArgument: the file can't be read, is not such a file, or others can change it.
    """
    if path.exists() and not path.is_file():  # a pipe could have no end
        raise _unusable(path, "it is not a regular file")
    try:
        with path.open("rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            text = file.read()
    except FileNotFoundError:
        return TokenList()
    except OSError as error:
        raise _unusable(path, f"it can't be read: {error.strerror}") from None
    # Windows has no permission bits: there, the user's own folder protects the file.
    if os.name != "nt" and mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise _unusable(path, "other users can write to it")
    try:
        return msgspec.json.decode(text, type=TokenList)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise _unusable(path, str(error)) from None


def change_tokens(path: Path, change: Callable[[TokenList], TokenList]) -> TokenList:
    """Replace the tokens in a file by ``change(tokens)``. Return the new ones.

    Other programs wait for the change, or see all of it. If ``change`` raises, nothing changes.

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
        "Mend the file, or name another one (server.tokens_file).",
        field="server.tokens_file",
    )
