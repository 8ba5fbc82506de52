"""``FleetEndpoint``: the endpoint of one task's browser on some machine of the fleet.

``open`` gets a lease from the coordinator and connects to its host. If the lease's node is lost,
opening again gets a new lease, and therefore a new browser (``replacement``). Earlier actions are
not replayed.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import ClassVar

import msgspec
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from tabwarden.budget import Budget
from tabwarden.endpoints import Address, OpenedEndpoint
from tabwarden.endpoints.capabilities import Capabilities
from tabwarden.errors import EndpointUnreachable, LaunchFailed, TabwardenError
from tabwarden.files.secret_file import open_private
from tabwarden.fleet.client.address import FleetOptions, read_options
from tabwarden.fleet.client.dialing import LeaseRefused, dial
from tabwarden.fleet.client.lease_holder import LeaseHolder
from tabwarden.fleet.client.relay_wire import RelayWire
from tabwarden.fleet.client.timing import ACQUIRE_HEADROOM_S, ASK_AGAIN_S, DIAL_S
from tabwarden.fleet.leasing.values import Lease, Lost
from tabwarden.fleet.relaying.frames import Welcome, decode_welcome
from tabwarden.fleet.relaying.transfers import (
    TransferRequest,
    receive_answer,
    receive_file,
    send_file,
    send_request,
)
from tabwarden.replacement import Replacement


class RelayFiles:
    """Transfers files to and from the browser of one lease."""

    def __init__(self, lease: Lease, download_dir: str) -> None:
        self._lease = lease
        self._download_dir = download_dir

    @property
    def download_dir(self) -> str:
        return self._download_dir

    async def put(self, path: Path) -> str:
        """See ``BrowserFiles.put``."""
        async with await self._request(TransferRequest("put", path.name)) as connection:
            try:
                with path.open("rb") as file:
                    await send_file(connection, file)
                return (await receive_answer(connection)).path
            except ConnectionClosed as closed:
                raise OSError(f"the connection to the host closed: {closed}") from None

    async def fetch(self, name: str, path: Path) -> None:
        """See ``BrowserFiles.fetch``."""
        async with await self._request(TransferRequest("fetch", name)) as connection:
            try:
                await receive_answer(connection)
                with open_private(path, "xb") as file:
                    async for piece in receive_file(connection):
                        await asyncio.to_thread(file.write, piece)
            except (ConnectionClosed, OSError) as error:
                await asyncio.to_thread(path.unlink, missing_ok=True)
                raise OSError(str(error)) from None

    async def _request(self, request: TransferRequest) -> ClientConnection:
        try:
            connection = await dial(self._lease, "files", DIAL_S)
        except (LeaseRefused, TabwardenError) as error:
            raise OSError(str(error)) from None
        await send_request(connection, request)
        return connection


_TENANT_SEPARATOR = "~"
"""A server names a tenant's task ``TENANT~TASK``."""


def fleet_endpoint(address: Address) -> FleetEndpoint:
    """Return the endpoint for ``fleet:TASK?cluster=...&checkpoint_s=...``.

    Raises:
        InvalidArgument: an option is unknown or malformed.
    """
    task = address.session_id or f"task-{secrets.token_hex(6)}"
    return FleetEndpoint(read_options(address), task)


