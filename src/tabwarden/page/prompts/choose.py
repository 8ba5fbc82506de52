"""Answer prompts that offer choices, such as a choice of devices, for the agent."""

from __future__ import annotations

import contextlib
from typing import Annotated

from pydantic import Field

from tabwarden import results
from tabwarden.budget import Budget
from tabwarden.errors import Denied, InvalidArgument, TabwardenError
from tabwarden.hints import Hint, Next, Param
from tabwarden.journal import current_person
from tabwarden.page.call import instrumented, outcome_of, settle
from tabwarden.page.task import CARDS, ActionResult, Call, Done, Task, card
from tabwarden.supervisor.core.prompts import PasskeyRequest, kind_of
from tabwarden.supervisor.core.state.inputs import AnswerPrompt
from tabwarden.supervisor.core.state.prompts import Prompt
from tabwarden.supervisor.runtime import Interrupted, Race


@card(
    "choose",
    about="Choose an option, such as a device, in a browser prompt.",
    permission="act",
    group="prompts",
    gives=results.Chosen,
    shows=False,
    turn=None,
)
@instrumented("choose")
async def choose(
    task: Task,
    budget: Budget,
    choice: Annotated[
        str | None, Field(description="The option's id or name from the snapshot.")
    ] = None,
    *,
    cancel: Annotated[bool, Field(description="Cancel the prompt.")] = False,
    prompt_id: Annotated[
        str | None, Field(description="The prompt's id (dc-1), if several prompts are open.")
    ] = None,
) -> ActionResult:
    """Choose one of the options that a browser prompt offers, or cancel the prompt.

    Args:
        choice: the option's id or name from the snapshot.
        cancel: cancel the prompt.
        prompt_id: the prompt's id, if several prompts are open.

    Raises:
        InvalidArgument: no prompt offers options, several prompts offer options and
            ``prompt_id`` is missing, or the prompt does not offer this option.
    """
    if cancel == (choice is not None):
        raise InvalidArgument("Give either choice or cancel.", field="choice")
    budget.check()
    await task.connected(budget)
    await task.control.given_back(budget)
    prompt = _which(task, prompt_id)
    is_persons = isinstance(prompt, PasskeyRequest) and task.config.passkeys == "person"
    if is_persons and not cancel and current_person() is None:
        raise Denied(
            f"Only a person may answer {prompt.id}, because browser.passkeys is person.",
            Hint("Ask a person", Next("handoff", reason="..."), ", or cancel the request",
                 Next("choose", cancel=True), "."),
        )  # fmt: skip
    chosen = None if choice is None else _choice(prompt, choice)
    note = ""
    with Race(task.supervisor, budget, prompt.tab_id) as race:
        task.supervisor.feed(AnswerPrompt(prompt.id, chosen))
        task.seen.told(prompt.id)
        task.control.note_answer(prompt.id)
        try:
            await race.until(lambda s: all(p.id != prompt.id or not p.answered for p in s.prompts))
            note = await settle(Call(task, race, task.tab(prompt.tab_id), CARDS[choose]))
        except Interrupted:
            note = "A dialog opened."
        # The answer has been sent, so the next call reports any error from here on.
        with contextlib.suppress(Interrupted, TabwardenError):
            await task.refresh(race, prompt.tab_id)
    if any(p.id == prompt.id and not p.answered for p in task.state.prompts):
        raise _not_offered(prompt, choice)
    value = {"id": prompt.id, "choice": chosen}
    return outcome_of(task, "choose", prompt.tab_id, Done(value, note))


def _choice(prompt: Prompt, choice: str) -> str:
    offered = kind_of(prompt).choices(prompt)
    matches = [one for one, name in offered.items() if choice in (one, name)]
    if choice in offered or len(matches) == 1:
        return choice if choice in offered else matches[0]
    if matches:
        raise InvalidArgument(
            f"{prompt.id} has {len(matches)} options with the name {choice!r}.",
            f"Give the id of one: {', '.join(matches)}.",
            field="choice",
        )
    raise _not_offered(prompt, choice)


def _not_offered(prompt: Prompt, choice: str | None) -> InvalidArgument:
    offered = kind_of(prompt).choices(prompt)
    listed = ", ".join(f"{one!r} ({name!r})" for one, name in offered.items()) or "nothing"
    return InvalidArgument(
        f"{prompt.id} does not offer {choice!r}. It offers {listed}.",
        "Give the id of an offered choice, or cancel the prompt.",
        field="choice",
        choices=offered,
    )


def _which(task: Task, prompt_id: str | None) -> Prompt:
    waiting = [p for p in task.state.prompts if not p.answered]
    named = [p for p in waiting if kind_of(p).action == "choose" and prompt_id in (None, p.id)]
    if len(named) == 1:
        return named[0]
    if named:
        raise InvalidArgument(
            f"{len(named)} prompts offer choices: {', '.join(p.id for p in named)}.",
            Hint("Choose a prompt with ", Param("prompt_id"), "."),
            field="prompt_id",
        )
    others = [kind_of(p).step for p in waiting if p.id == prompt_id]
    raise InvalidArgument(
        f"{prompt_id} offers no choices." if others else "No prompt with choices is waiting.",
        Hint("Answer it", others[0], ".") if others else "Take a snapshot and continue.",
        field="prompt_id",
    )
