"""The skill for agents that have a shell: its text, and the folders where hosts look for skills."""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

from tabwarden.config.writing import replace_file
from tabwarden.endpoints.remedy import own_program
from tabwarden.errors import InvalidArgument
from tabwarden.files.plain_file import read_plain_file, real_path
from tabwarden.files.private_folder import make_private_folder
from tabwarden.surfaces.hosts.setting_up import Written, backed_up
from tabwarden.surfaces.hosts.table import Folders, folders, named

__all__ = ["SKILL_FOLDERS", "install_skill", "skill"]

_MARK = "generated-by: tabwarden"

SKILL_FOLDERS: dict[str, Callable[[Folders], Path]] = {
    "agents": lambda at: at.home / ".agents/skills",
    "claude-code": lambda at: named("CLAUDE_CONFIG_DIR", at.home / ".claude") / "skills",
    "cline": lambda at: named("CLINE_DIR", at.home / ".cline") / "skills",
    "codex": lambda at: at.home / ".agents/skills",
    "copilot-cli": lambda at: named("COPILOT_HOME", at.home / ".copilot") / "skills",
    "cursor": lambda at: at.home / ".cursor/skills",
    "gemini-cli": lambda at: at.home / ".gemini/skills",
    "goose": lambda at: at.home / ".config/goose/skills",
    "hermes": lambda at: named("HERMES_HOME", at.home / ".hermes") / "skills",
    "kiro": lambda at: at.home / ".kiro/skills",
    "openclaw": lambda at: at.home / ".openclaw/skills",
    "opencode": lambda at: named("XDG_CONFIG_HOME", at.home / ".config") / "opencode/skills",
    "vscode": lambda at: at.home / ".copilot/skills",
    "windsurf": lambda at: at.home / ".codeium/windsurf/skills",
}
"""The folder for a user's skills, by host. Many hosts read ``agents`` beside their own."""


def skill() -> str:
    """Return the skill. If a shell does not find ``tabwarden``, it says what to run instead."""
    text = (files("tabwarden.surfaces.hosts") / "SKILL.md").read_text("utf-8")
    program = own_program()
    if program == "tabwarden":
        return text
    title = "# Tabwarden\n"
    return text.replace(title, f"{title}\nHere, `tabwarden` is `{program}`.\n", 1)


def install_skill(host: str, folder: Path | None = None) -> Written:
    """Write the skill into a folder of skills.

    An earlier copy is replaced, and backed up if it differs.

    Args:
        host: whose folder, a key of ``SKILL_FOLDERS``.
        folder: another folder of skills.

    Raises:
        InvalidArgument: there is no such host, the folder has somebody else's skill of this name,
            or it can't be written. Nothing changes.
    """
    find = SKILL_FOLDERS.get(host)
    if find is None:
        raise InvalidArgument(
            f"Tabwarden does not know the skills of {host!r}.",
            f"Hosts: {', '.join(SKILL_FOLDERS)}. Or name the folder with --to.",
            field="host",
        )
    top = find(folders()) if folder is None else folder.expanduser().absolute()
    file, text = real_path(top / "tabwarden" / "SKILL.md"), skill()
    field = "host" if folder is None else "to"
    try:
        was = read_plain_file(file) if file.exists() else None
        if was == text.encode():
            return Written(file, None, changed=False)
        if was is not None and _MARK.encode() not in was:
            raise InvalidArgument(
                f"{file} is there, and is not from Tabwarden.",
                "Remove it, or name another folder with --to.",
                field=field,
            )
        make_private_folder(file.parent)
        backup = None if was is None else backed_up(file)
        replace_file(file, text)
    except OSError as error:
        raise InvalidArgument(
            f"Tabwarden can't write {file}: {error.strerror or error}.",
            "Name another folder with --to.",
            field=field,
        ) from None
    return Written(file, backup, changed=True)
