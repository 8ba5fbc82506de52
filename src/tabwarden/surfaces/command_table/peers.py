"""Tabwarden's names for other browser tools' options and commands, for users who switch."""

from __future__ import annotations

import re
import shlex

from tabwarden.surfaces.command_table.options import LAUNCH, OPENING

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
    "depth": "snapshot --depth",
    "enable": "--init-script",
    "executable-path": "--executable",
    "experimental-structured-content": "mcp --structured full",
    "experimental-vision": "mcp --tools vision",
    "host": "mcp --host",
    "image-responses": "mcp --images omit",
    "images": "mcp --images",
    "init-page": "--init-script",
    "interactive": "snapshot --filter interactive",
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
"""Maps another tool's option to Tabwarden's option. If only some of the commands that open a
browser have the option, the value includes the command.
"""

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
"""Maps another tool's option to Tabwarden's configuration key."""

_STATE = "Save the file as NAME.json in the folder browser.state_dir, and use --restore NAME."
WORDS = {
    "all": "To close every session, run: tabwarden daemon stop --all",
    "bail": "Omit it: a batch always stops at the first failure.",
    "block-service-workers": "Omit it: the network policy also applies to service workers.",
    "cdp-header": "Put the key into the --endpoint URL instead.",
    "codegen": "Record a trace with --record. To write a script from the trace, run: tabwarden "
    "export",
    "compact": "Omit it: a snapshot always omits elements that have no meaning.",
    "console-level": "Use tabwarden console --level.",
    "content-boundaries": "Omit it: page text is always between <page> marks.",
    "engine": "Omit it: Tabwarden controls Chromium, or Firefox on a Camofox server (--endpoint).",
    "file-paths": "Omit it: results always contain full paths.",
    "ignore-default-chrome-arg": "Use --arg to override a switch.",
    "isolated": "Omit it: a profile is temporary unless --profile or --user-data-dir is set.",
    "log-file": "Omit it: Tabwarden logs to stderr.",
    "output-max-size": "Omit it: Tabwarden never deletes results.",
    "performance-crux": "Omit it: Tabwarden sends no data to third parties.",
    "snapshot-mode": "Omit it: set it in each call (--snapshot, or the tool parameter `snapshot`).",
    "source-maps": "Omit it: Tabwarden reads no source maps.",
    "state": _STATE,
    "storage-state": _STATE,
    "test-id-attribute": "Use a ref such as css=[data-testid=...].",
    "timeout-settle": "Omit it: a call always waits until the page has settled.",
    "usage-statistics": "Omit it: Tabwarden sends no data to third parties.",
    "ws-headers": "Put the key into the --endpoint URL instead.",
}
"""Maps an option that Tabwarden lacks to advice for the user."""

_SHORT = {
    "c": "compact", "d": "depth", "e": "executable-path", "i": "interactive", "p": "provider",
    "s": "selector", "u": "browser-url", "w": "ws-endpoint",
}  # fmt: skip
_OPENS = {flag for option in [*LAUNCH, *OPENING] for flag in option["flags"]}


def instead_of(typed: str, flags: Collection[str]) -> str:
    """Return advice on an option that a command does not have; "" if there is none.

    Args:
        typed: the option, such as ``--proxy-server`` or ``--proxyServer``.
        flags: the options that the command has.
    """
    name = re.sub("(?<=[a-z])(?=[A-Z])", "-", typed.lstrip("-")).replace("_", "-").lower()
    name = _SHORT.get(name, name)
    bare = name.removeprefix("no-")
    if bare.startswith("category-"):
        return (
            "Use --tools."
            if "--tools" in flags
            else "Use it with another command: tabwarden mcp --tools."
        )
    if words := WORDS.get(name) or WORDS.get(bare):
        return words
    if key := KEYS.get(name) or KEYS.get(bare):
        variable = f"TABWARDEN_{key.upper().replace('.', '__')}"
        return f"Set {key} in the configuration, or the environment variable {variable}."
    command, _, ours = OPTIONS.get(name, f"--{name}").rpartition("--")
    flag = f"--{ours.partition(' ')[0]}"
    if flag in flags:
        return f"Use --{ours}."
    if command:
        return f"Use it with another command: tabwarden {command}--{ours}."
    return f"Use --{ours} with tabwarden open, mcp or serve." if flag in _OPENS else ""


