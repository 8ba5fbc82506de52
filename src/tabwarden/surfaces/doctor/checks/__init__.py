"""The checks, one concern per file."""
