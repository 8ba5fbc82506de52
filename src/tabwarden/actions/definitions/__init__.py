"""The actions. Each is an async function whose signature defines the schema."""

# The import order of these modules is the order in which a model sees the tools.
# isort: off
from tabwarden.actions.definitions import pages
from tabwarden.actions.definitions import batch
from tabwarden.actions.definitions import prompts
from tabwarden.actions.definitions import files
from tabwarden.actions.definitions import scripts
from tabwarden.actions.definitions import storage
from tabwarden.actions.definitions import network
from tabwarden.actions.definitions import init_script
from tabwarden.actions.definitions import recording
from tabwarden.actions.definitions import lifecycle

# isort: on
from tabwarden.actions.registry import register_cards

register_cards()
__all__ = [
    "batch",
    "files",
    "init_script",
    "lifecycle",
    "network",
    "pages",
    "prompts",
    "recording",
    "scripts",
    "storage",
]
