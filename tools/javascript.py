"""A minimal JavaScript parser for bundling modules: top-level statements, and the names that each
declares and uses.

It supports the walker's subset of JavaScript: named imports and exports, ``const``, ``let`` and
functions on the top level, and semicolons. Anything else on the top level raises ``SyntaxError``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

__all__ = ["Import", "Statement", "Token", "statements", "text_of"]

_WORDS = """
async await break case catch class const continue default delete do else export extends false
finally for from function if import in instanceof let new null of return static super switch
this throw true try typeof undefined var void while yield
"""
KEYWORDS = frozenset(_WORDS.split())
_ENDS_VALUE = frozenset([")", "]", "}"])
_ASSIGNMENTS = "= += -= *= /= %= &= |= ^= **= &&= ||= ??= <<= >>= >>>= ++ --"
_ASSIGNS = frozenset(_ASSIGNMENTS.split())

_TOKEN = re.compile(
    r"""(?P<space>\s+)|(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<name>[A-Za-z_$][\w$]*)
    |(?P<number>(?:0x[\da-f]+|\d[\d_]*\.?\d*(?:e[+-]?\d+)?|\.\d+)n?)
    |(?P<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
    |(?P<punct>\.\.\.|=>|>>>=|\?\?=|\*\*=|&&=|\|\|=|<<=|>>=|===|!==|>>>|\?\?|\?\.(?!\d)|\*\*|&&|\|\|
      |==|!=|<=|>=|\+\+|--|\+=|-=|\*=|/=|%=|&=|\|=|\^=|<<|>>|[-+*/%&|^!~<>=?:;,.(){}\[\]])""",
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)
_REGEX = re.compile(r"/(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/[a-z]*")
_CHUNK = re.compile(r"(?:[^`\\$]|\\.|\$(?!\{))*(`|\$\{)", re.DOTALL)


@dataclass(frozen=True)
class Token:
    """A part of the source that is neither whitespace nor a comment."""

    kind: str
    text: str
    line: int
    gap: str
    """The separator from the previous token: nothing, a space or a line break."""


@dataclass(frozen=True)
class Import:
    """``import { names } from "source"``, or ``export { names } from "source"``, which also exports
    the names."""

    source: str
    names: dict[str, str]
    """The local name for each name in the source module."""


@dataclass(frozen=True)
class Statement:
    """A statement on the top level of a module."""

    tokens: Sequence[Token]
    line: int
    imports: Import | None = None
    exports: bool = False
    declares: tuple[str, ...] = ()
    uses: frozenset[str] = frozenset()
    """Names from outside this statement."""
    assigns: frozenset[str] = frozenset()
    """The outside names that this statement assigns."""


def statements(source: str) -> list[Statement]:
    """Return a module's statements.

    Raises:
        SyntaxError: the source is not in the subset; the message has the line.
    """
    statements = []
    tokens = list(_tokens(source))
    at = 0
    while at < len(tokens):
        end = _end_of_statement(tokens, at)
        statements.append(_statement(tokens[at:end]))
        at = end
    return statements


def text_of(tokens: Sequence[Token]) -> str:
    """Return the source without comments and indentation."""
    return "".join((token.gap if n else "") + token.text for n, token in enumerate(tokens))


def _tokens(source: str) -> Iterator[Token]:
    at, line, gap = 0, 1, ""
    braces: list[str] = []  # the owner of each open brace: "{" or a template's "${"
    before: Token | None = None
    while at < len(source):
        kind, text = _token_at(source, at, before, braces)
        if kind in ("space", "comment"):
            gap = "\n" if "\n" in text or gap == "\n" else " "
        else:
            before = Token(kind, text, line, gap)
            yield before
            gap = ""
        at += len(text)
        line += text.count("\n")


def _token_at(source: str, at: int, before: Token | None, braces: list[str]) -> tuple[str, str]:
    char = source[at]
    if char == "`" or (char == "}" and braces and braces[-1] == "${"):
        if char == "}":
            braces.pop()
        chunk = _CHUNK.match(source, at + 1)
        if chunk is None:
            raise SyntaxError("a template is not closed")
        if chunk[1] == "${":
            braces.append("${")
        return "template", source[at : chunk.end()]
    may_be_regex = char == "/" and source[at + 1] not in "/*" and _may_begin_regex(before)
    if may_be_regex and (regex := _REGEX.match(source, at)):
        return "regex", regex[0]
    match = _TOKEN.match(source, at)
    if match is None or match.lastgroup is None:
        line = source.count("\n", 0, at) + 1
        raise SyntaxError(f"line {line}: can't read {source[at : at + 20]!r}")
    if char == "{":
        braces.append("{")
    elif char == "}" and braces:
        braces.pop()
    return match.lastgroup, match[0]


def _may_begin_regex(before: Token | None) -> bool:
    if before is None:
        return True
    if before.kind == "name":
        return before.text in KEYWORDS
    return before.kind == "punct" and before.text not in _ENDS_VALUE


def _depth(token: Token) -> int:
    if token.kind == "template":
        return token.text.endswith("${") - token.text.startswith("}")
    if token.kind != "punct":
        return 0
    return (token.text in "([{") - (token.text in ")]}")


def _end_of_statement(tokens: Sequence[Token], start: int) -> int:
    words = [token.text for token in tokens[start : start + 3]]
    if words[0] == "export":
        words.pop(0)
    is_function = words[0] == "function" or words[:2] == ["async", "function"]
    depth = 0
    for at in range(start, len(tokens)):
        depth += _depth(tokens[at])
        if depth == 0 and tokens[at].text == ";":
            return at + 1
        if depth == 0 and is_function and tokens[at].text == "}":
            return at + 1
    raise SyntaxError(f"line {tokens[start].line}: a statement has no semicolon")


def _statement(tokens: Sequence[Token]) -> Statement:
    line = tokens[0].line
    words = [token.text for token in tokens[:3]]
    if words[0] == "import" or words[:2] == ["export", "{"]:
        return Statement(tokens, line, _import(tokens), exports=words[0] == "export")
    exports = words[0] == "export"
    body = tokens[1:] if exports else tokens
    first = body[0].text
    declares: tuple[str, ...] = ()
    if first in ("const", "let"):
        declares, _ = _pattern(body, 1)
    elif first == "function" or body[1].text == "function":
        declares = (next(token.text for token in body if _is_name(token)),)
    elif exports or first in KEYWORDS - {"new", "this", "await"}:
        raise SyntaxError(f"line {line}: a module's top level has no {first!r}")
    bound = set(_bound(body)) - set(declares)
    uses, assigns = _references(body)
    hidden = bound | set(declares)
    return Statement(
        body,
        line,
        None,
        exports,
        declares,
        frozenset(uses - hidden),
        frozenset(assigns - bound),
    )


def _import(tokens: Sequence[Token]) -> Import:
    texts = [token.text for token in tokens]
    end = texts.index("}") if "}" in texts else 0
    if texts[1] != "{" or texts[end + 1] != "from" or tokens[end + 2].kind != "string":
        line = tokens[0].line
        raise SyntaxError(f'line {line}: write {texts[0]} {{ name }} from "./file.js";')
    names = {}
    for name in " ".join(texts[2:end]).split(","):
        there, _, here = name.strip().partition(" as ")
        if there:
            names[there] = here or there
    return Import(texts[end + 2][1:-1], names)


def _is_name(token: Token) -> bool:
    return token.kind == "name" and token.text not in KEYWORDS


def _closing(tokens: Sequence[Token], at: int) -> int:
    depth = 0
    for end in range(at, len(tokens)):
        depth += _depth(tokens[end])
        if depth == 0:
            return end
    raise SyntaxError(f"line {tokens[at].line}: {tokens[at].text!r} is not closed")


def _opening(tokens: Sequence[Token], at: int) -> int:
    depth = 0
    for start in range(at, -1, -1):
        depth += _depth(tokens[start])
        if depth == 0:
            return start
    raise SyntaxError(f"line {tokens[at].line}: {tokens[at].text!r} is not opened")


def _pattern(tokens: Sequence[Token], at: int) -> tuple[tuple[str, ...], int]:
    """Return the names that a pattern binds, and the pattern's end."""
    token = tokens[at]
    if token.text == "...":
        return _pattern(tokens, at + 1)
    if token.text not in ("{", "["):
        return (token.text,), at + 1
    end = _closing(tokens, at)
    return tuple(_patterns(tokens, at + 1, end, keyed=token.text == "{")), end + 1


def _patterns(tokens: Sequence[Token], at: int, end: int, *, keyed: bool = False) -> Iterator[str]:
    while at < end:
        if tokens[at].text == ",":
            at += 1
            continue
        if keyed and tokens[at + 1].text == ":":
            at += 2
        names, at = _pattern(tokens, at)
        yield from names
        at = _after_value(tokens, at, end)


def _after_value(tokens: Sequence[Token], at: int, end: int) -> int:
    """Return the end of a default or initial value: a comma on its level, or the end of its
    list."""
    depth = 0
    while at < end:
        depth += _depth(tokens[at])
        if depth < 0 or (depth == 0 and tokens[at].text in (",", ";", "of", "in")):
            return at
        at += 1
    return end


def _bound(tokens: Sequence[Token]) -> Iterator[str]:
    """Return every name that a statement declares, at any depth."""
    for at, token in enumerate(tokens):
        if token.text in ("const", "let", "var"):
            here = at
            while here == at or tokens[here].text == ",":
                names, here = _pattern(tokens, here + 1)
                yield from names
                here = _after_value(tokens, here, len(tokens))
                if here == len(tokens):
                    break
        elif token.text == "=>" and _is_name(tokens[at - 1]):
            yield tokens[at - 1].text
        elif token.text == "function":
            name = tokens[at + 2] if tokens[at + 1].text == "*" else tokens[at + 1]
            if _is_name(name):
                yield name.text
        elif token.text == "(" and token.kind == "punct" and _takes_parameters(tokens, at):
            yield from _patterns(tokens, at + 1, _closing(tokens, at))


def _takes_parameters(tokens: Sequence[Token], at: int) -> bool:
    before = [token.text for token in tokens[max(0, at - 3) : at] if token.text != "*"]
    if "function" in before[-2:] or before[-1:] == ["catch"]:
        return True
    end = _closing(tokens, at)
    if end + 1 < len(tokens) and tokens[end + 1].text == "=>":
        return True
    return _is_method(tokens, at - 1)


def _is_method(tokens: Sequence[Token], at: int) -> bool:
    """Whether a name begins an object's method: ``name(parameters) {``."""
    if at < 0 or not _is_name(tokens[at]) or tokens[at + 1].text != "(":
        return False
    if at and tokens[at - 1].text not in ("{", ",", "async", "*"):
        return False
    end = _closing(tokens, at + 1)
    return end + 1 < len(tokens) and tokens[end + 1].text == "{"


def _references(tokens: Sequence[Token]) -> tuple[set[str], set[str]]:
    uses, assigns = set(), set()
    for at, token in enumerate(tokens):
        if not _is_name(token):
            continue
        before = tokens[at - 1].text if at else ""
        after = tokens[at + 1].text if at + 1 < len(tokens) else ""
        if (
            before in (".", "?.")
            or (after == ":" and before in ("{", ","))
            or _is_method(tokens, at)
        ):
            continue
        uses.add(token.text)
        if after in _ASSIGNS or before in ("++", "--"):
            assigns.add(token.text)
    return uses, assigns
