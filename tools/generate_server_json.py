"""Generate ``server.json``, the entry for MCP server registries, from pyproject.toml and README.md.

README.md names the server (``mcp-name: NAMESPACE/NAME``): the official registry reads this line in
the package on PyPI to verify that the package and the entry have the same owner. ``--check`` fails
if the file is stale.
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
"""Maximum length of a description in the registry."""


def server() -> dict[str, Any]:
    """Return the entry."""
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
                        "description": "Set to false to show the browser's window.",
                        "format": "boolean",
                        "default": "true",
                    },
                    {
                        "name": "TABWARDEN_BROWSER__EXECUTABLE",
                        "description": "The browser's path. By default, Tabwarden finds a browser.",
                        "format": "filepath",
                    },
                    {
                        "name": "TABWARDEN_BROWSER__PROFILE",
                        "description": "The name of a profile that keeps cookies and logins.",
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
