"""Check that the browser has WebMCP, with which pages offer tools."""

from __future__ import annotations

import asyncio

from tabwarden.budget import Budget
from tabwarden.endpoints.finding import choose
from tabwarden.endpoints.launching import LaunchOptions, start_browser
from tabwarden.errors import LaunchFailed
from tabwarden.protocol import decode_result, encode_params, target, web_mcp
from tabwarden.surfaces.doctor.checks.browser import Forgetful
from tabwarden.surfaces.doctor.finding import Finding, Status
from tabwarden.surfaces.doctor.patient import Patient
from tabwarden.wire import Connection


async def check_page_tools(patient: Patient, budget: Budget) -> list[Finding]:
    """Start the browser that a launch would use, and ask it for WebMCP."""
    config = patient.config.browser
    if not config.page_tools:
        return [_finding("skipped", "browser.page_tools is off.")]
    if config.endpoint is not None:
        return [_finding("skipped", "Tabwarden attaches, so the browser was started elsewhere.")]
    own = budget.child(headroom_ms=500)
    try:
        found = await choose(
            own, executable=config.executable, headless=config.headless, cache=Forgetful()
        )
        browser = await start_browser(
            found.path, LaunchOptions(), own, headless_shell=found.candidate.headless_only
        )
    except LaunchFailed as error:  # the check `browser` says more
        return [_finding("skipped", f"No browser was asked: {error.message}")]
    connection = Connection(browser.wire, lambda _: None, lambda _: None)
    connection.start()
    try:
        async with asyncio.timeout(own.remaining_s()):
            has_it = await _has_web_mcp(connection)
    finally:
        await browser.end(own)
    if has_it:
        return [_finding("ok", "The browser has WebMCP: pages can offer tools.")]
    words = "This browser has no WebMCP, so no page offers tools. A newer browser has it."
    return [_finding("warning", words)]


async def _has_web_mcp(connection: Connection) -> bool:
    made = await connection.call(
        target.CreateTarget.METHOD, encode_params(target.CreateTarget(url="about:blank"))
    )
    if made.result is None:
        return False
    target_id = decode_result(target.CreateTarget, made.result).target_id
    attach = target.AttachToTarget(target_id=target_id, flatten=True)
    attached = await connection.call(attach.METHOD, encode_params(attach))
    if attached.result is None:
        return False
    session_id = decode_result(target.AttachToTarget, attached.result).session_id
    enabled = await connection.call(web_mcp.Enable.METHOD, session_id=session_id)
    return enabled.result is not None


def _finding(status: Status, message: str) -> Finding:
    return Finding(check="page_tools", status=status, message=message)
