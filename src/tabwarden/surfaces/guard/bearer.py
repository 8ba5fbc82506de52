"""The bearer token: made once, kept in a file that only its user can read."""

from __future__ import annotations

import logging
import os
import secrets
import stat
import tempfile
from pathlib import Path

from platformdirs import user_state_path

from tabwarden.errors import InvalidArgument

__all__ = ["kept_token", "token_file"]

logger = logging.getLogger(__name__)

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
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        if path.exists():
            kept = path.read_text("ascii").strip()
            if kept and _is_private(path):
                return kept
            logger.warning("%s could be read by others, or has no token: a new one is made", path)
            os.replace(_written(path), path)
        else:
            fresh = _written(path)
            try:
                os.link(fresh, path)
            except FileExistsError:  # another server was quicker: its token is the one
                pass
            finally:
                fresh.unlink()
        return path.read_text("ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidArgument(
            f"The server's token can't be kept in {path}: {error}.",
            "Mend that, or name a token: TABWARDEN_SERVER__TOKEN or server.token.",
            field="server.token",
        ) from None


def _written(path: Path) -> Path:
    """A fresh token in a file beside ``path``; mkstemp makes it for its user only."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    with open(handle, "w", encoding="ascii") as file:
        file.write(secrets.token_urlsafe(_BYTES) + "\n")
    return Path(name)


def _is_private(path: Path) -> bool:
    # Windows has no such bits: there the user's own folder is what protects it.
    others = stat.S_IRWXG | stat.S_IRWXO
    return os.name == "nt" or not path.stat().st_mode & others
