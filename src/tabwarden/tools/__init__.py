"""The tools of a browser for any LLM API: definitions, a dispatcher, results, the state line.

``Tools`` is the async door, ``tabwarden.tools.sync.Tools`` the sync one. For pydantic-ai, the
OpenAI Agents SDK and LangChain see ``tabwarden.surfaces.frameworks``.
"""

from tabwarden.actions import Answer, Tool, Toolset
from tabwarden.tools.calls import Call
from tabwarden.tools.door import Tools
from tabwarden.tools.forms import FormName
from tabwarden.tools.state import is_state_line, with_state, without_state

__all__ = [
    "Answer",
    "Call",
    "FormName",
    "Tool",
    "Tools",
    "Toolset",
    "is_state_line",
    "with_state",
    "without_state",
]
