"""Build the supervisor's policy from the configuration."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from urllib.parse import urlsplit

from tabwarden.config import BrowserConfig, CallersProxy, bypass_of, download_folder, set_options
from tabwarden.egress.addresses import address_of
from tabwarden.egress.gate import REASONS, Gate, NetworkPolicy, Why, is_loopback_name
from tabwarden.egress.origins import OriginPattern, Place, canonical_host
from tabwarden.egress.upstream import Upstream
from tabwarden.endpoints.launching import DEFAULT_WINDOW, LaunchOptions
from tabwarden.errors import InvalidArgument
from tabwarden.files.private_folder import make_private_folder
from tabwarden.page.environment import device_of
from tabwarden.page.scripts import init_script
from tabwarden.supervisor.contexts import family_secret
from tabwarden.supervisor.core.state.emulation import Emulation
from tabwarden.supervisor.core.state.inputs import SetPolicy
from tabwarden.supervisor.core.state.policy import BridgeMode, DialogPolicy, Policy
from tabwarden.supervisor.core.state.prompts import Credentials, PermissionRule
from tabwarden.supervisor.runtime import fresh_bridge, fresh_notes, fresh_programs

__all__ = [
    "launch_options",
    "new_policy_of",
    "not_applied",
    "policy_of",
    "upstream_of",
]


def policy_of(config: BrowserConfig, *, is_ours: bool) -> Policy:
    """Return the policy for one task.

    Args:
        is_ours: whether the task owns the browser, or a context in the browser. If not, the browser
            keeps its own device, user agent, language and time zone. It also keeps its own download
            folder, unless the configuration sets one.

    Raises:
        InvalidArgument: the download folder can't be created, an init script can't be read, or the
            device is unknown.
    """
    named = config.download_dir is not None
    folder = _made(download_folder(config), "download_dir") if is_ours or named else None
    return Policy(
        dialog_policy=DialogPolicy(config.dialog_policy),
        dialog_timeout_s=config.dialog_timeout_s,
        bridge=fresh_bridge(BridgeMode(config.dialog_bridge), family_secret()),
        notes=fresh_notes(),
        programs=fresh_programs(config.external_schemes),
        external_schemes=frozenset(config.external_schemes),
        credentials=_credentials(config),
        permissions=tuple(_rules(config)),
        download_dir=str(folder) if folder is not None else None,
        record_network=config.record_network,
        network_secrets=config.network_secrets,
        init_scripts=tuple(init_script.read(path, "init_scripts") for path in config.init_scripts),
        emulation=_emulation(config) if is_ours else Emulation(),
        page_tools=config.page_tools,
        network=_network(config),
    )


def _emulation(config: BrowserConfig) -> Emulation:
    """Return the settings for which command-line switches are not sufficient. With switches alone,
    the browser would need a language's files to use that language's formats, and it would send
    client hints that contradict the user agent.
    """
    return Emulation(
        device=device_of(config.device, config.viewport),
        user_agent=config.user_agent or "",
        locale=config.locale or "",
        timezone=config.timezone or "",
    )


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
    """Return the proxy from the configuration or the call; None if there is none.

    Raises:
        InvalidArgument: a caller chose a proxy that the network policy refuses.
    """
    proxy = config.proxy
    if proxy is None:
        return None
    parts = urlsplit(proxy.server)
    place = Place(canonical_host(parts.hostname or "") or "", parts.port or 0)
    is_judged = isinstance(proxy, CallersProxy)
    why = _refuses(Gate(_network(config)), place) if is_judged else None
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


def new_policy_of(config: BrowserConfig, logins: Mapping[str, Credentials]) -> SetPolicy:
    """Return the part of the policy that can change while a browser is open.

    ``logins`` contains the credentials that the agent has saved, keyed by origin. They override the
    configured credentials.
    """
    return SetPolicy(
        DialogPolicy(config.dialog_policy),
        config.dialog_timeout_s,
        {**_credentials(config), **logins},
        _network(config),
        config.page_tools,
    )


def _credentials(config: BrowserConfig) -> dict[str, Credentials]:
    return {
        origin: Credentials(known.username, known.password.get_secret_value())
        for origin, known in config.credentials.items()
    }


def _network(config: BrowserConfig) -> NetworkPolicy:
    return NetworkPolicy.of(
        config.allowed_origins,
        config.blocked_origins,
        private_networks=config.allow_private_networks,
    )


def _made(folder: Path, field: str) -> Path:
    try:
        make_private_folder(folder)
    except OSError as error:
        raise InvalidArgument(
            f"Tabwarden can't create the folder {folder}: {error.strerror}.",
            f"Choose another folder (configuration: {field}).",
            field=field,
        ) from None
    return folder.resolve()


def _rules(config: BrowserConfig) -> list[PermissionRule]:
    rules = []
    for key, setting_or_rules in config.permissions.items():
        if isinstance(setting_or_rules, str):
            rules.append(PermissionRule(name=key, setting=setting_or_rules))
        else:
            rules += [
                PermissionRule(name=name, setting=setting, origin=key)
                for name, setting in setting_or_rules.items()
            ]
    return rules
