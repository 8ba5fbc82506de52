"""Prompts: answer what blocks a page: dialogs, HTTP authentication, choosers."""

__all__ = ["auth", "choose", "dialog"]
