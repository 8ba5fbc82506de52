"""Converts scripts' values and errors to Playwright's format."""

from __future__ import annotations

import fnmatch
import math
import re
from collections.abc import Awaitable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any, TypeVar

from playwright.async_api import Error
from playwright.async_api import TimeoutError as Late

from judges.playwright_shim.outside import outside
from tabwarden.errors import BudgetExceeded, JsError, TabwardenError

T = TypeVar("T")


@contextmanager
def as_playwright() -> Iterator[None]:
    """Raise Tabwarden's errors as Playwright's errors, with Tabwarden's messages."""
    try:
        yield
    except BudgetExceeded as error:
        raise Late(str(error)) from error
    except JsError as error:
        raise Error(f"{error}\n{error.data.get('stack') or ''}") from error
    except TabwardenError as error:
        raise Error(str(error)) from error


async def told(call: Awaitable[T]) -> T:
    """Await a call of Tabwarden's API."""
    with as_playwright():
        return await call


def decoded(value: Any) -> Any:
    """Return a script's value as Playwright returns it. docs/evaluate.md describes the formats."""
    if isinstance(value, list):
        return [decoded(one) for one in value]
    if not isinstance(value, dict):
        return value
    if "$type" not in value or "value" not in value:
        return {name: decoded(one) for name, one in value.items()}
    kind, text = value["$type"], value["value"]
    if kind == "number":
        return {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf, "-0": -0.0}[text]
    if kind == "undefined":
        return None
    if kind == "bigint":
        return int(text)
    if kind == "date":
        return datetime.fromisoformat(text.replace("Z", "+00:00"))
    if kind == "regexp":
        return re.compile(text.strip("/").rpartition("/")[0] or text.strip("/"))
    return value


def json_only(value: Any) -> Any:  # noqa: RET503
    """Return an argument, if JSON can represent it."""
    if value is None or isinstance(value, str | bool | int | float):
        return value
    if isinstance(value, list | tuple):
        return [json_only(one) for one in value]
    if isinstance(value, dict):
        return {name: json_only(one) for name, one in value.items()}
    outside("handles", f"an argument of type {type(value).__name__}")


def millis(timeout: Any) -> float | None:
    """Convert Playwright's time limit to Tabwarden's. 0 means no limit, so the maximum is used."""
    if isinstance(timeout, timedelta):
        timeout = timeout.total_seconds() * 1000
    return None if timeout is None else (timeout or 60_000)


def matches(url: str, wanted: Any) -> bool:
    """Whether a URL is the one that a test waits for."""
    if wanted is None:
        return True
    if isinstance(wanted, re.Pattern):
        return wanted.search(url) is not None
    if callable(wanted):
        return bool(wanted(url))
    return fnmatch.fnmatchcase(url, str(wanted).replace("**", "*"))
