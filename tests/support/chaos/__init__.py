"""The chaos run: random actions and faults, from a seed, on a real Chromium."""
