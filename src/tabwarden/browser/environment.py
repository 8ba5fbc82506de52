"""Environment: what a page believes of its device, place and permissions."""

from __future__ import annotations

from tabwarden import results
from tabwarden.browser.base import BrowserBase
from tabwarden.budget import Timeout
from tabwarden.egress.origins import web_origin
from tabwarden.errors import InvalidArgument
from tabwarden.journal import journaled
from tabwarden.page import ActionResult
from tabwarden.page.prompts import auth
from tabwarden.supervisor.core.state.prompts import PermissionSetting


class EnvironmentMethods(BrowserBase):
    """Methods that emulate a device or a place, and set permissions."""

    @journaled
    async def permission(
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
            return await self._engine.run_async(
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
