"""What tests need from the machine, and a summary of the tests that were skipped for want of it.

A test says ``@needs("root")``, or calls ``require("root")`` when it knows. On a machine that lacks
it, the test is skipped, and the end of the run says by name what is lacking, what brings it, and
which tests want it. ``TABWARDEN_TESTS_HAVE="root chromium"`` says what CI has brought: if that is
lacking, the test fails, so that a run can't be green because it did nothing.
"""

from __future__ import annotations

import asyncio
import ctypes.util
import importlib.util
import os
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import NamedTuple, NoReturn

import pytest
from platformdirs import user_cache_path

from tabwarden.budget import Budget
from tabwarden.endpoints.finding import find_browsers
from tabwarden.endpoints.remedy import this_platform

__all__ = ["NEEDS", "PYSIDE6", "cef_sample", "lack", "needs", "require", "uv", "whole_chromium"]

MOST_NAMES = 5
"""A requirement of more tests than this is shown with their files."""
_ROOT = Path(__file__).parents[2]
_MARK = "needs"

FOLDER = user_cache_path("tabwarden-tests")
"""The folder for other programs, which are not part of this project."""
INSPECTOR = FOLDER / "inspector/node_modules/.bin"
PYSIDE6 = FOLDER / "pyside6/bin/python"


class Need(NamedTuple):
    """A requirement on the machine."""

    brought_by: str
    is_here: Callable[[], bool] | None = None
    """None: only the test can find out, and calls ``lack``."""


def program(name: str, package: str = "") -> Need:
    return Need(f"apt install {package or name}", lambda: shutil.which(name) is not None)


def module(*names: str, brought_by: str = "make env") -> Need:
    return Need(brought_by, lambda: all(importlib.util.find_spec(name) for name in names))


@cache
def whole_chromium() -> Path | None:
    """A browser that is not a headless shell, which lacks some parts of Chromium."""
    with ThreadPoolExecutor(1) as thread:  # the caller's thread may have a running loop
        found = thread.submit(lambda: asyncio.run(find_browsers(Budget(60_000)))).result()
    whole = (one.path for one in found if one.works and "Headless" not in one.product)
    return next(whole, None)


def cef_sample() -> Path | None:
    """CEF's sample application, ``cefsimple``."""
    there = FOLDER.glob("cef/lib/python3*/site-packages/cef_capi/runtime/cefsimple")
    return next(there, None)


@cache
def uv() -> str | None:
    """The path of uv."""
    return os.environ.get("UV") or shutil.which("uv") or shutil.which(_ROOT / ".tools/bin/uv")


def _is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


NEEDS = {
    # the system
    "linux": Need("Linux", lambda: sys.platform.startswith("linux")),
    "posix": Need("Linux or macOS", lambda: os.name == "posix"),
    "x86-64": Need("Linux with glibc on x86-64", lambda: this_platform() == "linux64"),
    "root": Need("run as root", _is_root),
    "mount": Need("run as root, where root may mount (docker run --privileged)"),
    "namespaces": Need("apt install util-linux iproute2 iptables, where users may make namespaces"),
    "internet": Need("a network in which PyPI and npm answer"),
    # browsers
    "chromium": Need(
        "apt install chromium (a whole Chromium: headless shells lack parts of it)",
        lambda: whole_chromium() is not None,
    ),
    "debian-chromium": Need("apt install chromium", Path("/usr/bin/chromium").exists),
    "gpu-process": Need("apt install chromium (a headless shell has no such process)"),
    # programs
    "bash": program("bash"),
    "curl": program("curl"),
    "fish": program("fish"),
    "kubectl": program("kubectl", "kubernetes-client"),
    "libseccomp": Need(
        "apt install libseccomp2", lambda: ctypes.util.find_library("seccomp") is not None
    ),
    "node": program("node", "nodejs"),
    "npm": program("npm"),
    "openssl": program("openssl"),
    "redis-server": program("redis-server"),
    "systemd-analyze": program("systemd-analyze", "systemd"),
    "uv": Need("make env", lambda: uv() is not None),
    "zsh": program("zsh"),
    # Python packages
    "notebook": module(
        "nbformat", "nbclient", "ipykernel", brought_by="uv pip install nbclient ipykernel"
    ),
    "playwright": module("playwright"),
    "ray": module("ray"),
    "vendor-sdks": module("anthropic", "openai"),
    # third-party programs, in their own folders
    "camofox": Need("make camofox"),
    "cef": Need(
        f"apt install xvfb; python3 -m venv {FOLDER}/cef && "
        f"{FOLDER}/cef/bin/pip install cef-capi-py==131.3.5",
        lambda: cef_sample() is not None and shutil.which("xvfb-run") is not None,
    ),
    "firefox": Need(
        "apt install firefox-esr",
        lambda: bool(shutil.which("firefox-esr") or shutil.which("firefox")),
    ),
    "hermes": Need(
        f"python3 -m venv {FOLDER}/hermes && {FOLDER}/hermes/bin/pip install hermes-agent==0.19.0",
        (FOLDER / "hermes/bin/python").exists,
    ),
    "hosts": Need("make judge-hosts"),
    "inspector": Need(
        f"npm install --prefix {FOLDER}/inspector node@22 @modelcontextprotocol/inspector@2.12.0",
        lambda: all((INSPECTOR / name).exists() for name in ("mcp-inspector", "node")),
    ),
    "pyside6": Need(
        f"python3 -m venv {FOLDER}/pyside6 && {FOLDER}/pyside6/bin/pip install PySide6==6.12.0",
        PYSIDE6.exists,
    ),
    "fast-machine": Need("a machine that is less busy"),
}


