"""Prompts: answer dialogs, HTTP authentication and choosers, which block a page."""

__all__ = ["auth", "choose", "dialog"]
