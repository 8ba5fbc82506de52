"""Helpers for frozen values: read-only mappings, and copies with a change."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, TypeVar

import msgspec

replace = msgspec.structs.replace

K = TypeVar("K")
V = TypeVar("V")


def frozen(mapping: dict[K, V]) -> Mapping[K, V]:
    """Return a read-only view; the caller must not change the dict afterwards."""
    return MappingProxyType(mapping)


NOTHING: Mapping[str, Any] = frozen({})
