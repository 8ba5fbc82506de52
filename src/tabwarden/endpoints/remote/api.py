"""Call a provider's REST API, and describe failures."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Mapping
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

import msgspec

from tabwarden.budget import Budget
from tabwarden.digits import whole_number
from tabwarden.endpoints.attaching import HttpResponse, asked
from tabwarden.endpoints.remote.secrets import without
from tabwarden.errors import EndpointUnreachable
from tabwarden.hints import MORE_TIME, Hint
from tabwarden.http_client import http_client

if TYPE_CHECKING:
    pass

T = TypeVar("T")
_LOOPBACK = {"localhost", "127.0.0.1", "::1"}
_QUOTED_CHARS = 200


class Nothing(msgspec.Struct):
    """An API reply whose content is ignored."""


class _Complaint(msgspec.Struct):
    """The fields in which providers return error messages. Each provider uses one of these
    fields.
    """

    message: Any = None
    error: Any = None
    detail: Any = None


class ProviderApi:
    """A client for one provider's API, limited by one time budget.

    Args:
        base_url: the API's URL, without a trailing slash.
        variable: the environment variable that contains the key, for hints.
        secrets: strings to remove from every error.
    """

    def __init__(
        self,
        provider: str,
        base_url: str,
        headers: Mapping[str, str],
        *,
        variable: str,
        secrets: tuple[str, ...],
        budget: Budget,
    ) -> None:
        self._provider = provider
        self._base_url = base_url
        self._headers = dict(headers)
        self._variable = variable
        self._secrets = secrets
        self._budget = budget

    async def ask(
        self,
        method: str,
        path: str,
        answer: type[T],
        *,
        body: Mapping[str, Any] | None = None,
        query: Mapping[str, str] | None = None,
    ) -> T:
        """Make one call. Never retries, because a repeated "create" could create a second session,
        which costs money.

        Args:
            path: a path below the base URL, or a full URL from the provider.
            answer: the type of the JSON reply; ``Nothing`` if the reply should be ignored.

        Raises:
            EndpointUnreachable: no usable reply arrived in time; ``data["status"]`` is the reply's
                HTTP status, if any.
        """
        import httpx2  # slow to import, and most endpoints don't need it

        url = path if "://" in path else self._base_url + path
        try:
            async with (
                asyncio.timeout(self._budget.remaining_s()),
                http_client(
                    # To a proxy, loopback means the proxy's own computer.
                    trust_env=urlsplit(url).hostname not in _LOOPBACK,
                    timeout=self._budget.remaining_s(),
                ) as client,
            ):
                response = await asked(
                    client, method, url, headers=self._headers, json=body, params=query
                )
        except TimeoutError:
            raise self.timed_out() from None
        except (httpx2.TimeoutException, httpx2.HTTPError, httpx2.InvalidURL, ValueError) as error:
            if isinstance(error, httpx2.TimeoutException):
                raise self.timed_out() from None
            raise self._failed(
                f"could not be reached at {self._base_url} ({type(error).__name__}: {error})",
                "Check the network and the base URL.",
            ) from None
        if not 200 <= response.status_code < 300:
            raise self._refused(response)
        if answer is Nothing:
            return answer()
        try:
            return msgspec.json.decode(response.content, type=answer)
        except msgspec.ValidationError as error:
            raise self._failed(
                f"returned unexpected JSON ({error})",
                "The API may have changed: update Tabwarden, or check the base URL.",
                status=response.status_code,
            ) from None
        except (msgspec.DecodeError, UnicodeDecodeError):
            raise self._failed(
                "returned a response that is not JSON",
                "Check that the base URL is the URL of the provider's API.",
                status=response.status_code,
            ) from None

    def timed_out(self) -> EndpointUnreachable:
        """Return the error for a reply that did not arrive in time."""
        return self._failed(
            "did not respond in time",
            Hint("Try again, or ", MORE_TIME, ": starting a new browser takes a while."),
        )

    def _refused(self, response: HttpResponse) -> EndpointUnreachable:
        status = response.status_code
        why, hint = _meaning(status, self._variable)
        complaint = _complaint(response.content)
        facts: dict[str, Any] = {"status": status}
        wait = whole_number(response.headers.get("Retry-After", ""))
        if status == 429 and wait is not None:
            facts["retry_after_s"] = wait
            hint = f"Wait {wait} s. {hint}"
        quote = f"; the provider says: {complaint}" if complaint else ""
        return self._failed(f"{why} (HTTP {status}){quote}", hint, **facts)

    def _failed(self, why: str, hint: str, **facts: Any) -> EndpointUnreachable:
        return EndpointUnreachable(
            without(f"{self._provider} {why}.", self._secrets),
            hint,
            provider=self._provider,
            **facts,
        )


def _meaning(status: int, variable: str) -> tuple[str, str]:
    if status == 401:
        return "refused the key", f"Check {variable}."
    if status == 402:
        return "requires payment", "Check the account's plan and credit."
    if status == 403:
        return (
            "does not allow this request",
            f"Check the permissions of the key in {variable}, and the account's plan.",
        )
    if status in (404, 410):
        return "does not know this session", "Check the session id and the base URL."
    if status == 429:
        return (
            "has too many sessions or requests from this account",
            "Release the sessions that you don't need.",
        )
    if status in (400, 409, 422):
        return "refused the request", "Check the endpoint's options."
    if status >= 500:
        return "failed", "Try again later. See the provider's status page."
    return "responded with an unexpected status", "Check the base URL."


def _complaint(content: bytes) -> str:
    """Return one line of the provider's own error message."""
    try:
        complaint = msgspec.json.decode(content, type=_Complaint)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return ""
    for message in (complaint.message, complaint.error, complaint.detail):
        if isinstance(message, dict):
            message = message.get("message")  # noqa: PLW2901 - some providers nest the message
        if isinstance(message, str) and message.strip():
            return " ".join(message.split())[:_QUOTED_CHARS].rstrip(".")
    return ""


async def wait_within(budget: Budget, task: asyncio.Future[Any]) -> bool:
    """Wait for ``task`` until the budget runs out or is canceled; return whether the task is done.

    If the budget runs out first, the task keeps running, and the caller decides what to do with it.
    """
    loop = asyncio.get_running_loop()
    given_up: asyncio.Future[None] = loop.create_future()

    def tell() -> None:
        if not given_up.done():
            given_up.set_result(None)

    def give_up(_: str) -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(tell)

    undo = budget.on_cancel(give_up)
    try:
        await asyncio.wait(
            {task, given_up},
            timeout=budget.remaining_s(),
            return_when=asyncio.FIRST_COMPLETED,
        )
    finally:
        undo()
        given_up.cancel()
    return task.done()


async def cancellable(budget: Budget, work: Coroutine[Any, Any, T]) -> T:
    """Return the result of ``work``, a call with its own timeout; stop the work on cancellation."""
    task = asyncio.ensure_future(work)
    try:
        await wait_within(budget, task)
        budget.check()
        return await task
    finally:
        task.cancel()
