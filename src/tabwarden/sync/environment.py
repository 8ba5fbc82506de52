"""Sync twin of ``tabwarden.browser.environment``: the same names, for code without an event loop.

Generated from browser/environment.py by tools/generate_sync.py: do not edit.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from tabwarden import results
from tabwarden.budget import Timeout
from tabwarden.egress.origins import web_origin
from tabwarden.errors import InvalidArgument
from tabwarden.journal import journaled
from tabwarden.page import ActionResult
from tabwarden.page.call import within
from tabwarden.page.environment import emulate
from tabwarden.page.prompts import auth
from tabwarden.supervisor import PermissionSetting
from tabwarden.sync.base import BrowserBase


class EnvironmentMethods(BrowserBase):
    """Methods that emulate a device or a place, and set permissions."""

    @journaled
    def resize(
        self,
        width: int,
        height: int,
        *,
        tab_id: str | None = None,
        timeout_ms: Timeout = None,
    ) -> ActionResult[results.Size]:
        """Set the size of a tab's viewport, also for later pages; ``value`` is the ``{"width",
        "height"}`` that the page sees.

        Args:
            width, height: CSS pixels, from 1 to 8,192.
            tab_id, timeout_ms: see ``Browser``.

        Raises:
            InvalidArgument: the size is out of range, or the tab does not exist.
            DialogPending: a dialog blocks the page.
        """
        for field, side in (("width", width), ("height", height)):
            within(field, side, emulate.SMALLEST, emulate.LARGEST)
        return self._perform(
            emulate.RESIZE,
            lambda call: emulate.resize(call, width, height),
            tab_id,
            timeout_ms,
        )

    @journaled
    def emulate(
        self,
        *,
        device: str | None = None,
        user_agent: str | None = None,
        locale: str | None = None,
        timezone: str | None = None,
        geolocation: Mapping[str, float] | None = None,
        offline: bool | None = None,
        network: str | Mapping[str, float] | None = None,
        cpu: float | None = None,
        headers: Mapping[str, str] | None = None,
        color_scheme: Literal["light", "dark", "no-preference", ""] | None = None,
        reduced_motion: Literal["reduce", "no-preference", ""] | None = None,
        media: Literal["screen", "print", ""] | None = None,
        reset: bool = False,
        tab_id: str | None = None,
        timeout_ms: Timeout = None,
    ) -> ActionResult[results.Emulated]:
        """Emulate a device, place or network in all current and future tabs of the task.

        ``value`` lists all emulated settings; for headers, only their names. Settings last until
        they are changed, even after navigations, crashes and lost connections. Omitted settings
        stay as they are; "" or an empty mapping resets a setting. A page sees most changes when it
        next loads.

        Args:
            device: a device name (docs/session.md): sets viewport, scale, touch and user agent.
            user_agent: replaces the device's user agent.
            locale: for example ``de-DE``: affects languages, dates and numbers.
            timezone: for example ``Europe/Berlin``.
            geolocation: ``{"latitude", "longitude", "accuracy"}``, in degrees and meters. Also
                grants pages the permission to read the location.
            offline: disconnect the network.
            network: a slower network for pages: ``Slow 3G``, ``Fast 3G``, ``Slow 4G``, ``Fast 4G``,
                or ``{"download_kbps", "upload_kbps", "latency_ms"}``.
            cpu: how many times slower the processor is for pages; 1 resets it. Time limits still
                count real time.
            headers: extra headers for every request, to every site that a page contacts.
            color_scheme, reduced_motion, media: the values of the CSS media features.
            reset: undo all emulation before applying the other parameters.
            tab_id: the tab that gets the settings first, as a test; the active tab by default.
            timeout_ms: limit for the whole call.

        Raises:
            InvalidArgument: unknown device, time zone, ...; ``data["nearest"]`` has a similar name.
        """
        asked = emulate.Asked(
            device,
            user_agent,
            locale,
            timezone,
            geolocation,
            offline,
            network,
            cpu,
            headers,
            color_scheme,
            reduced_motion,
            media,
        )
        return self._perform(
            emulate.EMULATE,
            lambda call: emulate.emulate(call, asked, reset=reset),
            tab_id,
            timeout_ms,
        )

    @journaled
    def permission(
        self,
        name: str,
        setting: PermissionSetting = "granted",
        *,
        origin: str | None = None,
        timeout_ms: Timeout = None,
    ) -> ActionResult[list[results.Permission]]:
        """Grant or deny a browser permission; ``value`` lists all permissions set so far.

        Args:
            name: a name from ``navigator.permissions.query``: geolocation, camera, ...
            setting: granted, denied or prompt.
            origin: set the permission only for this origin; by default for all origins.
            timeout_ms: limit for the whole call.

        Raises:
            InvalidArgument: the browser does not know the permission, or rejects the origin.
        """
        budget = self._budget("permission", timeout_ms)
        try:
            return self._engine.run_sync(
                auth.perform_permission(self._task, budget, name, setting, origin)
            )
        except InvalidArgument as error:
            if origin is None or error.data.get("field") != "name" or web_origin(origin):
                raise
            raise InvalidArgument(
                f"{origin!r} is not an origin.",
                "An origin looks like https://host:8443: http or https, no path, no user name.",
                field="origin",
            ) from None
