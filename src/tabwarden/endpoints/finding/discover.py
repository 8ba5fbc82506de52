"""Find browser executables on this system, without starting them.

The search order is: the caller's executable; ``TABWARDEN_CHROME``; browsers that Tabwarden
installed (the user asked for them, and they work without a desktop); then Chrome, Edge, Chromium
and Brave, each in its default locations and on the PATH. ``TABWARDEN_ONLY_INSTALLED=1`` excludes
the last group.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec
import platformdirs

from tabwarden.endpoints.launching import BrowserKind
from tabwarden.errors import LaunchFailed
from tabwarden.files.plain_file import read_plain_file

ENVIRONMENT_VARIABLE = "TABWARDEN_CHROME"
BROWSERS_PATH = "TABWARDEN_BROWSERS_PATH"
ONLY_INSTALLED = "TABWARDEN_ONLY_INSTALLED"
_SWITCH: Mapping[str, bool] = {"": False, "0": False, "false": False, "1": True, "true": True}

Source = Literal["argument", "environment", "installed", "system", "path"]


class Candidate(NamedTuple):
    """A file that might be a browser."""

    kind: BrowserKind
    path: Path
    source: Source
    headless_only: bool = False
    """Whether the browser can't show windows, as chromium-headless-shell can't."""


class Installed(msgspec.Struct, frozen=True):
    """The content of ``tabwarden.json`` in the folder of a browser that we installed."""

    name: str
    version: str
    kind: BrowserKind
    executable: str
    """The executable's path, relative to the folder."""
    headless_only: bool = False


_LINUX: Mapping[BrowserKind, tuple[str, ...]] = {
    "chrome": ("opt/google/chrome/chrome", "usr/bin/google-chrome-stable"),
    "edge": ("opt/microsoft/msedge/msedge", "usr/bin/microsoft-edge-stable"),
    "chromium": (
        "usr/bin/chromium",
        "usr/bin/chromium-headless-shell",
        "usr/bin/chromium-browser",
        "snap/bin/chromium",
    ),
    "brave": ("opt/brave.com/brave/brave", "usr/bin/brave-browser"),
}
_MACOS: Mapping[BrowserKind, tuple[str, ...]] = {
    "chrome": (
        "Google Chrome.app/Contents/MacOS/Google Chrome",
        "Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing",
    ),
    "edge": ("Microsoft Edge.app/Contents/MacOS/Microsoft Edge",),
    "chromium": ("Chromium.app/Contents/MacOS/Chromium",),
    "brave": ("Brave Browser.app/Contents/MacOS/Brave Browser",),
}
_WINDOWS: Mapping[BrowserKind, tuple[str, ...]] = {
    "chrome": ("Google/Chrome/Application/chrome.exe",),
    "edge": ("Microsoft/Edge/Application/msedge.exe",),
    "chromium": ("Chromium/Application/chrome.exe",),
    "brave": ("BraveSoftware/Brave-Browser/Application/brave.exe",),
}
_WINDOWS_ROOTS = ("PROGRAMFILES", "PROGRAMW6432", "PROGRAMFILES(X86)", "LOCALAPPDATA")
_ON_PATH: Mapping[BrowserKind, tuple[str, ...]] = {
    "chrome": ("google-chrome-stable", "google-chrome", "chrome"),
    "edge": ("microsoft-edge-stable", "microsoft-edge", "msedge"),
    "chromium": (
        "chromium",
        "chromium-headless-shell",
        "chrome-headless-shell",
        "headless_shell",
        "chromium-browser",
    ),
    "brave": ("brave-browser", "brave"),
}


def browsers_folder() -> Path:
    """Return the folder into which ``tabwarden browsers install`` installs browsers.

    ``TABWARDEN_BROWSERS_PATH`` overrides it.
    """
    named = os.environ.get(BROWSERS_PATH)
    if named:
        return Path(named).expanduser().absolute()
    return Path(platformdirs.user_data_dir("tabwarden", appauthor=False)) / "browsers"


def candidates(
    executable: str | Path | None = None,
    browser: BrowserKind | None = None,
    *,
    environment: Mapping[str, str] | None = None,
    installed_in: Path | None = None,
    headless: bool = True,
) -> list[Candidate]:
    """Return the files that might be browsers, in order of preference, without duplicates.

    Args:
        executable: return only this file.
        browser: return only this kind of browser, even if ``TABWARDEN_CHROME`` is another kind.
        environment: replaces ``os.environ``.
        installed_in: replaces ``browsers_folder()``.
        headless: if False, skip browsers that can't show windows.

    Raises:
        LaunchFailed: the executable that the caller or the environment names does not exist, or
            ``TABWARDEN_ONLY_INSTALLED`` is neither 1 nor 0.
    """
    environment = os.environ if environment is None else environment
    if executable is not None:
        return [_named(str(executable), "argument", "executable")]
    unfiltered: list[Candidate] = []
    if environment.get(ENVIRONMENT_VARIABLE):
        unfiltered.append(
            _named(environment[ENVIRONMENT_VARIABLE], "environment", ENVIRONMENT_VARIABLE)
        )
    unfiltered += _installed(installed_in or browsers_folder())
    if not only_installed(environment):
        unfiltered += of_the_system(environment)
    return _filtered(unfiltered, browser, headless=headless)


