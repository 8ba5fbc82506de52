"""The configuration for a tenant's tasks: the tenant's own folders, and no access beyond them."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from tabwarden.config import (
    BrowserConfig,
    download_folder,
    output_folder,
    profiles_folder,
    state_folder,
    upload_folder,
)
from tabwarden.recording import trace_folder


class ConfigSource(Protocol):
    """Provides the current configuration, as ``LiveConfig`` does."""

    @property
    def browser(self) -> BrowserConfig:
        """The current ``browser`` section."""
        ...


class TenantConfig:
    """The current configuration for one tenant.

    Args:
        source: the server's configuration.
        tenant: None for the operator, who has the server's own configuration.
    """

    def __init__(self, source: ConfigSource, tenant: str | None) -> None:
        self._source = source
        self._tenant = tenant
        self._read: BrowserConfig | None = None
        self._made: BrowserConfig | None = None

    @property
    def browser(self) -> BrowserConfig:
        """The current ``browser`` section. Returns the same object until the section changes."""
        now = self._source.browser
        if self._tenant is None:
            return now
        if self._made is None or now is not self._read:
            self._read, self._made = now, config_of_tenant(now, self._tenant)
        return self._made


def config_of_tenant(config: BrowserConfig, tenant: str) -> BrowserConfig:
    """Return the configuration for a tenant's tasks.

    Each configured folder has a subfolder for the tenant. A tenant's tasks never share a context
    with other tasks, open a debugging port, or read the server's files (``file:`` URLs).
    """
    own = f"tenant-{tenant}"  # no operating system reserves such a name, and few files have it
    profile = config.user_data_dir
    return config.model_copy(
        update={
            "upload_dir": upload_folder(config) / own,
            "upload_roots": [],
            "download_dir": download_folder(config) / own,
            "output_dir": output_folder(config) / own,
            "state_dir": state_folder(config) / own,
            "trace_dir": trace_folder(config) / own,
            # Don't use a folder inside the operator's profile, because the profile belongs to a
            # browser.
            "profiles_dir": _beside(profiles_folder(config), own),
            "user_data_dir": profile and _beside(profile, own),
            "isolate": None,
            "transport": None,
            "allow_file_urls": False,
            "external_schemes": [],
        }
    )


def narrowed(config: BrowserConfig, permissions: frozenset[str]) -> BrowserConfig:
    """Return ``config`` without the permissions that a caller lacks."""
    if permissions.issuperset(config.allow):
        return config
    return config.model_copy(update={"allow": [one for one in config.allow if one in permissions]})


def _beside(folder: Path, name: str) -> Path:
    return folder.with_name(f"{folder.name}-{name}")
