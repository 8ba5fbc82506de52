"""Attempts: a script runs as the first of its forms that parses; as those before, nothing ran.

An expression or a function is one round trip. Only the text of statements is tried again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import msgspec

from tabwarden.page.result import Done
from tabwarden.page.running import RunningScript
from tabwarden.page.script import (
    applied,
    applied_body,
    as_block,
    command_for,
    has_return,
    is_function,
)
from tabwarden.page.task import Task
from tabwarden.page.values import GONE, GROUP, did_not_parse, read, value_of
from tabwarden.protocol import runtime
from tabwarden.supervisor import Race
from tabwarden.wire import Reply

__all__ = ["Where", "attempt"]

_NO_RETURN = "Statements over an element or args give a value only with return."


class Where(msgspec.Struct, frozen=True):
    """A world to run in."""

    session_id: str
    unique_id: str
    """``uniqueId`` of its execution context, which no later one takes."""


async def attempt(
    task: Task,
    race: Race,
    where: Where,
    script: str,
    given: Sequence[runtime.CallArgument],
    *,
    of_ref: bool,
) -> Done:
    """Run it, with what is given to it; ``GONE``: the element of the ref has left the page."""
    is_one = bool(given) or is_function(script)
    expression = applied(script, given) if is_one else f"(\n{script}\n)"
    done = await _called(task, race, where, script, expression, given, of_ref=of_ref)
    if not did_not_parse(done):
        return read(race, where.session_id, done)
    if not given:
        return await _statements(task, race, where, script)
    body = applied_body(script)
    done = await _called(task, race, where, script, body, given, of_ref=of_ref)
    value = read(race, where.session_id, done)
    return value if value is GONE or has_return(script) else Done(note=_NO_RETURN)


async def _statements(task: Task, race: Race, where: Where, script: str) -> Done:
    """What they end in, or return. Their names stay, as in a browser's console, unless the page
    has taken one of them."""
    with _running(task, race, where.session_id):
        ran = await race.call(_console(where, script), where.session_id)
        why = _compile_error(ran)
        if "already been declared" in why:
            ran = await race.call(_console(where, as_block(script)), where.session_id)
            why = _compile_error(ran)
        if "Illegal return" not in why:
            return await value_of(race, where.session_id, ran)
    body = f"(async () => {{\n{script}\n}})()"
    done = await _called(task, race, where, script, body)
    return read(race, where.session_id, done)


def _console(where: Where, script: str) -> runtime.Evaluate:
    return runtime.Evaluate(
        expression=script,
        repl_mode=True,
        user_gesture=True,
        object_group=GROUP,
        unique_context_id=where.unique_id,
    )


def _compile_error(ran: runtime.EvaluateResult) -> str:
    """Why statements did not begin, in the browser's words; empty: they did."""
    details = ran.exception_details
    if details is None or details.stack_trace is not None or details.exception is None:
        return ""
    is_one = details.exception.class_name == "SyntaxError"
    return (details.exception.description or "") if is_one else ""


async def _called(
    task: Task,
    race: Race,
    where: Where,
    script: str,
    expression: str,
    given: Sequence[runtime.CallArgument] = (),
    *,
    of_ref: bool = False,
) -> runtime.CallFunctionOnResult:
    """Await the value of an expression that holds the script, in one round trip; it is made into
    JSON where it is not by itself."""
    serializer = await task.serializers.of(race, where.session_id, where.unique_id)
    command = command_for(script, expression, given, where.unique_id, serializer, of_ref=of_ref)
    with _running(task, race, where.session_id):
        return await race.call(command, where.session_id)


@contextmanager
def _running(task: Task, race: Race, session_id: str) -> Iterator[None]:
    """While a script of the agent's runs, no other call's rescue may take it for a hang."""
    tab_id = race.tab_id or ""
    script = RunningScript(tab_id, session_id, race.budget)
    with task.scripts.running(script), _seen_to_run(task, tab_id, script):
        yield


@contextmanager
def _seen_to_run(task: Task, tab_id: str, script: RunningScript) -> Iterator[None]:
    """On a page that has hung before: a probe just ahead of a script tells that it runs now.

    Nothing of the page's comes between two commands that wait together.
    """
    if task.state.document_in(tab_id) not in task.hung_documents:
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
