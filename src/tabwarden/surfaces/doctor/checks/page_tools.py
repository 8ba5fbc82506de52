"""Check that the browser has WebMCP, with which pages offer tools."""

from __future__ import annotations

from tabwarden.browser import Browser
from tabwarden.budget import Budget
from tabwarden.config import BrowserConfig
from tabwarden.errors import InvalidArgument, TabwardenError
from tabwarden.surfaces.doctor.finding import Finding, Status
from tabwarden.surfaces.doctor.patient import Patient


async def check_page_tools(patient: Patient, budget: Budget) -> list[Finding]:
    """Start the browser that a launch would use, and ask it for WebMCP."""
    config = patient.config.browser
    if not config.page_tools:
        return [_finding("skipped", "browser.page_tools is off.")]
    if config.endpoint is not None:
        return [_finding("skipped", "Tabwarden attaches, so the browser was started elsewhere.")]
    plain = BrowserConfig(executable=config.executable)
    try:
        opening = Browser.launch(config=plain, timeout_ms=budget.child(headroom_ms=500))
        async with opening as browser:
            await browser.cdp("WebMCP.enable")
    except InvalidArgument:
        words = "This browser has no WebMCP, so no page offers tools. A newer browser has it."
        return [_finding("warning", words)]
    except TabwardenError as error:  # the check `browser` says more
        return [_finding("skipped", f"No browser was asked: {error.message}")]
    return [_finding("ok", "The browser has WebMCP: pages can offer tools.")]


def _finding(status: Status, message: str) -> Finding:
    return Finding(check="page_tools", status=status, message=message)
