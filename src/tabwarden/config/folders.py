"""Determine where Tabwarden keeps files, profiles and states, according to the configuration."""

from __future__ import annotations

from pathlib import Path

from platformdirs import user_data_path

from tabwarden.config.keeping import checked_kept_name
from tabwarden.config.model import BrowserConfig
from tabwarden.errors import InvalidArgument
from tabwarden.files.data_folder import data_folder


def upload_folder(config: BrowserConfig) -> Path:
    return (config.upload_dir or data_folder() / "uploads").expanduser()


def upload_folders(config: BrowserConfig) -> tuple[Path, ...]:
    """Return the folders from which files can be uploaded, starting with the upload folder."""
    return (upload_folder(config), *(root.expanduser() for root in config.upload_roots))


def download_folder(config: BrowserConfig) -> Path:
    return (config.download_dir or data_folder() / "downloads").expanduser()


def output_folder(config: BrowserConfig) -> Path:
    """Return the folder for results, which is ``download_dir`` if only that key is set."""
    return (config.output_dir or config.download_dir or data_folder() / "outputs").expanduser()


def state_folder(config: BrowserConfig) -> Path:
    return (config.state_dir or user_data_path("tabwarden") / "states").expanduser()


def profiles_folder(config: BrowserConfig) -> Path:
    return (config.profiles_dir or user_data_path("tabwarden") / "profiles").expanduser()


def profile_folder(
    config: BrowserConfig, user_data_dir: Path | None, profile: str | None
) -> Path | None:
    """Return the folder of the permanent profile for a launch, or None for a temporary profile.

    Args:
        config: used if both other arguments are None. user_data_dir, profile: the caller's
            arguments.

    Raises:
        InvalidArgument: the caller set both ``user_data_dir`` and ``profile``, or the name is not
            valid.
    """
    if user_data_dir is not None and profile is not None:
        raise _exclusive("profile", "user_data_dir")
    if user_data_dir is not None:
        return user_data_dir
    if profile is None and config.user_data_dir is not None:
        return config.user_data_dir
    name = profile if profile is not None else config.profile
    return None if name is None else profiles_folder(config) / checked_kept_name(name, "profile")


def restored_name(config: BrowserConfig, restore: str | None, folder: Path | None) -> str | None:
    """Return the name of the state that a browser restores and saves, or None.

    Args:
        config: used if ``restore`` is None and there is no permanent profile.
        restore: the caller's argument.
        folder: the permanent profile, which needs no state.

    Raises:
        InvalidArgument: the caller set both ``restore`` and a permanent profile, or the name is not
            valid.
    """
    if restore is None:
        return config.restore if folder is None else None
    if folder is not None:
        raise _exclusive("restore", "profile")
    return checked_kept_name(restore, "restore")


def _exclusive(field: str, other: str) -> InvalidArgument:
    return InvalidArgument(
        f"{field} can't be combined with {other}: a permanent profile already keeps its logins."
        if field == "restore"
        else f"{field} can't be combined with {other}: both set the browser's profile.",
        "Omit one of them.",
        field=field,
    )
