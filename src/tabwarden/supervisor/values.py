"""What frozen values are made with: views of mappings, and copies with a change."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, TypeVar

import msgspec

__all__ = ["NOTHING", "frozen", "replace"]

replace = msgspec.structs.replace

K = TypeVar("K")
V = TypeVar("V")


def frozen(mapping: dict[K, V]) -> Mapping[K, V]:
    """A read-only view; the caller gives the dict away."""
    return MappingProxyType(mapping)


NOTHING: Mapping[str, Any] = frozen({})
