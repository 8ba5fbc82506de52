"""Values that a JSON Schema of ours allows, as Hypothesis draws them.

hypothesis-jsonschema does not run on the Hypothesis of today, and our schemas take few words.
"""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

__all__ = ["fitting"]

_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=4,
)
_SAID = frozenset(("description", "default", "title", "examples"))


def fitting(schema: dict[str, Any], texts: st.SearchStrategy[str]) -> st.SearchStrategy[Any]:
    """Values that a schema allows.

    Args:
        schema: JSON Schema, of the words that pydantic and we use of it.
        texts: what strings are drawn from.
    """
    words = {word: value for word, value in schema.items() if word not in _SAID}
    if not words:
        return _JSON
    if (parts := words.pop("anyOf", None)) is not None:
        assert not words, f"beside anyOf: {words}"
        return st.one_of([fitting(part, texts) for part in parts])
    if (values := words.pop("enum", None)) is not None:
        return st.sampled_from(values)
    kind = words.pop("type")
    made = _OF_KIND[kind](words, texts)
    assert not words, f"of {kind}: {words}"
    return made


def _object(words: dict[str, Any], texts: st.SearchStrategy[str]) -> st.SearchStrategy[Any]:
    of_all = {name: fitting(one, texts) for name, one in words.pop("properties", {}).items()}
    needed = words.pop("required", [])
    more = words.pop("additionalProperties", True)
    most = words.pop("maxProperties", 3)
    known = st.fixed_dictionaries(
        {name: of_all[name] for name in needed},
        optional={name: one for name, one in of_all.items() if name not in needed},
    )
    if more is False or of_all:
        return known
    value = _JSON if more is True else fitting(more, texts)
    return st.dictionaries(texts, value, max_size=most)


def _array(words: dict[str, Any], texts: st.SearchStrategy[str]) -> st.SearchStrategy[Any]:
    least, most = words.pop("minItems", 0), words.pop("maxItems", 4)
    return st.lists(fitting(words.pop("items", {}), texts), min_size=least, max_size=most)


def _number(words: dict[str, Any], _: st.SearchStrategy[str]) -> st.SearchStrategy[Any]:
    least, above = words.pop("minimum", None), words.pop("exclusiveMinimum", None)
    most, below = words.pop("maximum", None), words.pop("exclusiveMaximum", None)
    return st.floats(
        least if above is None else above,
        most if below is None else below,
        exclude_min=above is not None,
        exclude_max=below is not None,
        allow_nan=False,
        allow_infinity=False,
    )


def _string(words: dict[str, Any], texts: st.SearchStrategy[str]) -> st.SearchStrategy[Any]:
    pattern = words.pop("pattern", None)
    least, most = words.pop("minLength", 0), words.pop("maxLength", None)
    if pattern is not None:
        return st.from_regex(pattern)
    return texts.filter(lambda text: least <= len(text) <= (most or len(text)))


_OF_KIND: dict[str, Any] = {
    "object": _object,
    "array": _array,
    "string": _string,
    "number": _number,
    "integer": lambda words, _: st.integers(
        words.pop("minimum", -(2**53)), words.pop("maximum", 2**53)
    ),
    "boolean": lambda *_: st.booleans(),
    "null": lambda *_: st.none(),
}
