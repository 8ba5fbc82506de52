"""``python -m tabwarden.surfaces.cli``."""

from tabwarden.surfaces.cli.entry import main

main()
