"""Members as tools: a vendor's table, which serves as a dialect."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import cache, partial
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import msgspec
from pydantic import BaseModel, ConfigDict

from tabwarden.actions import (
    ACTIONS,
    Answer,
    Form,
    PreparedCall,
    RegistryTools,
    Session,
    Tool,
    available,
    prepare,
    refused,
    refusing,
    schema_of,
)
from tabwarden.budget import Budget
from tabwarden.config import BrowserConfig
from tabwarden.errors import InvalidArgument, TabwardenError
from tabwarden.hints import Next, as_function, tool_call
from tabwarden.integrations.members.call import Failed, MemberCall, Outcome
from tabwarden.similar import get_close_matches
from tabwarden.tools.offer import Offer

FUNCTION_TOOLS = ("browser_dialog", "browser_choose", "browser_auth", "browser_handoff")
"""Our tools that answer what no vendor's toolset can answer."""
_OURS = RegistryTools(["core", "prompts"])
_EXTRA_MS = 5_000
"""Time for a call beyond the wait that it asks for."""


class Fields(BaseModel):
    """A member's fields."""

    model_config = ConfigDict(extra="forbid")


Run = Callable[[MemberCall, Any], Awaitable[Outcome]]


class _Result(msgspec.Struct):
    """What programs get from a member; a member may add fields."""

    text: str


class Member(NamedTuple):
    """A member of a vendor's toolset."""

    name: str
    about: str
    form: Form
    run: Run
    needs: str
    """The registry's tool without which the member can't work."""
    done: str
    """The sentence that a dialect writes before the line about an action's effects."""
    read_only: bool
    waits_ms: Callable[[Mapping[str, Any]], float]
    """How long the call waits because its fields say so, in milliseconds."""


class Naming(NamedTuple):
    """How hints name the calls of a vendor's toolset."""

    ref_prefix: str
    read: str
    """The tool that reads the page."""
    find: str
    """The tool that finds elements."""
    calls: Mapping[str, Callable[[Mapping[str, Any]], tuple[str, dict[str, Any]]]]
    """By our action: returns the member's name and fields for an action's arguments."""


@cache
def _output_schema() -> dict[str, Any]:
    return schema_of([_Result])


def _no_wait(_: Mapping[str, Any]) -> float:
    return 0.0


class members:  # noqa: N801 - used as a decorator
    """Collects a vendor's members in a table: ``@table("wait", Wait, needs="browser_wait")``.

    Args:
        prefix: what the names of the tools begin with.
    """

    def __init__(self, prefix: str = "") -> None:
        self.prefix = prefix
        self.table: dict[str, Member] = {}

    def __call__(
        self,
        name: str,
        fields: type[Fields],
        *,
        about: str,
        needs: str,
        done: str = "",
        read_only: bool = False,
        waits_ms: Callable[[Mapping[str, Any]], float] = _no_wait,
    ) -> Callable[[Run], Run]:
        def register(run: Run) -> Run:
            form = Form(tool=f"{self.prefix}{name}", model=lambda: fields)
            self.table[name] = Member(
                name, about, form, run, f"browser_{needs}", done, read_only, waits_ms
            )
            return run

        return register


