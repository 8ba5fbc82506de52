"""The documents, headings and tests that the repository cites exist."""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
FACTS = (ROOT / "docs/facts.md").read_text("utf-8")
HEADINGS = re.findall(r"^## (.+)$", FACTS, re.MULTILINE)
ELSEWHERE = re.compile(
    r"\b(?:FINDINGS|DESIGN|HOUSE|SUMMONED|PARITY|TOOLSETS)(?:\.md\b|,?\s(?:section\s)?\d)"
)
"""Notes of Tabwarden's developers."""
IN_WORDS = re.compile(r'docs/facts\.md,\s"([^"]+)"')
COMMENT = re.compile(r"\n[ \t]*(?:#|//|\*)?[ \t]*")
IN_LINKS = re.compile(r"\bfacts\.(?:md|html)#([\w-]+)")
TEST = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")


def texts() -> Iterator[tuple[str, str]]:
    """``(path, text)`` of each tracked text file."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    for path in listed.stdout.decode().split("\0"):
        if (ROOT / path).is_file():
            try:
                text = (ROOT / path).read_text("utf-8")
            except UnicodeDecodeError:  # a picture
                continue
            yield path, text


def test_files_cite_no_documents_outside_the_repository() -> None:
    assert [(path, found) for path, text in texts() for found in ELSEWHERE.findall(text)] == []


def test_each_citation_of_the_facts_page_refers_to_an_existing_heading() -> None:
    anchors = {re.sub(r"[^\w]+", "-", heading.lower()): heading for heading in HEADINGS}
    cited: set[str] = set()
    for path, lines in texts():
        if "facts." not in lines:
            continue
        text = COMMENT.sub(" ", lines)  # a heading may begin on one line and end on the next
        words = [*IN_WORDS.findall(text), *(anchors.get(a, a) for a in IN_LINKS.findall(text))]
        assert set(words) <= set(HEADINGS), path
        cited.update(words)
    assert len(cited) > 10


def test_facts_page_refers_to_existing_tests() -> None:
    named = TEST.findall(FACTS)
    assert len(named) > 5
    for path, name in named:
        found = ast.parse((ROOT / path).read_text("utf-8")).body
        assert name in [one.name for one in found if isinstance(one, ast.FunctionDef)], path
