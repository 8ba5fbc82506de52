"""Build the supervisor's policy from the configuration."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tabwarden.config import BrowserConfig, download_folder
from tabwarden.endpoints.configured import network_policy
from tabwarden.errors import InvalidArgument
from tabwarden.files.private_folder import make_private_folder
from tabwarden.page.environment import device_of
from tabwarden.page.scripts import init_script
from tabwarden.supervisor.contexts import family_secret
from tabwarden.supervisor.core.state.emulation import Emulation
from tabwarden.supervisor.core.state.inputs import SetPolicy
from tabwarden.supervisor.core.state.policy import BridgeMode, DialogPolicy, Policy
from tabwarden.supervisor.core.state.prompts import Credentials, PermissionRule
from tabwarden.supervisor.runtime import fresh_bridge, fresh_notes, fresh_programs, fresh_prompts

__all__ = [
    "new_policy_of",
    "policy_of",
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
    is_unseen = is_ours and config.headless
    named = config.download_dir is not None
    folder = _made(download_folder(config), "download_dir") if is_ours or named else None
    return Policy(
        dialog_policy=DialogPolicy(config.dialog_policy),
        dialog_timeout_s=config.dialog_timeout_s,
        bridge=fresh_bridge(BridgeMode(config.dialog_bridge), family_secret()),
        notes=fresh_notes(is_ours=is_ours, is_unseen=is_unseen),
        programs=fresh_programs(config.external_schemes),
        prompts=fresh_prompts(is_ours=is_ours, is_unseen=is_unseen),
        external_schemes=frozenset(config.external_schemes),
        credentials=_credentials(config),
        permissions=tuple(_rules(config)),
        download_dir=str(folder) if folder is not None else None,
        record_network=config.record_network,
        network_secrets=config.network_secrets,
        init_scripts=tuple(init_script.read(path, "init_scripts") for path in config.init_scripts),
        emulation=_emulation(config) if is_ours else Emulation(),
        page_tools=config.page_tools,
        network=network_policy(config),
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


def new_policy_of(config: BrowserConfig, logins: Mapping[str, Credentials]) -> SetPolicy:
    """Return the part of the policy that can change while a browser is open.

    ``logins`` contains the credentials that the agent has saved, keyed by origin. They override the
    configured credentials.
    """
    return SetPolicy(
        DialogPolicy(config.dialog_policy),
        config.dialog_timeout_s,
        {**_credentials(config), **logins},
        network_policy(config),
        config.page_tools,
    )


def _credentials(config: BrowserConfig) -> dict[str, Credentials]:
    return {
        origin: Credentials(known.username, known.password.get_secret_value())
        for origin, known in config.credentials.items()
    }


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
