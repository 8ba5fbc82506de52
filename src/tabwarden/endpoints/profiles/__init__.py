"""Profile folders: which process uses a profile, our lock on a permanent profile, and temporary
profiles.

A temporary profile is in the scratch folder of the launch. The janitor, a separate process, removes
that folder after the folder's owner has exited.

To change:

- where named profiles are, and which process uses one: ``named.py``, ``lock.py``
"""

from tabwarden.endpoints.profiles.default_folders import DefaultFolder, default_folders
from tabwarden.endpoints.profiles.lock import ProfileClaim, check_profile, living_holder, locked
from tabwarden.endpoints.profiles.named import NamedProfile, named_profiles, remove_profile
from tabwarden.endpoints.profiles.scratch import (
    Janitor,
    Leftover,
    Scratch,
    find_leftovers,
    scratch_base,
    sweep_hidden_leftovers,
    sweep_leftovers_once,
)

__all__ = [
    "DefaultFolder",
    "Janitor",
    "Leftover",
    "NamedProfile",
    "ProfileClaim",
    "Scratch",
    "check_profile",
    "default_folders",
    "find_leftovers",
    "living_holder",
    "locked",
    "named_profiles",
    "remove_profile",
    "scratch_base",
    "sweep_hidden_leftovers",
    "sweep_leftovers_once",
]
