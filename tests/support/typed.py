"""Values of msgspec types, as Hypothesis draws them: of the right shape, and else anything."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from hypothesis import strategies as st
from msgspec import inspect as mi

from support.hostile_text import HOSTILE

__all__ = ["typed"]

_NUMBERS = st.one_of(
    st.integers(-3, 9),
    st.sampled_from([2**31, 2**53, 2**63 - 1, -(2**63)]),
)
_FLOATS = _NUMBERS.map(float) | st.floats(allow_nan=False, allow_infinity=False)
_DEPTH = 4


def typed(
    kind: type[msgspec.Struct], pools: Mapping[str, st.SearchStrategy[str]]
) -> st.SearchStrategy[dict[str, Any]]:
    """Values of a struct as JSON would have them.

    Args:
        kind: the struct.
        pools: what texts are drawn from, by the end of the field's name: small pools meet again.
    """
    return _Drawing(pools).of(mi.type_info(kind), "", 0)


class _Drawing:
    def __init__(self, pools: Mapping[str, st.SearchStrategy[str]]) -> None:
        self.pools = pools
        self._structs: dict[Any, Callable[[int], st.SearchStrategy[Any]]] = {}

    # One case for each kind of type.
    def of(self, kind: mi.Type, field: str, depth: int) -> st.SearchStrategy[Any]:  # noqa: C901, PLR0912
        """Values of one type, for a field of that name."""
        match kind:
            case mi.StructType():
                return self._struct(kind, depth)
            case mi.UnionType():
                return st.one_of([self.of(one, field, depth) for one in kind.types])
            case mi.ListType() | mi.CollectionType() | mi.VarTupleType():
                if depth > _DEPTH:
                    return st.just([])
                return st.lists(self.of(kind.item_type, field, depth + 1), max_size=3)
            case mi.DictType():
                return st.dictionaries(HOSTILE, self.of(kind.value_type, field, depth + 1),
                                       max_size=2)  # fmt: skip
            case mi.StrType():
                return self._text(field)
            case mi.IntType():
                return _NUMBERS
            case mi.FloatType():
                return _FLOATS
            case mi.BoolType():
                return st.booleans()
            case mi.LiteralType():
                return st.sampled_from(kind.values)
            case mi.NoneType():
                return st.none()
            case mi.EnumType():
                return st.sampled_from([one.value for one in kind.cls])
            case mi.AnyType() | mi.RawType():
                return st.none() | _NUMBERS | HOSTILE | st.just({"a": [1]})
        raise AssertionError(f"no way to draw {kind!r}")

    def _text(self, field: str) -> st.SearchStrategy[str]:
        for end, pool in self.pools.items():
            if field.endswith(end):
                return pool
        return HOSTILE

    def _struct(self, kind: mi.StructType, depth: int) -> st.SearchStrategy[Any]:
        needed, optional = {}, {}
        for field in kind.fields:
            if depth > _DEPTH and not field.required:
                continue
            made = st.deferred(
                lambda field=field: self.of(field.type, field.encode_name, depth + 1)
            )
            (needed if field.required else optional)[field.encode_name] = made
        return st.fixed_dictionaries(needed, optional=optional)
