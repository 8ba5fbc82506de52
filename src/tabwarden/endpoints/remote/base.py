"""What all hosted browsers have in common: a session is created, joined, joined again, released."""

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
from tabwarden.endpoints.attach import AttachedEndpoint, open_endpoint
from tabwarden.endpoints.capabilities import Capabilities
from tabwarden.endpoints.endpoint import OpenedEndpoint
from tabwarden.endpoints.remote.api import ProviderApi, cancellable, wait_within
from tabwarden.endpoints.remote.options import Option, request_of
from tabwarden.endpoints.remote.secrets import quiet_libraries, without
from tabwarden.errors import EndpointUnreachable, InvalidArgument, TabwardenError

__all__ = ["RemoteEndpoint", "RemoteSession", "with_query"]

log = logging.getLogger("tabwarden.endpoints.remote")

_LATE_MS = 60_000.0
"""How long a session that nobody waits for any more may take to come, to be released."""
_RELEASE_MS = 10_000.0
_LIVE_VIEW_MS = 5_000.0
_GRACE_S = 1.0
"""How long a caller who gave up waits for what was created to be released."""
_GONE = {404, 410}
_KEY = re.compile(r"[!-~]+")


class RemoteSession(msgspec.Struct):
    """A provider's session as its API shows it."""

    id: str
    connect_url: str = ""
    """Where its CDP is; signed, so a secret. "" when the API does not tell it (again)."""
    live_view_url: str | None = None
    over: str = ""
    """The provider's word for how it ended; "" while it runs."""
    stop_url: str = ""
    """Where it is ended, if the provider says that for each session."""

    def __repr__(self) -> str:
        return f"RemoteSession({self.id}, {self.over or 'running'})"


