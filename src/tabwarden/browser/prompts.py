"""The method that answers HTTP authentication requests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabwarden.browser.base import BrowserBase
from tabwarden.browser.journaled import journaled
from tabwarden.errors import InvalidArgument

if TYPE_CHECKING:
    from tabwarden import results
    from tabwarden.budget import Timeout
    from tabwarden.page import ActionResult
    from tabwarden.supervisor.core.state.prompts import Credentials


class PromptMethods(BrowserBase):
    """Methods that answer prompts."""

    _logins: dict[str, Credentials]
    """The credentials that ``auth`` saved, keyed by origin."""

    @journaled
    async def auth(
        self,
        username: str | None = None,
        password: str = "",
        *,
        cancel: bool = False,
        auth_id: str | None = None,
        origin: str | None = None,
        timeout_ms: Timeout = None,
    ) -> ActionResult[results.Prompt]:
        """Answer a server's request for a user name and a password. With ``origin``, save the
        credentials for later requests of this origin instead.

        Args:
            username, password: the credentials to send.
            cancel: send no credentials, so that the server shows its error page. With ``origin``:
                delete the saved credentials, so that the configured ones apply again.
            auth_id: which request, if several are waiting.
            origin: ``https://host``. Save the credentials for this origin until the browser closes.
                They override the configured credentials. The call does not answer a waiting
                request.
            timeout_ms: limit for the whole call.

        Raises:
            InvalidArgument: no request is waiting, several requests are waiting and ``auth_id`` is
                missing, or ``origin`` is not an origin.
        """
        from tabwarden.page.prompts import auth
        from tabwarden.policy import new_policy_of
        from tabwarden.supervisor.core.state.prompts import Credentials

        if cancel == (username is not None):
            raise InvalidArgument("Set either username (and password) or cancel.", field="username")
        login = None if username is None else Credentials(username, password)
        vault = self._task.vault
        vault.check([username, password], "password")
        if origin is not None:
            at = auth.checked_origin(origin, auth_id)
            if login is not None:
                login = auth.filled(vault, login, at)
            self._logins.pop(at, None)
            if login is not None:
                self._logins[at] = login
            policy = new_policy_of(self._config, self._logins)
            budget = self._budget("auth", timeout_ms)
            return await self._engine.run_async(auth.perform_login(self._task, budget, at, policy))
        return await self._engine.run_async(
            auth.perform_auth(self._task, self._budget("auth", timeout_ms), login, auth_id=auth_id)
        )
