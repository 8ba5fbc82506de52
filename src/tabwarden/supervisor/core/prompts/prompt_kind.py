"""The definition of a kind of prompt, and the code that all kinds share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar

import msgspec

from tabwarden.hints import Next
from tabwarden.protocol import Command, Event
from tabwarden.supervisor.core.state import inputs
from tabwarden.supervisor.core.state.notices import Notice, PromptClosed, PromptOpened
from tabwarden.supervisor.core.state.prompts import Prompt
from tabwarden.supervisor.core.state.tabs import SessionInfo
from tabwarden.supervisor.core.state.transition import Ask, Turn

P = TypeVar("P", bound=Prompt)


class PromptKind(msgspec.Struct, Generic[P], frozen=True, kw_only=True):
    """A kind of prompt; each kind's module ends with its definition."""

    prompt: type[P]
    letter: str
    """The first part of each prompt's id: ``f`` for ``f-1``, ``f-2``, ..."""
    noun: str
    """The kind's name in texts, such as ``File chooser``."""
    step: Next
    """The call that answers a prompt of this kind."""
    hint: str = ""
    """How to answer the prompt. Needed only for kinds that interrupt a call."""
    asks: Callable[[Mapping[str, Any], Callable[[str], str]], str]
    """Returns a description of the prompt's request, with page text quoted. The description is
    shown after the prompt's ID and tab.
    """
    hides: frozenset[str] = frozenset()
    """The fields that no interface shows."""
    may_cover: bool = False
    """Whether the prompt's window may take all input of its tab."""
    only_answer: Callable[[Mapping[str, Any]], Mapping[str, Any]] = lambda prompt: {}
    """Returns the arguments of ``step`` that answer a prompt, if it has only one sensible answer.
    """
    choices: Callable[[P], Mapping[str, str]] = lambda prompt: {}
    """Returns the choices that a prompt offers (for ``choose``): readable names, keyed by ID."""
    answer: Callable[[Turn, P, Any], None]
    """Answers a prompt of this kind. None as the answer cancels the prompt."""
    ends: Callable[[Turn, P], None] = lambda turn, prompt: None
    """Does what remains to be done when a prompt of this kind is over."""
    opened: Callable[[P], Notice] = lambda one: PromptOpened(tab_id=one.tab_id, prompt=one)
    closed: Callable[[P], Notice] = lambda one: PromptClosed(tab_id=one.tab_id, prompt_id=one.id)
    events: tuple[tuple[type[Event], Callable[[Turn, Any, str | None], None]], ...]
    inputs: tuple[tuple[type[inputs.Input], Callable[[Turn, Any], None]], ...] = ()
    replies: tuple[tuple[type[Ask], Callable[[Turn, Any, Any], None]], ...] = ()
    set_up: tuple[Command[Any], ...] = ()
    """The commands that make the browser report prompts of this kind in a session."""

    @property
    def action(self) -> str:
        """The action that answers the prompt, such as ``auth``; also ``by.kind`` in the result of a
        call that the prompt interrupts."""
        return self.step.action

    def open(self, turn: Turn, session: SessionInfo, **about: Any) -> None:
        number = turn.state.prompt_numbers.get(self.letter, 0) + 1
        prompt = self.prompt(
            id=f"{self.letter}-{number}",
            tab_id=session.tab_id,
            session_id=session.session_id,
            opened_at=turn.now.wall,
            **about,
        )
        turn.put("prompt_numbers", self.letter, number)
        turn.change(prompts=(*turn.state.prompts, prompt))
        turn.notify(self.opened(prompt))

    def put(self, turn: Turn, prompt: P) -> None:
        turn.change(prompts=tuple(prompt if p.id == prompt.id else p for p in turn.state.prompts))

    def drop(self, turn: Turn, is_over: Callable[[P], bool]) -> None:
        over = [prompt for prompt in turn.state.prompts_of(self.prompt) if is_over(prompt)]
        if over:
            turn.change(prompts=tuple(p for p in turn.state.prompts if p not in over))
        for prompt in over:
            self.ends(turn, prompt)
            turn.notify(self.closed(prompt))

    def json(self, prompt: P) -> dict[str, Any]:
        """Return a prompt as the interfaces show it, without internal fields."""
        hidden = {"deadline", "answered"} | self.hides
        return {f: value for f, value in msgspec.to_builtins(prompt).items() if f not in hidden}

    def step_of(self, prompt: Mapping[str, Any]) -> Next:
        """Return the call that answers a waiting prompt, from its JSON."""
        if self.action != "choose":
            return self.step
        arguments = self.only_answer(prompt) or self.step.arguments
        return Next(self.action, **arguments, prompt_id=prompt["id"])

    def words(self, prompt: Mapping[str, Any], quote: Callable[[str], str]) -> str:
        """Describe a waiting prompt in one line, from its JSON."""
        return (
            f"{self.noun} {prompt['id']} is waiting in tab "
            f"{prompt['tab_id']}{self.asks(prompt, quote)}"
        )
