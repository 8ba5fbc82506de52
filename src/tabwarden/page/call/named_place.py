"""Check the URL that a caller named against the network policy, and explain network errors."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

from tabwarden.egress.gate import REASONS, Gate, Why
from tabwarden.egress.origins import Place, place_of
from tabwarden.errors import Denied
from tabwarden.hints import Hint, Next
from tabwarden.page.task import Call, Task
from tabwarden.supervisor.core.handlers import why_failed
from tabwarden.supervisor.core.state.inputs import NavigationRefused, PlaceNamed

_LISTS = "Only the configuration can change this: see allowed_origins and blocked_origins."
_HINTS: dict[Why, str] = {
    "blocked_origin": _LISTS,
    "not_allowed": _LISTS,
    "loopback": Hint(
        "Open this URL yourself",
        Next("navigate", url="..."),
        ". After that, the page may request it too.",
    ),
    "private": "Open this URL yourself by its address or a local name. To reach it by a public "
    "name, add that name to allowed_origins in the configuration, or set allow_private_networks.",
    "link_local": "The configuration must list this address in allowed_origins or set "
    "allow_private_networks.",
    "metadata": "This address serves the machine's credentials, so allowed_origins must list it "
    "explicitly.",
    "reserved": "Use the server's real address.",
    "own": Hint("No page may open this address. List the browser's pages", Next("tabs"), "."),
    "invalid_host": "Correct the host in the URL.",
}


@contextmanager
def refusal_recorded(
    call: Call, url: str, reason: Literal["policy", "unsupported"]
) -> Iterator[None]:
    """Record a refusal to navigate to ``url`` as a change of the state."""
    try:
        yield
    except Denied:
        call.task.supervisor.feed(NavigationRefused(call.tab.tab_id, url, reason))
        raise


def name_place(task: Task, url: str) -> None:
    """Record that the caller named this URL, because some hosts are reachable only after that.
    Raise ``Denied`` if the network policy forbids the URL because of its host name."""
    place = refuse_named(task.state.gate, url)
    if place is not None:
        task.supervisor.feed(PlaceNamed(place))


def refuse_named(gate: Gate, url: str) -> Place | None:
    """Return the place of a URL that the caller named. Raise ``Denied`` if the gate forbids the
    place."""
    place = place_of(url)
    why = gate.refuses_naming(place) if place is not None else None
    if place is not None and why is not None:
        raise _denied_error(place, why)
    return place


def reason_of(task: Task, url: str, error: str, since: int) -> str:
    """Return the cause of a browser error. An error from Tabwarden's proxy may hide the server's
    error.

    Args:
        task, url: the task and the requested URL.
        error: the browser's error: ``net::ERR_...``.
        since: ``state.connections_failed`` at the time of the request.

    Raises:
        Denied: the network policy forbids the URL or a redirect.
    """
    cause = why_failed(task.state, url, error, since)
    if cause is None:
        return error
    if cause.why is not None:
        raise _denied_error(cause.place, cause.why)
    return cause.error


def _denied_error(place: Place, why: Why) -> Denied:
    return Denied(
        f"The network policy refuses {place}: {REASONS[why]}.",
        _HINTS[why],
        field="url",
        place=str(place),
        why=why,
    )
