"""The hosts: the file in which each looks for MCP servers, and the form of an entry there."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

__all__ = ["HOSTS", "Folders", "Host", "folders", "named"]


class Folders(NamedTuple):
    """Where programs keep their settings on this system."""

    home: Path
    config: Path
    """``~/.config`` or ``XDG_CONFIG_HOME``; on Windows ``%APPDATA%``."""
    application: Path
    """Where desktop programs keep theirs: as ``config``, but macOS has a folder of its own."""


class Host(NamedTuple):
    """A program that starts MCP servers."""

    title: str
    file: Callable[[Folders], Path]
    entry: Callable[[Sequence[str]], dict[str, Any]]
    """The entry for a server that these words start."""
    section: str = "mcpServers"
    """The key that has the servers by name."""
    form: Literal["json", "toml", "yaml"] = "json"
    then: str = "Restart it."
    """What the person does next."""
    command: Callable[[Sequence[str]], Sequence[str]] | None = None
    """The host's own command for the same, if it has one."""


def folders() -> Folders:
    """Return the folders of this user."""
    home = Path.home()
    if sys.platform == "win32":
        roaming = Path(os.environ.get("APPDATA") or home / "AppData/Roaming")
        return Folders(home, roaming, roaming)
    config = Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config")
    is_mac = sys.platform == "darwin"
    return Folders(home, config, home / "Library/Application Support" if is_mac else config)


def _plain(words: Sequence[str]) -> dict[str, Any]:
    return {"command": words[0], "args": [*words[1:]]}


def _stdio(words: Sequence[str]) -> dict[str, Any]:
    return {"type": "stdio", **_plain(words)}


def _opencode(words: Sequence[str]) -> dict[str, Any]:
    return {"type": "local", "command": [*words], "enabled": True}


def _goose(words: Sequence[str]) -> dict[str, Any]:
    return {
        "type": "stdio",
        "name": "tabwarden",
        "description": "A browser",
        "enabled": True,
        "cmd": words[0],
        "args": [*words[1:]],
        "timeout": 300,
    }


def _opencode_file(at: Folders) -> Path:
    # It looks there on every system.
    folder = Path(os.environ.get("XDG_CONFIG_HOME") or at.home / ".config") / "opencode"
    with_comments = folder / "opencode.jsonc"
    return with_comments if with_comments.exists() else folder / "opencode.json"


def _goose_file(at: Folders) -> Path:
    if sys.platform == "win32":
        return at.config / "Block/goose/config/config.yaml"
    return at.home / ".config/goose/config.yaml"


def _zed_file(at: Folders) -> Path:
    if sys.platform == "win32":
        return at.config / "Zed/settings.json"
    folder = at.home / ".config" if sys.platform == "darwin" else at.config
    return folder / "zed/settings.json"


def named(variable: str, otherwise: Path) -> Path:
    """A folder that a variable may name."""
    named = os.environ.get(variable)
    return Path(named) if named else otherwise


HOSTS: dict[str, Host] = {
    "claude-code": Host(
        "Claude Code",
        lambda at: named("CLAUDE_CONFIG_DIR", at.home) / ".claude.json",
        _stdio,
        then="New sessions have it; /mcp shows it.",
        command=lambda words: (
            "claude", "mcp", "add", "--scope", "user", "tabwarden", "--", *words,
        ),
    ),
    "claude-desktop": Host(
        "Claude Desktop", lambda at: at.application / "Claude/claude_desktop_config.json", _plain
    ),
    "cline": Host(
        "Cline",
        lambda at: (
            named("CLINE_DIR", at.home / ".cline") / "data/settings/cline_mcp_settings.json"
        ),
        _plain,
    ),
    "codex": Host(
        "Codex",
        lambda at: named("CODEX_HOME", at.home / ".codex") / "config.toml",
        _plain,
        section="mcp_servers",
        form="toml",
        then="New sessions have it.",
        command=lambda words: ("codex", "mcp", "add", "tabwarden", "--", *words),
    ),
    "copilot-cli": Host(
        "GitHub Copilot CLI",
        lambda at: named("COPILOT_HOME", at.home / ".copilot") / "mcp-config.json",
        lambda words: {"type": "local", **_plain(words), "tools": ["*"]},
        then="New sessions have it.",
    ),
    "cursor": Host(
        "Cursor",
        lambda at: at.home / ".cursor/mcp.json",
        _stdio,
        then="Switch it on in Settings, under Tools & MCP.",
    ),
    "gemini-cli": Host(
        "Gemini CLI",
        lambda at: at.home / ".gemini/settings.json",
        _plain,
        then="New sessions have it; /mcp shows it.",
        command=lambda words: (
            "gemini", "mcp", "add", "--scope", "user", "tabwarden", *words[:1], "--", *words[1:],
        ),
    ),
    "goose": Host(
        "goose",
        _goose_file,
        _goose,
        section="extensions",
        form="yaml",
        then="New sessions have it.",
    ),
    "kiro": Host("Kiro", lambda at: at.home / ".kiro/settings/mcp.json", _plain),
    "lm-studio": Host("LM Studio", lambda at: at.home / ".lmstudio/mcp.json", _plain),
    "opencode": Host(
        "opencode", _opencode_file, _opencode, section="mcp", then="New sessions have it."
    ),
    "vscode": Host(
        "VS Code",
        lambda at: at.application / "Code/User/mcp.json",
        _stdio,
        section="servers",
        then="Start it with the command MCP: List Servers.",
    ),
    "windsurf": Host(
        "Windsurf",
        lambda at: at.home / ".codeium/windsurf/mcp_config.json",
        _plain,
        then="Refresh the MCP servers in Cascade.",
    ),
    "zed": Host(
        "Zed",
        _zed_file,
        _plain,
        section="context_servers",
        then="The settings show it, under MCP Servers.",
    ),
}  # fmt: skip
"""Each host by the name that ``--setup`` takes."""
