"""Prompts: answer the dialogs, password prompts and choosers that block a page."""

__all__ = ["auth", "choose", "dialog"]
