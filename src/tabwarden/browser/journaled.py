"""Journaled: a decorator that records each call of a method in its object's journal."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from tabwarden.errors import TabwardenError

if TYPE_CHECKING:
    from tabwarden.journal import Journal


class HasJournal(Protocol):
    @property
    def _journal(self) -> Journal: ...


MethodT = TypeVar("MethodT", bound=Callable[..., Any])


def journaled(method: MethodT) -> MethodT:
    """Record the method's calls in ``self._journal``, and mask configured secrets in their results.

    Plain and ``async`` methods are accepted. The tracebacks of Tabwarden's errors keep the caller's
    frames and one Tabwarden frame, because the message already describes the failure.
    """
    names = list(inspect.signature(method).parameters)[1:]
    action = method.__name__
    recorded: Any

    def given(args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
        return {**dict(zip(names, args, strict=False)), **kwargs}

    if inspect.iscoroutinefunction(method):

        @wraps(method)
        async def recorded(self: HasJournal, *args: Any, **kwargs: Any) -> Any:
            try:
                with self._journal.call(action, given(args, kwargs)) as entry:
                    result = await method(self, *args, **kwargs)
                    entry.result = self._journal.guarded.hide(result)
                    return entry.result
            except TabwardenError as error:
                raise error.with_traceback(None) from None

    else:

        @wraps(method)
        def recorded(self: HasJournal, *args: Any, **kwargs: Any) -> Any:
            try:
                with self._journal.call(action, given(args, kwargs)) as entry:
                    entry.result = self._journal.guarded.hide(method(self, *args, **kwargs))
                    return entry.result
            except TabwardenError as error:
                raise error.with_traceback(None) from None

    return recorded  # type: ignore[no-any-return]
