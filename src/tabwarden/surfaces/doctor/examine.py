"""Run all checks concurrently, each within its budget."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Iterable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, ParamSpec, TypeVar

from msgspec.structs import replace

from tabwarden.budget import Budget
from tabwarden.endpoints.remedy import own_program
from tabwarden.surfaces.doctor.checks.browsers import (
    check_browser,
    check_launching,
    check_page_tools,
    check_sandbox,
)
from tabwarden.surfaces.doctor.checks.files import (
    check_disk,
    check_files,
    check_leftovers,
    check_user_data_dir,
)
from tabwarden.surfaces.doctor.checks.network import (
    check_endpoint,
    check_own_chrome,
    check_proxies,
    check_server,
)
from tabwarden.surfaces.doctor.checks.own import check_clock, check_configuration, check_daemons
from tabwarden.surfaces.doctor.checks.packages import check_axe, check_extras, check_versions
from tabwarden.surfaces.doctor.finding import Finding, Patient, problem

Check = Callable[[Patient, Budget], Awaitable[list[Finding]]]
Look = Callable[[Patient], list[Finding]]


def _aside(look: Look) -> Check:
    """Turn a function that may block into a check that runs on its own thread."""

    async def check(patient: Patient, _: Budget) -> list[Finding]:
        return await asyncio.get_running_loop().run_in_executor(None, look, patient)

    return check


CHECKS: Mapping[str, Check] = {
    "configuration": _aside(check_configuration),
    "browser": check_browser,
    "page_tools": check_page_tools,
    "launching": check_launching,
    "axe": check_axe,
    "endpoint": check_endpoint,
    "own_chrome": check_own_chrome,
    "server": check_server,
    "files": _aside(check_files),
    "sandbox": _aside(check_sandbox),
    "profile": _aside(check_user_data_dir),
    "proxies": _aside(check_proxies),
    "disk": _aside(check_disk),
    "versions": _aside(check_versions),
    "extras": _aside(check_extras),
    "daemons": _aside(check_daemons),
    "leftovers": _aside(check_leftovers),
    "clock": _aside(check_clock),
}
"""The checks, in the order in which the report lists them."""


async def examine(
    patient: Patient,
    *,
    timeout_ms: float,
    checks: Mapping[str, Check] = CHECKS,
    only: Iterable[str] = (),
) -> list[Finding]:
    """Run the checks in ``only``, or all checks, each with the budget ``timeout_ms``.

    Call this on a separate event loop, because the threads of hung checks are never joined.
    """
    # asyncio's DNS lookups also run on these threads.
    asyncio.get_running_loop().set_default_executor(AbandonableThreads())
    names = list(only) or list(checks)
    running = [_one(name, checks[name], patient, Budget(timeout_ms)) for name in names]
    findings = [finding for found in await asyncio.gather(*running) for finding in found]
    return [_for_this_shell(finding, own_program()) for finding in findings]


def _for_this_shell(finding: Finding, program: str) -> Finding:
    """Adapt a finding's command to this installation. With ``uvx``, ``tabwarden`` is not on the
    user's PATH.
    """
    name, _, rest = finding.command.partition(" ")
    return replace(finding, command=f"{program} {rest}") if name == "tabwarden" else finding


async def _one(name: str, check: Check, patient: Patient, budget: Budget) -> list[Finding]:
    try:
        async with asyncio.timeout(budget.remaining_s()):
            found = await check(patient, budget)
    except TimeoutError:
        words = f"The check did not finish within {budget.timeout_ms:,.0f} ms."
        found = [problem(words, "tabwarden doctor --timeout-ms 60000")]
    except Exception as error:  # noqa: BLE001 - a failed check must not hide the others
        kind = type(error).__name__
        found = [problem(f"The check failed: {kind}.", error=kind)]
    return [replace(one, check=name) for one in found]


P = ParamSpec("P")
T = TypeVar("T")


class AbandonableThreads(ThreadPoolExecutor):
    """Starts a thread for each call. The process does not wait for these threads at exit.

    asyncio and the interpreter would join an ordinary executor's threads, even hung threads.
    """

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        future: Future[T] = Future()

        def work() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                future.set_result(fn(*args, **kwargs))
            except BaseException as error:  # noqa: BLE001 - passed to the waiting caller
                future.set_exception(error)

        threading.Thread(target=work, name="tabwarden-doctor", daemon=True).start()
        return future

    def shutdown(self, *_: Any, **__: Any) -> None:
        """Return at once, without waiting for the threads."""
