"""Script: what the agent wrote, as the command that runs it.

It may be an expression, a function (called with the element of a ref, then the arguments), or
statements. Which of these it is can be told only in part from its text; the rest shows when it is
parsed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

import msgspec

from tabwarden.errors import InvalidArgument
from tabwarden.page.values import GROUP, returning
from tabwarden.protocol import runtime

__all__ = [
    "applied",
    "applied_body",
    "arguments",
    "as_block",
    "as_function",
    "called",
    "command_for",
    "has_return",
    "is_function",
    "only_as_statements",
]

_LEADING = r"(?:[\s\ufeff]|//[^\n]*\n|/\*(?:[^*]|\*(?!/))*\*/)*"
"""What may stand before a script's first word: comments, too."""
_PARAMETERS = r"\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)"
"""With default values that call something."""
_FUNCTION = re.compile(
    rf"{_LEADING}(async\s+)?(function\b|{_PARAMETERS}\s*=>|[A-Za-z_$][\w$]*\s*=>)"
)
_ENDED = re.compile(r"[\s;]+\Z")
_OVER = "async (element, ...args) =>"
_RETURNS = re.compile(r"\breturn\b")
_STATEMENT = re.compile(rf"{_LEADING}(const|let|var|if|for|while|do|switch|try|throw)\b")
_MAY_ACT = re.compile(
    r"[^\s(\[{,;:!&|=<>+*%^~-]\s*\("  # a call; a bracket that only groups follows none of these
    r"|[`@#]|\b(?:new|delete|await|yield|import)\b|\+\+|--|(?<![=!<>])=(?![=>])|/[/*]"
)
"""What a script has that does more than read, or may. Only such a one counts as a gesture of the
user's, which windows, sound, the clipboard and ``beforeunload`` ask for: who reads a title has not
touched the page, and telling the browser that somebody has takes a tenth of such a call."""
_ONLY_READS = re.compile(
    r"\b(?:querySelector(?:All)?|getElementById|getElementsBy(?:ClassName|TagName|Name)"
    r"|getComputedStyle|getBoundingClientRect|getClientRects|getPropertyValue"
    r"|(?:get|has)Attribute|matches|closest|contains|checkVisibility|hasFocus"
    r"|Array\.from|Object\.(?:keys|values|entries|fromEntries)|JSON\.stringify"
    r"|map|filter|find|findIndex|some|every|includes|indexOf|join|slice|split|at|concat|flat|flatMap"
    r"|startsWith|endsWith|trim|toLowerCase|toUpperCase|toString|repeat|getItem)\s*\("
)
"""Calls that do no more than read, unless the page has put others in their place."""


def is_function(script: str) -> bool:
    """Whether it is a function, to be called."""
    return _FUNCTION.match(script) is not None


def has_return(script: str) -> bool:
    """Whether it says ``return`` anywhere."""
    return _RETURNS.search(script) is not None


def _may_act(script: str) -> bool:
    """Whether it may do more than read, as far as its text tells."""
    return _MAY_ACT.search(_ONLY_READS.sub(",(", script)) is not None


def only_as_statements(script: str) -> bool:
    """Whether a script can be told not to parse as an expression."""
    return not is_function(script) and bool(_STATEMENT.match(script) or _RETURNS.search(script))


def called(
    script: str, args: Sequence[Any], unique_id: str, serializer: str, handle: str | None
) -> runtime.CallFunctionOn:
    """The command for a script that is one expression or function.

    Args:
        script, args: as the agent gives them.
        unique_id: the world that it runs in.
        serializer: of that world.
        handle: the element of a ref there; None: it is for none.

    Raises:
        InvalidArgument: ``args`` are not JSON.
    """
    given = arguments(args)
    if handle is not None:
        given = [runtime.CallArgument(object_id=handle), *given]
    expression = applied(script, given) if given or is_function(script) else f"(\n{script}\n)"
    return command_for(script, expression, given, unique_id, serializer, of_ref=handle is not None)


def command_for(
    script: str,
    expression: str,
    given: Sequence[runtime.CallArgument],
    unique_id: str,
    serializer: str,
    *,
    of_ref: bool,
) -> runtime.CallFunctionOn:
    """The command for an expression that a script was made into.

    Args:
        script: as the agent gives it.
        expression: what it was made into.
        given: what the expression knows as ``$given``.
        unique_id, serializer: the world, and what carries values out of it.
        of_ref: the first that is given is the element of a ref.
    """
    return runtime.CallFunctionOn(
        function_declaration=returning(expression, given=bool(given), of_ref=of_ref),
        arguments=[runtime.CallArgument(object_id=serializer), *given],
        await_promise=True,
        return_by_value=True,
        user_gesture=_may_act(script) or msgspec.UNSET,
        object_group=GROUP,
        unique_context_id=unique_id,
    )


def applied(script: str, given: Sequence[runtime.CallArgument]) -> str:
    """The expression that calls it with what is given: its own first line is the second."""
    given_to = f"({'...$given' if given else ''})"
    if is_function(script):
        return f"(\n{_ENDED.sub('', script)}\n){given_to}"
    return f"({_OVER} (\n{_ENDED.sub('', script)}\n)){given_to}"


def applied_body(script: str) -> str:
    """The same of statements, which give what they return."""
    return f"({_OVER} {{\n{script}\n}})(...$given)"


def as_function(script: str) -> str:
    """It, or a function of ``element`` and ``args`` that gives its value."""
    script = _ENDED.sub("", script)
    return script if is_function(script) else f"{_OVER} (\n{script}\n)"


def as_block(script: str) -> str:
    """Statements whose names are theirs alone, with the value that they end in."""
    return f"{{ {script}\n}}"


def arguments(args: Sequence[Any]) -> list[runtime.CallArgument]:
    """What the agent gives to its function.

    Raises:
        InvalidArgument: it is not JSON.
    """
    return [runtime.CallArgument(value=_json_ready(argument)) for argument in args]


def _json_ready(argument: Any) -> Any:
    try:
        return json.loads(json.dumps(argument, allow_nan=False))
    except (TypeError, ValueError) as error:
        raise InvalidArgument(
            f"args must be JSON values: {error}.", "Pass strings, numbers, lists.", field="args"
        ) from None