_OURS = {
    # Commands that Tabwarden also has, with different arguments
    "auth login|save": "open {url} --secrets {file}",
    "batch --actions {json}": "batch {step}",
    "click {ref} left|middle|right": "click {ref} --button {2}",
    "close {tab:t[0-9]+}": "tab close {tab}",
    "console debug|error|info|warning": "console --level {1}",
    "cookies set --curl {file}": "cookies load --text {curl_command}",
    "dialog --accept": "dialog accept",
    "dialog --dismiss": "dialog dismiss",
    "drop {ref} --data {type:[^=]+}={text:.*}": 'drop {ref} --data {{"{type}":"{text}"}}',
    "eval --stdin": "eval -",
    "eval {script} {ref:@?e[0-9]+}": "eval {script} --ref {ref}",
    "fill {ref} {text} --submit": "type {ref} {text} --press-enter",
    "find role {role} {act:click|hover|check|uncheck} --name {name}": (
        '{act} role={role}[name="{name}"]'
    ),
    "find role {role} {act:click|hover|check|uncheck}": "{act} role={role}",
    "find label {label} fill {text}": "fill {label}={text}",
    "find placeholder|testid {name} fill {text}": 'fill {1}="{name}"={text}',
    "find label|placeholder|testid|text {name} {act:click|hover|check|uncheck}": (
        '{act} {1}="{name}"'
    ),
    "find role {role}": "find --role {role}",
    "mouse wheel {pixels:-?[0-9]+}": "mouse wheel --delta-y {pixels}",
    "network har": "network --filename {file}.har",
    "network request {id}": "network --request-id {id}",
    "network requests --filter {text}": "network --url {text}",
    "network requests": "network",
    "network route {url} --abort": "route {url} --abort failed",
    "network route {url} --body {body}": "route {url} --body {body}",
    "network unroute": "route remove",
    "open --persistent": "open {url} --profile {name}",
    "screenshot --labels": "screenshot --annotate",
    "snapshot -i --delta": "snapshot --diff",
    "snapshot --delta": "snapshot --diff",
    "snapshot -i -s {css}": "scrape --selector {css}",
    "snapshot -s {css}": "scrape --selector {css}",
    "snapshot -i": "snapshot --filter interactive",
    "storage local get {key}": "storage get {key}",
    "storage local set {key} {value}": "storage set {key} {value}",
    "storage local clear": "storage clear",
    "storage local": "storage",
    "storage session get {key}": "storage get {key} --area session",
    "storage session set {key} {value}": "storage set {key} {value} --area session",
    "storage session clear": "storage clear --area session",
    "storage session": "storage --area session",
    "tab new {url}": "tab open {url}",
    "tab {tab:t[0-9]+}": "tab switch {tab}",
    "tab {index:[0-9]+}": "tab switch --tab-index {index}",
    "trace start": "open {url} --record {dir}",
    "trace stop": "trace save",
    "wait --fn {script}": "wait --script {script}",
    "wait --load {state}": "wait --load-state {state}",
    # Commands that Tabwarden does not have
    "a11y": "audit",
    "attach": "open --endpoint {url}",
    "click-coords {x} {y}": "click --x {x} --y {y}",
    "close-all": "daemon stop --all",
    "cookie-clear": "cookies clear",
    "cookie-delete {name}": "cookies delete {name}",
    "cookie-get {name}": "cookies --name {name} --values",
    "cookie-list": "cookies",
    "cookie-set {name} {value}": "cookies set {name} {value}",
    "create-profile": "open {url} --profile {name}",
    "dashboard": "live",
    "dblclick {ref}": "click {ref} --count 2",
    "delete-data": "profiles remove {name}",
    "delete-profile --name {name}": "profiles remove {name}",
    "delete-profile": "profiles remove {name}",
    "detach": "disconnect",
    "dialog-accept {text:.+}": "dialog accept {text}",
    "dialog-accept": "dialog accept",
    "dialog-dismiss": "dialog dismiss",
    "errors": "console --level error",
    "evaluate --fn {script} --ref {ref}": "eval {script} --ref {ref}",
    "evaluate --fn {script}": "eval {script}",
    "evaluate {script}": "eval {script}",
    "get count {css}": "eval document.querySelectorAll({css!r}).length",
    "get title": "eval document.title",
    "get url": "eval location.href",
    "get {what} {ref}": "inspect {ref}",
    "go-back": "back",
    "go-forward": "forward",
    "har": "network --filename {file}.har",
    "import-profile": "import-cookies --to {name}",
    "is {what} {ref}": "inspect {ref}",
    "keyboard press {key}": "press {key}",
    "keyboard {act} {text}": "type {text}",
    "keydown {key}": "press {key} --mode down",
    "keyup {key}": "press {key} --mode up",
    "kill-all": "daemon stop --all",
    "list": "sessions",
    "localstorage-clear": "storage clear",
    "localstorage-delete {key}": "storage delete {key}",
    "localstorage-get {key}": "storage get {key}",
    "localstorage-list": "storage",
    "localstorage-set {key} {value}": "storage set {key} {value}",
    "mousedown": "mouse down",
    "mousemove {x} {y}": "mouse move --x {x} --y {y}",
    "mouseup": "mouse up",
    "mousewheel {x} {y}": "mouse wheel --delta-x {x} --delta-y {y}",
    "read": "scrape",
    "record start {file}": "open {url} --video {file}",
    "record": "open {url} --video {file}",
    "request {id}": "network --request-id {id}",
    "requests --filter {text}": "network --url {text}",
    "requests": "network",
    "responsebody {id}": "network --request-id {id}",
    "route-list": "route list",
    "run-code --filename {file}": "script -",
    "run-code": "batch {step}",
    "scrollintoview {ref}": "hover {ref}",
    "session": "sessions",
    "sessionstorage-clear": "storage clear --area session",
    "sessionstorage-delete {key}": "storage delete {key} --area session",
    "sessionstorage-get {key}": "storage get {key} --area session",
    "sessionstorage-list": "storage --area session",
    "sessionstorage-set {key} {value}": "storage set {key} {value} --area session",
    "set credentials {user} {password}": (
        "auth --username {user} --password {password} --origin {origin}"
    ),
    "set device {name}": "emulate {name}",
    "set geo {latitude} {longitude}": (
        'emulate --geolocation {{"latitude":{latitude},"longitude":{longitude}}}'
    ),
    "set headers {json}": "emulate --headers {json}",
    "set media {scheme}": "emulate --color-scheme {scheme}",
    "set offline off": "emulate --no-offline",
    "set offline": "emulate --offline",
    "set timezone {zone}": "emulate --timezone {zone}",
    "set viewport {width} {height}": "resize {width} {height}",
    "set": "emulate --help",
    "set-color-scheme {scheme}": "emulate --color-scheme {scheme}",
    "set-media {type}": "emulate --media {type}",
    "set-reduced-motion": "emulate --reduced-motion reduce",
    "show": "live",
    "start": "open",
    "state-load {file}": "state load {file}",
    "state-save {file}": "state save {file}",
    "stop": "close",
    "stream": "live",
    "tab-close": "tab close",
    "tab-list": "tab list",
    "tab-new {url}": "tab open {url}",
    "tab-select {index}": "tab switch --tab-index {index}",
    "tracing-start": "open {url} --record {dir}",
    "tracing-stop": "trace save",
    "unroute": "route remove",
    "video-start {file}": "open {url} --video {file}",
    "video-stop": "close",
    "vitals": "performance",
    "waitfordownload": "wait --download",
    "webmcp invoke {name} --params {json}": "page-tool --name {name} --arguments {json}",
    "webmcp": "page-tool",
    "webmcp-call {name} --params {json}": "page-tool --name {name} --arguments {json}",
    "webmcp-list": "page-tool",
}
"""Maps commands of Playwright CLI, agent-browser and OpenClaw to Tabwarden's commands. The first
pattern that matches applies. ``{ref}`` matches any word, ``{tab:t[0-9]+}`` a word that matches the
expression, and ``{1}`` inserts the second word.
"""
_PLACE = re.compile(r"\{(\w+)(?::([^{}]+))?\}")


