"""The base of all hosted browsers: create, join, rejoin and release a session."""

from __future__ import annotations

import asyncio
import logging
import os
import re
from abc import ABC, abstractmethod
from collections.abc import Coroutine, Mapping
from typing import Any, ClassVar, NoReturn
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

import msgspec

from tabwarden.budget import Budget
from tabwarden.endpoints.address import Address
from tabwarden.endpoints.attaching import AttachedEndpoint, open_endpoint
from tabwarden.endpoints.capabilities import Capabilities
from tabwarden.endpoints.endpoint import OpenedEndpoint
from tabwarden.endpoints.remote.api import ProviderApi, cancellable, wait_within
from tabwarden.endpoints.remote.options import Option, request_of
from tabwarden.endpoints.remote.secrets import quiet_libraries, without
from tabwarden.errors import EndpointUnreachable, InvalidArgument, TabwardenError

CANCEL_GRACE_S = 1.0
"""How long a canceled caller waits for the release of its session."""
LIVE_VIEW_MS = 5_000.0
"""Maximum time for getting the URL of the live view, which is optional."""
RELEASE_MS = 10_000.0
"""The budget for releasing one session at its provider."""
LATE_SESSION_MS = 60_000.0
"""How long to wait for a session whose caller has stopped waiting, so that we can release it."""

log = logging.getLogger("tabwarden.endpoints.remote")

_GONE = {404, 410}
_KEY = re.compile(r"[!-~]+")


class RemoteSession(msgspec.Struct):
    """A provider's session, as its API returns it."""

    id: str
    connect_url: str = ""
    """The CDP URL, which is secret because it is signed; "" if the API did not return it."""
    live_view_url: str | None = None
    over: str = ""
    """How the session ended, as the provider describes it; "" while the session is running."""
    stop_url: str = ""
    """The URL with which to end the session, if the provider returns one for each session."""

    def __repr__(self) -> str:
        return f"RemoteSession({self.id}, {self.over or 'running'})"


