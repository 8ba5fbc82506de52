"""The host: runs the browsers of one node, for exactly the tasks whose leases the host holds."""

from __future__ import annotations

import asyncio
import datetime
import logging
import secrets
import ssl
import tempfile
from collections.abc import Coroutine
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import msgspec

from tabwarden.budget import Budget
from tabwarden.endpoints.launching import LaunchOptions
from tabwarden.errors import LaunchFailed, TabwardenError
from tabwarden.fleet.hosting.fence import Fence
from tabwarden.fleet.hosting.hosted_browser import HostedBrowser
from tabwarden.fleet.hosting.hosted_task import BROWSER_ENDED, LEASE_LATE, HostedTask, TaskOver
from tabwarden.fleet.hosting.pool import END_MS, Pool
from tabwarden.fleet.hosting.relay import Relay
from tabwarden.fleet.leasing import values as leasing
from tabwarden.fleet.relaying.handshake import CERTIFICATE_NAME
from tabwarden.fleet.watchdog import now
from tabwarden.memory import free_memory_mb, memory_of_trees

_VALID_DAYS = 3650
"""The validity of a host's certificate. Clients pin the certificate, and a host creates a new one
at each start.
"""


class Certificate(NamedTuple):
    pem: str
    context: ssl.SSLContext


def fresh_certificate() -> Certificate:
    """Create a key and a self-signed certificate, for TLS 1.3 only. The key is never stored."""
    # These modules are slow to import, and only hosts need them.
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import NameOID

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, CERTIFICATE_NAME)])
    today = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(today - datetime.timedelta(days=1))
        .not_valid_after(today + datetime.timedelta(days=_VALID_DAYS))
        .add_extension(
            x509.SubjectAlternativeName([x509.DNSName(CERTIFICATE_NAME)]), critical=False
        )
        .sign(key, hashes.SHA256())
    )
    pem = certificate.public_bytes(serialization.Encoding.PEM)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    with tempfile.TemporaryDirectory() as folder:  # ``ssl`` reads keys only from files
        file = Path(folder) / "both.pem"
        file.touch(mode=0o600)
        file.write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            )
            + pem
        )
        context.load_cert_chain(file)
    return Certificate(pem.decode(), context)


LEAVE_S = 2.0
"""How long to wait for the coordinator to confirm that the host is stopping."""
MEASURE_S = 5.0
"""How often to measure the memory used by the browsers. Each measurement takes some milliseconds
per browser.
"""
CLIENT_GRACE_S = 45.0
"""A task ends if no client has been connected for this many seconds, because its client must have
died. A client tries to reconnect for 30 s.
"""

log = logging.getLogger("tabwarden.fleet")

_NEVER_HERE: tuple[int, str, leasing.Cause] = (0, "its lease belongs to another host", "")


class LeaseSource(Protocol):
    """The coordinator's interface for hosts. Methods raise ``EndpointUnreachable`` if the
    coordinator does not respond."""

    async def register(self, host: leasing.Host) -> leasing.Registered:
        """Register a host; return the terms of its leases. A known host can register again."""
        ...

    async def heartbeat(self, beat: leasing.Heartbeat) -> leasing.HeartbeatAnswer:
        """Renew a host's leases; return the coordinator's orders. The coordinator sends nothing
        else to a host.
        """
        ...


class HostSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The settings of a node.

    Attributes:
        node: the node's name, for people.
        listen: the address for clients. Other machines can reach the node only if this is not a
            loopback address.
        max_tasks: the maximum number of browsers at a time.
        warm: how many browsers to start ahead of time.
        launch: how to start a browser.
    """

    node: str
    listen: str = "127.0.0.1"
    max_tasks: int = 16
    warm: int = 1
    launch: LaunchOptions = LaunchOptions()


class Host:
    """Registers with the coordinator, sends heartbeats, starts and closes browsers.

    Use it on one event loop: ``await start()``, then ``await run()`` until the host must stop.
    """

    def __init__(self, source: LeaseSource, settings: HostSettings) -> None:
        self.host_id = f"{settings.node}-{secrets.token_hex(4)}"
        """New at each start, so that a restarted host never answers for its former self."""
        self.ticket_key = secrets.token_bytes(32)
        self._source = source
        self._settings = settings
        self._tasks: dict[str, HostedTask] = {}
        self._ended: dict[str, tuple[int, str, leasing.Cause]] = {}
        """Tasks that ended here, with the last generation, the reason and the cause."""
        self._beating = asyncio.Lock()
        self._numbers = count(1)
        self._background: set[asyncio.Task[Any]] = set()
        self._ending: set[asyncio.Task[Any]] = set()
        """Browsers that are ending."""
        self._browser_memory_mb = 0
        self._over = asyncio.Event()
        self._why = ""
        self._fence: Fence
        self._pool: Pool
        self._relay: Relay
        self._terms: leasing.Registered
        self._registered: leasing.Host

    async def start(self) -> None:
        """Listen, register, and start to fill the pool with browsers. If a step fails, undo all of
        them.

        Raises:
            OSError: the address can't be used. Any error of the coordinator.
        """
        certificate = await asyncio.to_thread(fresh_certificate)
        self._fence = Fence()
        self._pool = Pool(self._settings.launch, self._settings.warm)
        self._relay = Relay(
            self._settings.listen, certificate.context, self.ticket_key, self.admit, self.allows
        )
        try:
            url = await self._relay.start()
            self._registered = leasing.Host(
                host_id=self.host_id,
                node=self._settings.node,
                url=url,
                certificate=certificate.pem,
                ticket_key=self.ticket_key,
                max_tasks=self._settings.max_tasks,
            )
            await self._register()
        except BaseException:
            await self._relay.close()
            await self._fence.close()
            raise
        self._pool.fill()
        self._spawn(self._watch_watchdog())
        self._spawn(self._measure_forever())

    async def run(self) -> str:
        """Send heartbeats until the host must stop. Then close all browsers, and return why the
        host stopped.
        """
        over = asyncio.create_task(self._over.wait())
        work = [
            asyncio.create_task(self._beat_forever()),
            asyncio.create_task(self._check_forever()),
        ]
        await asyncio.wait((over, *work), return_when=asyncio.FIRST_COMPLETED)
        for one in work:
            if one.done():  # unexpected: a host without heartbeats blocks its node
                self.stop(f"it failed: {one.exception()!r}")
            one.cancel()
        over.cancel()
        await self.close()
        return self._why

    def stop(self, why: str) -> None:
        """Make ``run`` return."""
        self._why = self._why or why
        self._over.set()

    async def close(self) -> None:
        """Close all browsers and stop listening."""
        for task in list(self._tasks.values()):
            self._end(task, self._why or "the host stops")
        await self._relay.close()
        await self._pool.close()
        await asyncio.gather(*self._ending, return_exceptions=True)
        await self._beat(is_leaving=True)
        for work in list(self._background):
            work.cancel()
        await self._fence.close()

    # -- for the relay ------------------------------------------------------------------------

    async def admit(self, task: str, generation: int) -> HostedTask:
        """Return the task to a client that has a ticket for this generation of the task.

        Raises:
            TaskOver: this host does not hold the lease, or no longer holds it.
            LaunchFailed: the browser did not start.
        """
        for _ in range(2):  # the first heartbeat might have been sent before the lease was granted
            hosted = self._tasks.get(task)
            known = self._ended.get(task, _NEVER_HERE)[0] if hosted is None else hosted.generation
            if known >= generation:
                break
            await self._beat()
            if hosted is not None and hosted.end_reason:
                await hosted.gone.wait()
        hosted = self._tasks.get(task)
        if hosted is None or hosted.generation != generation:
            latest, reason, cause = self._ended.get(task, _NEVER_HERE)
            cause = cause if latest == generation else ""  # meaningless for another generation
            raise TaskOver(latest if hosted is None else hosted.generation, reason, cause)
        await asyncio.shield(hosted.browser)
        if not self.allows(hosted):
            raise TaskOver(generation, hosted.end_reason or "its lease expired", hosted.cause)
        return hosted

    def allows(self, hosted: HostedTask) -> bool:
        """Whether the task's browser may work now."""
        return not hosted.end_reason and self._fence.allows(hosted.task, hosted.generation)

    # -- heartbeats ---------------------------------------------------------------------------

    async def _beat_forever(self) -> None:
        while True:
            await self._beat()
            await asyncio.sleep(self._terms.heartbeat_s)

    async def _beat(self, *, is_leaving: bool = False) -> None:
        """Send one heartbeat and obey the orders in the reply. If the heartbeat fails, the leases
        stay valid until they expire; the fence then kills the browsers.
        """
        async with self._beating:
            sent = now()
            beat = leasing.Heartbeat(
                host_id=self.host_id,
                number=next(self._numbers),
                load=self._load(),
                running=[(one.task, one.generation) for one in self._tasks.values()],
                ended=[(task, *rest) for task, rest in self._ended.items()],
                is_leaving=is_leaving,
            )
            try:
                async with asyncio.timeout(LEAVE_S if is_leaving else None):
                    answer = await self._source.heartbeat(beat)
            except TimeoutError:
                log.warning("%s: the coordinator did not respond", self._settings.node)
                return
            except Exception as error:  # noqa: BLE001 - on any failure, the leases decide
                log.warning("%s: the heartbeat failed: %r", self._settings.node, error)
                return
            if not is_leaving:
                self._obey(answer, sent)

    def _obey(self, answer: leasing.HeartbeatAnswer, sent: float) -> None:
        if answer.is_known:
            self._fence.renew(sent)
        else:
            self._spawn(self._register())
        for task, generation in answer.end:
            hosted = self._tasks.get(task)
            if hosted is not None and hosted.generation <= generation:
                self._end(hosted, "the coordinator ended its lease")
        owned = dict(answer.owned)
        for task, generation in owned.items():
            self._own(task, generation, sent)
        self._ended = {t: kept for t, kept in self._ended.items() if owned.get(t) == kept[0]}

    def _own(self, task: str, generation: int, sent: float) -> None:
        """Start a task's browser, if the task has none. The browser of an older generation must
        have been closed first.
        """
        hosted = self._tasks.get(task)
        if hosted is not None and hosted.generation < generation:
            self._end(hosted, "a newer generation has begun")
        elif hosted is not None:
            hosted.granted = sent
        elif self._ended.get(task, _NEVER_HERE)[0] < generation:
            hosted = self._tasks[task] = HostedTask(task, generation, sent)
            self._spawn(self._start(hosted))

    def _load(self) -> leasing.Load:
        free = free_memory_mb()
        return leasing.Load(
            warm=self._pool.warm,
            browser_memory_mb=self._browser_memory_mb,
            nearly_late=self._fence.nearly_late,
            free_memory_mb=None if free is None else int(free),
        )

    async def _register(self) -> None:
        self._terms = await self._source.register(self._registered)
        self._fence.agree(self._terms, self.host_id, self.ticket_key)

    # -- tasks --------------------------------------------------------------------------------

    async def _start(self, hosted: HostedTask) -> None:
        try:
            browser = await self._pool.take()
        except Exception as error:  # noqa: BLE001 - the client receives every error
            failed = (
                error
                if isinstance(error, TabwardenError)
                else LaunchFailed(f"{error!r}.", "See the node's log for details.")
            )
            hosted.refuse(failed)
            self._end(hosted, f"its browser did not start: {failed.message}", "not started")
            return
        key = (hosted.task, hosted.generation)
        if not hosted.end_reason and not await self._fence.hold(*key, browser.pid, hosted.granted):
            self._end(hosted, LEASE_LATE)
        if hosted.end_reason:
            self._fence.drop(*key)
            hosted.refuse(TaskOver(hosted.generation, hosted.end_reason, hosted.cause))
            await browser.end(Budget(END_MS))
            return
        browser.on_exit = lambda: self._end(hosted, BROWSER_ENDED, "browser ended")
        browser.egress.may_send = lambda: self.allows(hosted)
        hosted.browser.set_result(browser)
        log.info("%s: %s has a browser (generation %s)", self._settings.node, hosted.task,
                 hosted.generation)  # fmt: skip

    def _end(self, hosted: HostedTask, why: str, cause: leasing.Cause = "") -> None:
        """Close a task's browser on this host. Safe to call twice."""
        if hosted.end_reason:
            return
        hosted.end_reason, hosted.cause = why, cause
        self._relay.cut(hosted)
        if hosted.started is not None:
            ending = self._spawn(self._end_browser(hosted, hosted.started))
            self._ending.add(ending)
            ending.add_done_callback(self._ending.discard)
        else:
            self._report_end(hosted)

    async def _end_browser(self, hosted: HostedTask, browser: HostedBrowser) -> None:
        log.info("%s: %s ends: %s", self._settings.node, hosted.task, hosted.end_reason)
        await browser.end(Budget(END_MS))
        self._fence.drop(hosted.task, hosted.generation)
        self._report_end(hosted)

    def _report_end(self, hosted: HostedTask) -> None:
        """Tell the coordinator that a task has ended: its browser is dead, so the task can start
        elsewhere."""
        if self._tasks.get(hosted.task) is hosted:
            del self._tasks[hosted.task]
        self._ended[hosted.task] = (hosted.generation, hosted.end_reason, hosted.cause)
        hosted.gone.set()
        if not self._over.is_set():
            self._spawn(self._beat())  # so that the place becomes free soon for another task

    async def _check_forever(self) -> None:
        """End the tasks whose leases have expired, and the tasks that no client uses any more."""
        while True:
            await asyncio.sleep(self._terms.heartbeat_s / 2)
            for task, generation in self._fence.expired():
                late = self._tasks.get(task)
                if late is not None and late.generation == generation:
                    self._end(late, LEASE_LATE)
            forgotten = now() - CLIENT_GRACE_S
            for hosted in list(self._tasks.values()):
                if not hosted.clients and hosted.last_client < forgotten:
                    self._end(hosted, "no client has used it")

    async def _measure_forever(self) -> None:
        while True:
            pids = [one.started.pid for one in self._tasks.values() if one.started is not None]
            taken = await asyncio.to_thread(memory_of_trees, pids)
            self._browser_memory_mb = sum(taken.values()) >> 20
            await asyncio.sleep(MEASURE_S)

    async def _watch_watchdog(self) -> None:
        await self._fence.watchdog_ended()
        self.stop("the watchdog has exited")

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._background.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._background.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("%s: %r", self._settings.node, error)
