"""Make ``server.json``, the entry for registries of MCP servers, from pyproject.toml and README.md.

README.md names the server (``mcp-name: NAMESPACE/NAME``): the official registry reads that line in
the package on PyPI, to see that package and entry have the same owner. ``--check`` fails when the
file is stale.
"""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

from generated import write_or_check

ROOT = Path(__file__).parent.parent
FILE = ROOT / "server.json"
SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
MOST_CHARACTERS = 100
"""The registry refuses a longer description."""


def server() -> dict[str, Any]:
    """The entry."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    marker = re.search(r"<!-- mcp-name: (\S+) -->", (ROOT / "README.md").read_text("utf-8"))
    if marker is None:
        raise SystemExit("README.md has no line <!-- mcp-name: NAMESPACE/NAME -->")
    if len(project["description"]) > MOST_CHARACTERS:
        raise SystemExit(f"pyproject.toml: description has more than {MOST_CHARACTERS} characters")
    return {
        "$schema": SCHEMA,
        "name": marker[1],
        "title": "Tabwarden",
        "description": project["description"],
        "version": project["version"],
        "packages": [
            {
                "registryType": "pypi",
                "registryBaseUrl": "https://pypi.org",
                "identifier": project["name"],
                "version": project["version"],
                "runtimeHint": "uvx",
                "transport": {"type": "stdio"},
                "packageArguments": [{"type": "positional", "value": "mcp"}],
                "environmentVariables": [
                    {
                        "name": "TABWARDEN_BROWSER__HEADLESS",
                        "description": "false shows the browser's window.",
                        "format": "boolean",
                        "default": "true",
                    },
                    {
                        "name": "TABWARDEN_BROWSER__EXECUTABLE",
                        "description": "The browser to launch; left out, Tabwarden finds one.",
                        "format": "filepath",
                    },
                    {
                        "name": "TABWARDEN_BROWSER__PROFILE",
                        "description": "A name: the browser keeps cookies and logins under it.",
                    },
                ],
            }
        ],
    }


def text() -> str:
    """The file's."""
    return json.dumps(server(), indent=2) + "\n"


if __name__ == "__main__":
    write_or_check(FILE, text())
