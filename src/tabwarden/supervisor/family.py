"""Family: a secret of this user's programs, by which their supervisors know each other's bridges.

Two programs on one page (an MCP host's server and a shell's, say) each put a bridge into it, and
each resumes whatever pause is not its own: so one would end the other's, and never see the dialog.
Who knows the family's secret can tell, by what V8 reports of a script, that it is another one's
bridge and nothing that a page made up (``bridge_script.py``).
"""

from __future__ import annotations

import logging
import secrets
from functools import cache

from platformdirs import user_state_path

from tabwarden.secret_file import kept_secret

__all__ = ["family_secret"]

log = logging.getLogger("tabwarden.supervisor")

_BYTES = 32


@cache
def family_secret() -> bytes:
    """The secret: one for each user, kept in a file that nobody else can read. Where no file can
    be kept it is this process's alone."""
    path = user_state_path("tabwarden") / "family.key"
    try:
        return kept_secret(path, _fresh)
    except OSError as error:
        log.warning("other programs' dialogs won't be known: %s: %s", path, error.strerror)
        return _fresh()


def _fresh() -> bytes:
    return secrets.token_hex(_BYTES).encode()
