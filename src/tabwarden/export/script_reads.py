"""Script reads: whether a script only reads the page, so that nothing has to repeat it."""

from __future__ import annotations

import re

_STRINGS = re.compile(
    r"""'(?:[^'\\\n]|\\.)*+('|\\?$)|"(?:[^"\\\n]|\\.)*+("|\\?$)|`[^`$\\]*`?""", re.MULTILINE
)
"""Strings, also those without an end: else each quote would search for one."""
_WRITES = re.compile(
    r"\+\+|--|(?<![=!<>])=(?![=>])|\b(?:await|class|delete|new|throw|function\s*\*|yield)\b|`|[\])]\s*\("
)
"""Assignments, words that may do something, and calls of what has no name."""
_CALLED = re.compile(r"(?<![\w$])([\w$]+)\s*+(?:\?\.\s*)?\(")
_READING = re.compile(
    r"querySelector(?:All)?|getElementById|getElementsBy(?:TagName|ClassName|Name)|"
    r"getAttribute(?:Names)?|hasAttribute|matches|closest|contains|getBoundingClientRect|"
    r"getClientRects|getComputedStyle|getPropertyValue|elementFromPoint|getItem|get|has|"
    r"getSelection|stringify|parse|from|of|keys|values|entries|fromEntries|isArray|map|filter|"
    r"find|findIndex|some|every|slice|split|join|trim|toLowerCase|toUpperCase|includes|indexOf|"
    r"startsWith|endsWith|match|matchAll|test|at|concat|flat|flatMap|reduce|toString|toFixed|Number|"
    r"String|Boolean|parseInt|parseFloat|isNaN|max|min|round|floor|ceil|abs|now|"
    r"if|for|while|switch|return|typeof"
)
"""Functions of the web's standard that change nothing, and words that a parenthesis may follow.

``get`` and ``find`` could be the page's own, but by such names pages read too.
"""


def _is_closed(string: str) -> bool:
    return len(string) > 1 and string[0] == string[-1]


def only_reads(script: str) -> bool:
    """Whether the source of a script only reads: it assigns nothing, and calls only functions that
    read."""
    code = _STRINGS.sub(lambda found: '""' if _is_closed(found[0]) else "`", script)
    return _WRITES.search(code) is None and all(
        _READING.fullmatch(name) for name in _CALLED.findall(code)
    )
