"""Tabwarden."""
