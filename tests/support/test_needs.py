"""Requirements of tests are checked, and skipped tests are listed by name."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from support.needs import needs

TESTS = """
import pytest
from support.needs import lack, needs

@needs("posix", "node")
@pytest.mark.parametrize("number", range(6))
def test_marked(number): ...

def test_tells():
    lack("mount", "one way of many")

@pytest.mark.skip(reason="too hot")
def test_other(): ...

@needs("posix")
def test_passes(): ...
"""


def run(folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run these tests where a program is missing."""
    (folder / "test_it.py").write_text(TESTS)
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "support.needs", "-p", "no:cacheprovider",
         "--rootdir", folder, "-c", os.devnull, "test_it.py"],
        cwd=folder, capture_output=True, text=True, check=False, timeout=60,
        env={"PYTHONPATH": str(Path(__file__).parents[1]), "PATH": "/nowhere", **environment},
    )  # fmt: skip


@needs("posix")
@pytest.mark.long
def test_report_lists_missing_requirements_with_remedies_and_skipped_tests(tmp_path: Path) -> None:
    told = run(tmp_path).stdout
    assert "1 passed, 8 skipped" in told
    section = told.partition("skipped, by what would bring them")[2].splitlines()[1:4]
    assert section == [
        "needs mount: run as root, where root may mount (docker run --privileged)"
        " - 1 test: test_it.py::test_tells",
        "needs node: apt install nodejs - 6 tests: test_it.py (6)",
        "too hot - 1 test: test_it.py::test_other",
    ]


@needs("posix")
@pytest.mark.long
def test_test_run_fails_if_a_requirement_declared_present_is_missing(tmp_path: Path) -> None:
    done = run(tmp_path, TABWARDEN_TESTS_HAVE="node posix")
    assert done.returncode == 1
    assert "1 passed, 2 skipped, 6 errors" in done.stdout
    assert "TABWARDEN_TESTS_HAVE names node" in done.stdout
    misspelt = run(tmp_path, TABWARDEN_TESTS_HAVE="nod")
    assert "TABWARDEN_TESTS_HAVE: nod is not one of" in misspelt.stderr


@pytest.mark.parametrize("name", ["nothing-of-this-name", "camofox"])
def test_needs_marker_rejects_an_unknown_name(name: str) -> None:
    with pytest.raises(KeyError, match=name):
        needs(name)
