"""Other packages import from a package of page/ or supervisor/, never from its files."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import tabwarden

SOURCE = Path(tabwarden.__file__).parent
INSIDE = ("tabwarden.page.", "tabwarden.supervisor.")


def is_package(name: str) -> bool:
    return (SOURCE.parent / name.replace(".", "/") / "__init__.py").is_file()


def is_module(name: str) -> bool:
    return (SOURCE.parent / f"{name.replace('.', '/')}.py").is_file()


def package_of(path: Path) -> str:
    return ".".join(path.relative_to(SOURCE.parent).parent.parts)


def imports_past_an_interface(path: Path) -> Iterator[str]:
    own = package_of(path)
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if not isinstance(node, ast.ImportFrom) or node.module is None:
            continue
        module = node.module
        if not module.startswith(INSIDE) or not is_module(module) or is_package(module):
            continue
        package = module.rpartition(".")[0]
        if own != package:
            yield f"{path.relative_to(SOURCE)}:{node.lineno}: from {module}; use {package}"


@pytest.mark.parametrize("room", sorted(one.name for one in SOURCE.iterdir() if one.is_dir()))
def test_other_packages_import_from_a_package_and_not_from_its_files(room: str) -> None:
    found = [
        line for path in (SOURCE / room).rglob("*.py") for line in imports_past_an_interface(path)
    ]
    assert found == []


def test_top_level_modules_import_from_packages_and_not_from_their_files() -> None:
    assert [line for path in SOURCE.glob("*.py") for line in imports_past_an_interface(path)] == []
