"""Run the coordinator in its own process.

Ray's worker processes have dozens of threads, which wait for one another. On a machine with 70 busy
processes, an event loop stalled for 2.6 s in a worker process, but only for 0.8 s in a process of
its own. A lease lasts 2 s. Therefore, the actor only forwards calls to a child process and returns
the results, through pipes that no other process can open.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import pickle
import sys
from collections.abc import AsyncIterator
from itertools import count
from typing import Any

from platformdirs import user_state_path

from tabwarden.config import FleetConfig
from tabwarden.errors import EndpointUnreachable
from tabwarden.files.private_folder import make_private_folder
from tabwarden.fleet.coordinating import Coordinator, Superseded, open_store
from tabwarden.fleet.leasing.table import TableSettings
from tabwarden.fleet.on_ray.answers import telling
from tabwarden.fleet.watchdog import take_priority


def default_store() -> str:
    """Return ``sqlite:PATH`` in the state folder of this process's user; create the folder."""
    folder = user_state_path("tabwarden")
    make_private_folder(folder)
    return f"sqlite:{folder / 'fleet.sqlite'}"


log = logging.getLogger("tabwarden.fleet")

LOG_FORMAT = "%(asctime)s %(levelname)s %(message)s"
_ENDED = "the coordinator has ended"
_SIZE = 4
"""The number of bytes that encode a message's size."""


class CoordinatorProcess:
    """The coordinator's process, as the actor sees it. The process exits with the actor. Use it on
    one event loop.

    Args:
        config: the ``fleet`` section of the configuration.
        store: where to keep leases; None for the default.
        address: the IP address for pulses.
    """

    def __init__(self, config: dict[str, Any], store: str | None, address: str) -> None:
        self._numbers = count(1)
        self._pending: dict[int, asyncio.Future[tuple[Any, str]]] = {}
        self._process: asyncio.subprocess.Process
        self._starting = asyncio.create_task(self._start((config, store, address)))
        self._reading: asyncio.Task[None]

    async def call(self, method: str, *args: Any) -> Any:
        """Call a method of the coordinator; return its result, or a ``Refused``.

        Raises:
            RuntimeError: the coordinator failed or exited.
        """
        await asyncio.shield(self._starting)
        if self._reading.done():
            raise RuntimeError(_ENDED)
        number = next(self._numbers)
        future = self._pending[number] = asyncio.get_running_loop().create_future()
        self._tell((number, method, args))
        try:
            answer, failure = await future
        except asyncio.CancelledError:
            self._tell((number, "", ()))
            raise
        finally:
            del self._pending[number]
        if failure:
            raise RuntimeError(failure)
        return answer

    async def wait(self) -> int:
        """Wait until the process has exited, and return its exit code."""
        await asyncio.shield(self._starting)
        await self._reading
        return await self._process.wait()

    async def close(self) -> None:
        """Terminate the process."""
        await asyncio.shield(self._starting)
        assert self._process.stdin is not None
        self._process.stdin.close()
        await self.wait()

    async def _start(self, terms: tuple[Any, ...]) -> None:
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, "-P", "-m", __name__,
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
        )  # fmt: skip
        self._tell(terms)
        self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        assert self._process.stdout is not None
        async for number, *answer in _messages(self._process.stdout):
            future = self._pending.get(number)
            if future is not None and not future.done():
                future.set_result(tuple(answer))
        for future in self._pending.values():
            if not future.done():
                future.set_result((None, _ENDED))

    def _tell(self, message: Any) -> None:
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):  # the process has exited: ``wait`` informs the actor
            self._process.stdin.write(_framed(message))


class _Served:
    """The code that runs in the coordinator's process.

    The process survives failures of the store: if the coordinator can't start, each call tries to
    start it again. The process exits only when the coordinator's term has ended.
    """

    def __init__(self, config: dict[str, Any], store: str | None, address: str) -> None:
        self._config = FleetConfig.model_validate(config)
        self._store = store
        self._address = address
        self._beginning: asyncio.Task[Coordinator] | None = None
        self._running: asyncio.Task[None]

    @telling
    async def call(self, method: str, *args: Any) -> Any:
        """Call a method of the coordinator.

        Raises:
            EndpointUnreachable: the coordinator could not start. Any error of the method.
        """
        if self._beginning is None:
            self._beginning = asyncio.create_task(self._begin())
        return await getattr(await asyncio.shield(self._beginning), method)(*args)

    async def _begin(self) -> Coordinator:
        try:
            coordinator = Coordinator(
                open_store(self._store or default_store()),
                TableSettings(
                    lease_s=self._config.lease_ms / 1000,
                    max_waiting=self._config.max_waiting,
                    min_free_memory_mb=self._config.min_free_memory_mb,
                ),
            )
            await coordinator.start()
        except Exception as error:  # noqa: BLE001 - the next call tries again
            self._beginning = None
            raise EndpointUnreachable(
                f"The fleet's coordinator could not start: {error}.",
                "It retries automatically. Check the fleet's store.",
            ) from None
        try:
            coordinator.listen(self._address)
        except OSError as error:  # the fleet works without pulses, except on an overloaded machine
            log.warning("hosts can't send pulses to %s: %s", self._address, error)
        self._running = asyncio.create_task(_run(coordinator))
        return coordinator


async def _run(coordinator: Coordinator) -> None:
    try:
        await coordinator.run()
    except Superseded:
        log.warning("this coordinator's term has ended")
    except Exception:
        log.exception("the coordinator failed")
    os._exit(1)  # the actor exits too, and Ray restarts it unless another is running


async def _serve() -> None:
    """Serve the actor's calls until the actor exits."""
    loop = asyncio.get_running_loop()
    requests = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(requests), sys.stdin)
    messages = _messages(requests)
    served = _Served(*await anext(messages))
    calls: dict[int, asyncio.Task[None]] = {}
    answers, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, sys.stdout)

    async def answer(number: int, method: str, args: tuple[Any, ...]) -> None:
        try:
            result = (number, await served.call(method, *args), "")
        except Exception as error:  # noqa: BLE001 - the caller receives every error
            result = (number, None, f"{type(error).__name__}: {error}")
        finally:
            del calls[number]
        answers.write(_framed(result))

    async for number, method, args in messages:
        if method:
            calls[number] = asyncio.create_task(answer(number, method, args))
        elif number in calls:  # the caller has disconnected
            calls[number].cancel()


async def _messages(reader: asyncio.StreamReader) -> AsyncIterator[Any]:
    with contextlib.suppress(asyncio.IncompleteReadError):
        while True:
            size = int.from_bytes(await reader.readexactly(_SIZE), "big")
            yield pickle.loads(await reader.readexactly(size))


def _framed(message: Any) -> bytes:
    data = pickle.dumps(message)
    return len(data).to_bytes(_SIZE, "big") + data


def main() -> None:
    logging.basicConfig(level=logging.INFO, format=LOG_FORMAT)
    take_priority()
    asyncio.run(_serve())


if __name__ == "__main__":
    main()
