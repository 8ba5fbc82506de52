"""The bearer token: created once, in a file that only its user can read."""

from __future__ import annotations

import secrets
from pathlib import Path

from platformdirs import user_state_path

from tabwarden.errors import InvalidArgument
from tabwarden.secret_file import kept_secret

_BYTES = 32


def token_file() -> Path:
    """Return the token's file."""
    return user_state_path("tabwarden") / "server.token"


def kept_token(path: Path) -> str:
    """Return the token in a file; create it if missing.

    A token that other users could have read is replaced.

    Raises:
        InvalidArgument: the file can't be written.
    """
    try:
        return kept_secret(path, _fresh).decode("ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidArgument(
            f"The server can't save its token in {path}: {error}.",
            "Fix that, or set a token: TABWARDEN_SERVER__TOKEN or server.token.",
            field="server.token",
        ) from None


def _fresh() -> bytes:
    return f"{secrets.token_urlsafe(_BYTES)}\n".encode()