class MemberTools:
    """A vendor's toolset as a toolset of ours, with our tools that answer dialogs and prompts.

    Args:
        table: the members.
        naming: how hints name the calls.
        instructions: see ``Toolset``.
        function_tools: which of ``FUNCTION_TOOLS`` the model also has.
    """

    auto_open = True
    instructions = ""

    def __init__(
        self,
        table: members,
        naming: Naming,
        *,
        instructions: str = "",
        function_tools: Sequence[str] = FUNCTION_TOOLS,
    ) -> None:
        self.instructions = instructions
        self.members = table.table
        self.prefix = table.prefix
        self.function_tools = tuple(function_tools)
        self._naming = naming
        self._scales: WeakKeyDictionary[Session, dict[str | None, float]] = WeakKeyDictionary()
        self.dialog_policy: str | None = None
        """A driver's policy for dialogs, which overrides the configuration's."""
        self.serves_driver = False
        """See ``MemberCall``."""
        self.asks = False
        """Whether the model answers dialogs as soon as the program has the function tools."""

    def offer_function_tools(self, offer: Offer) -> list[Tool]:
        """Return the function tools for a program. From now on, the model answers dialogs, if the
        driver's ``dialogs`` says so."""
        if self.asks and "browser_dialog" in self.function_tools:
            self.dialog_policy = "must_respond"
        return [tool for tool in offer.known() if tool.name in self.function_tools]

    def fields_of(self, name: str, sent: Mapping[str, Any]) -> dict[str, Any]:
        """Return a member's fields, without those that the table does not have or that are None:
        SDKs keep fields that their contracts do not have."""
        member = self.members.get(name)
        known = member.form.parameters.model_fields if member is not None else sent
        return {key: value for key, value in sent.items() if key in known and value is not None}

    def obeyed(self, config: BrowserConfig) -> BrowserConfig:
        """See ``Toolset.obeyed``. Requests are recorded from the start, because a member lists
        them."""
        update: dict[str, Any] = {}
        if "record_network" not in config.model_fields_set:
            update["record_network"] = True
        if self.dialog_policy is not None:
            update["dialog_policy"] = self.dialog_policy
        return config.model_copy(update=update)

    def call(self, step: Next) -> str:
        tool = f"browser_{step.action}"
        if tool in self.function_tools:
            return tool_call(step)
        rewrite = self._naming.calls.get(step.action)
        if rewrite is None:
            return ""
        name, fields = rewrite(step.arguments)
        return as_function(f"{self.prefix}{name}", fields) if fields else f"{self.prefix}{name}"

    def tools(self, config: BrowserConfig, session: Session) -> Sequence[Tool]:
        there = {action.tool for action in available(config, session)}
        ours = [tool for tool in _OURS.tools(config, session) if tool.name in self.function_tools]
        return [
            Tool(
                name=f"{self.prefix}{one.name}",
                description=one.about,
                input=one.form.schema,
                read_only=one.read_only,
                pictures=one.needs == "browser_screenshot",
                output=_output_schema,
            )
            for one in self.members.values()
            if one.needs in there
        ] + ours

    def prepare(
        self,
        config: BrowserConfig,
        name: str,
        arguments: Mapping[str, Any],
        *,
        budget: Budget | None = None,
    ) -> PreparedCall:
        """See ``Toolset.prepare``."""
        if name in self.function_tools:
            return prepare(config, name, arguments, budget=budget)
        try:
            member = self._member(name)
            named = {field: value for field, value in arguments.items() if value is not None}
            fields = member.form.check(named).arguments
        except InvalidArgument as error:
            return refusing(
                budget or Budget(config.default_timeout_ms), partial(self._refused, error=error)
            )
        if budget is None:
            waits_ms = member.waits_ms(fields)
            least_ms = waits_ms + _EXTRA_MS if waits_ms else 0.0
            usual_ms = config.timeout_of(ACTIONS[member.needs].name)
            budget = Budget(max(usual_ms, least_ms))
        return PreparedCall(budget, partial(self._run, config, member, fields, budget))

    async def _run(
        self,
        config: BrowserConfig,
        member: Member,
        fields: dict[str, Any],
        budget: Budget,
        session: Session,
    ) -> Answer:
        session.obey(config)
        call = self._call(session, config, budget, fields.get("tab_id"))
        try:
            outcome = await member.run(call, member.form.parameters.model_construct(**fields))
        except Failed as failed:
            return failed.answer
        except TabwardenError as error:
            return call.failure(refused(session, error))
        done = member.done.format_map(fields) if member.done else ""
        return Answer(
            text=" ".join(filter(None, (done, outcome.text))) if done else outcome.text,
            data={"text": outcome.text, **outcome.data},
            picture=outcome.picture,
        )

    def _refused(self, session: Session, error: TabwardenError) -> Answer:
        return self._call(session, BrowserConfig(), Budget(1)).failure(refused(session, error))

    def _call(
        self, session: Session, config: BrowserConfig, budget: Budget, tab_id: str | None = None
    ) -> MemberCall:
        return MemberCall(
            session,
            config,
            budget,
            tab_id=tab_id,
            ref_prefix=self._naming.ref_prefix,
            read=f"{self.prefix}{self._naming.read}",
            find=f"{self.prefix}{self._naming.find}",
            serves_driver=self.serves_driver,
            scales=self._scales.setdefault(session, {}),
        )

    def _member(self, name: str) -> Member:
        member = self.members.get(name.removeprefix(self.prefix))
        if member is not None:
            return member
        near = get_close_matches(name.removeprefix(self.prefix), self.members, n=1)
        meant = f"Did you mean {self.prefix}{near[0]}? " if near else ""
        names = ", ".join(f"{self.prefix}{one}" for one in self.members)
        raise InvalidArgument(
            f"There is no tool {name[:100]!r}.", f"{meant}Tools: {names}.", field="tool"
        )
