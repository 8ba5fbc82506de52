"""``python -m tabwarden.surfaces.cli``."""

from tabwarden.surfaces.cli import main

main()
