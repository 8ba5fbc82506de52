"""Return our errors as values, because Ray wraps exceptions in its own exceptions."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import msgspec

from tabwarden import errors
from tabwarden.errors import TabwardenError

P = ParamSpec("P")
T = TypeVar("T")


class Refused(msgspec.Struct, frozen=True):
    """A serialized ``TabwardenError`` for the caller."""

    code: str
    message: str
    hint: str
    data: dict[str, Any]

    def error(self) -> TabwardenError:
        kinds = (getattr(errors, name) for name in errors.__all__)
        kind = next((kind for kind in kinds if kind.code == self.code), TabwardenError)
        return kind(self.message, self.hint, **self.data)


def telling(method: Callable[P, Awaitable[T]]) -> Callable[P, Awaitable[T | Refused]]:
    """Let an actor's method return a ``TabwardenError`` instead of raising it."""

    @wraps(method)
    async def wrapper(*args: P.args, **kwargs: P.kwargs) -> T | Refused:
        try:
            return await method(*args, **kwargs)
        except TabwardenError as error:
            return Refused(error.code, error.message, str(error.hint), error.data)

    return wrapper
