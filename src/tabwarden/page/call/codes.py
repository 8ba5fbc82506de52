"""Codes: wait until no one-time code that a call fills in ends too soon."""

from __future__ import annotations

from tabwarden.supervisor.runtime import Race
from tabwarden.vault import Vault


async def until_codes_last(race: Race, vault: Vault, text: str) -> None:
    """Wait, at most two seconds, until no code that a text asks for ends within two seconds."""
    if (wait_s := vault.wait_s(text)) > 0:
        await race.pause(wait_s * 1000)
