"""Principal: who sends a request. The guard finds that out once, and everything else reads it."""

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
    """A caller, as its token says."""

    name: str
    """The token's name. It may be in logs; the token may not."""
    tenant: str | None
    """Whose tasks the caller reaches; None for the operator, who reaches all."""
    permissions: frozenset[Permission]
    max_tasks: int | None = None
    """Maximum number of the tenant's open browsers; None for the server's limit only."""

    @property
    def is_operator(self) -> bool:
        return self.tenant is None


OPERATOR = Principal(name="operator", tenant=None, permissions=frozenset(PERMISSIONS))
"""Whoever has the server's own token."""


def for_operator() -> Denied:
    """Return the error for a tenant that asks for what is the operator's."""
    return Denied(
        "This call is for the operator.", "Use the server's own token.", permission="operator"
    )


def admit(
    scope: MutableMapping[str, Any], principal: Principal, is_valid: Callable[[], bool]
) -> None:
    """Note in an ASGI scope who sends the request.

    Args:
        scope: the request.
        principal: who sends it.
        is_valid: whether the principal's token is still valid.
    """
    scope.setdefault(_STATE, {}).update({_PRINCIPAL: principal, _VALID: is_valid})


def principal_of(scope: Mapping[str, Any]) -> Principal:
    """Return who sent a request. Raise ``KeyError`` if the guard did not admit it."""
    principal: Principal = scope[_STATE][_PRINCIPAL]
    return principal


def is_admitted(scope: Mapping[str, Any]) -> bool:
    """Whether a request showed a valid token. Some paths are open to others too."""
    return _PRINCIPAL in scope.get(_STATE, {})


def validity_of(scope: Mapping[str, Any]) -> Callable[[], bool]:
    """Return a function that tells whether the token of an admitted request is still valid."""
    is_valid: Callable[[], bool] = scope[_STATE][_VALID]
    return is_valid


async def until_over(is_valid: Callable[[], bool]) -> None:
    """Wait until something is no longer valid."""
    while is_valid():  # noqa: ASYNC110  # another process changes the file: there is no event
        await asyncio.sleep(LOOK_S)


async def until_first(
    work: Iterable[Coroutine[Any, Any, T]], gone: tuple[type[Exception], ...]
) -> list[T]:
    """Run all until one ends; then cancel the others. Return what those that ended returned. Raise
    their errors, except those that say that the client is ``gone``."""
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
    """During the block, call ``end()`` once something is no longer valid."""

    async def watch() -> None:
        await until_over(is_valid)
        end()

    watching = asyncio.create_task(watch())
    try:
        yield
    finally:
        watching.cancel()
