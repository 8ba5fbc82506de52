"""Find the endpoint for an address. The endpoint's class may be part of Tabwarden or of another
package.
"""

from __future__ import annotations

from functools import cache
from importlib.metadata import EntryPoint, entry_points

from tabwarden.endpoints.address import Address, parse_address, split_scheme
from tabwarden.endpoints.endpoint import Endpoint, UrlEndpoint
from tabwarden.endpoints.own_chrome import own_chrome_of
from tabwarden.endpoints.remote import PROVIDERS
from tabwarden.errors import EndpointUnreachable, InvalidArgument, TabwardenError
from tabwarden.similar import get_close_matches

ENTRY_POINT_GROUP = "tabwarden.endpoints"
"""The group of entry points in which other packages define schemes. The name of an entry point is
the scheme. Tabwarden calls the entry point's object with an ``Address``.
"""
KIND_GROUP = "tabwarden.kinds"
"""The group of entry points for browsers that don't speak CDP. The entry point's object is the
class that controls such a browser.
"""


_AUTO = "auto"


def endpoint_of(given: str | Endpoint) -> Endpoint:
    """Return the endpoint for an address. If ``given`` is already an endpoint, return it unchanged.

    Args:
        given: a URL, ``host:port``, a port, ``auto``, ``scheme:``, ``scheme:SESSION_ID`` or
            ``scheme:?key=value``. A ``UrlEndpoint`` that contains such a scheme is converted too.

    Raises:
        InvalidArgument: the scheme or an option is unknown; the error names the closest match.
        EndpointUnreachable: the package that provides the scheme failed.
    """
    if isinstance(given, str):
        given = UrlEndpoint(given)
    if not isinstance(given, UrlEndpoint):
        return given
    parts = split_scheme("auto:" if given.url.strip().lower() == _AUTO else given.url)
    if parts is None:
        return given
    scheme, rest = parts
    if scheme == _AUTO:
        return own_chrome_of(parse_address(scheme, rest, given.headers))
    if scheme in PROVIDERS:
        return PROVIDERS[scheme](parse_address(scheme, rest, given.headers))
    if (kind := other_kind(given.url)) is not None:
        raise InvalidArgument(
            f"A `{scheme}:` browser does not support CDP.",
            f"Use {kind.attr}.connect from {kind.module} instead of Browser.connect.",
            field="endpoint",
        )
    brought = {point.name.lower(): point for point in entry_points(group=ENTRY_POINT_GROUP)}
    if scheme in brought:
        return _brought(brought[scheme], parse_address(scheme, rest, given.headers))
    if rest.startswith("//"):
        return given  # some other kind of URL, for which ``open`` reports the error
    known = [_AUTO, *PROVIDERS, *_other_kinds(), *brought]
    nearest = get_close_matches(scheme, known, n=1, cutoff=0.0)[0]
    raise InvalidArgument(
        f"There is no endpoint `{scheme}:`.",
        f"The closest match is `{nearest}:`. Known endpoints: "
        f"{', '.join(f'`{name}:`' for name in known)}, http(s)://, ws(s)://, and host:port.",
        field="endpoint",
        nearest=nearest,
    )


def other_kind(endpoint: object) -> EntryPoint | None:
    """Return the entry point of the class that controls a browser without CDP; None for CDP
    browsers."""
    parts = split_scheme(endpoint)
    if parts is None or parts[0] in (_AUTO, *PROVIDERS):
        return None
    return _other_kinds().get(parts[0])


@cache
def _other_kinds() -> dict[str, EntryPoint]:
    return {point.name.lower(): point for point in entry_points(group=KIND_GROUP)}


def _brought(point: EntryPoint, address: Address) -> Endpoint:
    """Return another package's endpoint. If that package fails, the error names it."""
    package = point.dist.name if point.dist is not None else "a package"
    try:
        endpoint = point.load()(address)
    except TabwardenError:
        raise
    except Exception as error:
        raise EndpointUnreachable(
            f"{package} ({point.value}), the plugin for `{address.scheme}:` endpoints, failed: "
            f"{type(error).__name__}: {error}.",
            f"Update or remove {package}.",
            entry_point=point.value,
        ) from error
    if not hasattr(endpoint, "key") or not callable(getattr(endpoint, "open", None)):
        raise EndpointUnreachable(
            f"{package} ({point.value}), the plugin for `{address.scheme}:` endpoints, returned "
            f"{type(endpoint).__name__}, which is not an endpoint: it lacks `key` or `open`.",
            f"Update or remove {package}.",
            entry_point=point.value,
        )
    checked: Endpoint = endpoint
    return checked
