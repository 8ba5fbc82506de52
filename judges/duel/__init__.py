"""Every installed tool against a clock, on five pages that stop agents: ``make duel``."""
