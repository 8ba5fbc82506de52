"""The generated modules, compared with the protocol description."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import generate_protocol
import msgspec
import pytest
from protocol import emit, names, schema, source

import tabwarden
from tabwarden.protocol import Command, Event, Record, index

DOMAINS = generate_protocol.used_domains()
SENT = emit.types_sent(DOMAINS)


def struct(domain: schema.Domain, name: str) -> Any:
    """A generated class by its protocol name."""
    module = import_module(f"tabwarden.protocol.{names.snake(domain.domain)}")
    return getattr(module, names.class_name(name))


def structs(domain: schema.Domain) -> Iterator[tuple[Any, type, list[schema.Property]]]:
    """Each class of a domain that has fields, its base and what the protocol says of it."""
    for type_ in domain.types:
        if type_.properties:
            yield struct(domain, type_.id), Record, type_.properties
    for command in domain.commands:
        yield struct(domain, command.name), Command, command.parameters
        if command.returns:
            yield struct(domain, f"{command.name}Result"), Record, command.returns
    for event in domain.events:
        yield struct(domain, event.name), Event, event.parameters


@pytest.mark.parametrize("domain", DOMAINS, ids=lambda domain: domain.domain)
def test_every_protocol_class_exists_with_its_fields(domain: schema.Domain) -> None:
    for made, base, properties in structs(domain):
        assert issubclass(made, base)
        assert list(made.__struct_encode_fields__) == [prop.name for prop in properties]
        received = base is not Command and f"{domain.domain}.{made.__name__}" not in SENT
        optional = [p.optional or (received and p.experimental) for p in properties]
        assert [not field.required for field in msgspec.structs.fields(made)] == optional


@pytest.mark.parametrize("domain", DOMAINS, ids=lambda domain: domain.domain)
def test_every_protocol_annotation_resolves(domain: schema.Domain) -> None:
    for made, _, _ in structs(domain):
        msgspec.json.Decoder(made)
    for type_ in domain.types:
        msgspec.json.Decoder(struct(domain, type_.id))


def test_generated_methods_and_results_match_the_protocol() -> None:
    for domain in DOMAINS:
        for command in domain.commands:
            made = struct(domain, command.name)
            result = f"{names.class_name(command.name)}Result" if command.returns else "Empty"
            assert f"{domain.domain}.{command.name}" == made.METHOD
            assert made.RESULT.__name__ == result
        for event in domain.events:
            assert f"{domain.domain}.{event.name}" == struct(domain, event.name).METHOD


def test_protocol_index_has_every_command_of_the_whole_protocol() -> None:
    methods = {
        f"{domain.domain}.{command.name}"
        for domain in schema.parse(source.load())
        for command in domain.commands
    }
    assert methods == index.COMMANDS


PACKAGE = Path(tabwarden.__file__).parent


def test_importing_a_protocol_domain_imports_no_other_domain() -> None:
    program = (
        # The package itself imports more than its bindings, so an empty one replaces it.
        "import sys, types\n"
        "package = sys.modules['tabwarden'] = types.ModuleType('tabwarden')\n"
        f"package.__path__ = [{str(PACKAGE)!r}]\n"
        "import tabwarden.protocol.page, tabwarden.protocol.index\n"
        "print(*sorted(m for m in sys.modules if m.startswith('tabwarden.protocol.')))"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60
    )
    expected = ["base", "index", "page"]
    assert run.stdout.split() == [f"tabwarden.protocol.{name}" for name in expected]
