"""Add Tabwarden to a host's settings: change one entry, check the result, back up the file and
write it. Also find the command that starts Tabwarden, and install the skill for agents with a
shell.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import sys
import sysconfig
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import distribution
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit
from urllib.request import url2pathname

from tabwarden.config.document import parse_yaml
from tabwarden.config.editing import text_with
from tabwarden.config.writing import replace_file
from tabwarden.endpoints.remedy import own_program
from tabwarden.errors import InvalidArgument
from tabwarden.files.plain_file import read_plain_file, real_path
from tabwarden.files.private_folder import make_private_folder
from tabwarden.surfaces.hosts import jsonc, toml
from tabwarden.surfaces.hosts.table import HOSTS, Folders, Host, folders, named

_NAME = "tabwarden"
_MAX_BYTES = 50_000_000
_ADDRESSES = ("url", "httpUrl", "serverUrl", "uri")
"""The keys of an entry for a server on the network."""


class Written(NamedTuple):
    """The result of writing a file."""

    file: Path
    """The file that was written. If the path is a symbolic link, this is the link's target."""
    backup: Path | None
    """The backup of the previous content; None if there was no content, or if nothing changed."""
    changed: bool


class Setup(NamedTuple):
    """The settings that a host needs to start Tabwarden."""

    host: Host
    file: Path
    entry: dict[str, Any]
    words: Sequence[str]

    @property
    def snippet(self) -> str:
        """The text to add to the host's settings."""
        if self.host.form == "toml":
            return toml.dumped(self.host.section, _NAME, self.entry)
        whole = {self.host.section: {_NAME: self.entry}}
        return _yaml(whole) if self.host.form == "yaml" else jsonc.dumped(whole)

    @property
    def command(self) -> str | None:
        """The host's own shell command that adds Tabwarden; None if there is none."""
        return shlex.join(self.host.command(self.words)) if self.host.command else None

    def write(self) -> Written:
        """Add Tabwarden to the settings. The rest of the file, including comments, stays unchanged.

        Raises:
            InvalidArgument: the settings can't be read, changed safely, or written. In that case,
                they stay unchanged.
        """
        file = real_path(self.file)
        try:
            was = _read(file)
            text = self._merged(was or "", file)
            if text == was:
                return Written(file, None, changed=False)
            return _replaced(file, text, is_new=was is None)
        except OSError as error:
            raise self._refused(
                f"Tabwarden can't write {file}: {error.strerror or error}.",
                "Make the file writable.",
            ) from None

    def _merged(self, text: str, file: Path) -> str:
        """Return the settings' text with Tabwarden's entry."""
        section = self.host.section
        before = self._parsed(text, file)
        servers = before.get(section)
        ours = servers.get(_NAME) if isinstance(servers, Mapping) else None
        for table, at in ((servers, section), (ours, f"{section}.{_NAME}")):
            if table is not None and not isinstance(table, Mapping):
                raise self._refused(
                    f"{at} in {file} is not a table of keys and values.", "Correct the file."
                )
        ours = ours or {}
        address = next((key for key in _ADDRESSES if key in ours), None)
        if address:
            raise self._refused(
                f"{section}.{_NAME} in {file} is configured as a server on the network "
                f"({address}).",
                f"Remove {section}.{_NAME} first, if the host should start Tabwarden.",
            )
        news = {key: value for key, value in self.entry.items() if ours.get(key) != value}
        if not news:
            return text
        wanted = {**before, section: {**(servers or {}), _NAME: {**ours, **news}}}
        try:
            made = _EDITORS[self.host.form](text, section, news, known=bool(ours), file=file)
            done = self._parsed(made, file) == wanted
        except (InvalidArgument, ValueError):
            done = False
        if not done:
            raise self._refused(
                f"Tabwarden can't change {file} safely because of the file's formatting.",
                "Add this to the file in an editor:\n" + self.snippet,
            )
        return made

    def _parsed(self, text: str, file: Path) -> dict[str, Any]:
        form = self.host.form
        try:
            read = _PARSERS[form](text)
        except ValueError as error:
            raise self._refused(
                f"{file} is not valid {form.upper()}: {str(error).rstrip('.')}.",
                "Correct the file in an editor. Tabwarden has not changed it.",
            ) from None
        if read is None:
            return {}
        if not isinstance(read, dict):
            raise self._refused(
                f"{file} is not a table of keys and values.", "Correct the file in an editor."
            )
        return read

    def _refused(self, message: str, hint: str) -> InvalidArgument:
        return InvalidArgument(message, hint, field="setup", file=str(self.file))


def setup_for(name: str, words: Sequence[str], file: Path | None = None) -> Setup:
    """Return the setup for a host. Args: name: the host, a key of ``HOSTS``. words: the command
        that starts Tabwarden for the host. file: the settings file, if it is not the default, such
        as a project's file.

    Raises:
        InvalidArgument: there is no such host.
    """
    host = HOSTS.get(name)
    if host is None:
        raise InvalidArgument(
            f"Tabwarden does not know the host {name!r}.",
            f"Hosts: {', '.join(HOSTS)}. Others: {_OTHERS}",
            field="setup",
        )
    where = host.file(folders()) if file is None else file.expanduser().absolute()
    return Setup(host, where, host.entry(words), words)


