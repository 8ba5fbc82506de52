"""The REST API of a Camofox server."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping
from typing import Any, NamedTuple, TypeVar
from urllib.parse import quote, urlsplit

import msgspec

from tabwarden.budget import Budget
from tabwarden.errors import EndpointUnreachable
from tabwarden.http_client import http_client
from tabwarden.integrations.camofox.address import CamofoxAddress
from tabwarden.integrations.camofox.failures import error_of

__all__ = ["Reply", "Server"]

_LOOPBACK = {"localhost", "127.0.0.1", "::1"}
_MAX_BODY_BYTES = 64 * 1024 * 1024
"""The maximum size of a response, enough for a download of 40 MiB in base64."""
T = TypeVar("T")


class Reply(NamedTuple):
    status: int
    content: bytes
    url: str
    """The server's URL."""

    def read(self, shape: type[T]) -> T:
        """Return the JSON of the reply as a type of ``answers``.

        Raises:
            EndpointUnreachable: the JSON has another type, so this is not a Camofox server.
        """
        try:
            return msgspec.convert(self.data, shape)
        except (msgspec.ValidationError, RecursionError) as error:
            raise _unlike(self.url, f" ({error})") from None

    @property
    def data(self) -> dict[str, Any]:
        """The JSON object of the reply; {} if there is none."""
        with contextlib.suppress(msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            value = msgspec.json.decode(self.content)
            return value if isinstance(value, dict) else {}
        # msgspec rejects a lone surrogate, which a page's title or truncated text can contain.
        with contextlib.suppress(ValueError, RecursionError):
            whole = json.dumps(json.loads(self.content), ensure_ascii=False)
            value = json.loads(whole.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))
            return value if isinstance(value, dict) else {}
        return {}


class Server:
    """A client of one server, for one user of that server.

    Args:
        address: the server's address.
        user: the ``userId`` of all requests.

    Raises:
        EndpointUnreachable: ``SSL_CERT_FILE`` contains no certificates.
    """

    def __init__(self, address: CamofoxAddress, user: str) -> None:
        import httpx2  # slow to import, and only this endpoint needs it

        self.url = address.url
        self.user = user
        try:
            self._client = http_client(
                base_url=address.url,
                headers={"Authorization": f"Bearer {address.key}"} if address.key else {},
                # To a proxy, loopback means the proxy's own computer.
                trust_env=urlsplit(address.url).hostname not in _LOOPBACK,
                timeout=None,  # each call has a budget
            )
        except httpx2.ConnectError as error:
            raise _unreachable(self.url, error) from None

    async def aclose(self) -> None:
        await self._client.aclose()

    async def check(self, budget: Budget) -> bool:
        """Check that a Camofox server responds and accepts the key. Return whether the server has
        our plugin.

        Raises:
            EndpointUnreachable: another program responds, nothing responds, or the key is wrong.
        """
        async with budget.enforced():
            health = await self._sent("GET", "/health", headers={"Authorization": ""})
            if not str(health.data.get("engine", "")).startswith("camou"):
                raise _unlike(self.url)
            await self.get("/tabs")
            plugin = await self._sent("GET", "/tabwarden")
        return plugin.status == 200 and plugin.data.get("plugin") == "tabwarden"

    async def get(self, path: str, **query: Any) -> Reply:
        """Send a GET request. Raises the errors of ``error_of``."""
        return await self._request("GET", path, params={"userId": self.user, **_texts(query)})

    async def post(self, path: str, **body: Any) -> Reply:
        """Send a POST request. Raises the errors of ``error_of``."""
        return await self._request("POST", path, json={"userId": self.user, **body})

    async def delete(self, path: str) -> None:
        await self._request("DELETE", path, params={"userId": self.user})

    async def end_session(self) -> None:
        """Close all of the user's tabs, and delete the user's cookies and storage."""
        await self._request("DELETE", f"/sessions/{quote(self.user, safe='')}", params={})

    async def _request(self, method: str, path: str, **options: Any) -> Reply:
        reply = await self._sent(method, path, **options)
        if not 200 <= reply.status < 300:
            raise error_of(self.url, path, reply.status, reply.data)
        return reply

    async def _sent(self, method: str, path: str, **options: Any) -> Reply:
        import httpx2

        body = bytearray()
        try:
            async with self._client.stream(method, path, **options) as response:
                async for piece in response.aiter_bytes():
                    body += piece
                    if len(body) > _MAX_BODY_BYTES:
                        raise _unlike(self.url, f" (its answer has over {_MAX_BODY_BYTES} bytes)")
                return Reply(response.status_code, bytes(body), self.url)
        except (httpx2.HTTPError, httpx2.InvalidURL, ValueError, RuntimeError) as error:
            raise _unreachable(self.url, error) from None


def _unreachable(url: str, error: Exception) -> EndpointUnreachable:
    return EndpointUnreachable(
        f"The Camofox server at {url} can't be reached "
        f"({type(error).__name__}{f': {error}' if str(error) else ''}).",
        "Start it (npx @askjo/camofox-browser), or correct CAMOFOX_URL.",
    )


def _unlike(url: str, why: str = "") -> EndpointUnreachable:
    return EndpointUnreachable(
        f"The server at {url} is not a Camofox server{why}.",
        "Check the address. To connect to a browser's debugging port, write http://host:port "
        "without `camofox:`.",
    )


def _texts(query: Mapping[str, Any]) -> dict[str, str]:
    return {
        name: str(value).lower() if isinstance(value, bool) else str(value)
        for name, value in query.items()
    }
