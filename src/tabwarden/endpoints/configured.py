"""Read the launch options and the network policy from a configuration."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from urllib.parse import urlsplit

from tabwarden.config import BrowserConfig, CallersProxy, bypass_of, set_options
from tabwarden.egress.addresses import address_of
from tabwarden.egress.gate import REASONS, Gate, NetworkPolicy, Why, is_loopback_name
from tabwarden.egress.origins import OriginPattern, Place, canonical_host
from tabwarden.egress.upstream import Upstream
from tabwarden.endpoints.launching import DEFAULT_WINDOW, LaunchOptions
from tabwarden.errors import InvalidArgument

__all__ = ["launch_options", "network_policy", "not_applied", "upstream_of"]


def launch_options(config: BrowserConfig) -> LaunchOptions:
    """Return the configured launch options that all launches have in common.

    Raises:
        InvalidArgument: a caller chose a proxy that the network policy refuses.
    """
    return LaunchOptions(
        headless=config.headless,
        executable=config.executable,
        browser=config.channel,
        sandbox=config.sandbox,
        args=tuple(config.args),
        window_size=config.window_size or DEFAULT_WINDOW,
        ignore_https_errors=config.ignore_https_errors,
        ca=config.ca and config.ca.absolute(),
        extensions=tuple(folder.absolute() for folder in config.extensions),
        user_agent=config.user_agent,
        locale=config.locale,
        timezone=config.timezone,
        environment=tuple(config.environment),
        page_tools=config.page_tools,
        external_schemes=tuple(config.external_schemes),
        upstream=upstream_of(config),
    )


def upstream_of(config: BrowserConfig) -> Upstream | None:
    """Return the proxy that the configuration or the call sets, or None.

    Raises:
        InvalidArgument: a caller chose a proxy that the network policy refuses.
    """
    proxy = config.proxy
    if proxy is None:
        return None
    parts = urlsplit(proxy.server)
    place = Place(canonical_host(parts.hostname or "") or "", parts.port or 0)
    is_judged = isinstance(proxy, CallersProxy)
    why = _refuses(Gate(network_policy(config)), place) if is_judged else None
    if why is not None:
        raise InvalidArgument(
            f"The network policy refuses the proxy {place}: {REASONS[why]}.",
            "The operator can set browser.proxy to this proxy, or add it to "
            "browser.allowed_origins.",
            field="proxy",
        )
    return Upstream(
        scheme=parts.scheme,
        place=place,
        username=proxy.username,
        password=proxy.password.get_secret_value(),
        bypass=tuple(OriginPattern.parse(one) for one in bypass_of(proxy.bypass)),
        ca=config.ca and config.ca.absolute(),
        is_judged=is_judged,
    )


_KEPT = ("user_data_dir", "profile")


def not_applied(
    config: BrowserConfig,
    applied: Collection[str] = (),
    launched_as: Mapping[str, str] | None = None,
) -> tuple[str, ...]:
    """Return a warning about the configured launch options that a browser does not have, because
    this process did not launch the browser.

    Args:
        config: the configuration.
        applied: the options that apply nevertheless.
        launched_as: ``LaunchOptions.marks`` on the fleet node that launched the browser. Options
            with the same value on that node need no warning.
    """
    names = [*set_options(config), *(one for one in _KEPT if getattr(config, one) is not None)]
    ours = launch_options(config).marks if launched_as is not None else {}
    theirs = launched_as or {}
    keys = [
        f"browser.{name}"
        for name in names
        if name not in applied and not (name in ours and ours[name] == theirs.get(name))
    ]
    if not keys:
        return ()
    why = (
        "Tabwarden did not launch this browser"
        if launched_as is None
        else "each fleet node launches browsers with its own configuration"
    )
    return (f"Some options have no effect, because {why}: {', '.join(keys)}.",)


def _refuses(gate: Gate, place: Place) -> Why | None:
    """Return the reason to refuse a proxy because of its name. The egress proxy checks the proxy's
    addresses.
    """
    address = address_of("127.0.0.1" if is_loopback_name(place.host) else place.host)
    why = gate.refuses_name(place)
    return why if why is not None or address is None else gate.refuses_address(place, address)


def network_policy(config: BrowserConfig) -> NetworkPolicy:
    return NetworkPolicy.of(
        config.allowed_origins,
        config.blocked_origins,
        private_networks=config.allow_private_networks,
    )
