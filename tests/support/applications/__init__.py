"""Other people's applications and libraries, which the tests install in a cache folder.

They come from PyPI and npm, never into the project's own environment. Without a network, their
tests are skipped.
"""

from __future__ import annotations

from support.applications.bundle import bundle
from support.applications.install import npm_packages, python_packages
from support.applications.serving import free_port, serving

__all__ = ["bundle", "free_port", "npm_packages", "python_packages", "serving"]
