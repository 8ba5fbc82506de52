"""Mask the values in ``browser.secrets`` in results that don't come from a supervised browser."""

from __future__ import annotations

from typing import TypeVar

from tabwarden.config import load_config
from tabwarden.vault import Vault, read_secrets, vaulted

T = TypeVar("T")


class _Secrets:
    """The secrets that were read for a configuration."""

    def __init__(self) -> None:
        self._known: tuple[object, Vault] | None = None

    def current(self) -> Vault:
        config = load_config().browser
        settings, known = vaulted(config), self._known
        if known is None or known[0] != settings:
            known = (settings, Vault())
            known[1].hold(read_secrets(config))
            self._known = known
        return known[1]


_secrets = _Secrets()


def without_secrets(value: T) -> T:
    """Return a value with the configuration's secrets masked.

    Raises:
        InvalidArgument: the configuration or its secrets file is invalid.
    """
    return _secrets.current().hidden.hide(value)
