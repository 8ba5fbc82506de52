"""The file in which a coordinator keeps the leases by default."""

from __future__ import annotations

from platformdirs import user_state_path


def default_store() -> str:
    """Return ``sqlite:PATH`` in the state folder of this process's user; make the folder."""
    folder = user_state_path("tabwarden")
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return f"sqlite:{folder / 'fleet.sqlite'}"
