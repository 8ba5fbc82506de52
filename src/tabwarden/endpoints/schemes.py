"""Which endpoint an address means: ours, a provider's, or one that another package brings."""

from __future__ import annotations

import difflib
from importlib.metadata import EntryPoint, entry_points

from tabwarden.endpoints.address import Address, parse_address, split_scheme
from tabwarden.endpoints.endpoint import Endpoint, UrlEndpoint
from tabwarden.endpoints.remote import PROVIDERS
from tabwarden.errors import EndpointUnreachable, InvalidArgument, TabwardenError

__all__ = ["ENTRY_POINT_GROUP", "endpoint_of"]

ENTRY_POINT_GROUP = "tabwarden.endpoints"
"""Other packages' schemes: the entry point's name is the scheme, its value takes an ``Address``."""


def endpoint_of(given: str | Endpoint) -> Endpoint:
    """The endpoint that an address means; an endpoint as it is.

    Args:
        given: a URL, ``host:port``, a port, ``scheme:``, ``scheme:SESSION_ID`` or
            ``scheme:?key=value``. A ``UrlEndpoint`` with such a scheme becomes what that means.

    Raises:
        InvalidArgument: an unknown scheme (the nearest known one is named), an unknown option.
        EndpointUnreachable: the package that brings the scheme does not work.
    """
    if isinstance(given, str):
        given = UrlEndpoint(given)
    if not isinstance(given, UrlEndpoint):
        return given
    parts = split_scheme(given.url)
    if parts is None:
        return given
    scheme, rest = parts
    if scheme in PROVIDERS:
        return PROVIDERS[scheme](parse_address(scheme, rest, given.headers))
    brought = {point.name.lower(): point for point in entry_points(group=ENTRY_POINT_GROUP)}
    if scheme in brought:
        return _brought(brought[scheme], parse_address(scheme, rest, given.headers))
    if rest.startswith("//"):
        return given  # a URL of some kind: opening it says what is wrong with it
    known = [*PROVIDERS, *brought]
    nearest = difflib.get_close_matches(scheme, known, n=1, cutoff=0.0)[0]
    raise InvalidArgument(
        f"There is no endpoint {scheme}:.",
        f"The nearest is {nearest}:; there are {', '.join(f'{name}:' for name in known)}, and "
        "http(s)://, ws(s)://, host:port.",
        field="endpoint",
        nearest=nearest,
    )


def _brought(point: EntryPoint, address: Address) -> Endpoint:
    """The endpoint of another package, with that package named if it does not work."""
    package = point.dist.name if point.dist is not None else "a package"
    try:
        endpoint = point.load()(address)
    except TabwardenError:
        raise
    except Exception as error:
        raise EndpointUnreachable(
            f"The endpoint {address.scheme}: comes from {package} ({point.value}), which failed: "
            f"{type(error).__name__}: {error}.",
            f"Update or remove {package}.",
            entry_point=point.value,
        ) from error
    if not hasattr(endpoint, "key") or not callable(getattr(endpoint, "open", None)):
        raise EndpointUnreachable(
            f"The endpoint {address.scheme}: comes from {package} ({point.value}), which gave "
            f"{type(endpoint).__name__}, no endpoint: it has no key or no open.",
            f"Update or remove {package}.",
            entry_point=point.value,
        )
    checked: Endpoint = endpoint
    return checked
