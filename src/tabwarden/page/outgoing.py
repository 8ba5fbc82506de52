"""Outgoing: a caller's URL and the network policy: what may be named, and what an error means."""

from __future__ import annotations

from tabwarden.egress.gate import REASONS, Why
from tabwarden.egress.origins import Place, place_of
from tabwarden.errors import Denied
from tabwarden.page.task import Task
from tabwarden.supervisor import PlaceNamed, why_failed

__all__ = ["name_place", "reason_of"]

_LISTS = "It is the configuration's to change: allowed_origins and blocked_origins."
_HINTS: dict[Why, str] = {
    "blocked_origin": _LISTS,
    "not_allowed": _LISTS,
    "loopback": "Open it yourself (browser_navigate to its URL), then the page may reach it too.",
    "private": "Open it yourself by its address or a local name; a public name that leads there "
    "must be in allowed_origins, or allow_private_networks set.",
    "link_local": "It must be in allowed_origins, or allow_private_networks set.",
    "metadata": "It hands out this machine's credentials: it is open only if allowed_origins has "
    "it by name.",
    "reserved": "Use the server's real address.",
    "invalid_host": "Correct the host.",
}


def name_place(task: Task, url: str) -> None:
    """The caller itself wants this URL: what opens only by name opens.

    Raises:
        Denied: the network policy forbids it, as far as its name tells.
    """
    place = place_of(url)
    if place is None:
        return
    why = task.state.gate.refuses_naming(place)
    if why is not None:
        raise _denied(place, why)
    task.supervisor.feed(PlaceNamed(place))


def reason_of(task: Task, url: str, error: str, since: int) -> str:
    """What is behind an error of the browser's: a proxy's failure hides the server's.

    Args:
        task: whose.
        url: what was asked for.
        error: the browser's: ``net::ERR_...``.
        since: ``state.connections_failed`` when it was asked for.

    Raises:
        Denied: the network policy refused it, or where it redirected to.
    """
    behind = why_failed(task.state, url, error, since)
    if behind is None:
        return error
    if behind.why is not None:
        raise _denied(behind.place, behind.why)
    return behind.error


def _denied(place: Place, why: Why) -> Denied:
    return Denied(
        f"The network policy refuses {place}: {REASONS[why]}.",
        _HINTS[why],
        field="url",
        place=str(place),
        why=why,
    )