def needs(*names: str) -> pytest.MarkDecorator:
    """Return a mark for a test that requires all of these."""
    unknown = set(names) - {name for name, need in NEEDS.items() if need.is_here}
    if unknown:
        raise KeyError(f"support/needs.py can't look for {sorted(unknown)}")
    return getattr(pytest.mark, _MARK)(*names)


def require(*names: str) -> None:
    """Skip the test, or the module being imported, if a requirement is missing."""
    for name in names:
        is_here = NEEDS[name].is_here
        if is_here is not None and not is_here():
            lack(name)


def lack(name: str, why: str = "") -> NoReturn:
    """Skip the test, which needs ``name``. Fail it if ``TABWARDEN_TESTS_HAVE`` names that."""
    words = f"{_MARK} {name}: {NEEDS[name].brought_by}"
    if name in _declared():
        pytest.fail(
            f"TABWARDEN_TESTS_HAVE names {name}, but the test {words}. {why}", pytrace=False
        )
    pytest.skip(f"{words}\n{why}".strip(), allow_module_level=True)


def _declared() -> list[str]:
    return os.environ.get("TABWARDEN_TESTS_HAVE", "").split()


# -- pytest hooks ----------------------------------------------------------------------------------


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", f"{_MARK}(*names): it needs these; see support/needs.py")
    if unknown := set(_declared()) - set(NEEDS):
        raise pytest.UsageError(
            f"TABWARDEN_TESTS_HAVE: {' '.join(sorted(unknown))} is not one of {' '.join(NEEDS)}"
        )


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    for mark in item.iter_markers(_MARK):
        require(*mark.args)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Write a line for each reason why tests were skipped."""
    lines = list(_lines(terminalreporter.getreports("skipped")))
    if lines:
        terminalreporter.section("skipped, by what would bring them")
        for line in lines:
            terminalreporter.write_line(line)


def _lines(skipped: Iterable[pytest.TestReport | pytest.CollectReport]) -> Iterator[str]:
    tests: dict[str, list[str]] = {}
    for report in skipped:
        told = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        reason = told.removeprefix("Skipped: ").partition("\n")[0]
        tests.setdefault(reason, []).append(report.nodeid)
    for reason, names in sorted(tests.items()):
        many = len(names) > 1
        yield f"{reason} - {len(names)} test{'s' if many else ''}: {', '.join(_brief(names))}"


def _brief(names: list[str]) -> list[str]:
    if len(names) <= MOST_NAMES:
        return names
    files = Counter(name.partition("::")[0] for name in names)
    return [f"{file} ({count})" for file, count in files.items()]
