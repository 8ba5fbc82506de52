"""The command line of a launched browser: each switch with its reason."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path

from tabwarden.egress.proxy import BYPASS_LIST
from tabwarden.endpoints.options import LaunchOptions

__all__ = ["build_flags", "sandbox_is_impossible", "sandbox_was_refused", "shm_is_small"]

_ALWAYS: tuple[tuple[str, str], ...] = (
    ("--no-first-run", "no welcome page in a fresh profile"),
    ("--no-default-browser-check", "no question that waits for a person"),
    ("--noerrdialogs", "no native error box that waits for a person"),
    ("--disable-prompt-on-repost", "reload of a POST asks in a native box that CDP cannot see"),
    ("--disable-hang-monitor", "hangs are the supervisor's to judge, not a native box's"),
    ("--disable-search-engine-choice-screen", "no screen that waits for a person"),
    ("--disable-background-networking", "no traffic but the pages' own"),
    ("--disable-component-update", "no downloads behind the agent's back"),
    ("--disable-client-side-phishing-detection", "downloads a model otherwise"),
    ("--disable-component-extensions-with-background-pages", "targets that nobody asked for"),
    ("--disable-default-apps", "no installs into a fresh profile"),
    ("--disable-sync", "no account traffic"),
    ("--metrics-recording-only", "metrics are never sent"),
    ("--disable-field-trial-config", "Chromium behaves as Chrome: no test-only features"),
    ("--password-store=basic", "no keyring question on Linux"),
    ("--use-mock-keychain", "no keychain question on macOS"),
    ("--disable-background-timer-throttling", "a tab in the background works at full speed"),
    ("--disable-backgrounding-occluded-windows", "the same for covered windows"),
    ("--disable-renderer-backgrounding", "the same for process priority"),
    ("--allow-pre-commit-input", "input right after a navigation is not dropped"),
    ("--site-per-process", "each site in its own process: a hung frame hangs no other site"),
)
# Not here, on purpose: --disable-popup-blocking (an agent's click is a trusted gesture and opens
# what a user's would; the rest stays blocked, as for a user), --disable-gpu (new headless falls
# back by itself), --disable-web-security and its like.

_DISABLED_FEATURES = (
    "Translate",  # its bar changes the page's size and asks a person
    "OptimizationHints",  # fetches hints from a vendor's server
    "MediaRouter",  # looks for Cast devices: multicast traffic, firewall questions on macOS
    "DialMediaRouteProvider",  # the same
    "InterestFeedContentSuggestions",  # fetches news for the new tab page
)

_SMALL_SHM_BYTES = 128 * 1024 * 1024
"""Docker gives 64 MB, on which renderers crash."""


def build_flags(
    options: LaunchOptions,
    profile: Path,
    *,
    headless_shell: bool,
    no_sandbox: bool,
) -> list[str]:
    """The arguments after the executable.

    Args:
        options: what the caller wants.
        profile: the profile folder.
        headless_shell: the binary knows one headless mode only.
        no_sandbox: leave the sandbox off (``sandbox_is_impossible``).
    """
    flags = [flag for flag, _ in _ALWAYS]
    flags.append(f"--user-data-dir={profile}")
    flags.append("--window-size={},{}".format(*options.window_size))
    if options.headless:
        flags.append("--headless" if headless_shell else "--headless=new")
        flags.append("--mute-audio")  # nobody listens; without a sound card it warns for ever
    if options.effective_transport == "pipe":
        flags.append("--remote-debugging-pipe")
    else:
        flags.append("--remote-debugging-port=0")  # a free one; told in DevToolsActivePort
    if options.proxy is not None:
        flags += _through(options.proxy)
    if no_sandbox:
        flags.append("--no-sandbox")
    if shm_is_small():
        flags.append("--disable-dev-shm-usage")
    if sys.platform == "win32":
        # Edge restarts itself under a compatibility layer otherwise, and we lose its process.
        flags.append("--edge-skip-compat-layer-relaunch")
    extra, features = _joined_features(options.extra_args)
    return [*flags, *features, *extra, "about:blank"]


def _through(proxy: str) -> list[str]:
    """What leaves no way past a proxy. Source: Chromium's docs (net/docs/proxy.md,
    design-documents/network-stack/socks-proxy)."""
    return [
        f"--proxy-server={proxy}",
        f"--proxy-bypass-list={BYPASS_LIST}",
        # Prefetching of names asks the resolver itself, past any proxy.
        "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
        # The first is content_shell's and the headless shell's, the second Chrome's.
        "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
        "--webrtc-ip-handling-policy=disable_non_proxied_udp",
        "--disable-quic",
    ]


def _joined_features(extra_args: Iterable[str]) -> tuple[list[str], list[str]]:
    """The caller's switches, and the feature lists: of two equal switches only the last counts."""
    disabled, enabled, rest = list(_DISABLED_FEATURES), [], []
    for arg in extra_args:
        switch, _, value = arg.partition("=")
        if switch == "--disable-features":
            disabled += value.split(",")
        elif switch == "--enable-features":
            enabled += value.split(",")
        else:
            rest.append(arg)
    disabled = [feature for feature in disabled if feature not in enabled]
    lists = [f"--disable-features={','.join(disabled)}"]
    if enabled:
        lists.append(f"--enable-features={','.join(enabled)}")
    return rest, lists


def sandbox_is_impossible() -> str | None:
    """Why Chrome's sandbox cannot work here, where that is certain beforehand; else None."""
    if not sys.platform.startswith("linux"):
        return None
    if os.geteuid() == 0:
        return "this process runs as root"
    if _number("/proc/sys/user/max_user_namespaces") == 0:
        return "this system has no user namespaces"
    if _number("/proc/sys/kernel/unprivileged_userns_clone") == 0:
        return "this system gives users no namespaces"
    return None


def sandbox_was_refused(stderr: str) -> bool:
    """Whether Chrome's last words say that its sandbox cannot work (containers, AppArmor).

    Source: content/browser/zygote_host/zygote_host_impl_linux.cc, sandbox/linux/services/
    credentials.cc.
    """
    return any(
        words in stderr
        for words in (
            "No usable sandbox!",
            "Failed to move to new namespace",
            "without --no-sandbox is not supported",
            "The SUID sandbox helper binary was found, but is not configured correctly",
        )
    )


def shm_is_small() -> bool:
    """Whether /dev/shm is too small for renderers (or missing), on Linux."""
    if not sys.platform.startswith("linux"):
        return False
    try:
        status = os.statvfs("/dev/shm")
    except OSError:
        return True
    return status.f_blocks * status.f_frsize < _SMALL_SHM_BYTES


def _number(path: str) -> int | None:
    try:
        return int(Path(path).read_text())
    except (OSError, ValueError):
        return None
