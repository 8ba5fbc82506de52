"""Builds the supervisor's policy from the configuration."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from platformdirs import user_data_path

from tabwarden.config import BrowserConfig
from tabwarden.egress.gate import NetworkPolicy
from tabwarden.errors import InvalidArgument
from tabwarden.page.scripts import init_script
from tabwarden.supervisor import (
    BridgeMode,
    Credentials,
    DialogPolicy,
    PermissionRule,
    Policy,
    SetPolicy,
    family_secret,
    fresh_bridge,
    fresh_notes,
)

__all__ = ["download_folder", "new_policy_of", "policy_of", "state_folder", "upload_folder"]


def policy_of(config: BrowserConfig, *, is_ours: bool) -> Policy:
    """Return the policy of one task.

    Args:
        is_ours: whether the task owns the browser or its own context in the browser. If not, the
            browser's own download folder is used, unless the configuration names a folder.

    Raises:
        InvalidArgument: the download folder can't be created, or an init script can't be read.
    """
    named = config.download_dir is not None
    folder = _made(download_folder(config), "download_dir") if is_ours or named else None
    return Policy(
        dialog_policy=DialogPolicy(config.dialog_policy),
        dialog_timeout_s=config.dialog_timeout_s,
        bridge=fresh_bridge(BridgeMode(config.dialog_bridge), family_secret()),
        notes=fresh_notes(),
        credentials=_credentials(config),
        permissions=tuple(_rules(config)),
        download_dir=str(folder) if folder is not None else None,
        record_network=config.record_network,
        init_scripts=tuple(init_script.read(path, "init_scripts") for path in config.init_scripts),
        network=_network(config),
    )


def new_policy_of(config: BrowserConfig, logins: Mapping[str, Credentials]) -> SetPolicy:
    """Return the part of the policy that can change while a browser is open.

    ``logins`` are the credentials that the agent has saved, by origin. They override the
    configuration.
    """
    return SetPolicy(
        DialogPolicy(config.dialog_policy),
        config.dialog_timeout_s,
        {**_credentials(config), **logins},
        _network(config),
    )


def upload_folder(config: BrowserConfig) -> Path:
    return (config.upload_dir or user_data_path("tabwarden") / "uploads").expanduser()


def download_folder(config: BrowserConfig) -> Path:
    return (config.download_dir or user_data_path("tabwarden") / "downloads").expanduser()


def state_folder(config: BrowserConfig) -> Path:
    return (config.state_dir or user_data_path("tabwarden") / "states").expanduser()


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
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidArgument(
            f"Tabwarden can't create the folder {folder}: {error.strerror}.",
            f"Choose another folder (configuration: {field}).",
            field=field,
        ) from None
    return folder.resolve()


def _rules(config: BrowserConfig) -> list[PermissionRule]:
    rules = []
    for key, given in config.permissions.items():
        if isinstance(given, str):
            rules.append(PermissionRule(name=key, setting=given))
        else:
            rules += [
                PermissionRule(name=name, setting=setting, origin=key)
                for name, setting in given.items()
            ]
    return rules
