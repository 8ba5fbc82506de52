"""The ring buffer: which values it keeps and drops."""

from __future__ import annotations

from tabwarden.recording.log import Ring


def test_ring_buffer_drops_the_oldest_values_above_its_byte_limit() -> None:
    ring: Ring[str] = Ring(60, 100)
    for name in "abcd":
        ring.add(name, 0, 40)
    assert (ring.values(), ring.size) == (["c", "d"], 80)


def test_ring_buffer_drops_values_that_are_too_old() -> None:
    ring: Ring[str] = Ring(60, 100)
    ring.add("a", 0, 1)
    ring.add("b", 50, 1)
    ring.add("c", 61, 1)
    assert ring.values() == ["b", "c"]


def test_draining_the_ring_buffer_removes_its_values() -> None:
    ring: Ring[str] = Ring(60, 100)
    ring.add("a", 0, 40)
    assert ring.drain() == ["a"]
    assert (ring.values(), ring.size) == ([], 0)


def test_ring_buffer_rejects_a_value_larger_than_its_limit() -> None:
    ring: Ring[str] = Ring(60, 100)
    ring.add("a", 0, 101)
    assert (ring.values(), ring.size) == ([], 0)
