"""A browser's tools for any LLM API: definitions, dispatch, results and the state line.

``Tools`` is the async API. ``tabwarden.tools.sync.Tools`` is the sync API. For pydantic-ai, the
OpenAI Agents SDK and LangChain, see ``tabwarden.surfaces.frameworks``.

To change:

- the format of tools, calls and results for an LLM API: ``forms.py``
"""

from tabwarden.actions import Answer, Tool, Toolset
from tabwarden.tools.door import Tools
from tabwarden.tools.forms import FormName, ToolCall
from tabwarden.tools.offer import is_state_line, with_state, without_state

__all__ = [
    "Answer",
    "FormName",
    "Tool",
    "ToolCall",
    "Tools",
    "Toolset",
    "is_state_line",
    "with_state",
    "without_state",
]
