"""The endpoint ``auto:``, a browser in which the user has allowed remote debugging."""

from __future__ import annotations

from typing import ClassVar, Literal, get_args

from tabwarden.budget import Budget
from tabwarden.endpoints.address import Address
from tabwarden.endpoints.attaching import AttachedEndpoint, open_endpoint
from tabwarden.endpoints.capabilities import Capabilities
from tabwarden.endpoints.endpoint import OpenedEndpoint
from tabwarden.endpoints.finding import Offer, find_offers
from tabwarden.endpoints.own_chrome.choosing import the_offer
from tabwarden.endpoints.own_chrome.debug_chrome import DebugChromeEndpoint
from tabwarden.errors import EndpointUnreachable, InvalidArgument
from tabwarden.hints import MORE_TIME, Hint

ContextMode = Literal["window", "shared", "own"]
"""See ``Browser.connect``."""

_LAUNCH = "launch"


class AutoEndpoint:
    """The user's own browser. Reopening it connects to the same browser.

    Args:
        name: the browser, as in ``DefaultFolder.name``; "" for the only browser that allows
            debugging.
        context: which browser context a task uses by default.
    """

    capabilities: ClassVar[Capabilities] = Capabilities(
        answer_dialogs="the person might answer a native dialog first",
        survives_reconnect="Chrome might ask the person again",
        # Chrome may ask the user to allow each connection.
        guard_session=False,
        downloads="in the browser's own folder",
    )

    def __init__(self, name: str = "", context: ContextMode = "window") -> None:
        self.name = name
        self.context = context

    @property
    def key(self) -> str:
        return f"auto:{self.name}"

    async def open(self, budget: Budget) -> OpenedEndpoint:
        """See ``Endpoint.open``.

        Raises:
            InvalidArgument: several browsers allow debugging, or ``name`` is unknown.
            EndpointUnreachable: no browser allows debugging, or the user refused the connection or
                did not respond to Chrome's prompt within the budget.
        """
        offer = the_offer(await find_offers(budget), self.name)
        try:
            attached = await open_endpoint(offer.ws_url, budget)
        except EndpointUnreachable as error:
            if offer.answer != "asks":
                raise
            raise _unasked(offer, error, budget) from None
        self.name = offer.name
        return opened(attached)


def opened(attached: AttachedEndpoint) -> OpenedEndpoint:
    return OpenedEndpoint(attached.wire, attached.product, here=True)


def _unasked(offer: Offer, error: EndpointUnreachable, budget: Budget) -> EndpointUnreachable:
    """Return the error for a browser that asks the user to allow each connection."""
    status = error.data.get("http_status")
    facts = {"endpoint": f"auto:{offer.name}", "port": offer.port}
    if budget.expired:
        return EndpointUnreachable(
            f"{offer.name} asks the person at this computer whether Tabwarden may connect, and "
            f"nobody answered within {budget.timeout_ms:g} ms.",
            Hint("Ask the person to allow it in the browser, then connect again; or ", MORE_TIME),
            waits_for="person",
            **facts,
        )
    if status == 403:
        return EndpointUnreachable(
            f"{offer.name} refused the connection: the person did not allow it.",
            "Ask the person, then connect again.",
            **facts,
        )
    return EndpointUnreachable(
        f"Another program listens on port {offer.port}, which {offer.name}'s DevToolsActivePort "
        f"file lists, or the person refused the connection: {error.message}",
        f"Restart {offer.name} and allow remote debugging there again.",
        **facts,
    )


def own_chrome_of(address: Address) -> AutoEndpoint | DebugChromeEndpoint:
    """Return the endpoint for ``auto:``, ``auto:NAME`` or ``auto:launch``.

    Raises:
        InvalidArgument: an option is unknown.
    """
    for option, value in address.options.items():
        if option != "context" or value not in get_args(ContextMode):
            raise InvalidArgument(
                f"`auto:` does not have the option {option}={value[:50]}.",
                f"The only option is `context`: {', '.join(get_args(ContextMode))}.",
                field="endpoint",
            )
    context: ContextMode = address.options.get("context", "window")  # type: ignore[assignment]
    if address.session_id == _LAUNCH:
        return DebugChromeEndpoint(context)
    return AutoEndpoint(address.session_id, context)
