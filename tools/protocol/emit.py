"""Generates Python source for each domain, already formatted, so that no formatter is needed."""

from __future__ import annotations

import builtins
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from .names import class_name, field_name, rename_of, snake
from .schema import CommandDef, Domain, EventDef, Items, Property, TypeDef
from .text import WIDTH, comment, docstring, summary

__all__ = ["GenerationError", "render", "types_sent"]

_PRIMITIVES = {
    "any": "Any",
    "array": "list[Any]",
    "binary": "str",
    "boolean": "bool",
    "integer": "int",
    "number": "float",
    "object": "dict[str, Any]",
    "string": "str",
}
# The names that a generated module takes from elsewhere, and where from.
_IMPORTS = {
    "typing": ("TYPE_CHECKING", "Any", "Literal", "TypeAlias"),
    "msgspec": ("UNSET", "UnsetType"),
    ".base": ("Command", "Empty", "Event", "Record", "lazy_module"),
}
_RESERVED = {name for names in _IMPORTS.values() for name in names} | set(dir(builtins))
_CLASS_DOC = 240
_FIELD_DOC = 160


class GenerationError(Exception):
    """The protocol contains a construct that these bindings can't express."""


def render(domains: list[Domain], version: str, methods: list[str]) -> dict[str, str]:
    """Return the source of every generated module by file name. Each has been compiled.

    `methods` are all commands of the protocol, for the index.
    """
    sent = types_sent(domains)
    modules = {f"{snake(d.domain)}.py": _Module(d, sent).source(version) for d in domains}
    modules["index.py"] = _index(methods, version)
    for name, source in modules.items():
        compile(source, name, "exec", dont_inherit=True)
    return modules


