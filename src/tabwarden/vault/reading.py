"""Read a configuration's secrets from their sources."""

from __future__ import annotations

import asyncio
import os
import re
import shlex
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path

import msgspec

from tabwarden.config import SECRET_NAME, BrowserConfig, SecretSource
from tabwarden.errors import InvalidArgument
from tabwarden.files.plain_file import read_plain_file, read_plain_text
from tabwarden.vault.totp import Totp, parse_seed

_READ_S = 20.0
"""The time limit for all commands together."""
_LARGEST = 10_000
"""The maximum length of one secret in bytes."""
_LARGEST_FILE = 1_000_000
_LINE = re.compile(r"(?:export\s+)?([^=\s]+)\s*=\s*(.*)")
_NAME = re.compile(SECRET_NAME)


class Held(msgspec.Struct, frozen=True, kw_only=True):
    """One secret, with its value or the reason why its value can't be read."""

    name: str
    origins: tuple[str, ...] = ()
    totp: Totp | None = None
    text: str = ""
    field: str = ""
    """The configuration key that sets the secret's source."""
    fault: str = ""
    """Why the secret could not be read; empty if it was read."""

    def __repr__(self) -> str:
        return f"Held({self.name})"


class Contents(msgspec.Struct, frozen=True):
    """All secrets in a configuration."""

    named: dict[str, Held]
    """The secrets that can be filled in, keyed by name."""
    hidden: dict[str, str]
    """The secrets that are only masked: each text with its replacement."""
    masks: bool = False
    """Whether to mask text that looks like an API key."""

    def __repr__(self) -> str:
        return f"Contents({', '.join(self.named)})"


def read_secrets(config: BrowserConfig, most_s: float = _READ_S) -> Contents:
    """Read all secrets. This function blocks while the commands run.

    Args:
        config: the configuration that lists the secrets.
        most_s: the time limit for all commands together, in seconds.

    Raises:
        InvalidArgument: ``secrets_file`` can't be read, or one of its lines is malformed. A single
            secret that can't be read has a ``fault`` instead.
    """
    until = time.monotonic() + most_s
    lines = _dotenv(config.secrets_file) if config.secrets_file is not None else {}
    if not isinstance(config.secrets, Mapping):
        texts = [one.get_secret_value() for one in config.secrets]
        hidden = {
            os.environ.get(text, text): f"(secret {text})" if text in os.environ else "(secret)"
            for text in texts
        }
        of_lines = {name: _of_line(name, line) for name, line in lines.items()}
        return Contents(of_lines, hidden, config.mask)
    named = {
        name: _held(name, source, lines, until)
        for name, source in {**dict.fromkeys(lines, SecretSource()), **config.secrets}.items()
    }
    return Contents(named, {}, config.mask)


def vaulted(config: BrowserConfig) -> tuple[object, ...]:
    """Return the settings on which a vault depends."""
    return config.secrets, config.secrets_file, config.mask


async def read_in_thread(config: BrowserConfig, most_s: float = _READ_S) -> Contents:
    """Read all secrets without blocking the event loop."""
    if not config.secrets and config.secrets_file is None:
        return Contents({}, {}, config.mask)
    return await asyncio.to_thread(read_secrets, config, min(most_s, _READ_S))


def _held(name: str, source: SecretSource, lines: Mapping[str, str], until: float) -> Held:
    source_key = next(
        (key for key in ("env", "file", "command", "value") if getattr(source, key)), ""
    )
    key = f"browser.secrets.{name}"
    held = Held(
        name=name, origins=tuple(source.origins), field=f"{key}.{source_key}" if source_key else key
    )
    try:
        text = _read(name, source, lines, until)
        if not text:
            raise ValueError("it is empty")
        if len(text.encode()) > _LARGEST:
            raise ValueError(f"it is longer than {_LARGEST} bytes")
        totp = parse_seed(text) if source.totp else None
    except ValueError as error:
        return msgspec.structs.replace(held, fault=str(error))
    return msgspec.structs.replace(held, text=text, totp=totp)


def _of_line(name: str, line: str) -> Held:
    return _held(name, SecretSource(), {name: line}, 0.0)


def _read(name: str, source: SecretSource, lines: Mapping[str, str], until: float) -> str:
    if source.env is not None:
        if source.env not in os.environ:
            raise ValueError(f"the environment variable {source.env} is not set")
        return os.environ[source.env]
    if source.file is not None:
        return _file(source.file)
    if source.command is not None:
        return _printed(source.command, until)
    if source.value is not None:
        return source.value.get_secret_value()
    if name not in lines:
        raise ValueError("it has no env, file, command or value, and no line in a secrets_file")
    return lines[name]


def _file(path: Path) -> str:
    try:
        text = read_plain_file(path, _LARGEST + 2).decode()
    except OSError as error:
        raise ValueError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ValueError(f"{path} is not UTF-8 text") from None
    return text.removesuffix("\n").removesuffix("\r")


def _printed(command: str, until: float) -> str:
    """Run a command and return the first line of its output. Errors never quote the output."""
    left_s = until - time.monotonic()
    try:
        done = subprocess.run(
            shlex.split(command),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=max(left_s, 0.1),
            check=False,
        )
    except OSError as error:
        raise ValueError(f"its command can't be run: {error.strerror}") from None
    except subprocess.TimeoutExpired:
        raise ValueError("its command did not finish in time") from None
    if done.returncode:
        raise ValueError(f"its command failed with exit status {done.returncode}")
    try:
        return done.stdout.decode().partition("\n")[0].removesuffix("\r")
    except UnicodeDecodeError:
        raise ValueError("its command's output is not UTF-8 text") from None


def _dotenv(path: Path) -> dict[str, str]:
    """Read ``NAME=value`` lines in the dotenv format, with comments and quotes."""
    try:
        text = read_plain_text(path, _LARGEST_FILE)
    except OSError as error:
        raise InvalidArgument(
            f"The secrets file {path} can't be read: {error.strerror}.",
            "Correct browser.secrets_file (--secrets).",
            field="secrets_file",
        ) from None
    values: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        named = _LINE.fullmatch(line.strip())
        if named is None or not _NAME.match(named[1]):
            raise InvalidArgument(
                f"Line {number} in {path} is not in the format NAME=value.",
                "A name consists of uppercase letters, digits and underscores: SHOP_PASSWORD=...",
                field="secrets_file",
                line=number,
            )
        values[named[1]] = _unquoted(named[2])
    return values


def _unquoted(text: str) -> str:
    text = text.strip()
    if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"`":
        inner = text[1:-1]
        return inner.replace("\\n", "\n").replace('\\"', '"') if text[0] == '"' else inner
    return re.split(r"\s#", text, maxsplit=1)[0].rstrip()
