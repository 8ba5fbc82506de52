"""Run Hermes Agent's own tests of its browser supervisor against Tabwarden's facade.

``make judge-hermes CHECKOUT=path``. The tests are the checkout's, unmodified. This module is also
the pytest plugin that replaces Hermes' modules with ``tabwarden.integrations.hermes.api``. Each
case passes, or is a row of docs/hermes.md with its reason; otherwise the command
fails.
"""

from __future__ import annotations

import importlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from judges import ROOT

GUIDE = ROOT / "docs/hermes.md"
TESTS = ("tests/tools/test_browser_supervisor.py", "tests/tools/test_browser_cdp_tool.py")
OURS = {
    "browser_supervisor": "tabwarden.integrations.hermes.api",
    "browser_dialog_tool": "tabwarden.integrations.hermes.api.browser_dialog_tool",
    "browser_cdp_tool": "tabwarden.integrations.hermes.api.browser_cdp_tool",
}
"""Hermes' modules in ``tools``, and their replacements."""
_ROW = re.compile(r"^\| `(test_\w+)`[^|]*\| (.+?) \|$", re.MULTILINE)


class Case(NamedTuple):
    name: str
    outcome: str
    """``passed``, ``skipped`` or ``failed``."""
    why: str


def pytest_configure() -> None:
    """Replace Hermes' modules with Tabwarden's (pytest calls this in its process)."""
    sys.path.insert(0, os.getcwd())
    hermes = importlib.import_module("tools")
    for name, ours in OURS.items():
        module = importlib.import_module(ours)
        sys.modules[f"tools.{name}"] = module
        setattr(hermes, name, module)
    tool = importlib.import_module("tabwarden.integrations.hermes.api.browser_cdp_tool")
    tool.register(importlib.import_module("tools.registry").registry)


def main() -> int:
    if len(sys.argv) != 2 or not all((Path(sys.argv[1]) / test).exists() for test in TESTS):
        print(f"usage: judge_hermes.py CHECKOUT (of NousResearch/hermes-agent, with {TESTS[0]})")
        return 2
    cases = judged(Path(sys.argv[1]).resolve())
    rows = known()
    for case in cases:
        reason = rows.get(case.name, "") if case.outcome != "passed" else ""
        print(f"{case.outcome:8}{case.name}" + (f"  ({reason or case.why})" if case.why else ""))
    wrong = [case for case in cases if case.outcome != "passed" and case.name not in rows]
    passed = sum(case.outcome == "passed" for case in cases)
    print(f"\n{passed} of {len(cases)} pass, {len(cases) - passed - len(wrong)} have a row in "
          f"{GUIDE.relative_to(ROOT)}, {len(wrong)} have none.")  # fmt: skip
    return 1 if wrong or not cases else 0


def known() -> Mapping[str, str]:
    """Return the cases with a row in the guide, and their reasons."""
    return dict(_ROW.findall(GUIDE.read_text()))


def judged(checkout: Path) -> list[Case]:
    """Run the two test files in a checkout."""
    with tempfile.TemporaryDirectory() as folder, a_chromium_for_root() as path:
        report = Path(folder) / "report.xml"
        home = Path(folder) / "home"
        subprocess.run(
            [
                sys.executable, "-m", "pytest", *TESTS, "--noconftest", "-c", os.devnull,
                "--rootdir", str(checkout), "-p", "judges.judge_hermes", "-p", "no:cacheprovider",
                "-q", "--tb=short", f"--junitxml={report}",
            ],
            cwd=checkout,
            env={
                **os.environ, "PYTHONPATH": str(ROOT), "PATH": path,
                "HERMES_E2E_BROWSER": "1", "HERMES_HOME": str(home),
            },
            check=False,
        )  # fmt: skip
        if not report.exists():
            return []
        return [_case(node) for node in ElementTree.parse(report).iter("testcase")]


def _case(node: ElementTree.Element) -> Case:
    name = str(node.get("name")).partition("[")[0]
    for outcome, tag in (("skipped", "skipped"), ("failed", "failure"), ("failed", "error")):
        found = node.find(tag)
        if found is not None:
            return Case(name, outcome, str(found.get("message")).partition("\n")[0][:120])
    return Case(name, "passed", "")


@contextmanager
def a_chromium_for_root() -> Iterator[str]:
    """Return a PATH on which the tests find a browser that starts, also in a container as root."""
    path = os.environ["PATH"]
    real = shutil.which("google-chrome") or shutil.which("chromium")
    if real is None or os.name == "nt" or os.geteuid() != 0:
        yield path
        return
    with tempfile.TemporaryDirectory() as folder:
        starter = Path(folder) / Path(real).name
        starter.write_text(f'#!/bin/sh\nexec {real} --no-sandbox "$@"\n')
        starter.chmod(0o755)
        yield f"{folder}{os.pathsep}{path}"


if __name__ == "__main__":
    sys.exit(main())
