"""Converts the protocol's prose to docstrings and comments that are always valid Python."""

from __future__ import annotations

import re
import textwrap

from .schema import CommandDef, Domain, EventDef, Property, TypeDef

__all__ = ["WIDTH", "comment", "docstring", "summary"]

WIDTH = 100
_MARKUP = re.compile(r"</?(?:b|br|code|em|i|p|tt)>|`|LINT\.\w+\(.*?\)")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")

Described = CommandDef | Domain | EventDef | Property | TypeDef


def summary(thing: Described, limit: int, fallback: str = "") -> str:
    """The first sentences of a description, then "Experimental." or "Deprecated." if it is."""
    parts = [_first_sentences(thing.description, limit) or fallback]
    parts += ["Experimental."] * thing.experimental
    parts += ["Deprecated."] * thing.deprecated
    return " ".join(part for part in parts if part)


def docstring(text: str, indent: str) -> list[str]:
    """The lines of a docstring: one line when it fits, else with the closing quotes apart.

    A backslash is doubled and every text ends in punctuation, so that neither an escape nor a
    final quotation mark can spoil the literal.
    """
    safe = _ended(text.replace("\\", "\\\\").replace('"""', "'''"))
    single = f'{indent}"""{safe}"""'
    if len(single) <= WIDTH:
        return [single]
    first, _, rest = _wrap(safe, f'{indent}"""', indent).partition("\n")
    return [first, *rest.split("\n"), f'{indent}"""']


def comment(text: str, indent: str) -> list[str]:
    """The lines of a `#:` comment, which no tool reads as a directive; none for no text."""
    return _wrap(text, f"{indent}#: ", f"{indent}#: ").split("\n") if text else []


def _first_sentences(description: str, limit: int) -> str:
    """Return at least one sentence of the first paragraph, and more sentences up to the limit."""
    paragraph = _MARKUP.sub("", description.strip().split("\n\n")[0])
    taken = ""
    for sentence in _SENTENCE_END.split(" ".join(paragraph.split())):
        longer = f"{taken} {sentence}".strip()
        if taken and len(longer) > limit:
            break
        taken = longer
    return _ended(taken)


def _ended(text: str) -> str:
    text = text.rstrip(" :;,")
    return text if not text or text[-1] in ".!?" else f"{text}."


def _wrap(text: str, first: str, rest: str) -> str:
    return textwrap.fill(
        text,
        WIDTH,
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    )
