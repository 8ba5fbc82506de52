"""Each regular expression takes linear time, whatever a page or a model writes.

A quadratic one would hold up the loop that serves all tasks: 40,000 characters took 16.8 s.
"""

from __future__ import annotations

import ast
import importlib
import re
import re._constants as codes  # type: ignore[import-not-found]
import re._parser as parser  # type: ignore[import-not-found]
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from support.cases import ALL

import tabwarden
from tabwarden.export.plan import only_reads
from tabwarden.integrations.hermes.dialect.masking import masked
from tabwarden.journal import Secrets
from tabwarden.page.elements.selectors import parse_selector
from tabwarden.page.input.typing.figures import is_another_number
from tabwarden.page.scripts.script import as_function
from tabwarden.page.text import fits_url
from tabwarden.page.text.untrusted_text import as_json, bare, cut_json, quoted, sentence, words
from tabwarden.similar import get_close_matches
from tabwarden.telemetry import redaction

SOURCE = Path(tabwarden.__file__).parent
LENGTH = 3_000
NOTICED_S = 0.003
"""A linear search of such a short text takes a tenth of this."""
MOST_TIMES = 2.5
"""How much longer a text of twice the length may take."""
SEARCHES = {"search", "finditer", "findall", "sub", "subn", "split"}
METHODS = SEARCHES | {"match", "fullmatch"}
SHAPES = (
    " ", "a", "1", "\n", '"', "'", "\\", ".", "-", "=", ":", "<", "\t", "a.", "a:", "a-", "a ",
    "(", ")", "\r\n", "_", "&", "a=", "x=", "\xa0", "/", "{", ",", '"\\', '\\"', "\\'", "\\\\",
    "\u200b", "key", "token ", "://", "http://", "eyJ", "eyJaaaaaaaa-", "eyJaaaaaaaa.", '{"', "<a",
    "%41", "@", 'name="', "password", "cookie: ", "-----BEGIN PRIVATE KEY-----",
)  # fmt: skip
Patterns = dict[str, tuple[re.Pattern[Any], str]]


def patterns() -> Patterns:
    """All regular expressions in the source by their place, each with the method that uses it."""
    found: Patterns = {}
    for file in SOURCE.rglob("*.py"):
        text, place = file.read_text("utf-8"), file.relative_to(SOURCE).with_suffix("")
        if "re." not in text or "plugin" in place.parts:  # others load those
            continue
        tree = ast.parse(text)
        name = ".".join(("tabwarden", *place.parts)).removesuffix(".__init__")
        loaded = vars(importlib.import_module(name)) if "re.compile" in text else {}
        used, assigned = _methods(tree), _assigned(tree)
        others = set().union(*(used[name] for name in used.keys() - assigned - {"re"})) or SEARCHES
        for name in assigned & loaded.keys():
            value = loaded[name]
            methods = used.get(name, SEARCHES if isinstance(value, re.Pattern) else others)
            method = "finditer" if methods & SEARCHES else min(methods)
            for n, pattern in enumerate(_within(value)):
                found[f"{place}: {name}[{n}]"] = (pattern, method)
        for node, pattern in _inline(tree):
            found[f"{place}:{node.lineno}"] = (pattern, "finditer")
    return found


def _within(value: object) -> Iterator[re.Pattern[Any]]:
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, (list, tuple, set, frozenset)):
        for one in value:
            yield from _within(one)
    elif isinstance(value, dict):
        yield from _within(list(value.values()))


def _assigned(tree: ast.Module) -> set[str]:
    """The names that a module assigns a value itself."""
    targets = [t for node in tree.body if isinstance(node, ast.Assign) for t in node.targets]
    targets += [node.target for node in tree.body if isinstance(node, ast.AnnAssign)]
    return {target.id for target in targets if isinstance(target, ast.Name)}


def _methods(tree: ast.Module) -> dict[str, set[str]]:
    """By name: the pattern methods that are called on it."""
    used: dict[str, set[str]] = {}
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id=name), attr=method) if method in METHODS:
                used.setdefault(name, set()).add(method)
    return used