def only_installed(environment: Mapping[str, str] | None = None) -> bool:
    """Whether ``TABWARDEN_ONLY_INSTALLED`` excludes the browsers that Tabwarden did not install.

    Raises:
        LaunchFailed: the value is not 1, true, 0 or false.
    """
    value = (os.environ if environment is None else environment).get(ONLY_INSTALLED, "")
    if value.lower() not in _SWITCH:
        raise LaunchFailed(
            f"`{ONLY_INSTALLED}` is {value!r}, which is neither 1 nor 0.",
            f"Set `{ONLY_INSTALLED}` to 1 so that Tabwarden uses only browsers that it installed, "
            "or unset it.",
            field=ONLY_INSTALLED,
        )
    return _SWITCH[value.lower()]


def ignored(
    browser: BrowserKind | None = None,
    *,
    environment: Mapping[str, str] | None = None,
    headless: bool = True,
) -> list[Candidate]:
    """Return the browsers that ``TABWARDEN_ONLY_INSTALLED`` excludes from ``candidates``."""
    environment = os.environ if environment is None else environment
    if not only_installed(environment):
        return []
    kept = {_installation(one.path) for one in candidates(browser=browser, environment=environment)}
    others = _filtered(of_the_system(environment), browser, headless=headless)
    return [one for one in others if _installation(one.path) not in kept]


def words_for_ignored(left_out: Sequence[Candidate]) -> str:
    """Return a sentence that counts the ignored browsers; "" if there are none."""
    if not left_out:
        return ""
    many = len(left_out) > 1
    return (
        f"{ONLY_INSTALLED} is set, so {len(left_out)} browser{'s' if many else ''} on this system "
        f"{'were' if many else 'was'} ignored."
    )


def _filtered(
    unfiltered: Iterable[Candidate], browser: BrowserKind | None, *, headless: bool
) -> list[Candidate]:
    """Return one candidate for each installation of the wanted kind."""
    unique: dict[Path, Candidate] = {}
    for candidate in unfiltered:
        right_kind = browser is None or candidate.kind == browser
        if right_kind and (headless or not candidate.headless_only):
            unique.setdefault(_installation(candidate.path), candidate)
    return list(unique.values())


def _named(name: str, source: Source, setting: str) -> Candidate:
    path = Path(name).expanduser()
    if not path.is_file() and path.name == name:
        path = Path(shutil.which(name) or path)
    if not path.is_file():
        raise LaunchFailed(
            f"`{setting}` specifies {name} as the browser, but that file does not exist.",
            f"Correct `{setting}`, or omit it so that Tabwarden finds a browser.",
            executable=name,
            field=setting,
        )
    path = path.absolute()
    return Candidate(_kind_of(path), path, source, _is_headless_only(path))


def _kind_of(path: Path) -> BrowserKind:
    name = path.name.lower()
    if "brave" in name:
        return "brave"
    if "edge" in name:
        return "edge"
    return "chrome" if "chrome" in name and "headless" not in name else "chromium"


def _is_headless_only(path: Path) -> bool:
    return "headless-shell" in path.name or "headless_shell" in path.name


def _installed(folder: Path) -> Iterator[Candidate]:
    """Yield the browsers that we installed, newest first."""
    try:
        records = sorted(
            folder.glob("*/tabwarden.json"), key=lambda path: path.stat().st_mtime, reverse=True
        )
    except OSError:
        return
    for record in records:
        if record.parent.name.startswith("."):
            continue  # still being installed
        try:
            installed = msgspec.json.decode(read_plain_file(record), type=Installed)
        except (OSError, msgspec.DecodeError, UnicodeDecodeError):
            continue
        path = record.parent / installed.executable
        if path.is_file():
            yield Candidate(installed.kind, path, "installed", installed.headless_only)


def of_the_system(
    environment: Mapping[str, str], system: str = sys.platform, root: Path = Path("/")
) -> Iterator[Candidate]:
    """Yield Chrome, Edge, Chromium and Brave, each from its default locations and then from the
    PATH.
    """
    if system == "darwin":
        places, roots = _MACOS, [root / "Applications", Path.home() / "Applications"]
    elif system == "win32":
        places = _WINDOWS
        roots = [Path(environment[name]) for name in _WINDOWS_ROOTS if environment.get(name)]
    else:
        places, roots = _LINUX, [root]
    for kind, names in _ON_PATH.items():
        for path in (root / relative for relative in places[kind] for root in roots):
            if path.is_file():
                yield Candidate(kind, path, "system", _is_headless_only(path))
        for name in names:
            where = shutil.which(name, path=environment.get("PATH", os.defpath))
            if where is not None:
                path = Path(where).absolute()
                yield Candidate(kind, path, "path", _is_headless_only(path))


def _installation(path: Path) -> Path:
    """Return a path that identifies an installation, even if several paths lead to its browser.

    A vendor's package has one folder below /opt. It contains both the browser and the start script
    to which the entry on the PATH links.
    """
    resolved = path.resolve()
    return resolved.parent if resolved.is_relative_to("/opt") else resolved