class FleetEndpoint:
    """One task's browser on a fleet. See the module docstring."""

    is_ours: ClassVar[bool] = True
    capabilities: ClassVar[Capabilities] = Capabilities(
        guard_session=False,
        survives_reconnect="if its node is lost, the task gets a new browser on another node",
    )

    def __init__(self, options: FleetOptions, task: str) -> None:
        self.options = options
        self.task = task
        self.checkpoint_s = options.checkpoint_s
        self.is_idle: Callable[[], bool] = lambda: True
        self.before_move: Callable[[], Awaitable[None]] | None = None
        self._turn = asyncio.Lock()
        self._holder = LeaseHolder(options, task)
        self._opened: Lease | None = None
        """The lease of the last ``OpenedEndpoint``."""

    def __repr__(self) -> str:
        return f"FleetEndpoint({self.task} on {self.options.cluster})"

    @property
    def key(self) -> str:
        return f"fleet:{self.task}?cluster={self.options.cluster}"

    def for_task(self, task_id: str | None) -> FleetEndpoint:
        """Return the endpoint of the named task. Every client of this task gets the same
        browser."""
        task = task_id or self.task
        tenant, separator, _ = task.partition(_TENANT_SEPARATOR)
        options = self.options
        if separator and not options.tenant:
            options = options.model_copy(update={"tenant": tenant})
        return FleetEndpoint(options, task)

    async def open(self, budget: Budget) -> OpenedEndpoint:
        """Get a lease, or keep the current lease, and connect to its host.

        Raises:
            Capacity: the fleet is full. EndpointUnreachable: no coordinator or node responds, or
                the browser exited on its own (``data["session_over"]``). LaunchFailed: the node
                can't start a browser.
        """
        await self._holder.connect(budget)
        async with self._turn:
            try:
                wire, welcome, lease = await self._connect(budget)
            except BaseException:
                if self._opened is None:  # the caller can't close an endpoint that did not open
                    await self._holder.release()
                raise
            replacement = self._replacement(lease)
            self._opened = lease
            self._holder.watch(lease, wire, self)
        return OpenedEndpoint(
            wire,
            welcome.product,
            release=self._close,
            egress=wire.egress,
            is_exclusive=True,
            files=RelayFiles(lease, welcome.download_dir),
            node=lease.node,
            replacement=replacement,
            launched_as=welcome.launched_as,
        )

    async def _connect(self, budget: Budget) -> tuple[RelayWire, Welcome, Lease]:
        """Connect to the lease's host; get another lease if this lease has ended."""
        holder = self._holder
        while True:
            before = holder.lost
            if self._opened is not None and before is not None and before.cause == "browser ended":
                raise _browser_ended(before.node)
            try:
                lease = await holder.acquire(budget)
            except EndpointUnreachable:  # the coordinator is restarting, or the node was just lost
                budget.check()
                if budget.remaining_s() < ACQUIRE_HEADROOM_S * 2:
                    raise
                await asyncio.sleep(ASK_AGAIN_S)
                continue
            try:
                async with budget.waiting_for(f"the node {lease.node}"):
                    dialed = await self._dial(lease, budget)
                if not isinstance(dialed, Lost):
                    return *dialed, lease
                lost: Lost | None = dialed
                holder.lease = None
            except LeaseRefused as refused:
                lost = await holder.ask_end(lease, refused)
                await holder.release()
            except (EndpointUnreachable, ConnectionClosed, msgspec.DecodeError) as error:
                lost = await holder.ask_why(lease, error, budget)
            # reported in the same way as to an earlier client
            if lost is not None and lost.cause == "not started":
                raise _not_started(lost)
            holder.lost = lost or holder.lost

    async def _dial(self, lease: Lease, budget: Budget) -> tuple[RelayWire, Welcome] | Lost:
        """Connect to the lease's host. If the coordinator reports first that the lease was lost,
        return how. A machine without power does not even refuse a connection, so the connection
        attempt alone might not fail for a long time.
        """

        async def connect() -> tuple[RelayWire, Welcome]:
            connection = await dial(lease, "browser", budget.remaining_s())
            try:
                welcome = decode_welcome(await connection.recv(decode=False))
            except BaseException:
                connection.transport.abort()
                raise
            return RelayWire(connection), welcome

        dialing = asyncio.create_task(connect())
        asking = asyncio.create_task(self._holder.wait_for_end(lease, DIAL_S))
        try:
            await asyncio.wait((dialing, asking), return_when=asyncio.FIRST_COMPLETED)
            lost = None if dialing.done() or asking.exception() is not None else asking.result()
            if lost is not None and not lost.planned:  # on a drained node, the lease is still valid
                return lost
            return await dialing
        finally:
            for work in (dialing, asking):
                work.cancel()
            await asyncio.wait((dialing, asking))

    def _replacement(self, lease: Lease) -> Replacement | None:
        before = self._opened
        if before is None or before.generation == lease.generation:
            return None
        lost = self._holder.lost or Lost("its lease ended", before.node)
        return Replacement(lost.reason, lease.node, lease.generation, before.node, lost.planned)

    async def _close(self, budget: Budget) -> None:
        _ = budget  # shorter than every budget for closing a browser
        await self._holder.release()
        self._holder.stop_watching()
        self._opened = None


def _browser_ended(node: str) -> EndpointUnreachable:
    return EndpointUnreachable(
        f"The browser on the node {node} exited on its own.",
        "Open a new browser.",
        session_over=True,
    )


def _not_started(lost: Lost) -> LaunchFailed:
    return LaunchFailed(
        f"The node {lost.node} accepted the task, but {lost.reason}",
        "Run `tabwarden doctor` on that node.",
        node=lost.node,
    )
