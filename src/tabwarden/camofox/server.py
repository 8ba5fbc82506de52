"""The REST API of a Camofox server, with its failures as our errors."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote, urlsplit

import msgspec

from tabwarden.budget import Budget
from tabwarden.camofox.address import CamofoxAddress
from tabwarden.errors import (
    BrowserGone,
    EndpointUnreachable,
    InvalidArgument,
    JsError,
    NotInteractable,
    StaleRef,
    TabwardenError,
    TargetCrashed,
)
from tabwarden.hints import MORE_TIME, Hint, Next

if TYPE_CHECKING:
    import httpx2

__all__ = ["Reply", "Server", "TabLost"]

_LOOPBACK = {"localhost", "127.0.0.1", "::1"}
_MAX_BYTES = 64 * 1024 * 1024
_TELL_CHARS = 500
_NEW_TAB = Hint("Open another tab", Next("navigate", url="..."), ".")
_LOOK = "Take a snapshot: the page may have changed."


class TabLost(BrowserGone):
    """The server no longer has the tab: it closed it, or the server started again."""


class Reply(NamedTuple):
    content: bytes

    @property
    def data(self) -> dict[str, Any]:
        """The JSON object of the reply; {} if there is none."""
        with contextlib.suppress(msgspec.DecodeError, UnicodeDecodeError):
            found = msgspec.json.decode(self.content)
            if isinstance(found, dict):
                return found
        return {}


class Server:
    """A client of one server, for one user there.

    Args:
        address: where the server is.
        user: the ``userId`` of all requests.
    """

    def __init__(self, address: CamofoxAddress, user: str) -> None:
        import httpx2  # slow to import, and only this endpoint needs it

        self.url = address.url
        self.user = user
        self._client: httpx2.AsyncClient = httpx2.AsyncClient(
            base_url=address.url,
            headers={"Authorization": f"Bearer {address.key}"} if address.key else {},
            # To a proxy, loopback means the proxy's own computer.
            trust_env=urlsplit(address.url).hostname not in _LOOPBACK,
            timeout=None,  # each call has a budget
        )

    async def aclose(self) -> None:
        await self._client.aclose()

    async def check(self, budget: Budget) -> bool:
        """Check that a Camofox server answers and accepts the key. Return whether it has our
        plugin.

        Raises:
            EndpointUnreachable: something else answers, nothing does, or the key is wrong.
        """
        async with budget.enforced():
            health = await self._sent("GET", "/health")
            if not str(self._json(health.content).get("engine", "")).startswith("camou"):
                raise self._unlike()
            await self.get("/tabs")
            plugin = await self._sent("GET", "/tabwarden")
        told = self._json(plugin.content) if plugin.status_code == 200 else {}
        return told.get("plugin") == "tabwarden"

    async def get(self, path: str, **query: Any) -> Reply:
        """Send a GET request. Raises the errors of ``_refused``."""
        return await self._asked("GET", path, params={"userId": self.user, **_texts(query)})

    async def post(self, path: str, **body: Any) -> Reply:
        """Send a POST request. Raises the errors of ``_refused``."""
        return await self._asked("POST", path, json={"userId": self.user, **body})

    async def delete(self, path: str) -> None:
        await self._asked("DELETE", path, params={"userId": self.user})

    async def end_session(self) -> None:
        """Close all tabs of the user, and forget the user's cookies and storage."""
        await self._asked("DELETE", f"/sessions/{quote(self.user, safe='')}", params={})

    async def _asked(self, method: str, path: str, **given: Any) -> Reply:
        response = await self._sent(method, path, **given)
        if not 200 <= response.status_code < 300:
            raise self._refused(path, response.status_code, self._json(response.content))
        return Reply(response.content)

    async def _sent(self, method: str, path: str, **given: Any) -> httpx2.Response:
        import httpx2

        try:
            return await self._client.request(method, path, **given)
        except (httpx2.HTTPError, httpx2.InvalidURL, ValueError) as error:
            raise EndpointUnreachable(
                f"The Camofox server at {self.url} can't be reached "
                f"({type(error).__name__}{f': {error}' if str(error) else ''}).",
                "Start it (npx @askjo/camofox-browser), or correct CAMOFOX_URL.",
            ) from None

    def _unlike(self) -> EndpointUnreachable:
        return EndpointUnreachable(
            f"What answers at {self.url} is not a Camofox server.",
            "Check the address. A browser's own debugging port is http://host:port, without "
            "`camofox:`.",
        )

    @staticmethod
    def _json(content: bytes) -> dict[str, Any]:
        return Reply(content).data

    def _refused(self, path: str, status: int, said: Mapping[str, Any]) -> TabwardenError:
        """Return our error for the server's."""
        why = " ".join(str(said.get("error", "")).split())[:_TELL_CHARS]
        code = said.get("code", "")
        if status in (401, 403):
            return EndpointUnreachable(
                f"The Camofox server at {self.url} refused the key.",
                "Set CAMOFOX_ACCESS_KEY to the server's key.",
                status=status,
            )
        if code == "page_crashed":
            return TargetCrashed("The page crashed, and the server closed its tab.", _NEW_TAB)
        if status in (404, 410) and "/tabs/" in path:
            reason = str(code or "the server does not know it").replace("_", " ")
            return TabLost(f"The server has closed this tab: {reason}.", _NEW_TAB, reason=reason)
        if code == "stale_refs":
            return StaleRef("The element is gone.", "Take a new snapshot and use its refs.")
        if status in (409, 422):
            return NotInteractable(f"The server could not do it: {why}.", _LOOK)
        if status == 429 or "aximum" in why or "concurrency limit" in why:
            return EndpointUnreachable(
                f"The Camofox server is full: {why}.",
                "Close a session there, or try again later.",
                status=status,
            )
        if status == 400:
            return InvalidArgument(f"The Camofox server refused the request: {why}.")
        if path.endswith("/evaluate") and status == 500:
            return JsError(why.removeprefix("page.evaluate: ") or "The script failed.", "")
        if status == 502 or "net::ERR" in why or "NS_ERROR" in why:
            return EndpointUnreachable(f"The page can't be loaded: {why}.", "Check the URL.")
        if status == 503:
            return EndpointUnreachable(
                f"The Camofox server can't do it now: {why or status}.",
                "Try again: it starts its browser again by itself.",
                status=status,
            )
        if "imeout" in why or "timed out" in why:
            hint = Hint("Take a snapshot, try again, or ", MORE_TIME, ".")
            return NotInteractable(f"The server gave up: {why}.", hint)
        return EndpointUnreachable(
            f"The Camofox server failed with HTTP {status}: {why or 'no reason given'}.",
            "See the server's log.",
            status=status,
        )


def _texts(query: Mapping[str, Any]) -> dict[str, str]:
    return {
        name: str(value).lower() if isinstance(value, bool) else str(value)
        for name, value in query.items()
    }
