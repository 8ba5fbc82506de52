"""Raw CDP: each command of the protocol is allowed, or denied with a reason."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tabwarden.errors import Denied, Disabled, InvalidArgument
from tabwarden.page.scripts import cdp_allowlist
from tabwarden.page.scripts.cdp_allowlist import Allowed, Refused, allowed, rule_of
from tabwarden.page.scripts.cdp_limits import Limits, within
from tabwarden.protocol import index

READ = {
    "Accessibility": 8, "Ads": 2, "Animation": 10, "Audits": 4, "Autofill": 4,
    "BackgroundService": 4, "BluetoothEmulation": 15, "CSS": 40, "CacheStorage": 5, "Cast": 6,
    "Console": 3, "CrashReportContext": 1, "DOM": 57, "DOMDebugger": 10, "DOMSnapshot": 4,
    "DOMStorage": 6, "Debugger": 33, "DeviceAccess": 4, "DeviceOrientation": 2,
    "DigitalCredentials": 1, "Emulation": 49, "EventBreakpoints": 3, "Extensions": 8, "FedCm": 7,
    "Fetch": 9, "FileSystem": 1, "FindInPage": 4, "HeadlessExperimental": 3, "HeapProfiler": 12,
    "IO": 3, "IndexedDB": 9, "Input": 13, "Inspector": 2, "LayerTree": 9, "Log": 5, "Media": 2,
    "Memory": 11, "Network": 35, "Overlay": 31, "PWA": 7, "Performance": 4,
    "PerformanceTimeline": 1, "Preload": 2, "Profiler": 9, "Runtime": 23, "Schema": 1,
    "Security": 5, "ServiceWorker": 12, "SmartCardEmulation": 12, "Storage": 27, "SystemInfo": 3,
    "Tethering": 2, "Tracing": 6, "WebAudio": 3, "WebAuthn": 13, "WebMCP": 4,
}  # fmt: skip
"""The domains that a table allows entirely, with their reviewed number of commands."""
REFUSED = (
    "Target.setRemoteLocations", "Target.openDevTools", "Target.getDevToolsTarget",
    "Target.attachToBrowserTarget", "Target.exposeDevToolsProtocol", "Target.sendMessageToTarget",
    "Target.setAutoAttach", "Target.setDiscoverTargets", "Target.detachFromTarget",
    "Fetch.disable", "Fetch.enable", "Fetch.continueRequest", "Fetch.fulfillRequest",
    "Extensions.loadUnpacked", "PWA.install", "Tethering.bind", "Cast.startDesktopMirroring",
    "Browser.executeBrowserCommand", "Security.setIgnoreCertificateErrors",
    "Page.stopScreencast", "WebMCP.invokeTool",
)  # fmt: skip
NO_SCRIPTS = Limits(
    upload_dirs=(Path("/nowhere"),), allow_file_urls=False, allow_scripts=False, here=True
)


@pytest.mark.threat
def test_each_cdp_command_is_allowed_or_denied_with_a_reason() -> None:
    for method in index.COMMANDS:
        rule = rule_of(method)
        if isinstance(rule, Allowed):
            assert allowed(method) is rule
            continue
        assert isinstance(rule, Refused), f"cdp_allowlist has no word on {method}"
        with pytest.raises(Denied) as refused:
            allowed(method)
        assert rule.why in refused.value.message
        assert refused.value.hint == rule.instead


def test_allowlisted_domains_have_exactly_the_reviewed_number_of_commands() -> None:
    named = [name for name in cdp_allowlist._RULES if "." not in name]
    numbers = Counter(method.partition(".")[0] for method in index.COMMANDS)
    assert {name: numbers[name] for name in named} == READ


def test_allowlist_contains_each_command_once_and_only_known_commands() -> None:
    named = Counter(name for _, names in cdp_allowlist._TABLES for name in names.split())
    assert {name for name, number in named.items() if number > 1} == set()
    assert {name for name in named if "." in name} <= index.COMMANDS


@pytest.mark.threat
@pytest.mark.parametrize("method", REFUSED)
def test_allowlist_denies_commands_that_reach_beyond_the_tasks_pages(method: str) -> None:
    with pytest.raises(Denied):
        allowed(method)


@pytest.mark.threat
@pytest.mark.parametrize("method", ["Page.newCommand", "CSS.newCommand", "NewDomain.run", "DOM."])
def test_allowlist_denies_an_unknown_command(method: str) -> None:
    with pytest.raises(InvalidArgument) as refused:
        allowed(method)
    assert refused.value.data["field"] == "method"


@pytest.mark.threat
@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("Runtime.evaluate", {"expression": "1"}),
        ("Debugger.enable", {}),
        ("Page.addScriptToEvaluateOnNewDocument", {"source": "1"}),
        ("Page.addScriptToEvaluateOnLoad", {"scriptSource": "1"}),
        ("Page.setDocumentContent", {"html": "<p>"}),
        ("Page.reload", {"scriptToEvaluateOnLoad": "1"}),
        ("Page.navigate", {"url": " java\nscript:1"}),
        ("Target.createTarget", {"url": "JavaScript:1"}),
        ("DOM.setOuterHTML", {"outerHTML": "<p>"}),
        ("DOM.setAttributeValue", {"name": "onclick", "value": "1"}),
        ("DOM.setNodeName", {"name": "script"}),
        ("DOM.setNodeValue", {"value": "1"}),
        ("DOM.redo", {}),
    ],
)
def test_commands_that_can_run_scripts_are_disabled_with_evaluate(
    method: str, params: dict[str, Any]
) -> None:
    with pytest.raises(Disabled):
        within(NO_SCRIPTS, method, params)
