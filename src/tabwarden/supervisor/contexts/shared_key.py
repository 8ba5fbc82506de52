"""A secret that all of a user's programs share, so that their supervisors recognize each other's
bridges.

Two programs may work on the same page, such as an MCP host's server and a program started from a
shell. Each program injects a bridge, and resumes every script pause that its own bridge did not
cause. Without a shared secret, one program would end the other's pause and hide its dialog. With
the secret, a program can tell from V8's script information that a bridge belongs to the other
program and not to the page (``core/handlers/bridge.py``).
"""

from __future__ import annotations

import logging
import secrets
from functools import cache

from platformdirs import user_state_path

from tabwarden.files.secret_file import kept_secret

log = logging.getLogger("tabwarden.supervisor")

_BYTES = 32


@cache
def family_secret() -> bytes:
    """Return the user's shared secret, which is stored in a file that only the user can read. If
    the file can't be written, return a secret for this process only.
    """
    path = user_state_path("tabwarden") / "family.key"
    try:
        return kept_secret(path, _fresh)
    except OSError as error:
        log.warning(
            "dialogs that wait for other programs will not be detected: %s: %s",
            path,
            error.strerror,
        )
        return _fresh()


def _fresh() -> bytes:
    return secrets.token_hex(_BYTES).encode()
