"""Other packages import from a package of page/ or supervisor/, or from a module that its
``__init__`` names in ``PUBLIC``, never from its other files. The private names of a class stay in
its package; of a browser, the packages above use ``inside``."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import tabwarden

SOURCE = Path(tabwarden.__file__).parent
INSIDE = ("tabwarden.page.", "tabwarden.supervisor.")
OTHERS_NAMES = (
    *("_asdict", "_exit", "_fields", "_make", "_replace"),
    *("_build_native_vision_tool_result", "_should_use_native_vision_fast_path"),
)
"""Names with an underscore that Python and Hermes define for outside use."""


def is_package(name: str) -> bool:
    return (SOURCE.parent / name.replace(".", "/") / "__init__.py").is_file()


def is_module(name: str) -> bool:
    return (SOURCE.parent / f"{name.replace('.', '/')}.py").is_file()


def package_of(path: Path) -> str:
    return ".".join(path.relative_to(SOURCE.parent).parent.parts)


@cache
def public_modules(package: str) -> frozenset[str]:
    """Return the modules that a package lists in ``PUBLIC``."""
    tree = ast.parse((SOURCE.parent / package.replace(".", "/") / "__init__.py").read_text("utf-8"))
    named = [
        ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "PUBLIC"
    ]
    return frozenset(*named)


def imports_past_an_interface(path: Path) -> Iterator[str]:
    own = package_of(path)
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if not isinstance(node, ast.ImportFrom) or node.module is None:
            continue
        module = node.module
        if not module.startswith(INSIDE) or not is_module(module) or is_package(module):
            continue
        package, _, name = module.rpartition(".")
        if own != package and name not in public_modules(package):
            yield f"{path.relative_to(SOURCE)}:{node.lineno}: from {module}; use {package}"


def is_self(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id in ("self", "cls")


def attributes_of_others(tree: ast.AST) -> Iterator[ast.Attribute]:
    """Private attributes of objects other than ``self`` and ``super()``."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Attribute) or not re.match(r"_[^_]", node.attr):
            continue
        of = node.value
        is_super = (
            isinstance(of, ast.Call) and isinstance(of.func, ast.Name) and of.func.id == "super"
        )
        if not is_self(of) and not is_super and node.attr not in OTHERS_NAMES:
            yield node


def private_names_of(tree: ast.AST) -> Iterator[str]:
    """The names of a module's functions, and of the attributes its methods set on ``self``."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name
        elif (
            isinstance(node, ast.Attribute)
            and isinstance(node.ctx, ast.Store)
            and is_self(node.value)
        ):
            yield node.attr


def test_private_names_are_used_only_in_their_package() -> None:
    own: dict[Path, set[str]] = defaultdict(set)
    used = []
    for path in SOURCE.rglob("*.py"):
        if path.parent == SOURCE / "protocol":  # generated
            continue
        tree = ast.parse(path.read_text("utf-8"))
        own[path.parent].update(private_names_of(tree))
        used += [(path, node) for node in attributes_of_others(tree)]
    assert [
        f"{path.relative_to(SOURCE)}:{node.lineno}: {ast.unparse(node)}"
        for path, node in used
        if node.attr not in own[path.parent]
    ] == []


@pytest.mark.parametrize("room", sorted(one.name for one in SOURCE.iterdir() if one.is_dir()))
def test_other_packages_import_from_a_package_and_not_from_its_files(room: str) -> None:
    found = [
        line for path in (SOURCE / room).rglob("*.py") for line in imports_past_an_interface(path)
    ]
    assert found == []


def test_top_level_modules_import_from_packages_and_not_from_their_files() -> None:
    assert [line for path in SOURCE.glob("*.py") for line in imports_past_an_interface(path)] == []


def test_package_lists_only_existing_modules_as_public() -> None:
    for init in SOURCE.rglob("__init__.py"):
        package = package_of(init)
        missing = [one for one in public_modules(package) if not is_module(f"{package}.{one}")]
        assert missing == [], package