_OTHERS = "To print settings that most hosts accept, run: tabwarden mcp --setup cursor"


def _read(file: Path) -> str | None:
    """Return a file's text with unchanged line endings; None if the file does not exist."""
    try:
        content = read_plain_file(file, _MAX_BYTES)
    except FileNotFoundError:
        return None
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise OSError(0, f"line {line} is not UTF-8") from None


def _replaced(file: Path, text: str, *, is_new: bool) -> Written:
    make_private_folder(file.parent)
    backup = None if is_new else _backed_up(file)
    replace_file(file, text)
    return Written(file, backup, changed=True)


def _backed_up(file: Path) -> Path:
    """Copy a file to an unused name in the same folder. Return the copy's path."""
    number = 0
    while True:
        backup = file.with_name(f"{file.name}.backup{number or ''}")
        try:
            # Keep the file's permissions, because settings may contain other servers' keys.
            handle = os.open(backup, os.O_WRONLY | os.O_CREAT | os.O_EXCL, file.stat().st_mode)
        except FileExistsError:
            number += 1
            continue
        with open(handle, "wb") as copy:
            copy.write(file.read_bytes())
        return backup


def _in_json(text: str, section: str, news: Mapping[str, Any], *, known: bool, file: Path) -> str:
    _ = file
    if not known:
        return jsonc.with_value(text, (section, _NAME), dict(news))
    for key, value in news.items():
        text = jsonc.with_value(text, (section, _NAME, key), value)
    return text


def _in_toml(text: str, section: str, news: Mapping[str, Any], *, known: bool, file: Path) -> str:
    _ = known, file
    return toml.with_entry(text, section, _NAME, news)


def _in_yaml(text: str, section: str, news: Mapping[str, Any], *, known: bool, file: Path) -> str:
    _ = known
    for key, value in news.items():
        text = text_with(text, (section, _NAME, key), value, file)
    return text


def _yaml(value: Mapping[str, Any]) -> str:
    text = ""
    for section, servers in value.items():
        for name, entry in servers.items():
            for key, one in entry.items():
                text = text_with(text, (section, name, key), one, Path("snippet"))
    return text.rstrip()


_EDITORS = {"json": _in_json, "toml": _in_toml, "yaml": _in_yaml}
_PARSERS: dict[str, Callable[[str], Any]] = {
    "json": jsonc.parse,
    "toml": toml.parse,
    "yaml": parse_yaml,
}


def program() -> list[str]:
    """Return the command that starts this installation, from any folder and with any ``PATH``."""
    if _is_uvx():
        return [shutil.which("uvx") or "uvx", "--from", _source(), "tabwarden"]
    name = "tabwarden.exe" if sys.platform == "win32" else "tabwarden"
    script = Path(sysconfig.get_path("scripts")) / name
    if script.is_file():
        return [str(script)]
    return [sys.executable, "-m", "tabwarden"]


def _is_uvx() -> bool:
    """Whether ``uvx`` created this environment. If so, cleaning uvx's cache may remove it."""
    return any(part.startswith("archive-v") for part in Path(sys.prefix).parts)


def _source() -> str:
    """Return the argument for ``uvx --from``: the package's name, or the wheel, folder or URL from
    which it was installed.
    """
    ours = distribution("tabwarden")
    url = json.loads(ours.read_text("direct_url.json") or "{}").get("url", "")
    if url.startswith("file:"):
        return url2pathname(urlsplit(url).path)
    return url or f"tabwarden=={ours.version}"


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
"""The folder for a user's skills, keyed by host. Many hosts also read the folder for ``agents``."""


def skill() -> str:
    """Return the skill's text. If ``tabwarden`` is not on the ``PATH``, the text says which command
    to run instead.
    """
    text = (files("tabwarden.surfaces.hosts") / "SKILL.md").read_text("utf-8")
    program = own_program()
    if program == "tabwarden":
        return text
    title = "# Tabwarden\n"
    return text.replace(
        title, f"{title}\nOn this machine, run `{program}` instead of `tabwarden`.\n", 1
    )


def install_skill(host: str, folder: Path | None = None) -> Written:
    """Write the skill into a skills folder. Back up and replace a different earlier copy.

    Args:
        host: the host, a key of ``SKILL_FOLDERS``.
        folder: a skills folder to use instead of the host's.

    Raises:
        InvalidArgument: the host is unknown, the folder contains another skill with this name, or
            the file can't be written. Nothing changes.
    """
    find = SKILL_FOLDERS.get(host)
    if find is None:
        raise InvalidArgument(
            f"Tabwarden does not know the skills folder of {host!r}.",
            f"Hosts: {', '.join(SKILL_FOLDERS)}. Or set the folder with --to.",
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
                f"{file} exists, but Tabwarden did not write it.",
                "Remove the file, or choose another folder with --to.",
                field=field,
            )
        return _replaced(file, text, is_new=was is None)
    except OSError as error:
        raise InvalidArgument(
            f"Tabwarden can't write {file}: {error.strerror or error}.",
            "Choose another folder with --to.",
            field=field,
        ) from None
