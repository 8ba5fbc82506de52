"""Errors are sent over Ray as values, and raised unchanged."""

from __future__ import annotations

import asyncio
import pickle

import pytest

from tabwarden import errors
from tabwarden.errors import Capacity, TabwardenError
from tabwarden.hints import Hint, Next

pytest.importorskip("ray", reason="needs ray: make env")
from tabwarden.fleet.on_ray.answers import Refused, telling

KINDS = [getattr(errors, name) for name in errors.__all__]


def carried(error: TabwardenError) -> TabwardenError:
    """Raise an error in an actor's method, and return the caller's error."""

    @telling
    async def method() -> int:
        raise error

    answer = asyncio.run(method())
    assert isinstance(answer, Refused)
    sent: Refused = pickle.loads(pickle.dumps(answer))
    return sent.error()


@pytest.mark.parametrize("kind", KINDS)
def test_each_error_type_survives_serialization_over_ray(kind: type[TabwardenError]) -> None:
    error = carried(kind("It failed.", "Try again.", node="n1", tries=[1, 2]))
    assert type(error) is kind
    assert error.to_dict() == kind("It failed.", "Try again.", node="n1", tries=[1, 2]).to_dict()


def test_each_error_type_has_a_unique_code() -> None:
    assert len({kind.code for kind in KINDS}) == len(KINDS)


def test_capacity_error_over_ray_keeps_its_retry_after() -> None:
    error = carried(Capacity("Full.", retry_after_s=2.5))
    assert isinstance(error, Capacity)
    assert error.retry_after_s == 2.5


def test_hint_with_a_call_is_sent_over_ray_as_text() -> None:
    hint = Hint("Take a snapshot", Next("snapshot"), ".")
    assert carried(TabwardenError("No.", hint)).hint == str(hint)


def test_unknown_error_code_becomes_a_tabwarden_error() -> None:
    error = Refused("from_the_future", "No.", "", {}).error()
    assert type(error) is TabwardenError
    assert error.message == "No."


def test_actor_method_returns_its_result_unchanged() -> None:
    @telling
    async def method(number: int, *, more: int) -> int:
        return number + more

    assert asyncio.run(method(1, more=2)) == 3


def test_actor_method_does_not_catch_other_exceptions() -> None:
    @telling
    async def method() -> int:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        asyncio.run(method())
