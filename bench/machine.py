"""Describes the machine and the versions of a run, without which numbers are meaningless."""

from __future__ import annotations

import os
import platform
import subprocess
from importlib.metadata import version
from pathlib import Path

from bench import ROOT
from bench.rivals.installed import Installed
from tabwarden.budget import Budget
from tabwarden.endpoints.finding import choose

__all__ = ["commit", "machine", "versions"]


def machine() -> dict[str, str]:
    """Return the hardware and the operating system."""
    return {
        "processor": f"{os.cpu_count()} x {_processor()}",
        "memory": f"{_memory_gb():.0f} GB" if _memory_gb() else "unknown",
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
    }


async def versions() -> dict[str, str]:
    """Return the versions of all measured tools, and of their platform."""
    browser = await choose(Budget(60_000))
    found = {
        "tabwarden": f"{version('tabwarden')} ({commit()})",
        "browser": f"{browser.version} ({browser.path.name})",
        "python": platform.python_version(),
        "playwright": version("playwright"),
        **Installed.here().versions(),
    }
    if node := _said("node", "--version"):
        found["node"] = node.removeprefix("v")
    return found


def commit() -> str:
    """Return the commit that is checked out, and whether the source differs from it."""
    found = _said("git", "-C", str(ROOT), "rev-parse", "--short", "HEAD")
    changed = _said("git", "-C", str(ROOT), "status", "--porcelain", "--", "src")
    return (found or "no checkout") + (" and changes" if changed else "")


def _said(*command: str) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    except OSError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def _processor() -> str:
    told = Path("/proc/cpuinfo")
    lines = told.read_text().splitlines() if told.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def _memory_gb() -> float:
    if not hasattr(os, "sysconf"):
        return 0.0
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**30
