"""What to write instead of the options of Playwright MCP, agent-browser and chrome-devtools-mcp."""

from __future__ import annotations

import re

from tabwarden.surfaces.cli.client.options import LAUNCH, OPENING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

OPTIONS = {
    "accept-insecure-certs": "--ignore-https-errors",
    "args": "--arg",
    "auto-connect": "--endpoint auto",
    "browser-url": "--endpoint",
    "caps": "mcp --tools vision",
    "cdp": "--endpoint",
    "cdp-endpoint": "--endpoint",
    "cdp-timeout": "mcp --timeout-ms",
    "channel": "--executable",
    "chrome-arg": "--arg",
    "color-scheme": "emulate --color-scheme",
    "debug": "mcp --log-level DEBUG",
    "depth": "snapshot --max-chars",
    "enable": "--init-script",
    "executable-path": "--executable",
    "experimental-structured-content": "mcp --structured full",
    "experimental-vision": "mcp --tools vision",
    "host": "mcp --host",
    "image-responses": "mcp --images omit",
    "images": "mcp --images",
    "init-page": "--init-script",
    "max-output": "snapshot --max-chars",
    "mobile": "--device 'Pixel 9'",
    "no-headless": "--headed",
    "no-image-responses": "mcp --images omit",
    "output-dir": "mcp --output-dir",
    "port": "mcp --port",
    "profile-dir-name": "--endpoint auto",
    "provider": "--endpoint browserbase:",
    "proxy-server": "--proxy",
    "save-session": "--record",
    "save-trace": "--record",
    "save-video": "--video",
    "screenshot-dir": "mcp --output-dir",
    "screenshot-format": "screenshot --format",
    "screenshot-max-height": "screenshot --max-pixels",
    "screenshot-max-width": "screenshot --max-pixels",
    "screenshot-quality": "screenshot --quality",
    "selector": "snapshot --ref",
    "session-name": "--restore",
    "slim": "mcp --tools core",
    "snapshot-boxes": "snapshot --boxes",
    "tools": "mcp --tools",
    "viewport-size": "--viewport",
    "vision": "mcp --tools vision",
    "ws-endpoint": "--endpoint",
}
"""Our option for theirs; with its command, if not every command that opens a browser has it."""

KEYS = {
    "action-policy": "browser.allow",
    "allow-file-access": "browser.allow_file_urls",
    "allow-unrestricted-file-access": "browser.allow_file_urls",
    "allow-unrestricted-paths": "browser.upload_roots",
    "allowed-domains": "browser.allowed_origins",
    "allowed-hosts": "server.allowed_hosts",
    "allowed-origins": "browser.allowed_origins",
    "allowed-url-pattern": "browser.allowed_origins",
    "blocked-origins": "browser.blocked_origins",
    "blocked-url-pattern": "browser.blocked_origins",
    "confirm-actions": "browser.allow",
    "confirm-interactive": "browser.allow",
    "download-path": "browser.download_dir",
    "file-navigations": "browser.allow_file_urls",
    "filesystem-root": "browser.upload_roots",
    "grant-permissions": "browser.permissions",
    "idle-timeout": "server.idle_minutes",
    "javascript-evaluation": "browser.evaluate_enabled",
    "no-auto-dialog": "browser.dialog_policy",
    "proxy-bypass": "browser.proxy.bypass",
    "redact-network-headers": "browser.network_secrets",
    "shared-browser-context": "browser.isolate",
    "timeout-action": "browser.timeouts_ms",
    "timeout-navigation": "browser.timeouts_ms",
    "webmcp": "browser.page_tools",
    "workspace": "browser.upload_roots",
}
"""Our key of the configuration for their option."""

_STATE = "Put the file into browser.state_dir as NAME.json, and use --restore NAME."
WORDS = {
    "all": "tabwarden daemon stop --all closes every session.",
    "bail": "Omit it: a batch stops at the first failure.",
    "block-service-workers": "Omit it: the network policy holds in service workers too.",
    "cdp-header": "Omit it: put the key into the address for --endpoint.",
    "codegen": "Omit it: tabwarden export writes a script from a trace (--record).",
    "compact": "Omit it: a snapshot leaves out what has no meaning.",
    "console-level": "Omit it: tabwarden console has --level.",
    "content-boundaries": "Omit it: the text of a page always stands between <page> marks.",
    "engine": "Omit it: Tabwarden drives Chromium, or Firefox on a Camofox server (--endpoint).",
    "file-paths": "Omit it: answers have whole paths.",
    "ignore-default-chrome-arg": "Omit it: --arg may give a switch another value.",
    "interactive": "Omit it: a snapshot shows only what matters; --full shows everything.",
    "isolated": "Omit it: a profile is temporary unless --profile or --user-data-dir names one.",
    "log-file": "Omit it: logs go to stderr.",
    "output-max-size": "Omit it: Tabwarden removes no results.",
    "performance-crux": "Omit it: Tabwarden sends no data to anybody.",
    "snapshot-mode": "Omit it: the parameter snapshot of a call says what it shows.",
    "source-maps": "Omit it: Tabwarden reads no source maps.",
    "state": _STATE,
    "storage-state": _STATE,
    "test-id-attribute": "Omit it: a ref may be css=[data-testid=...].",
    "timeout-settle": "Omit it: a call waits until the page has settled.",
    "usage-statistics": "Omit it: Tabwarden sends no data to anybody.",
    "ws-headers": "Omit it: put the key into the address for --endpoint.",
}
"""What to do instead, where we have no such option."""

_SHORT = {
    "c": "compact", "d": "depth", "e": "executable-path", "i": "interactive", "p": "provider",
    "s": "selector", "u": "browser-url", "w": "ws-endpoint",
}  # fmt: skip
_OPENS = {flag for option in [*LAUNCH, *OPENING] for flag in option["flags"]}


def instead_of(typed: str, flags: Collection[str]) -> str:
    """Return what to write instead of an option that a command lacks; "" if that is unknown.

    Args:
        typed: the option, such as ``--proxy-server`` or ``--proxyServer``.
        flags: the options that the command has.
    """
    name = re.sub("(?<=[a-z])(?=[A-Z])", "-", typed.lstrip("-")).replace("_", "-").lower()
    name = _SHORT.get(name, name)
    bare = name.removeprefix("no-")
    if bare.startswith("category-"):
        return "Use --tools." if "--tools" in flags else "tabwarden mcp has --tools."
    if words := WORDS.get(name) or WORDS.get(bare):
        return words
    if key := KEYS.get(name) or KEYS.get(bare):
        variable = f"TABWARDEN_{key.upper().replace('.', '__')}"
        return f"Set {key} in the configuration, or {variable}."
    command, _, ours = OPTIONS.get(name, f"--{name}").rpartition("--")
    flag = f"--{ours.partition(' ')[0]}"
    if flag in flags:
        return f"Use --{ours}."
    if command:
        return f"tabwarden {command}has --{ours}."
    return f"tabwarden open, mcp and serve have --{ours}." if flag in _OPENS else ""
