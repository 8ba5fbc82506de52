"""Enter Tabwarden into a host's settings: change one entry, check, back up, write."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tabwarden.config.document import parse_yaml
from tabwarden.config.editing import text_with
from tabwarden.config.writing import replace_file
from tabwarden.errors import InvalidArgument
from tabwarden.files.plain_file import read_plain_file, real_path
from tabwarden.files.private_folder import make_private_folder
from tabwarden.surfaces.hosts import jsonc, toml
from tabwarden.surfaces.hosts.table import HOSTS, Host, folders

__all__ = ["Setup", "Written", "backed_up", "setup_for"]

_NAME = "tabwarden"
_MAX_BYTES = 50_000_000
_ADDRESSES = ("url", "httpUrl", "serverUrl", "uri")
"""Keys of an entry that is a server on the network."""


class Written(NamedTuple):
    """What writing did."""

    file: Path
    """The file with the settings; where a link leads."""
    backup: Path | None
    """The copy of the earlier settings; None if there were none, or if nothing changed."""
    changed: bool


class Setup(NamedTuple):
    """What a host needs to start Tabwarden."""

    host: Host
    file: Path
    entry: dict[str, Any]
    words: Sequence[str]

    @property
    def snippet(self) -> str:
        """The text for the host's settings."""
        if self.host.form == "toml":
            return toml.dumped(self.host.section, _NAME, self.entry)
        whole = {self.host.section: {_NAME: self.entry}}
        return _yaml(whole) if self.host.form == "yaml" else jsonc.dumped(whole)

    @property
    def command(self) -> str | None:
        """The host's own command that does the same, for a shell."""
        return shlex.join(self.host.command(self.words)) if self.host.command else None

    def write(self) -> Written:
        """Enter Tabwarden into the settings. Everything else in them stays, comments too.

        Raises:
            InvalidArgument: the settings can't be read, changed safely, or written. They stay as
                they were.
        """
        file = real_path(self.file)
        try:
            was = _read(file)
            text = self._merged(was or "", file)
            if text == was:
                return Written(file, None, changed=False)
            make_private_folder(file.parent)
            backup = None if was is None else backed_up(file)
            replace_file(file, text)
        except OSError as error:
            raise self._refused(
                f"Tabwarden can't write {file}: {error.strerror or error}.", "Make it writable."
            ) from None
        return Written(file, backup, changed=True)

    def _merged(self, text: str, file: Path) -> str:
        """Return the text of the settings with our entry."""
        section = self.host.section
        before = self._parsed(text, file)
        servers = before.get(section)
        ours = servers.get(_NAME) if isinstance(servers, Mapping) else None
        for given, at in ((servers, section), (ours, f"{section}.{_NAME}")):
            if given is not None and not isinstance(given, Mapping):
                raise self._refused(f"{at} in {file} has no names with values.", "Correct it.")
        ours = ours or {}
        address = next((key for key in _ADDRESSES if key in ours), None)
        if address:
            raise self._refused(
                f"{section}.{_NAME} in {file} is a server on the network (it has {address}).",
                f"Remove {section}.{_NAME} first if Tabwarden should start with the host.",
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
                f"Tabwarden can't change {file} safely because of how it is written.",
                "Put this into it in an editor:\n" + self.snippet,
            )
        return made

    def _parsed(self, text: str, file: Path) -> dict[str, Any]:
        form = self.host.form
        try:
            read = _PARSERS[form](text)
        except ValueError as error:
            raise self._refused(
                f"{file} is not valid {form.upper()}: {str(error).rstrip('.')}.",
                "Correct it in an editor. Tabwarden has not changed it.",
            ) from None
        if read is None:
            return {}
        if not isinstance(read, dict):
            raise self._refused(f"{file} has no names with values.", "Correct it in an editor.")
        return read

    def _refused(self, message: str, hint: str) -> InvalidArgument:
        return InvalidArgument(message, hint, field="setup", file=str(self.file))


def setup_for(name: str, words: Sequence[str], file: Path | None = None) -> Setup:
    """Return what a host needs.

    Args:
        name: the host, a key of ``HOSTS``.
        words: the command that starts Tabwarden for it.
        file: the settings, if they are not at the usual place: those of a project, for example.

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


_OTHERS = "tabwarden mcp --setup cursor prints what most of them take."


def _read(file: Path) -> str | None:
    """Return the text of a file as it is, with its line ends; None if there is none."""
    try:
        content = read_plain_file(file, _MAX_BYTES)
    except FileNotFoundError:
        return None
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise OSError(0, f"line {line} is not UTF-8") from None


def backed_up(file: Path) -> Path:
    """Copy a file beside itself, under a name that is not taken. Return the copy."""
    number = 0
    while True:
        backup = file.with_name(f"{file.name}.backup{number or ''}")
        try:
            # As private as the file: settings may have keys of other servers.
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
