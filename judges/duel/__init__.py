"""Compares all installed tools on six pages that block agents, with a time limit: ``make
duel``."""
