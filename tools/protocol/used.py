"""The part of the protocol that Tabwarden uses: nobody imports, or waits for, the rest."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from .names import class_name, snake
from .schema import CommandDef, Domain, EventDef, Property, TypeDef

__all__ = ["names_in", "only_used"]

_PACKAGE = "tabwarden.protocol"


def names_in(folders: Iterable[Path]) -> set[tuple[str, str]]:
    """The names that Python files take from generated modules: each a module and a name."""
    used: set[tuple[str, str]] = set()
    for file in sorted(file for folder in folders for file in folder.rglob("*.py")):
        text = file.read_text("utf-8")
        if _PACKAGE in text:
            used.update(_names_in(ast.parse(text)))
    return used


def _names_in(tree: ast.Module) -> Iterator[tuple[str, str]]:
    modules: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            for alias in node.names:
                if node.module == _PACKAGE:
                    modules[alias.asname or alias.name] = alias.name
                elif node.module.startswith(f"{_PACKAGE}."):
                    yield node.module.rpartition(".")[2], alias.name
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id=name), attr=attribute) if name in modules:
                yield modules[name], attribute


def only_used(domains: list[Domain], used: set[tuple[str, str]]) -> list[Domain]:
    """The domains with what is used, and the types that it refers to."""
    defined = {
        (snake(domain.domain), name): (domain.domain, thing)
        for domain in domains
        for thing in _things(domain)
        for name in _names_of(thing)
    }
    kept: set[tuple[str, str]] = set()
    pending = [name for name in used if name in defined]
    while pending:
        domain, thing = defined[pending.pop()]
        key = (domain, _names_of(thing)[0])
        if key not in kept:
            kept.add(key)
            for ref in _references(thing):
                other, _, name = ref.rpartition(".")
                pending.append((snake(other or domain), name))

    def left(domain: Domain) -> Domain:
        def kept_of(things: Sequence[Any]) -> list[Any]:
            return [one for one in things if (domain.domain, _names_of(one)[0]) in kept]

        return msgspec.structs.replace(
            domain,
            types=kept_of(domain.types),
            commands=kept_of(domain.commands),
            events=kept_of(domain.events),
        )

    return [domain for domain in map(left, domains) if _things(domain)]


def _things(domain: Domain) -> list[TypeDef | CommandDef | EventDef]:
    return [*domain.types, *domain.commands, *domain.events]


def _names_of(thing: TypeDef | CommandDef | EventDef) -> tuple[str, ...]:
    if isinstance(thing, TypeDef):
        return (thing.id,)
    name = class_name(thing.name)
    return (name, f"{name}Result") if isinstance(thing, CommandDef) else (name,)


def _references(thing: TypeDef | CommandDef | EventDef) -> Iterator[str]:
    things: list[Property | TypeDef]
    if isinstance(thing, TypeDef):
        things = [thing, *thing.properties]
    else:
        things = [*thing.parameters, *(thing.returns if isinstance(thing, CommandDef) else ())]
    for one in things:
        if isinstance(one, Property) and one.ref:
            yield one.ref
        if one.items and one.items.ref:
            yield one.items.ref
