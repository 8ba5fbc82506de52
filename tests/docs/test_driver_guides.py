"""The guides of the vendors' drivers: their agents buy in the demo's shop, with both ends of the
SDKs' version ranges, and with a whole Chromium too. ``test_docs.py`` runs all of their examples."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from support.applications.install import python_packages
from support.needs import needs, require, whole_chromium
from support.pace import slowness

ROOT = Path(__file__).parents[2]
GUIDES = {"claude-browser": "anthropic==1.12.0", "openai-browser": "openai==3.31.0"}
"""The lowest version of the SDK for each guide."""
BOUGHT = "Thank you. €24.00 paid with the card ending 4242."
_EXAMPLE_S = 60


def guide(name: str) -> str:
    return (ROOT / f"docs/{name}.md").read_text("utf-8")


def example(name: str) -> str:
    """The guide's first example."""
    found = re.search(r"^```python\n(.*?)^```", guide(name), re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1]


def output(code: str, folder: Path, **environment: str) -> str:
    """Run an example in a process of its own; return what it printed."""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, env={**os.environ, **environment},
        capture_output=True, text=True, check=False, timeout=_EXAMPLE_S * slowness(),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2_000:]
    return done.stdout


@pytest.mark.parametrize("name", GUIDES)
@pytest.mark.long
def test_guides_agent_buys_with_the_oldest_sdk(name: str, tmp_path: Path) -> None:
    require("vendor-sdks")
    site = next(python_packages(GUIDES[name]).parent.glob("lib/python*/site-packages"))
    assert BOUGHT in output(example(name), tmp_path, PYTHONPATH=str(site))
    package, _, version = GUIDES[name].partition("==")
    assert version in guide(name)
    assert f"tabwarden[{package}]" in guide(name)


@pytest.mark.parametrize("name", GUIDES)
@needs("chromium")
@pytest.mark.long
def test_guides_agent_buys_in_a_whole_chromium(name: str, tmp_path: Path) -> None:
    require("vendor-sdks")
    executable = f"BrowserConfig(executable={str(whole_chromium())!r}, "
    assert BOUGHT in output(example(name).replace("BrowserConfig(", executable), tmp_path)


@pytest.mark.parametrize("name", GUIDES)
def test_guide_needs_only_two_changed_lines_for_a_real_key(name: str) -> None:
    """The example names the scripted model only in its client, and the shop in its message."""
    code = example(name)
    assert len(re.findall(r"model\.url", code)) == 1
    assert len(re.findall(r'"content": TASK', code)) == 1
