"""The raw CDP commands that Tabwarden sends, and why it refuses the others.

Commands that no table lists are refused, including commands that a newer browser adds. An entry for
a method overrides the entry for its domain. ``tests/unit/page/scripts/test_cdp_allowlist.py``
checks each domain's number of commands, so a new protocol can't add a command that nobody has
reviewed.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from tabwarden.errors import Denied, InvalidArgument
from tabwarden.protocol import index

Reach = Literal["task", "context", "target", "browser"]
"""What a command affects or reveals: only the task; the context or the target in a parameter; or
the whole browser, including other tasks."""


class Allowed(msgspec.Struct, frozen=True):
    """A command that Tabwarden sends."""

    reach: Reach = "task"
    runs_scripts: bool = False
    """Whether the command can run a script in a page, or inspect a running script."""


class Refused(msgspec.Struct, frozen=True):
    """A command that Tabwarden does not send."""

    why: str
    instead: str


_TASK, _SCRIPTS = Allowed(), Allowed(runs_scripts=True)
_CONTEXT, _TARGET, _BROWSER = Allowed("context"), Allowed("target"), Allowed("browser")

_ALLOWED: tuple[tuple[Allowed, str], ...] = (
    (
        _TASK,
        "Accessibility Ads Animation Audits Autofill BackgroundService CSS CacheStorage Console "
        "CrashReportContext DOM DOMDebugger DOMSnapshot DOMStorage DeviceAccess DeviceOrientation "
        "DigitalCredentials Emulation EventBreakpoints FedCm FileSystem FindInPage "
        "HeadlessExperimental HeapProfiler IO IndexedDB Input Inspector LayerTree Log Media Memory "
        "Network Overlay Performance PerformanceTimeline Preload Profiler Schema ServiceWorker "
        "SmartCardEmulation Storage WebAudio WebAuthn "
        "Browser.getVersion Fetch.getResponseBody Fetch.takeResponseBodyAsStream "
        "Security.disable Security.enable SystemInfo.getInfo Target.getTargets "
        "WebMCP.disable WebMCP.enable",
    ),
    (
        _TASK,
        "Page.bringToFront Page.captureScreenshot Page.captureSnapshot "
        "Page.clearCompilationCache Page.clearDeviceMetricsOverride "
        "Page.clearDeviceOrientationOverride Page.clearGeolocationOverride Page.close Page.crash "
        "Page.createIsolatedWorld Page.deleteCookie Page.disable Page.enable "
        "Page.generateTestReport Page.getAdScriptAncestry Page.getAnnotatedPageContent "
        "Page.getAppId Page.getAppManifest Page.getFrameTree Page.getInstallabilityErrors "
        "Page.getLayoutMetrics Page.getManifestIcons Page.getNavigationHistory "
        "Page.getOriginTrials Page.getPermissionsPolicyState Page.getResourceContent "
        "Page.getResourceTree Page.getSiblingSubApps Page.getSpellCheckCustomDictionary "
        "Page.getSubApps Page.handleJavaScriptDialog Page.navigate Page.navigateToHistoryEntry "
        "Page.printToPDF Page.produceCompilationCache Page.reload "
        "Page.removeScriptToEvaluateOnLoad Page.removeScriptToEvaluateOnNewDocument "
        "Page.resetNavigationHistory Page.searchInResource Page.setAdBlockingEnabled "
        "Page.setBypassCSP Page.setDeviceMetricsOverride Page.setDeviceOrientationOverride "
        "Page.setDownloadBehavior Page.setFontFamilies Page.setFontSizes "
        "Page.setGeolocationOverride Page.setInputVisualization "
        "Page.setInterceptFileChooserDialog Page.setLifecycleEventsEnabled "
        "Page.setPrerenderingAllowed Page.setRPHRegistrationMode Page.setSPCTransactionMode "
        "Page.setTouchEmulationEnabled Page.setWebLifecycleState Page.stopLoading "
        "Page.waitForDebugger",
    ),
    (
        _SCRIPTS,
        "Debugger Runtime DOM.copyTo DOM.moveTo DOM.redo DOM.setAttributeValue "
        "DOM.setAttributesAsText DOM.setNodeName DOM.setNodeValue DOM.setOuterHTML DOM.undo "
        "Page.addCompilationCache Page.addScriptToEvaluateOnLoad "
        "Page.addScriptToEvaluateOnNewDocument Page.setDocumentContent",
    ),
    (
        _CONTEXT,
        "Browser.cancelDownload Browser.grantPermissions Browser.resetPermissions "
        "Browser.setDownloadBehavior Browser.setPermission Storage.clearCookies "
        "Storage.getCookies Storage.setCookies Target.createTarget",
    ),
    (
        _TARGET,
        "Browser.getWindowForTarget Target.activateTarget Target.attachToTarget "
        "Target.closeTarget Target.getTargetInfo",
    ),
    (
        _BROWSER,
        "BluetoothEmulation SystemInfo Tracing Browser.addMockCamera "
        "Browser.addPrivacySandboxEnrollmentOverride Browser.close Browser.crash "
        "Browser.crashGpuProcess Browser.getBrowserCommandLine Browser.getGlobalPrivacyControl "
        "Browser.getHistogram Browser.getHistograms Browser.getWindowBounds "
        "Browser.setContentsSize Browser.setDockTile Browser.setGlobalPrivacyControl "
        "Browser.setWindowBounds Emulation.addScreen Emulation.removeScreen "
        "Emulation.setPrimaryScreen Emulation.updateScreen Memory.getAllTimeSamplingProfile "
        "Memory.getBrowserSamplingProfile Memory.setPressureNotificationsSuppressed "
        "Memory.simulatePressureNotification Target.createBrowserContext "
        "Target.disposeBrowserContext Target.getBrowserContexts",
    ),
)
_REFUSED: tuple[tuple[Refused, str], ...] = (
    (
        Refused("it gives pages access to CDP", "Send the commands yourself with `cdp`."),
        "Target.exposeDevToolsProtocol",
    ),
    (
        Refused("it sends commands that Tabwarden can't check", "Send the inner command directly."),
        "Target.attachToBrowserTarget Target.sendMessageToTarget",
    ),
    (
        Refused(
            "it opens DevTools, which would control the browser alongside Tabwarden",
            "Use `console`, `network` and `inspect`.",
        ),
        "Target.getDevToolsTarget Target.openDevTools",
    ),
    (
        Refused(
            "the browser would connect to other browsers' debugging ports",
            "Use `connect` to control another browser.",
        ),
        "Target.setRemoteLocations",
    ),
    (
        Refused("Tabwarden uses it to watch the browser", "Use `tabs` and `snapshot`."),
        "Target.autoAttachRelated Target.detachFromTarget Target.setAutoAttach "
        "Target.setDiscoverTargets",
    ),
    (
        Refused(
            "Tabwarden uses it to intercept requests and enforce the network policy",
            "Use `route` to answer, block or change requests.",
        ),
        "Fetch",
    ),
    (
        Refused("the live view and recordings use it for their images", "Use `screenshot`."),
        "Page.screencastFrameAck Page.startScreenRecording Page.startScreencast "
        "Page.stopScreenRecording Page.stopScreencast",
    ),
    (
        Refused("it installs programs", "Only the browser's user may do that."),
        "Extensions PWA",
    ),
    (
        Refused("it opens a port on the browser's machine", "There is no alternative."),
        "Tethering",
    ),
    (
        Refused("it sends the screen to other devices", "There is no alternative."),
        "Cast",
    ),
    (
        Refused("it opens browser windows", "Use `tabs`."),
        "Browser.executeBrowserCommand",
    ),
    (
        Refused(
            "it makes the browser accept invalid certificates",
            "Set ignore_https_errors in the configuration, if you are allowed to.",
        ),
        "Security",
    ),
    (
        Refused("`page_tool` checks the arguments first", "Use `page_tool`."),
        "WebMCP",
    ),
)
_TABLES: tuple[tuple[Allowed | Refused, str], ...] = (*_ALLOWED, *_REFUSED)
_RULES = {name: rule for rule, names in _TABLES for name in names.split()}


def rule_of(method: str) -> Allowed | Refused | None:
    """Return the rule for a command; None if no table lists it."""
    return _RULES.get(method) or _RULES.get(method.partition(".")[0])


def allowed(method: str) -> Allowed:
    """Return the rule for an allowed command.

    Raises:
        Denied: Tabwarden does not send the command.
        InvalidArgument: the protocol that Tabwarden knows has no such command.
    """
    rule = rule_of(method)
    if method not in index.COMMANDS or rule is None:
        raise InvalidArgument(
            f"Tabwarden does not know the CDP command {method}, so it did not send it.",
            "Check the name in the CDP reference, or use another action. A newer version of "
            "Tabwarden may know the command.",
            field="method",
            method=method,
        )
    if isinstance(rule, Refused):
        raise Denied(
            f"{method} is not allowed: {rule.why}.", rule.instead, method=method, field="method"
        )
    return rule
