"""Compares all installed tools on five pages that block agents, with a time limit: ``make
duel``."""
