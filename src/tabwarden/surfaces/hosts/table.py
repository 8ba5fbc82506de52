"""The hosts, with each host's settings file for MCP servers and the format of an entry."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

__all__ = ["HOSTS", "Folders", "Host", "folders", "named"]


class Folders(NamedTuple):
    """The folders in which programs store their settings on this system."""

    home: Path
    config: Path
    """``~/.config`` or ``XDG_CONFIG_HOME``; on Windows ``%APPDATA%``."""
    application: Path
    """The folder for desktop programs' settings. Differs from ``config`` only on macOS."""


class Host(NamedTuple):
    """A program that starts MCP servers."""

    title: str
    file: Callable[[Folders], Path]
    entry: Callable[[Sequence[str]], dict[str, Any]]
    """Returns the settings' entry for a server, given the command that starts it."""
    section: str = "mcpServers"
    """The key in the settings that contains the servers, keyed by name."""
    form: Literal["json", "toml", "yaml"] = "json"
    then: str = "Restart the program."
    """What the user must do next."""
    command: Callable[[Sequence[str]], Sequence[str]] | None = None
    """Returns the host's own command that adds a server, if the host has one."""


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
    # opencode uses this folder on every system.
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
    """Return the folder in an environment variable; ``otherwise`` if the variable is not set."""
    named = os.environ.get(variable)
    return Path(named) if named else otherwise


HOSTS: dict[str, Host] = {
    "claude-code": Host(
        "Claude Code",
        lambda at: named("CLAUDE_CONFIG_DIR", at.home) / ".claude.json",
        _stdio,
        then="Start a new session. /mcp lists Tabwarden.",
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
        then="Start a new session.",
        command=lambda words: ("codex", "mcp", "add", "tabwarden", "--", *words),
    ),
    "copilot-cli": Host(
        "GitHub Copilot CLI",
        lambda at: named("COPILOT_HOME", at.home / ".copilot") / "mcp-config.json",
        lambda words: {"type": "local", **_plain(words), "tools": ["*"]},
        then="Start a new session.",
    ),
    "cursor": Host(
        "Cursor",
        lambda at: at.home / ".cursor/mcp.json",
        _stdio,
        then="Turn Tabwarden on in Settings, under Tools & MCP.",
    ),
    "gemini-cli": Host(
        "Gemini CLI",
        lambda at: at.home / ".gemini/settings.json",
        _plain,
        then="Start a new session. /mcp lists Tabwarden.",
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
        then="Start a new session.",
    ),
    "kiro": Host("Kiro", lambda at: at.home / ".kiro/settings/mcp.json", _plain),
    "lm-studio": Host("LM Studio", lambda at: at.home / ".lmstudio/mcp.json", _plain),
    "opencode": Host(
        "opencode", _opencode_file, _opencode, section="mcp", then="Start a new session."
    ),
    "vscode": Host(
        "VS Code",
        lambda at: at.application / "Code/User/mcp.json",
        _stdio,
        section="servers",
        then="Start Tabwarden with the command MCP: List Servers.",
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
        then="In the settings, check that MCP Servers lists Tabwarden.",
    ),
}  # fmt: skip
"""The hosts, keyed by the name that ``--setup`` accepts."""
