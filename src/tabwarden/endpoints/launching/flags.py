"""Build the command line of a launched browser, with the reason for each switch."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path

from tabwarden.egress.proxy import BYPASS_LIST
from tabwarden.endpoints.launching import extensions
from tabwarden.endpoints.launching.options import LaunchOptions

_ALWAYS: tuple[tuple[str, str], ...] = (
    ("--no-first-run", "no welcome page in a fresh profile"),
    ("--no-default-browser-check", "doesn't ask to become the default browser"),
    ("--noerrdialogs", "opens no native error dialogs, which would wait for a person"),
    ("--disable-prompt-on-repost", "reloading a POST result opens no dialog that CDP can't see"),
    ("--disable-hang-monitor", "the supervisor detects hangs, so no native dialog is needed"),
    ("--disable-search-engine-choice-screen", "opens no screen that waits for a person"),
    ("--disable-background-networking", "no network traffic except the pages' own"),
    ("--disable-component-update", "downloads no components in the background"),
    ("--disable-client-side-phishing-detection", "doesn't download a model"),
    ("--disable-component-extensions-with-background-pages", "creates no unwanted targets"),
    ("--disable-default-apps", "doesn't install apps into a fresh profile"),
    ("--disable-sync", "no account traffic"),
    ("--metrics-recording-only", "never sends metrics"),
    ("--disable-field-trial-config", "Chromium behaves like Chrome, without test-only features"),
    ("--password-store=basic", "prevents the keyring password prompt on Linux"),
    ("--use-mock-keychain", "prevents the keychain password prompt on macOS"),
    ("--disable-background-timer-throttling", "background tabs work at full speed"),
    ("--disable-backgrounding-occluded-windows", "covered windows work at full speed"),
    ("--disable-renderer-backgrounding", "background tabs keep their process priority"),
    ("--allow-pre-commit-input", "doesn't drop input right after a navigation"),
    ("--site-per-process", "each site has its own process, so a hung frame hangs no other site"),
)
# Omitted on purpose: --disable-popup-blocking (an agent's click is a trusted gesture and may open
# the same windows as a user's click; other popups stay blocked), --disable-gpu (new headless falls
# back automatically), --disable-web-security and similar switches.

_DISABLED_FEATURES = (
    "Translate",  # shows a bar that asks the user a question and shrinks the page
    "OptimizationHints",  # fetches hints from a vendor's server
    # looks for Cast devices, which causes multicast traffic, and firewall prompts on macOS
    "MediaRouter",
    "DialMediaRouteProvider",  # for the same reason as MediaRouter
    "InterestFeedContentSuggestions",  # fetches news for the new tab page
    # Chromium 156 opens two pages for the address bar of each window, in a process of 150 MB.
    # Without them, a launch takes 0.6 s of processor time instead of 1.6 s.
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
)

_PAGE_TOOLS = "WebMCP"
"""``document.modelContext``, with which a page offers tools to agents."""

_SMALL_SHM_BYTES = 128 * 1024 * 1024
"""Renderers crash with Docker's default of 64 MB."""


def build_flags(
    options: LaunchOptions,
    profile: Path,
    *,
    headless_shell: bool,
    no_sandbox: bool,
) -> list[str]:
    """Return the arguments that follow the executable on the command line."""
    flags = [flag for flag, _ in _ALWAYS]
    flags.append(f"--user-data-dir={profile}")
    flags.append("--window-size={},{}".format(*options.window_size))
    if options.headless:
        flags.append("--headless" if headless_shell else "--headless=new")
        # nobody needs sound, and without a sound card Chrome keeps logging warnings
        flags.append("--mute-audio")
    if options.effective_transport == "pipe":
        flags.append("--remote-debugging-pipe")
    else:
        # a free port; Chrome writes it to DevToolsActivePort
        flags.append("--remote-debugging-port=0")
    if options.proxy is not None:
        flags += _through(options.proxy)
    if no_sandbox:
        flags.append("--no-sandbox")
    if shm_is_small():
        flags.append("--disable-dev-shm-usage")
    if sys.platform == "win32":
        # Otherwise Edge restarts itself under a compatibility layer, as a process that we don't
        # know.
        flags.append("--edge-skip-compat-layer-relaunch")
    flags += _identity(options)
    extra, features = _joined_features(options.args, page_tools=options.page_tools)
    return [*flags, *features, *extra, "about:blank"]


def _identity(options: LaunchOptions) -> list[str]:
    """Return the flags for the user agent, the language, extensions and HTTPS errors."""
    flags = []
    if options.user_agent is not None:
        flags.append(f"--user-agent={options.user_agent}")
    if options.locale is not None:
        language = options.locale.partition("-")[0]
        both = dict.fromkeys((options.locale, language))
        flags += [f"--lang={options.locale}", f"--accept-lang={','.join(both)}"]
    if options.extensions:
        flags.append(extensions.FLAG)
    if options.ignore_https_errors:
        flags.append("--ignore-certificate-errors")
    return flags


def _through(proxy: str) -> list[str]:
    """Return the flags that make Chromium use the proxy for everything.

    Source: net/docs/proxy.md and design-documents/network-stack/socks-proxy in Chromium's docs.
    """
    return [
        f"--proxy-server={proxy}",
        f"--proxy-bypass-list={BYPASS_LIST}",
        # Without this flag, DNS prefetching would ask the system's resolver directly.
        "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
        # The first flag is for content_shell and the headless shell, the second for Chrome.
        "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
        "--webrtc-ip-handling-policy=disable_non_proxied_udp",
        "--disable-quic",
    ]


def _joined_features(args: Iterable[str], *, page_tools: bool) -> tuple[list[str], list[str]]:
    """Merge the caller's feature lists with ours, because Chrome uses only the last switch of each
    name.
    """
    disabled, enabled, rest = list(_DISABLED_FEATURES), [], []
    for arg in args:
        switch, _, value = arg.partition("=")
        if switch == "--disable-features":
            disabled += value.split(",")
        elif switch == "--enable-features":
            enabled += value.split(",")
        else:
            rest.append(arg)
    disabled = [feature for feature in disabled if feature not in enabled]
    if page_tools and _PAGE_TOOLS not in (*enabled, *disabled):
        enabled.append(_PAGE_TOOLS)
    lists = [f"--disable-features={','.join(disabled)}"]
    if enabled:
        lists.append(f"--enable-features={','.join(enabled)}")
    return rest, lists


def sandbox_is_impossible() -> str | None:
    """Return the reason why Chrome's sandbox can't work on this system; None if it may work."""
    if not sys.platform.startswith("linux"):
        return None
    if os.geteuid() == 0:
        return "this process runs as root"
    if _number("/proc/sys/user/max_user_namespaces") == 0:
        return "this system has no user namespaces"
    if _number("/proc/sys/kernel/unprivileged_userns_clone") == 0:
        return "this system doesn't let users create namespaces"
    return None


def sandbox_was_refused(stderr: str) -> bool:
    """Whether Chrome's output says that its sandbox can't work (containers, AppArmor).

    Source: content/browser/zygote_host/zygote_host_impl_linux.cc and
    sandbox/linux/services/credentials.cc.
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
    """Whether this is Linux with no /dev/shm, or with one that is too small for renderers."""
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