@dataclass
class _Module:
    """Writes one domain, and collects the names that it uses for the imports."""

    domain: Domain
    sent: set[str]
    used: set[str] = field(default_factory=set)
    siblings: set[str] = field(default_factory=set)
    defined: set[str] = field(default_factory=set)
    fields: set[str] = field(default_factory=set)

    def source(self, version: str) -> str:
        """The module's text."""
        body = [line for block in self._blocks() for line in block]
        if hidden := self.fields & self.siblings:
            raise GenerationError(f"{self.domain.domain}: {hidden} names a field and a module")
        doc = summary(self.domain, _CLASS_DOC, f"The {self.domain.domain} domain.")
        lines = [_banner(version), *docstring(doc, ""), "", *self._import_lines(), *body]
        return "\n".join(lines) + "\n"

    def _blocks(self) -> Iterator[list[str]]:
        """Aliases of primitives, object types, aliases of arrays (they need both), the rest."""
        types = self.domain.types
        structs = [type_ for type_ in types if type_.properties]
        arrays = [type_ for type_ in types if type_.items]
        for type_ in types:
            if not type_.properties and not type_.items:
                yield self._alias(type_)
        for type_ in structs:
            yield self._object(type_)
        for type_ in arrays:
            yield self._alias(type_)
        for command in self.domain.commands:
            if command.returns:
                yield self._result(command)
            yield self._command(command)
        for event in self.domain.events:
            yield self._event(event)

    def _alias(self, type_: TypeDef) -> list[str]:
        target = self._type(type_.type, None, type_.items)
        if "." in target:
            raise GenerationError(f"{type_.id}: an array alias cannot refer to another domain")
        self._define(type_.id)
        self.used.add("TypeAlias")
        doc = _with_values(summary(type_, _CLASS_DOC), type_.enum)
        return ["", *comment(doc, ""), f"{type_.id}: TypeAlias = {target}"]

    def _object(self, type_: TypeDef) -> list[str]:
        doc = summary(type_, _CLASS_DOC, f"{self.domain.domain}.{type_.id}.")
        head = self._head(type_.id, "Record", type_.properties)
        sent = f"{self.domain.domain}.{type_.id}" in self.sent
        body = self._received(type_.properties, keep_null=sent)
        return [*head, *docstring(doc, _INDENT), *_after_blank(body)]

    def _result(self, command: CommandDef) -> list[str]:
        method = f"{self.domain.domain}.{command.name}"
        head = self._head(f"{class_name(command.name)}Result", "Record", command.returns)
        doc = docstring(f"The result of {method}.", _INDENT)
        return [*head, *doc, *_after_blank(self._received(command.returns))]

    def _command(self, command: CommandDef) -> list[str]:
        name = class_name(command.name)
        method = f"{self.domain.domain}.{command.name}"
        result = f"{name}Result" if command.returns else "Empty"
        self.used |= {"Command", result} & _RESERVED
        doc = summary(command, _CLASS_DOC, f"The command {method}.")
        lines = [
            *self._head(name, f"Command[{result}]", command.parameters),
            *docstring(doc, _INDENT),
            "",
            f'{_INDENT}METHOD = "{method}"',
        ]
        if command.returns:
            lines.append(f"{_INDENT}RESULT = {result}")
        return [*lines, *_after_blank(self._parameters(command.parameters))]

    def _event(self, event: EventDef) -> list[str]:
        method = f"{self.domain.domain}.{event.name}"
        doc = summary(event, _CLASS_DOC, f"The event {method}.")
        return [
            *self._head(class_name(event.name), "Event", event.parameters),
            *docstring(doc, _INDENT),
            "",
            f'{_INDENT}METHOD = "{method}"',
            *_after_blank(self._received(event.parameters)),
        ]

    def _head(self, name: str, base: str, properties: list[Property]) -> list[str]:
        """The class statement, after two blank lines."""
        self._define(name)
        self.used |= {base} & _RESERVED
        rename = rename_of([prop.name for prop in properties])
        arguments = [base, "frozen=True"] + ["kw_only=True"] * bool(properties)
        if isinstance(rename, str):
            arguments.append(f'rename="{rename}"')
        elif rename:
            arguments.append(f"rename={json.dumps(rename)}")
        line = f"class {name}({', '.join(arguments)}):"
        if len(line) <= WIDTH:
            return ["", "", line]
        if isinstance(rename, dict):
            arguments[-1:] = _rename_lines(rename)
        wrapped = [f"{_INDENT}{argument}," for argument in arguments]
        return ["", "", f"class {name}(", *wrapped, "):"]

    def _received(self, properties: list[Property], *, keep_null: bool = False) -> Iterator[str]:
        """Fields of what the browser sends: enums are strings, and what is absent is None.

        Experimental fields may be absent too: they come and go between versions, and one that
        a browser does not know must not cost the whole message. With `keep_null`, an optional
        value of any type is unset by default instead, because there a client must be able to
        say null.
        """
        for prop in properties:
            annotation = self._property(prop)
            default = ""
            if prop.optional and annotation == "Any" and keep_null:
                self.used.add("UNSET")
                default = " = UNSET"
            elif prop.optional or (prop.experimental and not keep_null):
                annotation = annotation if annotation == "Any" else f"{annotation} | None"
                default = " = None"
            yield from comment(_with_values(summary(prop, _FIELD_DOC), prop.enum), _INDENT)
            yield f"{_INDENT}{self._field(prop)}: {annotation}{default}"

    def _parameters(self, properties: list[Property]) -> Iterator[str]:
        """Fields of what a client sends: inline enums are checked, what is unset is left out."""
        for prop in properties:
            annotation, default = self._property(prop), ""
            if prop.enum:
                self.used.add("Literal")
                annotation = f"Literal[{', '.join(map(json.dumps, prop.enum))}]"
            if prop.optional:
                self.used |= {"UNSET", "UnsetType"}
                annotation, default = f"{annotation} | UnsetType", " = UNSET"
            yield from comment(summary(prop, _FIELD_DOC), _INDENT)
            line = f"{_INDENT}{self._field(prop)}: {annotation}{default}"
            yield from _split_literal(line, prop.enum) if len(line) > WIDTH else [line]

    def _property(self, prop: Property) -> str:
        return self._type(prop.type, prop.ref, prop.items)

    def _type(self, type_: str | None, ref: str | None, items: Items | None = None) -> str:
        """The annotation of a type."""
        if ref is not None:
            domain, _, name = ref.rpartition(".")
            if not domain or domain == self.domain.domain:
                return name
            self.siblings.add(snake(domain))
            return f"{snake(domain)}.{name}"
        if type_ == "array" and items is not None:
            return f"list[{self._type(items.type, items.ref)}]"
        primitive = _PRIMITIVES[type_ or "any"]
        if "Any" in primitive:
            self.used.add("Any")
        return primitive

    def _field(self, prop: Property) -> str:
        name = field_name(prop.name)
        if not name.isidentifier() or name in {"bool", "dict", "float", "int", "list", "str"}:
            raise GenerationError(f"{prop.name}: cannot be a field's name")
        self.fields.add(name)
        return name

    def _define(self, name: str) -> None:
        if name in self.defined or name in _RESERVED:
            raise GenerationError(f"{self.domain.domain}.{name}: the name is taken")
        self.defined.add(name)

    def _import_lines(self) -> list[str]:
        if self.siblings:
            self.used |= {"TYPE_CHECKING", "lazy_module"}
        lines = ["from __future__ import annotations"]
        for module, names in _IMPORTS.items():
            taken = [name for name in names if name in self.used]
            if taken:
                lines += ["", f"from {module} import {', '.join(taken)}"]
        siblings = sorted(self.siblings)
        if siblings:
            proxies = [f'{_INDENT}{name} = lazy_module("{name}")' for name in siblings]
            imports = [f"{_INDENT}from . import {name}" for name in siblings]
            lines += ["", "if TYPE_CHECKING:", *imports, "else:", *proxies]
        return lines


