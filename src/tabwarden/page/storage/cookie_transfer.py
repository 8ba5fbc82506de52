"""Load cookies from a file or a text, and save them to a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from tabwarden.errors import InvalidArgument
from tabwarden.page.call import Body
from tabwarden.page.storage import state_file
from tabwarden.page.storage.cookie_files import state_of
from tabwarden.page.storage.cookies import CookieFilter, matching
from tabwarden.page.storage.state_format import as_playwright
from tabwarden.page.storage.storage_state import load_cookies
from tabwarden.page.task import Call, Done


class Source(NamedTuple):
    """Where cookies come from or go to: one of both."""

    filename: str | None
    text: str | None


def checked_source(
    mode: str, wanted: CookieFilter, filename: str | None, text: str | None
) -> Source | None:
    """Return where cookies come from or go to; None for modes without a file.

    Raises:
        InvalidArgument: a parameter is missing or does not fit the mode.
    """
    if mode not in ("load", "save"):
        for field, given in (("filename", filename), ("text", text)):
            if given is not None:
                raise InvalidArgument(
                    f"{field} works only with mode 'load' or 'save', not with {mode!r}.",
                    field=field,
                )
        return None
    if mode == "save" and text is not None:
        raise InvalidArgument("text works only with mode 'load'.", "Give filename.", field="text")
    if (filename is None) == (text is None):
        which = "filename" if mode == "save" else "filename or text"
        raise InvalidArgument(f"mode {mode!r} needs {which}.", field="filename")
    if text is not None and not isinstance(text, str):
        raise InvalidArgument("text must be a string.", field="text")
    if mode == "load" and wanted != CookieFilter():
        raise InvalidArgument(
            "mode 'load' loads all cookies of the file.", "Omit url, domain and name.", field="mode"
        )
    return Source(filename, text)


async def transfer(folder: Path, mode: str, source: Source, wanted: CookieFilter) -> Body:
    """Read the source, and return what a call does with it.

    Raises:
        InvalidArgument: the file or text can't be read. Denied: the file is outside the folder.
    """
    if mode == "load" and source.text is not None:
        state = state_of(source.text, "text", "the text")
        return lambda call: load_cookies(call, state)
    filename = source.filename or ""
    if mode == "load":
        state = await state_file.given(folder, filename)
        return lambda call: load_cookies(call, state)
    path = state_file.state_path(folder, filename)
    if "." not in Path(filename).name:
        path = path.with_suffix(".txt")
    if not state_file.is_cookie_file(path):
        raise InvalidArgument(
            f"{path.name!r} is not the name of a cookie file.",
            "Use .txt. The storage state saves .json files, with the sites' storage.",
            field="filename",
        )

    async def save(call: Call) -> Done:
        found: list[dict[str, Any]] = [
            as_playwright(one) for one in await matching(call.race, call.tab, wanted)
        ]
        return await state_file.save_cookies(call, path, found)

    return save
