"""Plays the same calls through three drivers for each of two vendors' browser toolsets, without a
model: ``python -m judges.drivers``."""