class RemoteEndpoint(ABC):
    """A hosted browser. Opening it again joins the same session again.

    A subclass says how its provider's API is spoken to; nothing else.

    Args:
        address: what to join or create.

    Raises:
        InvalidArgument: an option that the provider does not have.
    """

    scheme: ClassVar[str]
    provider: ClassVar[str]
    """Its name, for people."""
    key_variables: ClassVar[tuple[str, ...]]
    """Environment variables that may hold the key; the first is the one that errors name."""
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
        """See ``Endpoint.key``."""
        options = urlencode(sorted(self._address.options.items()))
        return f"{self.scheme}:{self._address.session_id}" + (f"?{options}" if options else "")

    # -- what each provider says -------------------------------------------------------------

    @abstractmethod
    def headers(self, key: str) -> dict[str, str]:
        """The headers that carry the key."""

    @abstractmethod
    async def create(self, api: ProviderApi, request: Mapping[str, Any]) -> RemoteSession:
        """A new session."""

    @abstractmethod
    async def look(self, api: ProviderApi, session_id: str) -> RemoteSession | None:
        """The session as it is now, or None where the API cannot tell."""

    @abstractmethod
    async def release(self, api: ProviderApi, session: RemoteSession) -> None:
        """End the session."""

    async def live_view(self, api: ProviderApi, session: RemoteSession) -> str | None:
        """Where a person can watch, if the provider has that."""
        return session.live_view_url

    # -- opening -----------------------------------------------------------------------------

    async def open(self, budget: Budget) -> OpenedEndpoint:
        """Create or join the session and connect; called again, connect to the same one again.

        A signed address expires, so a fresh one is asked for wherever the API gives one.

        Raises:
            EndpointUnreachable: no key, the provider refused, no answer in time, or the session
                is over (``data["session_over"]``): then there is no use in trying again.
            InvalidArgument: the key's variable holds something that is no key.
            Cancelled: the caller gave up.
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
                # A session that was open before stays: there may be a next attempt.
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
        """Two calls at once must not make two sessions of one."""
        try:
            async with asyncio.timeout(budget.remaining_s()):
                await self._turn.acquire()
        except TimeoutError:
            raise EndpointUnreachable(
                f"{self.provider}'s session is still being opened by another call.",
                "Wait for that one, or use an endpoint object for each.",
                provider=self.provider,
            ) from None

    async def _found_or_created(self, budget: Budget) -> RemoteSession:
        if self._session is not None:
            return await self._looked_up(budget, self._session.id, self._session)
        if self._address.session_id:
            return await self._looked_up(budget, self._address.session_id, None)
        return await self._created(budget)

    async def _created(self, budget: Budget) -> RemoteSession:
        """A new session. One that comes too late to be of use is released when it comes."""
        late = Budget(budget.remaining_ms() + _LATE_MS)
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
            found = await cancellable(budget, self.look(self._api(budget), session_id))
        except EndpointUnreachable as error:
            if error.data.get("status") in _GONE:
                self._over(session_id, "the provider does not know it (any more)")
            raise
        if found is None:
            found = known or RemoteSession(session_id)
        if found.over:
            self._over(session_id, f"it is {found.over}")
        if session_id in self._released:
            self._over(session_id, "it was released")
        if known is not None:
            found.connect_url = found.connect_url or known.connect_url
            found.live_view_url = found.live_view_url or known.live_view_url
            found.stop_url = found.stop_url or known.stop_url
        return found

    def _over(self, session_id: str, how: str) -> NoReturn:
        self._released.add(session_id)
        raise EndpointUnreachable(
            f"{self.provider}'s session {session_id} is over: {how}.",
            f"Open a new one with {self.scheme}: (tabs, cookies and downloads of the old one are "
            "gone unless the provider keeps them).",
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
                f"{self.provider} does not say where session {session.id} is to be reached.",
                "Attach with its connect URL (wss://...) instead.",
                provider=self.provider,
            )
        try:
            return await open_endpoint(session.connect_url, budget, self._address.headers)
        except TabwardenError as error:
            if not isinstance(error, EndpointUnreachable) and error.code != "invalid_argument":
                raise
            words = without(error.message, [self._key(), *_secrets_of(session.connect_url)])
            raise EndpointUnreachable(
                f"{self.provider}'s session {session.id} could not be connected to: {words}",
                "Try again; if it stays so, see the session in the provider's dashboard.",
                provider=self.provider,
                session_id=session.id,
            ) from None

    async def _watched(self, budget: Budget, session: RemoteSession) -> str | None:
        """The live view; a browser without one is still a browser."""
        short = budget.child(at_most_ms=_LIVE_VIEW_MS)
        try:
            return await cancellable(budget, self.live_view(self._api(short), session))
        except EndpointUnreachable as error:
            log.info("%s: session %s has no live view: %s", self.provider, session.id, error)
            return None

    # -- releasing ---------------------------------------------------------------------------

    async def _end(self, session: RemoteSession, budget: Budget) -> None:
        """Release the session, once, if it was us who created it; logs instead of raising."""
        if self._address.session_id or session.id in self._released:
            return
        self._released.add(session.id)
        if self._session is not None and self._session.id == session.id:
            self._session = None
        try:
            async with asyncio.timeout(budget.remaining_s()):
                await self.release(self._api(budget), session)
        except TimeoutError:
            self._not_released(session, "no answer in time")
        except TabwardenError as error:
            if error.data.get("status") not in _GONE:
                self._not_released(session, str(error))
        except Exception as error:  # noqa: BLE001 - whatever fails here, the end goes on
            self._not_released(session, type(error).__name__)
        else:
            log.info("%s: session %s released", self.provider, session.id)

    async def _end_aside(self, session: RemoteSession, budget: Budget) -> None:
        """Release what is of no use, waiting no longer than the caller does."""
        task = self._aside(self._end(session, Budget(_RELEASE_MS)))
        patience_s = budget.remaining_s() if budget.cancelled is None else _GRACE_S
        await asyncio.wait({task}, timeout=patience_s)

    def _not_released(self, session: RemoteSession, why: str) -> None:
        log.warning(
            "%s: session %s could not be released and may go on costing money until its time-out; "
            "end it in the provider's dashboard: %s",
            self.provider, session.id, why,
        )  # fmt: skip

    def _release_when_it_comes(self, creating: asyncio.Future[RemoteSession]) -> None:
        async def release() -> None:
            try:
                session = await creating
            except Exception as error:  # noqa: BLE001 - nobody waits for it any more
                log.info("%s: no session came after all: %s", self.provider, type(error).__name__)
                return
            await self._end(session, Budget(_RELEASE_MS))

        self._aside(release())

    def _aside(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run something that outlives the call; the loop itself keeps no task alive."""
        task = asyncio.get_running_loop().create_task(work)
        self._late.add(task)
        task.add_done_callback(self._late.discard)
        return task

    # -- settings ----------------------------------------------------------------------------

    def api_url(self) -> str:
        """Where the provider's API is, for an account whose key is set.

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
                    f"{variable} holds something that is no key.",
                    "Set it to the key alone, without quotes, spaces or line ends.",
                    field=variable,
                )
            if key:
                return key
        raise EndpointUnreachable(
            f"{self.provider} wants a key, and {self.key_variables[0]} is not set.",
            f"Set {self.key_variables[0]} to the key of your account.",
            provider=self.provider,
            variable=self.key_variables[0],
        )


def with_query(url: str, **values: str) -> str:
    """``url`` with these query parameters, where it does not have them already."""
    parts = urlsplit(url)
    pairs = parse_qsl(parts.query, keep_blank_values=True)
    present = {name for name, _ in pairs}
    added = urlencode({name: value for name, value in values.items() if name not in present})
    # What is there stays as it is: a signature may be over the very characters.
    query = "&".join(part for part in (parts.query, added) if part)
    return urlunsplit(parts._replace(query=query))


def _secrets_of(url: str) -> list[str]:
    """What of a signed address must not be quoted."""
    parts = urlsplit(url)
    return [value for _, value in parse_qsl(parts.query)] + [parts.query, parts.password or ""]
