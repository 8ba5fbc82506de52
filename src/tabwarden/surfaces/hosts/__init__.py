"""The programs that give a model our tools, and how Tabwarden gets into their settings.

``table.py`` has the hosts, ``program.py`` says how a host starts us, ``jsonc.py`` and ``toml.py``
change one entry of a text and keep all else, and ``setting_up.py`` puts it together.
"""

from tabwarden.surfaces.hosts.program import program
from tabwarden.surfaces.hosts.setting_up import Setup, setup_for
from tabwarden.surfaces.hosts.table import HOSTS

__all__ = ["HOSTS", "Setup", "program", "setup_for"]
