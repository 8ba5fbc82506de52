"""The bearer token. We create it once, in a file that only the user can read."""

from __future__ import annotations

import secrets
from pathlib import Path

from platformdirs import user_state_path

from tabwarden.errors import InvalidArgument
from tabwarden.files.secret_file import kept_secret

_BYTES = 32


def token_file() -> Path:
    return user_state_path("tabwarden") / "server.token"


def kept_token(path: Path) -> str:
    """Return the token in the file at ``path``.

    Create a new token if the file is missing or if other users could have read it.

    Raises:
        InvalidArgument: the file can't be written.
    """
    try:
        return kept_secret(path, _fresh).decode("ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidArgument(
            f"The server can't save its token in {path}: {error}.",
            "Fix this error, or set a token: TABWARDEN_SERVER__TOKEN or server.token.",
            field="server.token",
        ) from None


def _fresh() -> bytes:
    return f"{secrets.token_urlsafe(_BYTES)}\n".encode()
