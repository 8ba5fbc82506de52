"""Run Playwright Python's own tests against Tabwarden's API.

``make judge-playwright CHECKOUT=path``. The tests are the checkout's, unmodified.
``judges.playwright_shim`` replaces Playwright's objects. Each case passes, is not
expressible (the API has no call for it), or is listed with its reason in docs/playwright-tests.md;
otherwise the command fails.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from judges import ROOT

GUIDE = ROOT / "docs/playwright-tests.md"
TESTS = "tests/async"
_LISTED = re.compile(r"^- `(test_\w+)`: (.+)$", re.MULTILINE)
_PER_TEST_S = 30


class Case(NamedTuple):
    file: str
    name: str
    outcome: str
    """``passed``, ``failed``, ``skipped`` (by the suite itself), or ``not expressible``."""
    why: str = ""

    @property
    def key(self) -> tuple[str, str]:
        return self.file, self.name


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkout", type=Path, help="a folder with microsoft/playwright-python")
    parser.add_argument("files", nargs="*", help="only these files, such as test_click")
    parser.add_argument("--report", type=Path, help="also write pytest's JUnit report here")
    parser.add_argument("-k", dest="only", default="", help="only these tests, as in pytest")
    given = parser.parse_intermixed_args()
    checkout = given.checkout.resolve()
    if not (checkout / TESTS / "conftest.py").exists():
        parser.error(f"{checkout} has no {TESTS}: fetch microsoft/playwright-python")
    cases = judged(checkout, given.files, given.only, given.report)
    rows = known()
    table(cases, rows)
    wrong = [one for one in cases if one.outcome == "failed" and one.key not in rows]
    for one in wrong:
        print(f"failed  {one.file}::{one.name}  {one.why}")
    for one in cases:
        if one.outcome == "passed" and one.key in rows:
            print(f"passes now, but {GUIDE.name} lists it: {one.file}::{one.name}")
    return 1 if wrong or not cases else 0


def table(cases: Iterable[Case], rows: Mapping[tuple[str, str], str]) -> None:
    """Print the counts by file, and the inexpressible tests' reasons by category."""
    files: dict[str, Counter[str]] = {}
    categories: Counter[str] = Counter()
    for one in cases:
        listed = one.outcome == "failed" and one.key in rows
        counts = files.setdefault(one.file, Counter())
        counts["by design" if listed else one.outcome] += 1
        if one.outcome == "not expressible":
            categories[one.why.partition(":")[0]] += 1
    total = sum(files.values(), Counter())
    print(f"{'':44}total expressible passed by design failed")
    for file, counts in [*sorted(files.items()), ("all", total)]:
        told = [counts[one] for one in ("passed", "by design", "failed")]
        print(f"{file:44}{counts.total():5}{sum(told):12}{told[0]:7}{told[1]:10}{told[2]:7}")
    print(
        f"\nnot expressible: {total['not expressible']}; skipped by the suite: {total['skipped']}"
    )
    for category, count in categories.most_common():
        print(f"{count:5} {category}")


def known() -> Mapping[tuple[str, str], str]:
    """Return the cases that the guide lists, with their reasons."""
    found = {}
    for part in GUIDE.read_text().split("\n### ")[1:]:
        reason = part.partition("\n")[0]
        for file, names in _LISTED.findall(part):
            found.update({(file, name): reason for name in re.findall(r"`(\w+)`", names)})
    return found


def judged(checkout: Path, files: Iterable[str], only: str, copy: Path | None = None) -> list[Case]:
    """Run the tests of a checkout, and return each test with its worst outcome."""
    chosen = [f"{TESTS}/{Path(one).stem}.py" for one in files] or [TESTS]
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        options = [
            "-p", "judges.playwright_shim.plugin", "-p", "no:cacheprovider", "-c", os.devnull,
            "--rootdir", str(checkout), "--browser", "chromium", "--timeout", str(_PER_TEST_S),
            "-o", "asyncio_mode=auto", "-o", "asyncio_default_fixture_loop_scope=session",
            "-o", "asyncio_default_test_loop_scope=session", "-o", "junit_family=xunit1",
            "-q", "--tb=native", "-W", "ignore", f"--junitxml={report}", "-k", only,
        ]  # fmt: skip
        subprocess.run(
            [sys.executable, "-m", "pytest", *chosen, *options],
            cwd=checkout,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            check=False,
        )
        if not report.exists():
            return []
        if copy is not None:
            shutil.copyfile(report, copy)
        worst: dict[tuple[str, str], Case] = {}
        for node in ElementTree.parse(report).iter("testcase"):
            one = _case(node)
            if one.key not in worst or _SEVERITY[one.outcome] > _SEVERITY[worst[one.key].outcome]:
                worst[one.key] = one
        return list(worst.values())


_SEVERITY = {"skipped": 0, "not expressible": 1, "passed": 2, "failed": 3}


def _case(node: ElementTree.Element) -> Case:
    name = str(node.get("name")).partition("[")[0]
    parts = str(node.get("classname")).split(".")  # a class may follow the file
    file = next(part for part in parts if part.startswith("test_"))
    for outcome, tag in (("skipped", "skipped"), ("failed", "failure"), ("failed", "error")):
        found = node.find(tag)
        if found is None:
            continue
        why = str(found.get("message")).partition("\n")[0][:160]
        outside = why.partition("not expressible: ")[2]
        return Case(file, name, "not expressible" if outside else outcome, outside or why)
    return Case(file, name, "passed")


if __name__ == "__main__":
    sys.exit(main())
