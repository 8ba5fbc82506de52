"""Our own claim on a profile that is kept: a locked file in it, as headless shells lock none.

Two browsers on one profile would write over each other's cookies. The system lets go of the lock
with the process that holds it, however that ends.
"""

from __future__ import annotations

import os
from pathlib import Path

from tabwarden.endpoints.profile_lock import locked
from tabwarden.errors import InvalidArgument
from tabwarden.locks import try_lock

__all__ = ["ProfileClaim"]

_NAME = "tabwarden.lock"


class ProfileClaim:
    """A profile that is ours until ``end``."""

    def __init__(self, fd: int) -> None:
        self._fd: int | None = fd

    @classmethod
    def on(cls, profile: Path) -> ProfileClaim:
        """Claim a profile folder that is there.

        Raises:
            LaunchFailed: another task has it. InvalidArgument: nothing can be written there.
        """
        no_links = getattr(os, "O_NOFOLLOW", 0)
        try:
            fd = os.open(profile / _NAME, os.O_CREAT | os.O_RDWR | no_links, 0o600)
        except OSError as error:
            raise InvalidArgument(
                f"user_data_dir {profile} cannot be used: {error.strerror}.",
                "Name a folder that can be written.",
                field="user_data_dir",
            ) from error
        if not try_lock(fd):
            os.close(fd)
            raise locked(profile, None)
        return cls(fd)

    def end(self) -> None:
        """Its browser is gone. Idempotent."""
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None
