"""Build the bundle that MCP hosts install with a click: ``make bundle`` writes it to ``dist/``.

An ``.mcpb`` file is a zip with a ``manifest.json`` (format 0.4, server type ``uv``). Our bundle has
the wheel, and a pyproject.toml that names the wheel and pins its dependencies to the versions in
uv.lock. The host runs ``uv run`` in the bundle, so the user needs no Python.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import tempfile
import tomllib
import zipfile
from pathlib import Path
from typing import Any

from tabwarden.actions import session_of
from tabwarden.config import BrowserConfig
from tabwarden.toolsets import toolset_of

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
PARTS = ROOT / "tools/bundle"
ENTRY = "server/main.py"


def manifest() -> dict[str, Any]:
    """Return the manifest: the host's description of the server, and how to run it."""
    return {
        "manifest_version": "0.4",
        "name": PROJECT["name"],
        "display_name": "Tabwarden",
        "version": PROJECT["version"],
        "description": PROJECT["description"],
        "long_description": (
            "Opens web pages, reads them as an outline, clicks and types. Each call returns within "
            "its time limit, even if a page shows a dialog, hangs or crashes. Uses an "
            "installed Chromium, Chrome, Edge or Brave, or explains how to install a browser."
        ),
        "author": {"name": PROJECT["authors"][0]["name"]},
        "license": PROJECT["license"],
        "keywords": PROJECT["keywords"],
        "icon": "icon.png",
        "server": {
            "type": "uv",
            "entry_point": ENTRY,
            "mcp_config": {
                "command": "uv",
                "args": [
                    "run", "--directory", "${__dirname}", ENTRY,
                    "mcp", "--tools", "${user_config.tools}",
                ],
                "env": {"TABWARDEN_BROWSER__HEADLESS": "${user_config.headless}"},
            },
        },
        "tools": tools(),
        "tools_generated": True,
        "compatibility": {
            "platforms": ["darwin", "linux", "win32"],
            "runtimes": {"python": PROJECT["requires-python"]},
        },
        "user_config": {
            "headless": {
                "type": "boolean",
                "title": "No window",
                "description": "Run the browser without a window.",
                "default": True,
            },
            "tools": {
                "type": "string",
                "title": "Tools",
                "description": "Groups of tools, separated by commas: core, pages, files, storage, "
                "vision, ..., or full. The model can add more groups.",
                "default": "core",
            },
        },
    }  # fmt: skip


def tools() -> list[dict[str, str]]:
    """Return the tools that a model has at first, with the first sentences of their
    descriptions."""
    offered = toolset_of("core").tools(BrowserConfig(), session_of(BrowserConfig()))
    return [
        {"name": tool.name, "description": re.split(r"(?<=\.)\s", tool.description)[0]}
        for tool in offered
    ]


def project(wheel: str, pinned: list[str]) -> str:
    """Return the pyproject.toml with which uv installs the wheel."""
    constraints = "".join(f"    {json.dumps(one)},\n" for one in pinned)
    return f"""\
[project]
name = "tabwarden-bundle"
version = "{PROJECT["version"]}"
requires-python = "{PROJECT["requires-python"]}"
dependencies = ["tabwarden[mcp]"]

[tool.uv]
package = false
constraint-dependencies = [
{constraints}]

[tool.uv.sources]
tabwarden = {{ path = "{wheel}" }}
"""


def make(uv: str, folder: Path) -> Path:
    """Build the wheel and the bundle. Return the bundle's path."""
    folder.mkdir(parents=True, exist_ok=True)
    bundle = folder / f"{PROJECT['name']}-{PROJECT['version']}.mcpb"
    export = [uv, "export", "--frozen", "--quiet", "--no-default-groups", "--no-emit-project"]
    plain = ["--extra", "mcp", "--no-hashes", "--no-annotate", "--no-header"]
    pinned = subprocess.run(
        [*export, *plain], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    with tempfile.TemporaryDirectory() as built:
        command = [uv, "build", "--quiet", "--wheel", "--out-dir", built, str(ROOT)]
        subprocess.run(command, check=True)
        (wheel,) = Path(built).glob("*.whl")
        with zipfile.ZipFile(bundle, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("manifest.json", json.dumps(manifest(), indent=2) + "\n")
            archive.writestr("pyproject.toml", project(wheel.name, pinned))
            archive.write(PARTS / "main.py", ENTRY)
            archive.write(PARTS / "icon.png", "icon.png")
            archive.write(ROOT / "LICENSE", "LICENSE")
            archive.write(wheel, wheel.name)
    return bundle


def main() -> None:
    """Write the bundle into a folder, and print its path."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=ROOT / "dist")
    parser.add_argument("--uv", default=os.environ.get("UV", "uv"))
    options = parser.parse_args()
    print(make(options.uv, options.folder))


if __name__ == "__main__":
    main()
