"""Public names are documented: purpose, parameters and exceptions."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import pytest

import tabwarden
import tabwarden.sync
import tabwarden.tools
import tabwarden.tools.sync

MODULES = (tabwarden, tabwarden.sync, tabwarden.tools, tabwarden.tools.sync)
RAISING = ("Browser", "Tools")
"""Classes whose every method can raise, and documents it."""


def public(module: ModuleType) -> Iterator[tuple[str, Any]]:
    """``(dotted name, function or class)`` of all public names in a module, methods included."""
    for name in module.__all__:
        thing = getattr(module, name)
        if inspect.isfunction(thing) or inspect.isclass(thing):
            yield f"{module.__name__}.{name}", thing
        if not inspect.isclass(thing) or not thing.__module__.startswith("tabwarden"):
            continue
        for owner in thing.__mro__:
            if owner.__module__.startswith("tabwarden"):
                for part, made in vars(owner).items():
                    bare = getattr(made, "__func__", getattr(made, "fget", made))
                    if not part.startswith("_") and inspect.isfunction(bare):
                        yield f"{module.__name__}.{name}.{part}", bare


PUBLIC = {module.__name__: dict(public(module)) for module in MODULES}
CALLS = {
    module: {name: thing for name, thing in offered.items() if inspect.isfunction(thing)}
    for module, offered in PUBLIC.items()
}


def described(function: Callable[..., Any]) -> str:
    """The docstring, and the docstring it refers to: "``stop`` for callers on ..."."""
    words = inspect.getdoc(function) or ""
    pointer = re.match(r"``(\w+)`` for callers", words)
    told = [
        other
        for calls in CALLS.values()
        for name, other in calls.items()
        if pointer is not None and name.endswith("." + pointer[1])
    ]
    return "\n".join([words, *(inspect.getdoc(other) or "" for other in told)])


def undescribed(function: Callable[..., Any]) -> list[str]:
    """The parameters that the docstring does not mention."""
    words = described(function)
    listed = {
        name
        for line in re.findall(r"^ +(\w+(?:, \w+)*):", words, re.MULTILINE)
        for name in line.split(", ")
    }
    given = [name for name in inspect.signature(function).parameters if name not in ("self", "cls")]
    return [
        name
        for name in given
        if name not in listed and not re.search(rf"``{name}\b|\({name}\)", words)
    ]


@pytest.mark.parametrize("module", PUBLIC)
def test_every_public_name_has_a_docstring(module: str) -> None:
    assert len(PUBLIC[module]) > 1
    bare = [name for name, thing in PUBLIC[module].items()
            if len((inspect.getdoc(thing) or "").split()) < 2]  # fmt: skip
    assert bare == []


@pytest.mark.parametrize("module", CALLS)
def test_every_public_parameter_is_documented(module: str) -> None:
    missing = {name: undescribed(call) for name, call in CALLS[module].items()}
    assert {name: left for name, left in missing.items() if left} == {}


@pytest.mark.parametrize("module", CALLS)
def test_every_browser_and_tools_method_documents_its_exceptions(module: str) -> None:
    fails = {
        name: call
        for name, call in CALLS[module].items()
        if name.split(".")[-2] in RAISING
        and {"timeout_ms", "form"} & set(inspect.signature(call).parameters)
    }
    assert fails
    assert [name for name, call in fails.items() if "Raises:" not in described(call)] == []
