"""Secrets: what ``browser.secrets`` hides, for answers that no supervised browser has made."""

from __future__ import annotations

from functools import lru_cache
from typing import TypeVar

from tabwarden.config import BrowserConfig, load_config
from tabwarden.vault import Vault, read_secrets

T = TypeVar("T")


def without_secrets(value: T) -> T:
    """Return a value without the secrets of the configuration.

    Raises:
        InvalidArgument: the configuration or its file of secrets is wrong.
    """
    return _vault(load_config().browser).hidden.hide(value)


@lru_cache(maxsize=1)
def _vault(config: BrowserConfig) -> Vault:
    vault = Vault()
    vault.hold(read_secrets(config))
    return vault
