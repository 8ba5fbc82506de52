"""The command line."""

from tabwarden.surfaces.cli.group import main
from tabwarden.surfaces.cli.telling import EXIT_CODES

__all__ = ["EXIT_CODES", "main"]
