"""Turn the agent's script into the commands that run it.

A script may be an expression, a function (called with the ref's element, then the arguments), or
statements. Often only a parser can tell which. So the script is sent in these forms, in this order,
until one form parses. A form that does not parse runs no code. Expressions and functions take one
round trip. Only statements take two.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import msgspec

from tabwarden.errors import InvalidArgument
from tabwarden.hints import joined
from tabwarden.page.task import (
    GONE,
    GROUP,
    Call,
    Done,
    RunningScript,
    Task,
    did_not_parse,
    read,
    returning,
    value_of,
)
from tabwarden.protocol import runtime
from tabwarden.supervisor.runtime import Pending
from tabwarden.wire import Reply

_LEADING = r"(?:[\s\ufeff]|//[^\n]*\n|/\*(?:[^*]|\*(?!/))*\*/)*"
"""White space and comments before a script's first word."""
_PARAMETERS = r"\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)"
"""A parameter list; default values may contain calls."""
_FUNCTION = re.compile(
    rf"{_LEADING}(async\b\s*)?(function\b|{_PARAMETERS}\s*=>|[A-Za-z_$][\w$]*\s*=>)"
)
_ENDED = re.compile(r"(?<![\s;])[\s;]+\Z")
_OVER = "async (element, ...args) =>"
RETURNS = re.compile(r"\breturn\b")
_STATEMENT = re.compile(rf"{_LEADING}(const|let|var|if|for|while|do|switch|try|throw)\b")
_NO_RETURN = "With ref or args, a script of statements must return its value with return."


_NOT_KEPT = (
    "The page or an earlier script already declares one of these names, so these variables are not "
    "kept for later scripts."
)


class Where(msgspec.Struct, frozen=True):
    session_id: str
    unique_id: str
    """The ``uniqueId`` of the world's execution context. No other context ever has the same ID."""


# -- text ------------------------------------------------------------------------------------


def is_function(script: str) -> bool:
    """Whether a script is a function, which must be called."""
    return _FUNCTION.match(script) is not None


def only_as_statements(script: str) -> bool:
    """Whether a script's text already shows that it does not parse as an expression."""
    return not is_function(script) and bool(_STATEMENT.match(script) or RETURNS.search(script))


def as_function(script: str) -> str:
    """Return a function unchanged, and an expression as a function of ``element`` and ``args``."""
    script = _ENDED.sub("", script)
    return script if is_function(script) else f"{_OVER} (\n{script}\n)"


def arguments(args: Sequence[Any]) -> list[runtime.CallArgument]:
    """Return the arguments for the agent's function. Raise ``InvalidArgument`` if JSON can't
    represent one of them."""
    return [runtime.CallArgument(value=_json_ready(argument)) for argument in args]


def _json_ready(argument: Any) -> Any:
    try:
        return json.loads(json.dumps(argument, allow_nan=False))
    except (TypeError, ValueError) as error:
        raise InvalidArgument(
            f"args must be JSON values: {error}.", "Pass strings, numbers, lists.", field="args"
        ) from None


# -- commands --------------------------------------------------------------------------------


def first_form(
    script: str,
    given: Sequence[runtime.CallArgument],
    unique_id: str,
    serializer: str,
    *,
    of_ref: bool,
    user_gesture: bool,
) -> runtime.CallFunctionOn:
    """Return the command that runs a script as an expression or a function.

    Args:
        script: the agent's script.
        given: the arguments for its function.
        unique_id, serializer: the world, and the object in it that serializes values.
        of_ref: whether the first argument is a ref's element.
        user_gesture: whether the script counts as a user action.
    """
    called_with = "(...$given)" if given else "()"
    if is_function(script):  # each form starts the script on its second line
        expression = f"(\n{as_function(script)}\n){called_with}"
    elif given:
        expression = f"({as_function(script)}){called_with}"
    else:
        expression = f"(\n{script}\n)"
    return command_of(
        expression, given, unique_id, serializer, of_ref=of_ref, user_gesture=user_gesture
    )


def command_of(
    expression: str,
    given: Sequence[runtime.CallArgument],
    unique_id: str,
    serializer: str,
    *,
    of_ref: bool,
    user_gesture: bool,
) -> runtime.CallFunctionOn:
    """Return the command for an expression. The expression can use the arguments as ``$given``."""
    return runtime.CallFunctionOn(
        function_declaration=returning(expression, given=bool(given), of_ref=of_ref),
        arguments=[runtime.CallArgument(object_id=serializer), *given],
        await_promise=True,
        return_by_value=True,
        user_gesture=user_gesture,
        object_group=GROUP,
        unique_context_id=unique_id,
    )


