"""The file in which a coordinator keeps the leases by default."""

from __future__ import annotations

from platformdirs import user_state_path

from tabwarden.private_folder import make_private_folder


def default_store() -> str:
    """Return ``sqlite:PATH`` in the state folder of this process's user; make the folder."""
    folder = user_state_path("tabwarden")
    make_private_folder(folder)
    return f"sqlite:{folder / 'fleet.sqlite'}"
