"""docs/dependencies.md lists each dependency of pyproject.toml, with its bound and a reason."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/dependencies.md").read_text("utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
_NAME = re.compile(r"([\w.-]+)(?:\[[\w,]+\])?(.*)")


def test_dependencies_page_lists_each_library_with_its_version_bound_and_a_reason() -> None:
    listed = re.findall(r"^\| ([\w.-]+) \| `(.+?)` \| .+ \|$", PAGE, re.MULTILINE)
    assert sorted(listed) == sorted(map(split, PROJECT["project"]["dependencies"]))


def test_dependencies_page_lists_each_library_of_each_extra() -> None:
    listed = re.findall(r"^\| `([\w-]+)` \| ([\w.-]+) \| `(.+?)` \| .+ \|$", PAGE, re.MULTILINE)
    extras = PROJECT["project"]["optional-dependencies"].items()
    assert listed == [(extra, *split(one)) for extra, libraries in extras for one in libraries]


def test_dependencies_page_lists_each_development_library() -> None:
    groups = PROJECT["dependency-groups"].values()
    names = {split(one)[0] for group in groups for one in group if isinstance(one, str)}
    assert {name for name in names if name != "tabwarden" and name not in PAGE} == set()


def split(dependency: str) -> tuple[str, str]:
    """A dependency's name and bound."""
    named = _NAME.fullmatch(dependency)
    assert named is not None
    return named[1], named[2]
