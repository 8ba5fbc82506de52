"""A ticket is valid for one generation of one task on one host."""

from __future__ import annotations

from hypothesis import assume, given
from hypothesis import strategies as st

from tabwarden.fleet.relaying.handshake import is_valid_ticket, ticket_for

keys = st.binary(min_size=32, max_size=32)
tasks = st.text(max_size=20)
generations = st.integers(0, 10**18)
tickets = st.tuples(keys, tasks, generations)


@given(tickets)
def test_ticket_is_valid_for_the_host_whose_key_signed_it(made: tuple[bytes, str, int]) -> None:
    assert is_valid_ticket(ticket_for(*made), *made)


@given(tickets, tickets)
def test_ticket_is_invalid_for_another_host_task_or_generation(
    made: tuple[bytes, str, int], other: tuple[bytes, str, int]
) -> None:
    for place in range(3):
        changed = tuple(other[n] if n == place else made[n] for n in range(3))
        if changed != made:
            assert not is_valid_ticket(ticket_for(*made), *changed)  # type: ignore[arg-type]


@given(st.binary(max_size=70).map(lambda data: data.decode("ascii", "surrogateescape")), tickets)
def test_any_other_string_is_an_invalid_ticket(text: str, made: tuple[bytes, str, int]) -> None:
    assume(text != ticket_for(*made))
    assert not is_valid_ticket(text, *made)


def test_line_break_in_a_task_name_cannot_forge_a_ticket() -> None:
    key = bytes(32)
    assert ticket_for(key, "a\n1", 2) != ticket_for(key, "a", 12)
    assert not is_valid_ticket(ticket_for(key, "a\n1", 2), key, "a", 1)
