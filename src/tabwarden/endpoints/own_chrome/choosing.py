"""Choose among the browsers with remote debugging, or explain how a person can enable it."""

from __future__ import annotations

from collections.abc import Sequence

from tabwarden.digits import whole_number
from tabwarden.endpoints.finding import DEBUGGING_PORT, Offer
from tabwarden.endpoints.profiles import DefaultFolder, default_folders, living_holder
from tabwarden.errors import EndpointUnreachable, InvalidArgument, TabwardenError
from tabwarden.hints import Hint, Next, joined
from tabwarden.similar import get_close_matches

_ASKS_SINCE = 144
"""The first version with chrome://inspect/#remote-debugging."""
_OR_LAUNCH = Hint(
    "Or let Tabwarden launch a browser with its own profile",
    (": ", Next("connect", launch=True)),
    ".",
)


def the_offer(offers: Sequence[Offer], name: str = "") -> Offer:
    """Return the browser to attach to.

    Args:
        offers: the result of ``find_offers``.
        name: the browser that the caller wants; "" for the only browser.

    Raises:
        InvalidArgument: several browsers have remote debugging enabled, or no browser has
            this name.
        EndpointUnreachable: no browser has remote debugging enabled.
    """
    if name:
        _check_name(name)
        offers = [offer for offer in offers if offer.name == name]
    standing = [offer for offer in offers if offer.stands]
    if len(standing) == 1:
        return standing[0]
    if standing:
        raise _several(standing)
    raise _none(offers, name)


def how_to_allow(name: str = "") -> str:
    """Explain what a person must do to enable remote debugging in a browser.

    Args:
        name: the browser; "" for the browser that this user uses.
    """
    there = [one for one in default_folders() if one.path.is_dir() and name in ("", one.name)]
    if not there:
        which = f"{name} is not" if name else "Chrome, Edge, Brave and Chromium are not"
        return f"{which} set up on this computer for this user."
    return _switch(next((one for one in there if living_holder(one.path)), there[0]))


def _switch(folder: DefaultFolder) -> str:
    major = folder.version.partition(".")[0]
    page = {"edge": "edge", "brave": "brave"}.get(folder.name.partition("-")[0], "chrome")
    version = f" {major}" if major else ""
    number = whole_number(major)
    if number is None or number >= _ASKS_SINCE:
        return (
            f"In {folder.name}{version}, open {page}://inspect/#remote-debugging and allow remote "
            "debugging there."
        )
    return (
        f"{folder.name}{version} can't enable remote debugging while it is running: update it to "
        f"version "
        f"{_ASKS_SINCE}, or start it with --remote-debugging-port={DEBUGGING_PORT} and another "
        "--user-data-dir."
    )


def _check_name(name: str) -> None:
    names = [folder.name for folder in default_folders()]
    if name not in (*names, str(DEBUGGING_PORT)):
        nearest = get_close_matches(name, names, n=1, cutoff=0.0)[0]
        raise InvalidArgument(
            f"`auto:{name}` is not a known browser.",
            f"The closest match is `auto:{nearest}`. Known: {', '.join(names)}.",
            field="endpoint",
            nearest=nearest,
        )


def _several(standing: Sequence[Offer]) -> InvalidArgument:
    listed = ", ".join(f"`auto:{one.name}` (port {one.port})" for one in standing)
    return InvalidArgument(
        f"{len(standing)} running browsers have remote debugging enabled: {listed}.",
        f"Choose one as the endpoint, such as `auto:{standing[0].name}`.",
        field="endpoint",
        browsers=[_described(one) for one in standing],
    )


def _none(offers: Sequence[Offer], name: str) -> TabwardenError:
    which = name or "No running browser on this computer"
    words = f"{which} {'does not have' if name else 'has'} remote debugging enabled."
    why = [
        f"{one.name}'s DevToolsActivePort file lists port {one.port}, but nothing listens there: "
        f"{one.name} was closed, or remote debugging was disabled."
        if one.answer == "silent"
        else f"Port {one.port} in {one.name}'s DevToolsActivePort file belongs to another program."
        for one in offers
    ]
    return EndpointUnreachable(
        " ".join([words, *why]),
        joined(how_to_allow(name or next((one.name for one in offers), "")), _OR_LAUNCH),
        browsers=[_described(one) for one in offers],
    )


def _described(offer: Offer) -> dict[str, object]:
    return {"endpoint": f"auto:{offer.name}", "port": offer.port, "answer": offer.answer}
