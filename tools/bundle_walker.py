"""Write `src/tabwarden/page/walker/walker.bundle.js` from the modules in `js/` beside it.

    python tools/bundle_walker.py            write the bundle
    python tools/bundle_walker.py --check    fail if the bundle is stale

The modules share one scope in the bundle, in the order in which a browser would run them. The
exports of the entry, `walker.js`, become an object in the world's global scope. A folder imports
only from folders below it (`LAYERS`), and there are no import cycles.
"""

from __future__ import annotations

import argparse
import posixpath
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Self

import javascript
from javascript import Import, Statement

WALKER = Path(__file__).resolve().parent.parent / "src/tabwarden/page/walker"
ENTRY = "walker.js"
GLOBAL = "__tabwarden"
BANNER = "// Generated from js/ by tools/bundle_walker.py: do not edit.\n"

LAYERS = (
    "inspect",  # all facts about one element
    "capture",  # the content of screenshots, and a page's text as HTML
    "find",  # search, waits, healing of refs, and elements' names for traces
    "input",  # pointing, clicking, typing, scrolling, and the effects of input
    "select",  # the options of pickers and widgets
    "outline",  # a snapshot's records, their order and their layers
    "hits",  # the element at a point, covering elements, and click targets
    "document",  # a document's kind, storage, focus and loading state
    "accessibility",  # roles, names and states
    "geometry",  # boxes, clipping, scrolling, frames
    "dom",  # trees, visibility, ids of elements, text
)
"""The folders in `js/`: each imports only from folders below it, and `walker.js` from any
folder."""

_WINDOW = """
Array Boolean CSS CSSStyleSheet CharacterData DOMException DOMMatrix DOMRect Document
DocumentFragment Element Event FinalizationRegistry HTMLElement HTMLInputElement HTMLSlotElement
HTMLUnknownElement Highlight Infinity Int8Array Intl JSON Map Math MessageChannel
MutationObserver Node Number Object PerformanceObserver Promise RegExp Set ShadowRoot Storage
String TypeError URL WeakMap WeakRef WeakSet addEventListener cancelAnimationFrame clearTimeout
devicePixelRatio document getComputedStyle getSelection innerHeight innerWidth localStorage
location matchMedia parseFloat parseInt performance removeEventListener requestAnimationFrame
scrollTo scrollX scrollY self sessionStorage setTimeout visualViewport
"""
GLOBALS = frozenset(_WINDOW.split())
"""The global names of a browser's window that the walker uses."""


class BundleError(Exception):
    """The modules can't be bundled."""


@dataclass(frozen=True)
class Module:
    """A file, identified by its path in the folder."""

    path: str
    statements: Sequence[Statement]

    @classmethod
    def parsed(cls, path: str, source: str) -> Self:
        """Return the module for a file's text."""
        try:
            return cls(path, javascript.statements(source))
        except SyntaxError as error:
            raise BundleError(f"{path}: {error}") from error

    @cached_property
    def imports(self) -> list[tuple[Statement, Import]]:
        """The module's imports, and its re-exports from other modules."""
        return [(one, one.imports) for one in self.statements if one.imports]

    @cached_property
    def imported(self) -> dict[str, tuple[str, str]]:
        """The source module and the original name of each imported name."""
        return {
            here: (self.resolve(source.source), there)
            for statement, source in self.imports
            if not statement.exports
            for there, here in source.names.items()
        }

    @cached_property
    def declared(self) -> dict[str, Statement]:
        """The names that the module declares on its top level."""
        return {name: one for one in self.statements for name in one.declares}

    @cached_property
    def exported(self) -> dict[str, str]:
        """The name in the bundle's scope for each exported name."""
        own = {name: name for name, one in self.declared.items() if one.exports}
        others = [source.names for statement, source in self.imports if statement.exports]
        return own | {here: there for names in others for there, here in names.items()}

    def resolve(self, source: str) -> str:
        """Return the path to which an import refers."""
        return posixpath.normpath(posixpath.join(posixpath.dirname(self.path), source))

    def at(self, statement: Statement) -> str:
        """Return a statement's position for an error."""
        return f"{self.path}:{statement.line}"


def load(folder: Path) -> dict[str, Module]:
    """Return all modules in a folder by path."""
    files = {file.relative_to(folder).as_posix(): file for file in sorted(folder.rglob("*.js"))}
    return {path: Module.parsed(path, file.read_text("utf-8")) for path, file in files.items()}


def bundle(modules: Mapping[str, Module], entry: str = ENTRY, name: str = GLOBAL) -> str:
    """Return a script that runs a module with its imports and assigns its exports to `name`."""
    order = in_order(modules, entry)
    _check(modules, order)
    body = "\n".join(filter(None, (_text(modules[path]) for path in order)))
    exports = modules[entry].exported
    offered = ", ".join(one if one == own else f"{one}: {own}" for one, own in exports.items())
    return f'(() => {{ "use strict";\n{body}\nglobalThis.{name} = {{ {offered} }};\n}})()'


