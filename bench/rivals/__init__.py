"""The other tools in the benchmarks, on the same Chromium, each through its own interface.

- *playwright*: Playwright Python, in the benchmark's process (its driver is one of its own).
- *playwright-mcp*, *chrome-devtools-mcp*, and *tabwarden mcp* as their like: MCP over stdio.
- *agent-browser*: its native program, a process a command, before its daemon.
- *hermes*: the supervisor of Hermes Agent, in a Python of its own.
"""

from bench.rivals.installed import Installed, install, install_npm
from bench.rivals.rival import PLAYWRIGHT, Rival
from bench.rivals.ways import BUTTON, FIELD, all_ways

__all__ = [
    "BUTTON",
    "FIELD",
    "PLAYWRIGHT",
    "Installed",
    "Rival",
    "all_ways",
    "install",
    "install_npm",
]