def _inline(tree: ast.Module) -> Iterator[tuple[ast.Call, re.Pattern[Any]]]:
    """The calls such as ``re.sub("...", ...)``."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="re"), attr=method),
                args=[ast.Constant(value=pattern), *_],
            ) if method in METHODS:
                yield node, re.compile(pattern)


# -- texts that nearly match a pattern -----------------------------------------------------------


def pieces(sequence: Iterable[tuple[Any, Any]]) -> Iterator[str]:
    """The matches of each part of a pattern, and their prefixes."""
    items = list(sequence)
    for end, (code, given) in enumerate(items, start=1):
        yield example(items[:end])
        if code in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
            yield from pieces(given[2])
        elif code is codes.SUBPATTERN:
            yield from pieces(given[3])
        elif code is codes.BRANCH:
            for branch in given[1]:
                yield from pieces(branch)


def example(sequence: Iterable[tuple[Any, Any]]) -> str:
    """A text that these parts of a pattern match, or nearly match."""
    made = ""
    for code, given in sequence:
        if code is codes.LITERAL:
            made += chr(given)
        elif code is codes.IN:
            made += next((c for c in 'a1 A-.="\n' if _is_in(given, c)), _first(given))
        elif code in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
            made += example(given[2]) * max(1, given[0])
        elif code is codes.SUBPATTERN:
            made += example(given[3])
        elif code is codes.BRANCH:
            made += example(given[1][0])
        elif code in (codes.ANY, codes.NOT_LITERAL):
            made += "a"
    return made


def _is_in(members: list[tuple[Any, Any]], char: str) -> bool:
    kinds = {codes.CATEGORY_SPACE: str.isspace, codes.CATEGORY_DIGIT: str.isdigit,
             codes.CATEGORY_WORD: lambda c: c.isalnum() or c == "_"}  # fmt: skip
    has = any(
        (code is codes.LITERAL and chr(given) == char)
        or (code is codes.RANGE and given[0] <= ord(char) <= given[1])
        or (code is codes.CATEGORY and given in kinds and kinds[given](char))  # type: ignore[no-untyped-call]
        for code, given in members
    )
    return has is not any(code is codes.NEGATE for code, _ in members)


def _first(members: list[tuple[Any, Any]]) -> str:
    code, given = members[0]
    return chr(given) if code is codes.LITERAL else chr(given[0]) if code is codes.RANGE else "a"


def hostile(pattern: re.Pattern[Any], length: int) -> Iterator[str]:
    parts = sorted({one for one in pieces(parser.parse(pattern.pattern)) if one}, key=len)[:40]
    bodies = dict.fromkeys([*SHAPES, *parts, *(one[:-1] for one in parts if len(one) > 1)])
    heads = ["", *parts[:6]] if ALL else ["", *parts[:1]]
    for body in bodies:
        for head in heads:
            yield head + body * (length // len(body)) + "\0"
        yield body * (length // len(body))


def is_linear(work: Callable[[str], object], text: str, noticed_s: float = NOTICED_S) -> bool:
    """Whether the work takes about twice as long on a text of twice the length."""

    def spent(on: str) -> float:
        began = time.process_time()
        work(on)
        return time.process_time() - began

    if spent(text) < noticed_s:
        return True
    # Other processes can slow single measurements, but not all of them.
    tries = ((min(spent(text + text) for _ in range(3)), spent(text)) for _ in range(4))
    return any(twice <= MOST_TIMES * max(once, noticed_s) for twice, once in tries)


def _used(method: Callable[[Any], object], as_bytes: bool, text: str) -> None:
    found = method(text.encode() if as_bytes else text)
    for _ in found if isinstance(found, Iterator) else ():
        pass


@pytest.mark.threat
def test_each_regular_expression_takes_linear_time() -> None:
    quadratic = []
    for place, (pattern, method) in patterns().items():
        work = partial(_used, getattr(pattern, method), isinstance(pattern.pattern, bytes))
        slow = (text for text in hostile(pattern, LENGTH) if not is_linear(work, text))
        if (text := next(slow, None)) is not None:
            quadratic.append(f"{place}: {pattern.pattern!r} on {text[:30]!r}")
    assert quadratic == []


@pytest.mark.threat
def test_source_code_compiles_no_caller_text_as_a_regular_expression() -> None:
    """With two wildcards and a URL of 20,000 characters, ``.*`` blocked all tasks for minutes."""
    made = set()
    for file in SOURCE.rglob("*.py"):
        text = file.read_text("utf-8")
        tree = ast.parse(text) if "re." in text or "fnmatch" in text else ast.Module([], [])
        kinds = ast.FunctionDef | ast.AsyncFunctionDef
        functions = [one for one in ast.walk(tree) if isinstance(one, kinds)]
        for node in (node for one in functions for node in ast.walk(one)):
            match node:
                case ast.Call(
                    func=ast.Attribute(value=ast.Name(id="re" | "fnmatch" as module), attr=method),
                    args=[pattern, *_],
                ) if (module, method) != ("re", "escape"):
                    is_fixed = isinstance(pattern, ast.Constant) or ast.unparse(pattern).isupper()
                    if not is_fixed:
                        made.add(file.relative_to(SOURCE).as_posix())
    assert made == {
        "actions/sessions/names.py",  # one of two fixed strings
        "page/input/typing/figures.py",  # of a number: see READERS
        "page/search/query_words.py",  # of the escaped words of a query, which has a maximum length
        "surfaces/command_table/peers.py",  # of our own table, for a user's own words
        "surfaces/hosts/toml.py",  # the user's own file
    }


@pytest.mark.threat
def test_only_modules_that_limit_text_length_import_difflib() -> None:
    """Comparing a field name of 3 MB with the existing ones took half a second."""
    compared = {
        file.relative_to(SOURCE).as_posix()
        for file in SOURCE.rglob("*.py")
        if re.search(r"^\s*(import|from) difflib", file.read_text("utf-8"), re.MULTILINE)
    }
    assert compared == {
        "similar.py",
        "page/elements/heal.py",  # it truncates them itself
    }


def test_timing_check_detects_a_quadratic_regular_expression() -> None:
    pattern = re.compile(r"[\w-]*token=")
    texts = hostile(pattern, LENGTH // 2)
    assert not all(is_linear(lambda text: pattern.search(text), text) for text in texts)


def secrets_hidden(text: str) -> None:
    secrets = Secrets()
    secrets.configure({"aaaa1111": "{{A}}", "W___<a>\\\\ b": "{{B}}", "%41&amp;<": "{{C}}"})
    secrets.hide(text + "aaaa1111")


READERS: dict[str, Callable[[str], object]] = {
    "log line": redaction.redacted,
    "text": redaction.without_credentials,
    "hosts": redaction.hosts_only,
    "URL": redaction.url_without_secrets,
    "body": redaction.body_without_secrets,
    "body in JSON": lambda text: redaction.body_without_secrets('{"' + text),
    "body in parts": lambda text: redaction.body_without_secrets("--" + text),
    "body of a form": lambda text: redaction.body_without_secrets("a=" + "".join(text.split())),
    "header": lambda text: redaction.headers_without_secrets({"link": text, "x": f"://{text}"}),
    "name of a header": redaction.logs_in,
    "quoted": quoted,
    "bare": bare,
    "sentence": sentence,
    "JSON": as_json,
    "cut JSON": lambda text: cut_json(text, len(text) - 1),
    "words": words,
    "hidden from Hermes": masked,
    "secrets": secrets_hidden,
    "script": only_reads,
    "function": as_function,
    "number": lambda text: is_another_number("1", text),
    "typed number": lambda text: is_another_number(text, "1"),
    "selector": parse_selector,
    "unknown word": lambda text: get_close_matches(text, [text[1:], text + "a", "known"]),
    "URL with wildcards": lambda text: fits_url(f"*{text[:1]}*{text[:2]}*\0", text),
}


@pytest.mark.threat
@pytest.mark.parametrize("reader", READERS)
def test_each_parser_of_page_text_takes_linear_time(reader: str) -> None:
    length = 500_000 if ALL else 8_000
    for shape in SHAPES:
        text = shape * (length // len(shape))
        assert is_linear(READERS[reader], text, length * 1e-6), shape
