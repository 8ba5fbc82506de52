"""The programs that give a model our tools, and how Tabwarden gets into their settings.

``table.py`` has the hosts, ``jsonc.py`` and ``toml.py`` change one entry of a text and keep all
else, and ``setting_up.py`` puts it together, with the skill (``SKILL.md``, made from the registry).

To change:

- where a host keeps its settings or skills: ``table.py``, ``setting_up.py``
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
