"""Hosts are the programs that offer Tabwarden's tools to a model. This package adds Tabwarden to
their settings. ``table.py`` lists the hosts. ``jsonc.py`` and ``toml.py`` change one entry in a
file's text. ``setting_up.py`` changes a host's settings, and installs the skill (``SKILL.md``,
generated from the registry).

To change:

- where a host stores its settings or skills: ``table.py``, ``setting_up.py``
"""

from tabwarden.surfaces.hosts.setting_up import (
    SKILL_FOLDERS,
    Setup,
    install_skill,
    program,
    setup_for,
    skill,
)
from tabwarden.surfaces.hosts.table import HOSTS

__all__ = ["HOSTS", "SKILL_FOLDERS", "Setup", "install_skill", "program", "setup_for", "skill"]