_INDENT = "    "


def _banner(version: str) -> str:
    return (
        f"# Generated by tools/generate_protocol.py from devtools-protocol {version}: do not edit."
    )


def _after_blank(lines: Iterable[str]) -> list[str]:
    """Return the lines after a blank line, or nothing if there are no lines."""
    taken = list(lines)
    return ["", *taken] if taken else []


def _with_values(text: str, values: list[str]) -> str:
    """Return the text, followed by the values in the protocol description."""
    known = f"One of: {', '.join(values)}." if values else ""
    return " ".join(part for part in (text, known) if part)


def _rename_lines(rename: dict[str, str]) -> list[str]:
    """A `rename=` argument as one that fits, or with one field a line (no comma at the end)."""
    whole = f"rename={json.dumps(rename)}"
    if len(whole) + len(_INDENT) < WIDTH:
        return [whole]
    pairs = "".join(f'{_INDENT * 2}"{name}": "{wire}",\n' for name, wire in rename.items())
    return [f"rename={{\n{pairs}{_INDENT}}}"]


def _split_literal(line: str, values: list[str]) -> list[str]:
    """A field whose `Literal[...]` makes it too long, with one value a line."""
    before, _, rest = line.partition("Literal[")
    after = rest.rpartition("]")[2]
    inner = [f"{_INDENT * 2}{json.dumps(value)}," for value in values]
    return [f"{before}Literal[", *inner, f"{_INDENT}]{after}"]


def types_sent(domains: list[Domain]) -> set[str]:
    """The types, as `Domain.Name`, that a client sends within some command's parameters."""
    types = {f"{d.domain}.{type_.id}": type_ for d in domains for type_ in d.types}
    sent: set[str] = set()
    pending = [
        _qualified(ref, domain.domain)
        for domain in domains
        for command in domain.commands
        for ref in _references(command.parameters)
    ]
    while pending:
        name = pending.pop()
        if name in sent:
            continue
        sent.add(name)
        type_ = types[name]
        inside = [*_references(type_.properties), *_references([type_])]
        pending += [_qualified(ref, name.partition(".")[0]) for ref in inside]
    return sent


def _references(things: Iterable[Property | TypeDef]) -> Iterator[str]:
    for thing in things:
        if isinstance(thing, Property) and thing.ref:
            yield thing.ref
        if thing.items and thing.items.ref:
            yield thing.items.ref


def _qualified(ref: str, domain: str) -> str:
    return ref if "." in ref else f"{domain}.{ref}"


def _index(methods: list[str], version: str) -> str:
    """Return the module with the methods of all commands, including those without a class."""
    doc = "The methods of all commands of the protocol."
    lines = [_banner(version), *docstring(doc, ""), "", "from __future__ import annotations"]
    lines += ["", "COMMANDS = frozenset({", *(f'    "{method}",' for method in methods), "})"]
    return "\n".join(lines) + "\n"
