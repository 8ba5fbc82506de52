"""The actions without a card. Each is an async function whose signature defines the parameters'
schema.

To change:

- a tool's name, parameters or description: its card, or ``actions/definitions/``; for a dialect,
  the product's folder in ``integrations/``. ``actions/tool_schema.py`` shortens the schemas for
  models and lists the parameters that a model sees only with a group of tools.
  ``actions/groups.py`` has the groups
"""

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
