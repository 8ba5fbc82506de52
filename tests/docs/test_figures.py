"""Pages with figures state their commit, and `make check` reports outdated ones."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from check_figures import PAGES, check

from bench.page import origin, put

ROOT = Path(__file__).parents[2]


def test_each_page_with_figures_states_its_commit() -> None:
    check(ROOT)
    marked = {p.name for p in (ROOT / "docs").glob("*.md") if "writes from here" in p.read_text()}
    assert len(marked) > 4
    assert marked <= set(PAGES)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    (tmp_path / "docs").mkdir()
    git(tmp_path, "init", "--quiet")
    return tmp_path


def git(folder: Path, *words: str) -> str:
    name = ["-c", "user.name=a", "-c", "user.email=a@b"]
    done = subprocess.run(
        ["git", "-C", str(folder), *name, *words], capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def commit(folder: Path) -> str:
    git(folder, "commit", "--quiet", "--allow-empty", "--message", "work")
    return git(folder, "rev-parse", "--short", "HEAD")


def test_figures_check_reports_figures_from_an_old_commit(repository: Path) -> None:
    page = repository / "docs" / "duel.md"
    page.write_text("<!-- from here -->\n")
    put(page, "<!-- from here -->", "| 1 |\n", said=origin(of=commit(repository)))
    commit(repository)
    assert check(repository, old=1) == []
    commit(repository)
    assert check(repository, old=1) == ["docs/duel.md: its figures are 2 commits old"]


def test_figures_check_reports_an_unknown_commit_without_failing(repository: Path) -> None:
    commit(repository)
    (repository / "docs" / "mine.md").write_text(origin(of="0123abc and changes"))
    assert check(repository) == ["docs/mine.md: unknown commit 0123abc"]


def test_figures_check_fails_for_a_page_without_a_commit(repository: Path) -> None:
    (repository / "docs" / "duel.md").write_text("| 1 |")
    with pytest.raises(SystemExit, match=r"docs/duel\.md"):
        check(repository)


def test_put_replaces_the_figures_between_the_markers_in_a_page(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("Before\nFROM\nold\nTO\nAfter\n")
    put(page, "FROM", "new\n", end="TO", said="Here.")
    assert page.read_text() == "Before\nFROM\n\nHere.\n\nnew\n\nTO\nAfter\n"
    put(page, "FROM", "newer\n")
    assert page.read_text() == f"Before\nFROM\n\n{origin()}\n\nnewer\n"
    for marks in (("NO", None), ("FROM", "NO")):
        with pytest.raises(ValueError, match="has no line NO"):
            put(page, marks[0], "", end=marks[1])
