"""The members of the model vendors' browser toolsets, as functions over a session.

A member is one operation of a toolset that a vendor defines, such as ``left_click``. Each vendor's
package has a table of its members, which serves as a dialect and as a driver for the vendor's SDK.

To change:

- what a member does: ``pointing.py``, ``reading.py``, ``tabs.py``; which members a vendor has:
  ``integrations/anthropic/dialect.py``, ``integrations/openai/dialect.py``
- the text that a model reads after an action: ``call.py``
- computer use, where models act at points of pictures: ``computer.py``; what is drawn on pictures:
  ``drawing.py``
- what a driver reports about tabs, dialogs and downloads: ``changes.py``
"""

from tabwarden.integrations.members import drawing, files, pointing, reading, tabs
from tabwarden.integrations.members.call import Failed, MemberCall, Outcome
from tabwarden.integrations.members.table import (
    FUNCTION_TOOLS,
    Fields,
    Member,
    MemberTools,
    Naming,
    members,
)

__all__ = [
    "FUNCTION_TOOLS",
    "Failed",
    "Fields",
    "Member",
    "MemberCall",
    "MemberTools",
    "Naming",
    "Outcome",
    "drawing",
    "files",
    "members",
    "pointing",
    "reading",
    "tabs",
]
