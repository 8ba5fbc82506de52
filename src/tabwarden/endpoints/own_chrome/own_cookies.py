"""Read the cookies of the user's own browser over a connection that the user allows."""

from __future__ import annotations

from tabwarden.budget import Budget
from tabwarden.endpoints.own_chrome.auto import AutoEndpoint
from tabwarden.errors import EndpointUnreachable
from tabwarden.protocol import decode_result, network, storage
from tabwarden.wire import Connection


async def own_cookies(name: str, budget: Budget) -> tuple[str, list[network.Cookie]]:
    """Return the browser's name, and all cookies of its first profile. The browser decrypts them
    itself. Attaches to no tab, and changes nothing.

    Args:
        name: the browser, as in ``DefaultFolder.name``; "" for the only browser that allows
            debugging.
        budget: the limit for the whole call. Chrome can ask the user to allow the connection.

    Raises:
        InvalidArgument: several browsers allow debugging, or ``name`` is unknown.
        EndpointUnreachable: no browser allows debugging, the user refused or did not respond, or
            the browser did not return its cookies.
    """
    endpoint = AutoEndpoint(name)
    opened = await endpoint.open(budget)
    connection = Connection(opened.wire, lambda event: None, lambda reason: None)
    try:
        async with budget.waiting_for(f"{endpoint.name} to return its cookies"):
            connection.start()
            reply = await connection.call(storage.GetCookies.METHOD)
    finally:
        await connection.aclose()
    if reply.result is None:
        why = reply.lost or "it refused"
        raise EndpointUnreachable(
            f"{endpoint.name} did not return its cookies: {why}.",
            "Try again.",
            endpoint=endpoint.key,
        )
    return endpoint.name, decode_result(storage.GetCookies, reply.result).cookies
