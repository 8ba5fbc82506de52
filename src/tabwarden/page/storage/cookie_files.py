"""Cookies in other programs' formats: Netscape cookie files and curl commands."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

from tabwarden.errors import InvalidArgument
from tabwarden.page.storage.state_format import StateCookie, StorageState, checked_state

_HEAD = """\
# Netscape HTTP Cookie File
# Written by Tabwarden. It contains secrets.
"""
_HTTP_ONLY = "#HttpOnly_"
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t"}
_BRANCH = re.compile(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))", re.DOTALL)
_FORMS = (
    "Give a storage state (JSON), a Netscape cookie file (`curl -c FILE`), or a curl command with "
    "cookies (`curl 'https://...' -H 'cookie: ...'`)."
)


def state_of(text: str, field: str, name: str) -> StorageState:
    """Read a storage state, a Netscape cookie file, or a curl command.

    Args:
        text: the content to read.
        field: the parameter's name for errors.
        name: the name of the content in errors, such as a file's name.

    Raises:
        InvalidArgument: the text has none of these formats. The error quotes no cookie.
    """
    bare = text.lstrip("\ufeff \t\r\n")
    if bare[:1] in ("{", "["):
        try:
            return checked_state(json.loads(bare))
        except (ValueError, RecursionError):
            raise InvalidArgument(f"{name} is not valid JSON.", _FORMS, field=field) from None
    if re.match(r"curl(\.exe)?\s", bare):
        return StorageState(cookies=_of_curl(bare, field))
    return StorageState(cookies=list(_of_netscape(bare, field, name)))


def netscape(cookies: Iterable[Mapping[str, Any]]) -> str:
    """Return a Netscape cookie file, which curl, wget and yt-dlp can read.

    Args:
        cookies: the cookies in storage state format. Partitioned cookies are left out, because a
            cookie file can't store the partition.
    """
    lines = [
        "\t".join(
            (
                f"{_HTTP_ONLY if one['httpOnly'] else ''}{one['domain']}",
                _flag(one["domain"].startswith(".")),
                one["path"],
                _flag(one["secure"]),
                str(max(0, int(one["expires"]))),
                one["name"],
                one["value"],
            )
        )
        for one in cookies
        if "partitionKey" not in one
    ]
    return _HEAD + "".join(f"{line}\n" for line in lines)


def _flag(value: object) -> str:
    return "TRUE" if value else "FALSE"


def _of_netscape(text: str, field: str, name: str) -> Iterator[StateCookie]:
    for number, line in enumerate(text.splitlines(), 1):
        http_only = line.startswith(_HTTP_ONLY)
        if not line.strip() or (line.startswith("#") and not http_only):
            continue
        cells = line.removeprefix(_HTTP_ONLY).split("\t")
        if len(cells) == 6:  # curl omits the tab before an empty value
            cells.append("")
        if len(cells) != 7 or not cells[0] or not re.fullmatch(r"-?\d+(\.\d+)?", cells[4]):
            raise InvalidArgument(
                f"Line {number} of {name} is not a valid cookie file line: it has {len(cells)} "
                "fields instead of 7, or its fifth field is not a time.",
                _FORMS,
                field=field,
            )
        domain, subdomains, path, secure, expires, cookie, value = cells
        host = domain.lstrip(".")
        expiry = float(expires)
        yield StateCookie(
            name=cookie,
            value=value,
            domain=f".{host}" if subdomains.upper() == "TRUE" else host,
            path=path or "/",
            expires=expiry if expiry > 0 else -1,
            http_only=http_only,
            secure=secure.upper() == "TRUE",
        )


def _of_curl(command: str, field: str) -> list[StateCookie]:
    try:
        words = shlex.split(_plain_shell(command))
    except ValueError as error:
        raise InvalidArgument(
            f"The curl command can't be read: {error}.", _FORMS, field=field
        ) from None
    url, texts = _url_and_cookies(words)
    if url is None or urlsplit(url).hostname is None:
        raise InvalidArgument("The curl command has no URL.", _FORMS, field=field)
    if not texts:
        raise InvalidArgument(
            "The curl command has no cookies.",
            "Copy a request that sends cookies. If the command has `-b FILE`, load that file.",
            field=field,
        )
    parts = urlsplit(url)
    pairs = [pair.strip().partition("=") for text in texts for pair in text.split(";")]
    return [
        StateCookie(
            name=name.strip(),
            value=value.strip(),
            url=f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}/",
            secure=parts.scheme == "https",
        )
        for name, is_pair, value in pairs
        if is_pair and name.strip()
    ]


def _url_and_cookies(words: list[str]) -> tuple[str | None, list[str]]:
    """Return a curl command's URL, and the texts of its ``Cookie`` headers."""
    url: str | None = None
    texts = []
    rest = iter(words[1:])
    for word in rest:
        option, _, joined = word.partition("=") if word.startswith("--") else (word, "", "")
        if re.match(r"-[bH].", word):  # -b'a=1'
            option, joined = word[:2], word[2:]
        if option in ("-b", "--cookie"):
            texts.append(joined or next(rest, ""))
        elif option in ("-H", "--header"):
            name, _, value = (joined or next(rest, "")).partition(":")
            if name.strip().lower() == "cookie":
                texts.append(value)
        elif option == "--url":
            url = joined or next(rest, "")
        elif re.match(r"https?://", word, re.IGNORECASE):
            url = url or word
    return url, [text for text in texts if "=" in text]


def _plain_shell(command: str) -> str:
    """Rewrite a command that Chrome copied for bash or cmd so that ``shlex`` can split it."""
    if '^"' in command:  # in cmd, ^ escapes the next character and continues a line
        command = re.sub(r"\^\r?\n", " ", command)
        command = re.sub(r"\^(.)", r"\1", command, flags=re.DOTALL)
    command = re.sub(r"\\\r?\n", " ", command)
    return re.sub(r"\$'((?:[^'\\]|\\.)*)'", _ansi_quoted, command, flags=re.DOTALL)


def _ansi_quoted(match: re.Match[str]) -> str:
    def char(escape: re.Match[str]) -> str:
        code = escape[1] or escape[2]
        return chr(int(code, 16)) if code else _ESCAPES.get(escape[3], escape[3])

    return shlex.quote(_BRANCH.sub(char, match[1]))
