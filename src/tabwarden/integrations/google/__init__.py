"""Google's computer use: ``GeminiComputer`` runs the predefined functions of Gemini on a tab.

To change:

- a function, or what Gemini's API gets from us: ``computer.py``
"""

from tabwarden.integrations.google.computer import AsyncGeminiComputer, GeminiComputer, calls_in

__all__ = ["AsyncGeminiComputer", "GeminiComputer", "calls_in"]