def _console(where: Where, script: str, user_gesture: bool) -> runtime.Evaluate:
    return runtime.Evaluate(
        expression=script,
        repl_mode=True,
        user_gesture=user_gesture,
        object_group=GROUP,
        unique_context_id=where.unique_id,
    )


# -- running ---------------------------------------------------------------------------------


async def attempt(
    call: Call,
    where: Where,
    script: str,
    given: Sequence[runtime.CallArgument],
    *,
    of_ref: bool,
    user_gesture: bool,
    sent: Pending[runtime.CallFunctionOnResult] | None = None,
) -> Done:
    """Run a script with its arguments. Return ``GONE`` if the ref's element is no longer in the
    page.

    Args:
        call, where: the call, and the world to run the script in.
        script, given, of_ref, user_gesture: see ``first_form``.
        sent: the script's first form, if it has already been sent.
    """
    serializers, race = call.task.serializers, call.race
    if sent is None:
        serializer = await serializers.of(race, where.session_id, where.unique_id)
        command = first_form(
            script, given, where.unique_id, serializer, of_ref=of_ref, user_gesture=user_gesture
        )
        done = await _called(call, where, command)
    else:
        done = await race.result(sent)
    if not did_not_parse(done):
        return read(race, where.session_id, done)
    serializer = await serializers.of(race, where.session_id, where.unique_id)
    if not given:
        return await _statements(call, where, script, serializer, user_gesture=user_gesture)
    body = f"({_OVER} {{\n{script}\n}})(...$given)"
    command = command_of(
        body, given, where.unique_id, serializer, of_ref=of_ref, user_gesture=user_gesture
    )
    value = read(call.race, where.session_id, await _called(call, where, command))
    return value if value is GONE or RETURNS.search(script) else Done(note=_NO_RETURN)


async def _statements(
    call: Call, where: Where, script: str, serializer: str, *, user_gesture: bool
) -> Done:
    """Run statements, and return the value of ``return`` or of the last statement. As in a
    browser's console, variables stay defined unless the page already uses one of the names."""
    with running(call, where.session_id):
        ran = await call.race.call(_console(where, script, user_gesture), where.session_id)
        why = _compile_error(ran)
        if "already been declared" in why:
            block = _console(where, f"{{ {script}\n}}", user_gesture)
            ran = await call.race.call(block, where.session_id)
            if not (why := _compile_error(ran)):
                done = await value_of(call.race, where.session_id, ran)
                return done._replace(note=joined(done.note, _NOT_KEPT))
        if "Illegal return" not in why:
            return await value_of(call.race, where.session_id, ran)
    body = f"(async () => {{\n{script}\n}})()"
    command = command_of(
        body, (), where.unique_id, serializer, of_ref=False, user_gesture=user_gesture
    )
    return read(call.race, where.session_id, await _called(call, where, command))


def _compile_error(ran: runtime.EvaluateResult) -> str:
    """Return the browser's error if the statements did not compile, or "" if they ran."""
    details = ran.exception_details
    if details is None or details.stack_trace is not None or details.exception is None:
        return ""
    is_one = details.exception.class_name == "SyntaxError"
    return (details.exception.description or "") if is_one else ""


async def _called(
    call: Call, where: Where, command: runtime.CallFunctionOn
) -> runtime.CallFunctionOnResult:
    with running(call, where.session_id):
        return await call.race.call(command, where.session_id)


@contextmanager
def running(call: Call, session_id: str) -> Iterator[None]:
    """Register a script while it runs, so that no other call's rescue mistakes it for a hang."""
    tab_id = call.race.tab_id or ""
    script = RunningScript(tab_id, session_id, call.race.budget)
    with call.task.scripts.running(script), _seen_to_run(call.task, tab_id, script):
        yield


@contextmanager
def _seen_to_run(task: Task, tab_id: str, script: RunningScript) -> Iterator[None]:
    """On a page that hung before, send a probe just before a script. The probe's reply shows that
    the script is running, because the page's own scripts don't run between two queued commands."""
    if not task.hangs.has_hung(task.state.document_in(tab_id)):
        yield
        return

    def on_reply(_: Reply) -> None:
        script.runs = True

    probe = runtime.Evaluate(expression="0", silent=True)
    sent = task.supervisor.send(probe, script.session_id, on_reply)
    try:
        yield
    finally:
        task.supervisor.connection.forget(sent)
