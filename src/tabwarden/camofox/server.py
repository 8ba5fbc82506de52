"""The REST API of a Camofox server."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote, urlsplit

import msgspec

from tabwarden.budget import Budget
from tabwarden.camofox.address import CamofoxAddress
from tabwarden.camofox.failures import error_of
from tabwarden.errors import EndpointUnreachable

if TYPE_CHECKING:
    import httpx2

__all__ = ["Reply", "Server"]

_LOOPBACK = {"localhost", "127.0.0.1", "::1"}


class Reply(NamedTuple):
    content: bytes

    @property
    def data(self) -> dict[str, Any]:
        """The JSON object of the reply; {} if there is none."""
        with contextlib.suppress(msgspec.DecodeError, UnicodeDecodeError):
            found = msgspec.json.decode(self.content)
            return found if isinstance(found, dict) else {}
        # msgspec refuses half of a surrogate pair, which a page's title may have, or a cut text.
        with contextlib.suppress(ValueError):
            whole = json.dumps(json.loads(self.content), ensure_ascii=False)
            found = json.loads(whole.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))
            return found if isinstance(found, dict) else {}
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
            health = await self._sent("GET", "/health", headers={"Authorization": ""})
            if not str(self._json(health.content).get("engine", "")).startswith("camou"):
                raise self._unlike()
            await self.get("/tabs")
            plugin = await self._sent("GET", "/tabwarden")
        told = self._json(plugin.content) if plugin.status_code == 200 else {}
        return told.get("plugin") == "tabwarden"

    async def get(self, path: str, **query: Any) -> Reply:
        """Send a GET request. Raises the errors of ``error_of``."""
        return await self._asked("GET", path, params={"userId": self.user, **_texts(query)})

    async def post(self, path: str, **body: Any) -> Reply:
        """Send a POST request. Raises the errors of ``error_of``."""
        return await self._asked("POST", path, json={"userId": self.user, **body})

    async def delete(self, path: str) -> None:
        await self._asked("DELETE", path, params={"userId": self.user})

    async def end_session(self) -> None:
        """Close all tabs of the user, and forget the user's cookies and storage."""
        await self._asked("DELETE", f"/sessions/{quote(self.user, safe='')}", params={})

    async def _asked(self, method: str, path: str, **given: Any) -> Reply:
        response = await self._sent(method, path, **given)
        if not 200 <= response.status_code < 300:
            raise error_of(self.url, path, response.status_code, self._json(response.content))
        return Reply(response.content)

    async def _sent(self, method: str, path: str, **given: Any) -> httpx2.Response:
        import httpx2

        try:
            return await self._client.request(method, path, **given)
        except (httpx2.HTTPError, httpx2.InvalidURL, ValueError, RuntimeError) as error:
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


def _texts(query: Mapping[str, Any]) -> dict[str, str]:
    return {
        name: str(value).lower() if isinstance(value, bool) else str(value)
        for name, value in query.items()
    }
