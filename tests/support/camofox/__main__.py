"""Install Camofox's server and the Node that it needs: ``make camofox``."""

from __future__ import annotations

import shlex
import subprocess

from support.camofox.install import FOLDER, INSTALL

FOLDER.mkdir(parents=True, exist_ok=True)
raise SystemExit(subprocess.run(shlex.split(INSTALL), check=False).returncode)
