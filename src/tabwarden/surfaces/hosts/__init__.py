"""The programs that give a model our tools, and how Tabwarden gets into their settings.

``table.py`` has the hosts, ``program.py`` says how a host starts us, ``jsonc.py`` and ``toml.py``
change one entry of a text and keep all else, and ``setting_up.py`` puts it together.
``skill.py`` has what agents with a shell read instead (``SKILL.md``, made from the registry).
"""

from tabwarden.surfaces.hosts.program import program
from tabwarden.surfaces.hosts.setting_up import Setup, setup_for
from tabwarden.surfaces.hosts.skill import SKILL_FOLDERS, install_skill, skill
from tabwarden.surfaces.hosts.table import HOSTS

__all__ = [
    "HOSTS",
    "SKILL_FOLDERS",
    "Setup",
    "install_skill",
    "program",
    "setup_for",
    "skill",
]
