"""The files of a session's daemon, in a folder that only the user can open.

Every command imports this module. It imports the errors only to raise them, because that import
takes longer than the rest of a warm command.
"""

from __future__ import annotations

import os
import stat
import sys

_LONGEST_PATH = 103
"""Maximum length of a socket's path in bytes, without the final NUL: 103 on macOS, 107 on Linux."""
_LONGEST_NAME = 64
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-")


class SessionPaths:
    """The files of the session with the name ``session``.

    Raises:
        InvalidArgument: the name is invalid, or the socket's path would be too long.
        Denied: the folder can't be created, or belongs to another user.
    """

    def __init__(self, session: str) -> None:
        if not 0 < len(session) <= _LONGEST_NAME or not _PLAIN.issuperset(session):
            from tabwarden.errors import InvalidArgument

            raise InvalidArgument(
                f"{session[:100]!r} is not a valid session name.",
                f"Use 1 to {_LONGEST_NAME} letters, digits, dots, dashes and underscores.",
                field="session",
            )
        self.session = session
        self.folder = private_folder()
        base = os.path.join(self.folder, session)
        self.door = f"{base}.sock" if sys.platform != "win32" else f"{base}.door"
        """Clients connect to the daemon here."""
        self.life = f"{base}.life"
        """A daemon locks this file while it runs. The file contains the daemon's process id."""
        self.starting = f"{base}.starting"
        """A client locks this file while it starts the daemon."""
        if len(os.fsencode(self.door)) > _LONGEST_PATH:
            from tabwarden.errors import InvalidArgument

            raise InvalidArgument(
                f"The path of the session's socket is too long for this system: {self.door}.",
                "Use a shorter session name, or set TABWARDEN_RUNTIME_DIR to a folder with a "
                "shorter path.",
                field="session",
            )


def runtime_folder() -> str:
    """Return the folder for this user's sessions, which might not exist."""
    named = os.environ.get("TABWARDEN_RUNTIME_DIR")
    if named:
        return os.path.abspath(named)
    if sys.platform == "win32":
        return os.path.join(os.environ.get("LOCALAPPDATA", "."), "tabwarden", "run")
    uid = os.getuid()
    usual = f"/run/user/{uid}"
    given = os.environ.get("XDG_RUNTIME_DIR")
    # Try the default folder first, so that a login session without the variable finds the same
    # daemon.
    for folder in (usual, given):
        if folder and os.access(folder, os.W_OK) and os.stat(folder).st_uid == uid:
            return os.path.join(folder, "tabwarden")
    shared = os.environ.get("TMPDIR", "/tmp") if sys.platform == "darwin" else "/tmp"
    return os.path.join(shared, f"tabwarden-{uid}")


def session_names() -> list[str]:
    """Return the names of the sessions that have a daemon, or whose daemon left a file behind."""
    try:
        found = os.listdir(runtime_folder())
    except OSError:
        return []
    return sorted({name.rpartition(".")[0] for name in found if name.endswith((".sock", ".door"))})


def private_folder() -> str:
    """Return the folder for this user's sessions. Create it if it is missing.

    Raises:
        Denied: the folder can't be created, or belongs to another user, who could impersonate the
            daemon.
    """
    folder = runtime_folder()
    try:
        if not os.path.isdir(folder):
            from tabwarden.files.private_folder import make_private_folder

            make_private_folder(folder)
        found = os.lstat(folder)
    except OSError as error:
        from tabwarden.errors import Denied

        raise Denied(
            f"The session folder {folder} can't be used: {error.strerror}.",
            "Set TABWARDEN_RUNTIME_DIR to a folder in which you can create files.",
            field="TABWARDEN_RUNTIME_DIR",
        ) from None
    if sys.platform == "win32":
        return folder
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid():
        from tabwarden.errors import Denied

        raise Denied(
            f"The session folder {folder} belongs to another user.",
            "Set TABWARDEN_RUNTIME_DIR to a folder that you own.",
            field="TABWARDEN_RUNTIME_DIR",
        )
    if stat.S_IMODE(found.st_mode) & 0o077:
        os.chmod(folder, 0o700)
    return folder
