"""Write steps as lines for Playwright's sync API, and the functions that these lines call."""

from tabwarden.export.in_playwright.lines import lines_of
from tabwarden.export.in_playwright.network import context_of
from tabwarden.export.in_playwright.parts import Part, parts_of
from tabwarden.export.in_playwright.waits import expected_url

__all__ = ["Part", "context_of", "expected_url", "lines_of", "parts_of"]
