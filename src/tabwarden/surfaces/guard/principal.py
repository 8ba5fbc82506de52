"""``Principal``, the sender of a request. The guard determines it once and stores it in the
request's scope.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Mapping, MutableMapping
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import msgspec

from tabwarden.config import PERMISSIONS, Permission
from tabwarden.errors import Denied

LOOK_S = 0.25
"""The pause between checks whether the token of a running request is still valid."""

T = TypeVar("T")

_STATE = "state"
_PRINCIPAL = "principal"
_VALID = "is_valid"


class Principal(msgspec.Struct, frozen=True, kw_only=True):
    """A caller, identified by its token."""

    name: str
    """The token's name, which may be logged. The token itself must not be logged."""
    tenant: str | None
    """The tenant whose tasks the caller can use; None for the operator, who can use all tasks."""
    permissions: frozenset[Permission]
    max_tasks: int | None = None
    """Maximum number of the tenant's open browsers; None if only the server's limit applies."""

    @property
    def is_operator(self) -> bool:
        return self.tenant is None


OPERATOR = Principal(name="operator", tenant=None, permissions=frozenset(PERMISSIONS))
"""The principal with the server's own token."""


def for_operator() -> Denied:
    """Return the error for a tenant that makes a call that only the operator may make."""
    return Denied(
        "Only the operator may make this call.",
        "Use the server's own token.",
        permission="operator",
    )


def admit(
    scope: MutableMapping[str, Any], principal: Principal, is_valid: Callable[[], bool]
) -> None:
    """Store a request's sender in its ASGI scope.

    Args:
        scope: the request's scope.
        principal: the sender.
        is_valid: returns whether the principal's token is still valid.
    """
    scope.setdefault(_STATE, {}).update({_PRINCIPAL: principal, _VALID: is_valid})


def principal_of(scope: Mapping[str, Any]) -> Principal:
    """Return the sender of a request. Raise ``KeyError`` if the guard did not admit the request."""
    principal: Principal = scope[_STATE][_PRINCIPAL]
    return principal


def is_admitted(scope: Mapping[str, Any]) -> bool:
    """Whether a request has a valid token. Some paths also accept requests without a token."""
    return _PRINCIPAL in scope.get(_STATE, {})


def validity_of(scope: Mapping[str, Any]) -> Callable[[], bool]:
    """Return a function that checks whether the token of an admitted request is still valid."""
    is_valid: Callable[[], bool] = scope[_STATE][_VALID]
    return is_valid


async def until_over(is_valid: Callable[[], bool]) -> None:
    """Wait until ``is_valid()`` is false."""
    while is_valid():  # noqa: ASYNC110  # another process changes the file, so there is no event
        await asyncio.sleep(LOOK_S)


async def until_first(
    work: Iterable[Coroutine[Any, Any, T]], gone: tuple[type[Exception], ...]
) -> list[T]:
    """Run coroutines until one of them ends, then cancel the others. Return the results of the
    coroutines that ended. Raise their errors, except errors of the types in ``gone``.
    """
    running = [asyncio.ensure_future(one) for one in work]
    try:
        done, _ = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for one in running:
            one.cancel()
        ended = await asyncio.gather(*running, return_exceptions=True)
    for result in ended:
        if isinstance(result, Exception) and not isinstance(result, gone):
            raise result
    return [one.result() for one in done if not one.exception()]


@asynccontextmanager
async def ending(is_valid: Callable[[], bool], end: Callable[[], object]) -> AsyncIterator[None]:
    """During the block, call ``end()`` as soon as ``is_valid()`` is false."""

    async def watch() -> None:
        await until_over(is_valid)
        end()

    watching = asyncio.create_task(watch())
    try:
        yield
    finally:
        watching.cancel()
