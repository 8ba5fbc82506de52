"""The bearer token: made once, kept in a file that only its user can read."""

from __future__ import annotations

import secrets
from pathlib import Path

from platformdirs import user_state_path

from tabwarden.errors import InvalidArgument
from tabwarden.secret_file import kept_secret

__all__ = ["kept_token", "token_file"]

_BYTES = 32


def token_file() -> Path:
    """Where the token is kept."""
    return user_state_path("tabwarden") / "server.token"


def kept_token(path: Path) -> str:
    """The token in a file, made if there is none.

    One that others may have read is replaced.

    Raises:
        InvalidArgument: it can't be kept there.
    """
    try:
        return kept_secret(path, _fresh).decode("ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidArgument(
            f"The server's token can't be kept in {path}: {error}.",
            "Mend that, or name a token: TABWARDEN_SERVER__TOKEN or server.token.",
            field="server.token",
        ) from None


def _fresh() -> bytes:
    return f"{secrets.token_urlsafe(_BYTES)}\n".encode()
