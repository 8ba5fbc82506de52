"""Camofox's own server, unmodified, from npm, on a stock browser.

``make camofox`` installs it with the Node that it needs; no test installs anything.
"""

from __future__ import annotations

from support.camofox.install import FOLDER, INSTALL, require_camofox
from support.camofox.server import CamofoxServer, Engine, camofox_server

__all__ = ["FOLDER", "INSTALL", "CamofoxServer", "Engine", "camofox_server", "require_camofox"]