class RemoteEndpoint(ABC):
    """A hosted browser. Opening it again rejoins the same session.

    A subclass implements only the calls of its provider's API.

    Raises:
        InvalidArgument: an option in the address is unknown or malformed.
    """

    scheme: ClassVar[str]
    provider: ClassVar[str]
    """The provider's name for messages, with its usual spelling."""
    key_variables: ClassVar[tuple[str, ...]]
    """Environment variables that may contain the key. Errors mention the first variable."""
    base_url: ClassVar[str]
    base_url_variable: ClassVar[str]
    options: ClassVar[Mapping[str, Option]]
    capabilities: ClassVar[Capabilities]
    heartbeat_s: ClassVar[float | None] = None

    def __init__(self, address: Address) -> None:
        self._address = address
        self._request = request_of(self.scheme, address.options, self.options)
        self._session: RemoteSession | None = None
        self._released: set[str] = set()
        self._turn = asyncio.Lock()
        self._late: set[asyncio.Task[Any]] = set()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.scheme}:{self._address.session_id})"

    @property
    def key(self) -> str:
        options = urlencode(sorted(self._address.options.items()))
        return f"{self.scheme}:{self._address.session_id}" + (f"?{options}" if options else "")

    # -- what each provider implements --------------------------------------------------------

    @abstractmethod
    def headers(self, key: str) -> dict[str, str]:
        """Return the HTTP headers that contain the key."""

    @abstractmethod
    async def create(self, api: ProviderApi, request: Mapping[str, Any]) -> RemoteSession:
        """Create a session."""

    @abstractmethod
    async def look(self, api: ProviderApi, session_id: str) -> RemoteSession | None:
        """Return the session's current state; None if the API can't look it up."""

    @abstractmethod
    async def release(self, api: ProviderApi, session: RemoteSession) -> None:
        """End the session."""

    async def live_view(self, api: ProviderApi, session: RemoteSession) -> str | None:
        """Return a URL where a person can watch the browser; None if the provider has no such
        URL.
        """
        return session.live_view_url

    # -- opening -----------------------------------------------------------------------------

    async def open(self, budget: Budget) -> OpenedEndpoint:
        """Create or join the session and connect; a second call reconnects to the same session.

        Signed URLs expire, so each call requests a new URL if the API supports that.

        Raises:
            EndpointUnreachable: the key is missing, the provider rejected the request, the reply
                took too long, or the session has ended. If it has ended, ``data["session_over"]``
                is set, and retrying is useless.
            InvalidArgument: the environment variable does not contain a valid key.
            Cancelled: the caller canceled.
        """
        budget.check()
        quiet_libraries()
        await self._my_turn(budget)
        try:
            new = self._session is None
            session = self._session = await self._found_or_created(budget)
            try:
                attached, live_view_url = await self._reached(budget, session)
            except BaseException:
                # Keep a session that was already open, because the caller may retry.
                if new:
                    self._session = None
                    await self._end_aside(session, budget)
                raise
        finally:
            self._turn.release()
        return OpenedEndpoint(
            attached.wire,
            attached.product,
            live_view_url=live_view_url,
            heartbeat_s=self.heartbeat_s,
            release=lambda end_budget: self._end(session, end_budget),
        )

    async def _my_turn(self, budget: Budget) -> None:
        """Acquire the lock, so that two concurrent calls don't create two sessions."""
        try:
            async with asyncio.timeout(budget.remaining_s()):
                await self._turn.acquire()
        except TimeoutError:
            raise EndpointUnreachable(
                f"Another call is still opening {self.provider}'s session.",
                "Wait for that call, or use one endpoint object per call.",
                provider=self.provider,
            ) from None

    async def _found_or_created(self, budget: Budget) -> RemoteSession:
        if self._session is not None:
            return await self._looked_up(budget, self._session.id, self._session)
        if self._address.session_id:
            return await self._looked_up(budget, self._address.session_id, None)
        return await self._created(budget)

    async def _created(self, budget: Budget) -> RemoteSession:
        """Create a session. If the reply arrives after the budget has run out, release the
        session.
        """
        late = Budget(budget.remaining_ms() + LATE_SESSION_MS)
        creating = asyncio.ensure_future(self.create(self._api(late), self._request))
        try:
            done = await wait_within(budget, creating)
        except asyncio.CancelledError:
            self._release_when_it_comes(creating)
            raise
        if not done or budget.cancelled is not None:
            self._release_when_it_comes(creating)
            budget.check()
            raise self._api(budget).timed_out()
        session = creating.result()
        log.info("%s: session %s created", self.provider, session.id)
        return session

    async def _looked_up(
        self, budget: Budget, session_id: str, known: RemoteSession | None
    ) -> RemoteSession:
        try:
            session = await cancellable(budget, self.look(self._api(budget), session_id))
        except EndpointUnreachable as error:
            if error.data.get("status") in _GONE:
                self._over(session_id, "the provider no longer knows it")
            raise
        if session is None:
            session = known or RemoteSession(session_id)
        if session.over:
            self._over(session_id, f"it is {session.over}")
        if session_id in self._released:
            self._over(session_id, "it was released")
        if known is not None:
            session.connect_url = session.connect_url or known.connect_url
            session.live_view_url = session.live_view_url or known.live_view_url
            session.stop_url = session.stop_url or known.stop_url
        return session

    def _over(self, session_id: str, how: str) -> NoReturn:
        self._released.add(session_id)
        raise EndpointUnreachable(
            f"{self.provider}'s session {session_id} has ended: {how}.",
            f"Open a new session with `{self.scheme}:`. The old session's tabs, cookies and "
            "downloads are gone unless the provider keeps them.",
            provider=self.provider,
            session_id=session_id,
            session_over=True,
        )

    async def _reached(
        self, budget: Budget, session: RemoteSession
    ) -> tuple[AttachedEndpoint, str | None]:
        attached = await self._connected(budget, session)
        try:
            return attached, await self._watched(budget, session)
        except BaseException:
            await asyncio.shield(attached.wire.aclose())
            raise

    async def _connected(self, budget: Budget, session: RemoteSession) -> AttachedEndpoint:
        if not session.connect_url:
            raise EndpointUnreachable(
                f"{self.provider} did not return a connect URL for session {session.id}.",
                "Attach with the session's connect URL (wss://...) instead.",
                provider=self.provider,
            )
        try:
            return await open_endpoint(session.connect_url, budget, self._address.headers)
        except TabwardenError as error:
            if not isinstance(error, EndpointUnreachable) and error.code != "invalid_argument":
                raise
            words = without(error.message, [self._key(), *_secrets_of(session.connect_url)])
            raise EndpointUnreachable(
                f"Could not connect to {self.provider}'s session {session.id}: {words}",
                "Try again. If that fails too, check the session in the provider's dashboard.",
                provider=self.provider,
                session_id=session.id,
            ) from None

    async def _watched(self, budget: Budget, session: RemoteSession) -> str | None:
        """Return the live view's URL; None on any error, because the live view is optional."""
        short = budget.child(at_most_ms=LIVE_VIEW_MS)
        try:
            return await cancellable(budget, self.live_view(self._api(short), session))
        except EndpointUnreachable as error:
            log.info("%s: session %s has no live view: %s", self.provider, session.id, error)
            return None

    # -- releasing ---------------------------------------------------------------------------

    async def _end(self, session: RemoteSession, budget: Budget) -> None:
        """Release the session once, if we created it. Log errors instead of raising them."""
        if self._address.session_id or session.id in self._released:
            return
        self._released.add(session.id)
        if self._session is not None and self._session.id == session.id:
            self._session = None
        try:
            async with asyncio.timeout(budget.remaining_s()):
                await self.release(self._api(budget), session)
        except TimeoutError:
            self._not_released(session, "no response in time")
        except TabwardenError as error:
            if error.data.get("status") not in _GONE:
                self._not_released(session, str(error))
        except Exception as error:  # noqa: BLE001 - whatever fails here, closing must continue
            self._not_released(session, type(error).__name__)
        else:
            log.info("%s: session %s released", self.provider, session.id)

    async def _end_aside(self, session: RemoteSession, budget: Budget) -> None:
        """Release an unused session in the background. If the caller stops waiting, return without
        waiting for the release.
        """
        task = self._aside(self._end(session, Budget(RELEASE_MS)))
        patience_s = budget.remaining_s() if budget.cancelled is None else CANCEL_GRACE_S
        await asyncio.wait({task}, timeout=patience_s)

    def _not_released(self, session: RemoteSession, why: str) -> None:
        log.warning(
            "%s: session %s could not be released and may cost money until its timeout; end "
                "it in the provider's dashboard: %s",
            self.provider, session.id, why,
        )  # fmt: skip

    def _release_when_it_comes(self, creating: asyncio.Future[RemoteSession]) -> None:
        async def release() -> None:
            try:
                session = await creating
            except Exception as error:  # noqa: BLE001 - the caller no longer waits for the session
                log.info("%s: the session was not created: %s", self.provider, type(error).__name__)
                return
            await self._end(session, Budget(RELEASE_MS))

        self._aside(release())

    def _aside(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run a task that outlives the call. Keep a reference to the task, to prevent its garbage
        collection.
        """
        task = asyncio.get_running_loop().create_task(work)
        self._late.add(task)
        task.add_done_callback(self._late.discard)
        return task

    # -- settings ----------------------------------------------------------------------------

    def api_url(self) -> str:
        """Return the URL of the provider's API, after checking that the key is set.

        Raises:
            EndpointUnreachable, InvalidArgument: there is no key.
        """
        self._key()
        return os.environ.get(self.base_url_variable, "").rstrip("/") or self.base_url

    def _api(self, budget: Budget) -> ProviderApi:
        key = self._key()
        return ProviderApi(
            self.provider,
            self.api_url(),
            self.headers(key),
            variable=self.key_variables[0],
            secrets=(key,),
            budget=budget,
        )

    def _key(self) -> str:
        for variable in self.key_variables:
            key = os.environ.get(variable, "").strip()
            if key and not _KEY.fullmatch(key):
                raise InvalidArgument(
                    f"{variable} does not contain a valid key.",
                    "Set it to the key only, without quotes, spaces or line breaks.",
                    field=variable,
                )
            if key:
                return key
        raise EndpointUnreachable(
            f"{self.provider} requires a key, but {self.key_variables[0]} is not set.",
            f"Set {self.key_variables[0]} to the key of your account.",
            provider=self.provider,
            variable=self.key_variables[0],
        )


def with_query(url: str, **values: str) -> str:
    """Add query parameters to ``url``, but don't replace those that it already has."""
    parts = urlsplit(url)
    pairs = parse_qsl(parts.query, keep_blank_values=True)
    present = {name for name, _ in pairs}
    added = urlencode({name: value for name, value in values.items() if name not in present})
    # Keep the existing query unchanged: a signature may cover its exact characters.
    query = "&".join(part for part in (parts.query, added) if part)
    return urlunsplit(parts._replace(query=query))


def _secrets_of(url: str) -> list[str]:
    """Return the secret parts of a signed URL."""
    parts = urlsplit(url)
    return [value for _, value in parse_qsl(parts.query)] + [parts.query, parts.password or ""]
