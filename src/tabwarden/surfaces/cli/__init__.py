"""The command line. ``entry.main`` is the program. ``main`` in this package is the Click command
group.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tabwarden.surfaces.cli.group import main
    from tabwarden.surfaces.command_table.line import EXIT_CODES

__all__ = ["EXIT_CODES", "main"]


def __getattr__(name: str) -> object:
    # Every command imports this package. If its daemon is running, it must not import Click.
    if name == "main":
        from tabwarden.surfaces.cli.group import main

        return main
    if name == "EXIT_CODES":
        from tabwarden.surfaces.command_table.line import EXIT_CODES

        return EXIT_CODES
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
