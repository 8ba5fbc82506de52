"""Run all checks concurrently, each within its budget."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping

from msgspec.structs import replace

from tabwarden.budget import Budget
from tabwarden.endpoints.remedy import own_program
from tabwarden.surfaces.doctor.checks.axe import check_axe
from tabwarden.surfaces.doctor.checks.browser import check_browser
from tabwarden.surfaces.doctor.checks.clock import check_clock
from tabwarden.surfaces.doctor.checks.configuration import check_configuration
from tabwarden.surfaces.doctor.checks.daemons import check_daemons
from tabwarden.surfaces.doctor.checks.disk import check_disk
from tabwarden.surfaces.doctor.checks.endpoint import check_endpoint
from tabwarden.surfaces.doctor.checks.extras import check_extras
from tabwarden.surfaces.doctor.checks.files import check_files
from tabwarden.surfaces.doctor.checks.launching import check_launching
from tabwarden.surfaces.doctor.checks.leftovers import check_leftovers
from tabwarden.surfaces.doctor.checks.own_chrome import check_own_chrome
from tabwarden.surfaces.doctor.checks.page_tools import check_page_tools
from tabwarden.surfaces.doctor.checks.profile import check_user_data_dir
from tabwarden.surfaces.doctor.checks.proxies import check_proxies
from tabwarden.surfaces.doctor.checks.sandbox import check_sandbox
from tabwarden.surfaces.doctor.checks.server import check_server
from tabwarden.surfaces.doctor.checks.versions import check_versions
from tabwarden.surfaces.doctor.finding import Finding
from tabwarden.surfaces.doctor.patient import Patient
from tabwarden.surfaces.doctor.threads import AbandonableThreads

Check = Callable[[Patient, Budget], Awaitable[list[Finding]]]
Look = Callable[[Patient], list[Finding]]


def _aside(look: Look) -> Check:
    """Turn a function that may block into a check that runs on its own thread."""

    async def check(patient: Patient, budget: Budget) -> list[Finding]:
        _ = budget
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
    """Run the checks that ``only`` names, or all, each with the budget ``timeout_ms``.

    Call this on a separate event loop, because hung threads are never joined.
    """
    # asyncio's DNS lookups also run on these threads.
    asyncio.get_running_loop().set_default_executor(AbandonableThreads())
    names = list(only) or list(checks)
    running = [_one(name, checks[name], patient, Budget(timeout_ms)) for name in names]
    findings = [finding for found in await asyncio.gather(*running) for finding in found]
    return [_for_this_shell(finding, own_program()) for finding in findings]


def _for_this_shell(finding: Finding, program: str) -> Finding:
    """The user's shell may not know ``tabwarden`` (``uvx``): its command then starts otherwise."""
    name, _, rest = finding.command.partition(" ")
    return replace(finding, command=f"{program} {rest}") if name == "tabwarden" else finding


async def _one(name: str, check: Check, patient: Patient, budget: Budget) -> list[Finding]:
    try:
        async with asyncio.timeout(budget.remaining_s()):
            return await check(patient, budget)
    except TimeoutError:
        return [
            Finding(
                check=name,
                status="problem",
                message=f"The check did not finish within {budget.timeout_ms:,.0f} ms.",
                command="tabwarden doctor --timeout-ms 60000",
            )
        ]
    except Exception as error:  # noqa: BLE001 - one check that fails must not hide the others
        return [
            Finding(
                check=name,
                status="problem",
                message=f"The check failed: {type(error).__name__}.",
                data={"error": type(error).__name__},
            )
        ]