def our_line_for(words: list[str]) -> str | None:
    """Return the arguments of ``tabwarden`` that correspond to another tool's command; None if
    unknown.
    """
    split = [part for word in words for part in _parts(word)]
    for theirs, ours in _OURS.items():
        if theirs.split(maxsplit=1)[0] == split[0] and (taken := _taken(theirs, split)) is not None:
            return " ".join(_filled(word, taken) for word in ours.split())
    return None


def _parts(word: str) -> list[str]:
    return word.split("=", 1) if word.startswith("--") else [word]


def _taken(theirs: str, words: list[str]) -> dict[str, str] | None:
    """Match words against a pattern. Return the matched words, keyed by placeholder; None if the
    words don't match.
    """
    taken: dict[str, str] = {}
    pattern = theirs.split()
    for at, wanted in enumerate(pattern):
        word = words[at] if at < len(words) else None
        form = _PLACE.sub(lambda place: f"(?P<{place[1]}>{place[2] or '.+'})", wanted)
        if word is None and "{" in wanted and ":" not in wanted:
            continue  # ``_filled`` inserts the word under the placeholder's name
        found = re.fullmatch(form, word, re.S) if word is not None else None
        if found is None:
            return None
        taken |= {f"w{at}": found[0], **found.groupdict()}
    return taken


def _filled(word: str, taken: dict[str, str]) -> str:
    """Replace the placeholders in a word with the matched words. Return the word quoted for a
    shell.
    """
    missing = {name: name.upper() for name in re.findall(r"\{(\w+)[!}]", word)}
    by_place = {name.removeprefix("w"): value for name, value in taken.items()}
    positional = [by_place.get(str(at), "") for at in range(4)]
    return shlex.quote(word.format(*positional, **{**missing, **taken}))