def unused(modules: Mapping[str, Module], entry: str = ENTRY) -> Iterator[str]:
    """Return a sentence for each unused module, export and declaration."""
    order = in_order(modules, entry)
    for path in modules.keys() - set(order):
        yield f"{path}: nothing imports it; import it or delete it"
    wanted = {
        (modules[path].resolve(source.source), there)
        for path in order
        for _, source in modules[path].imports
        for there in source.names
    }
    for path in order:
        module = modules[path]
        for name, statement in module.declared.items():
            where = module.at(statement)
            if statement.exports and path != entry and (path, name) not in wanted:
                yield f"{where} exports {name}, which nothing imports; drop the export"
            elif not statement.exports and not any(
                name in other.uses for other in module.statements if other is not statement
            ):
                yield f"{where} declares {name}, which nothing uses; delete it"


def in_order(modules: Mapping[str, Module], entry: str) -> list[str]:
    """Return the modules that an entry needs, each after its imports, as a browser runs them."""
    order: list[str] = []

    def visit(path: str, wanted_by: str, around: tuple[str, ...]) -> None:
        if path in around:
            circle = " -> ".join([*around[around.index(path) :], path])
            raise BundleError(
                f"{wanted_by} imports {path}, but this is an import cycle ({circle}): move the "
                "shared code into a module below them, or merge the modules"
            )
        if path in order:
            return
        if path not in modules:
            raise BundleError(f"{wanted_by} imports {path}, but this file does not exist")
        for statement, source in modules[path].imports:
            module = modules[path]
            visit(module.resolve(source.source), module.at(statement), (*around, path))
        order.append(path)

    visit(entry, "the bundle", ())
    return order


def _check(modules: Mapping[str, Module], order: Sequence[str]) -> None:
    declared: dict[str, str] = {}
    for path in order:
        module = modules[path]
        for name, statement in module.declared.items():
            if name in declared:
                raise BundleError(
                    f"{module.at(statement)} declares {name}, as {declared[name]} does: they share"
                    " one scope in the bundle; rename one"
                )
            declared[name] = module.at(statement)
        _check_layers(module)
        _check_imports(modules, module)
        for statement in module.statements:
            _check_names(module, statement)


def _check_layers(module: Module) -> None:
    floor = _floor(module.path)
    for statement, source in module.imports:
        other = module.resolve(source.source)
        if _floor(other) < floor:
            raise BundleError(
                f"{module.at(statement)} imports {other}, but a folder imports only from those"
                f" below it ({' > '.join((ENTRY, *LAYERS))}): move what {module.path} needs down to"
                " its folder or one below, or move the code that needs it up"
            )


def _floor(path: str) -> int:
    """Return the number of layers above a module's layer."""
    folder = posixpath.dirname(path)
    if folder and folder not in LAYERS:
        raise BundleError(
            f"{path}: its folder is not a layer; add {folder} to LAYERS in tools/bundle_walker.py"
        )
    return LAYERS.index(folder) + 1 if folder else 0


def _check_imports(modules: Mapping[str, Module], module: Module) -> None:
    used = {name for one in module.statements for name in one.uses}
    for statement, source in module.imports:
        other = modules[module.resolve(source.source)]
        for there, here in source.names.items():
            where = module.at(statement)
            if there not in other.exported:
                raise BundleError(f"{where} imports {there}, which {other.path} does not export")
            if statement.exports:
                continue
            if here != there:
                raise BundleError(f"{where} renames {there}: import it by its own name")
            if here not in used:
                raise BundleError(f"{where} imports {here} and does not use it")
            if here in module.declared:
                raise BundleError(f"{where} imports {here}, which {module.path} declares itself")


def _check_names(module: Module, statement: Statement) -> None:
    for name in sorted(statement.uses):
        if name not in module.declared and name not in module.imported and name not in GLOBALS:
            raise BundleError(
                f"{module.at(statement)} uses {name}: import it, or add it to GLOBALS in"
                " tools/bundle_walker.py if it is a browser global"
            )
    for name in sorted(statement.assigns & module.imported.keys()):
        raise BundleError(
            f"{module.at(statement)} assigns {name}, which it imports: only the name's module may"
            " assign it"
        )


def _text(module: Module) -> str:
    return "\n".join(javascript.text_of(one.tokens) for one in module.statements if not one.imports)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write or check the bundle. Return the exit code."""
    parser = argparse.ArgumentParser(description="Bundle the walker's modules.")
    parser.add_argument("--check", action="store_true", help="fail if the bundle is stale")
    check = parser.parse_args(arguments).check
    target = WALKER / "walker.bundle.js"
    try:
        modules = load(WALKER / "js")
        script = BANNER + bundle(modules) + "\n"
        if complaints := sorted(unused(modules)):
            raise BundleError("\n".join(complaints))
    except BundleError as error:
        print(error, file=sys.stderr)
        return 1
    if not check:
        target.write_text(script, "utf-8")
    elif not target.exists() or target.read_text("utf-8") != script:
        print(f"{target.name} is stale: run make generate", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
