"""The actions. Each is an async function whose signature defines the schema."""

from tabwarden.actions.definitions import batch, lifecycle, network, prompts, storage
from tabwarden.actions.registry import register_cards

register_cards()
__all__ = [
    "batch",
    "lifecycle",
    "network",
    "prompts",
    "storage",
]
