"""The chaos run: random actions against random faults on a real Chromium, by a seed."""
