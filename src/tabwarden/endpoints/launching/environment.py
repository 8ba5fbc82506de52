"""A browser's environment variables: those of this process that a browser needs, by their names.

Programs that launch browsers often have keys for LLMs, clouds or databases in their environment. A
browser runs untrusted scripts and needs no keys.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

_NAMES = re.compile(
    # Never what sounds like a secret, even if it begins as one of these programs' names do.
    r"(?!\w*(?:TOKEN|KEY|SECRET|PASS|CREDENTIAL|_AUTH|_PWD))"
    r"(?:PATH|HOME|USER|LOGNAME|SHELL|PWD|OLDPWD|TMPDIR|TMP|TEMP|LD_LIBRARY_PATH"
    r"|LANG|LANGUAGE|LC_\w+|TZ|TZDIR|LOCALE_ARCHIVE\w*"
    # the desktop
    r"|DISPLAY|WAYLAND_(DISPLAY|SOCKET)|XAUTHORITY|XMODIFIERS|XCURSOR_\w+|XDG_\w+|DESKTOP_SESSION"
    r"|DBUS_(SESSION|SYSTEM)_BUS_ADDRESS|AT_SPI_BUS_ADDRESS|NO_AT_BRIDGE|(GNOME|KDE)_\w*SESSION\w*"
    r"|(GTK|GDK|QT|GIO|GSETTINGS|IBUS|FONTCONFIG)_\w+"
    # certificates, sound, graphics
    r"|SSL_CERT_(FILE|DIR)|NSS_\w+|(PULSE|PIPEWIRE|ALSA)_\w+"
    r"|(LIBGL|LIBVA|MESA|GALLIUM|VK|VDPAU|ANGLE)_\w+|__(GL|EGL|GLX|VK)_\w+|DRI_PRIME"
    r"|CHROME_(DEVEL_SANDBOX|WRAPPER|VERSION_EXTRA)"
    # macOS and Windows
    r"|__CF\w+|XPC_\w+|SYSTEM(ROOT|DRIVE)|WINDIR|COMSPEC|PATHEXT|OS|HOME(DRIVE|PATH)|USERPROFILE"
    r"|USERNAME|USERDOMAIN|PUBLIC|ALLUSERSPROFILE|(LOCAL)?APPDATA|PROGRAMDATA|PROGRAMW6432"
    r"|(COMMON)?PROGRAMFILES(\(X86\))?|NUMBER_OF_PROCESSORS|PROCESSOR_\w+)",
    re.IGNORECASE,
)
"""The names of what a browser may see."""
_PROXY = re.compile(r"(https?|ftp|all|no|auto)_proxy", re.IGNORECASE)


def in_place(environment: dict[str, str], locale: str | None, timezone: str | None) -> None:
    """Set the language and the time zone of a browser, also for its workers."""
    if timezone is not None:
        environment["TZ"] = timezone
    if locale is not None:  # on Linux, --lang has no effect
        environment["LANGUAGE"] = locale.replace("-", "_")
        if environment.get("LC_ALL", environment.get("LANG", "C")).split(".")[0] in ("C", "POSIX"):
            # In these locales, LANGUAGE has no effect.
            environment["LC_ALL"] = f"{locale.replace('-', '_')}.UTF-8"


def needed_by_browser(
    given: Mapping[str, str], *, proxied: bool, named: Collection[str] = ()
) -> dict[str, str]:
    """Return the variables that a browser may see.

    Args:
        given: the variables of this process.
        proxied: whether the browser uses our proxy, which reads ``HTTPS_PROXY`` and similar itself.
        named: more names that the configuration lets through (``browser.environment``).
    """
    return {
        name: value
        for name, value in given.items()
        if name in named or _NAMES.fullmatch(name) or (not proxied and _PROXY.fullmatch(name))
    }
