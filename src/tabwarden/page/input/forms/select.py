"""Choose options by label or value, in a ``<select>`` or in a widget with ARIA roles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import Field

from tabwarden.errors import InvalidArgument, NotInteractable, StaleRef, TabwardenError
from tabwarden.page.call import collect_effects, settle, target_of
from tabwarden.page.elements import ElementGone, Point, element_of, healing, ref_at
from tabwarden.page.input.pointing import click, point_of
from tabwarden.page.input.typing import press, type_text
from tabwarden.page.task import Call, Done, ForModels, OptionalRef, Ref, Task, X, Y, card, stale
from tabwarden.page.walker import WorldGone, call_walker
from tabwarden.results import Selected
from tabwarden.similar import get_close_matches
from tabwarden.supervisor.core.state.tabs import ExecutionContext
from tabwarden.supervisor.runtime import Race

_OPTIONS_MS = 1_500
"""How long a widget may take to show its options."""
_TYPABLE_OPTIONS_MS = 300
"""The same limit for a widget that accepts text, because such a widget may show no options until
text is typed."""
_CHOSEN_MS = 300
"""How long a widget may take to show the chosen option."""
By = Literal["label", "value"]
_SHOWN_OPTIONS = 30
_MOST_REDRAWS = 3
"""How often to retry when the page redraws the list before the click."""
_HIDDEN = (
    "This <select> element is hidden. Check whether the visible control on the page also changed."
)


def choice_of(
    labels: str | Sequence[str] | None, values: str | Sequence[str] | None
) -> tuple[By, list[str]]:
    """Return whether the options are identified by label or by value, and the labels or values."""
    if (labels is None) == (values is None):
        raise InvalidArgument(
            "Give either labels or values.",
            "A label is an option's visible text. A value is the string that the form submits.",
            field="labels",
        )
    by: By = "label" if labels is not None else "value"
    names = (labels if labels is not None else values) or ()
    return by, [names] if isinstance(names, str) else list(names)


async def select_options(
    call: Call,
    *,
    by: By,
    names: list[str],
    ref: str | None = None,
    at: tuple[float, float] | None = None,
) -> Done:
    """Choose exactly these options. The value is ``{"selected": [labels]}``.

    A script sets a ``<select>``, and the page gets ``input`` and ``change`` events. A widget is
    opened and its options are clicked. If the widget accepts text, the label may be typed first.

    Raises:
        InvalidArgument: an option does not exist (the error lists the options, most similar first),
            or there are several options but the element accepts only one.
        NotInteractable: the element has no options, or the option is disabled.
    """
    target = ref or await ref_at(call, Point(*at or (0, 0)))
    element = await element_of(call, target)
    try:
        element, (world, offers) = await healing(
            call, element, lambda ref, world: _offers(call.race, ref, world)
        )
        picker = _picker_ref(call.task, element, offers)
        if offers["kind"] != "popup":  # only an open popup shows whether it is multiple
            _check_count(picker, names, by, multiple=offers["multiple"])
        if offers["kind"] == "select":
            await point_of(call, picker.ref, None)
            reply = await call_walker(call.race, world, "choose", picker.local_id, names, by)
            if "reason" in reply:
                raise _refusal(picker, reply, by)
            # A script's choice leaves the options open. A click closes them.
            if reply.pop("isOpen"):
                await collect_effects(call)
                await click(call, ref=picker.ref)
            hidden = _HIDDEN if reply.pop("isHidden") else ""
            settled = await settle(call)
            note = _note_difference(reply.pop("asked"), reply["selected"], settled)
            return Done(reply, " ".join(filter(None, [hidden, note])))
        if offers["kind"] == "suggestions":
            reply = await call_walker(call.race, world, "suggestion", picker.local_id, names, by)
            if "reason" in reply:
                raise _refusal(picker, reply, by)
            arguments = {"text": reply["text"], "ref": picker.ref, "clear": True}
            result = await type_text(call, **arguments)
            return Done({"selected": [result.value.get("value", "")]}, result.note)
        widget = _Widget(call, world, picker, offers)
        return await widget.choose(names, by)
    except WorldGone as error:
        raise stale(element, "its document was replaced during the selection") from error


async def _offers(
    race: Race, ref: Ref, world: ExecutionContext
) -> tuple[ExecutionContext, dict[str, Any] | None]:
    offers = await call_walker(race, world, "picker", ref.local_id)
    if offers is not None and offers["kind"] == "gone":
        raise ElementGone
    return world, offers


class _Widget:
    """A scripted list box or combobox. It is operated as a person would do it, and the displayed
    choice is verified."""

    def __init__(
        self,
        call: Call,
        world: ExecutionContext,
        ref: Ref,
        offers: dict[str, Any],
    ) -> None:
        self._call = call
        self._world, self._ref = world, ref
        self._opens = offers["kind"] == "popup"
        self._clicked: list[str] = []

    async def choose(self, names: list[str], by: By) -> Done:
        redraws = 0
        while True:
            options = await self._open(names, by)
            if not options["click"]:
                break
            option = options["click"][0]
            try:
                await click(self._call, ref=self._assign(option, role="option"))
            except StaleRef:  # scrolling made the page re-render the list; nothing was clicked
                redraws += 1
                if redraws > _MOST_REDRAWS:
                    raise
                continue
            self._clicked.append(option["key"])
            several = options["multiple"] or len(names) > 1
            if not several:
                break
        if len(self._clicked) != 1 or several:
            await self._close()
        settled = await settle(self._call)
        requested = options["asked"]
        try:
            state = await call_walker(
                self._call.race, self._world, "chosen", self._ref.local_id, requested, _CHOSEN_MS
            )
        except WorldGone:  # choosing the option navigated the page
            return Done({"selected": names}, settled)
        if state is None:
            return Done({"selected": []}, settled)
        labels = state["shown"]
        if len(requested) > 1 and labels == requested[-1:]:
            raise _takes_one_error(self._ref, by, len(requested), shows=labels[0])
        is_right = state["isAsked"] and len(labels) <= len(requested)
        return Done(
            {"selected": labels},
            settled if is_right else _note_difference(requested, labels, settled),
        )

    async def _open(self, names: list[str], by: By) -> dict[str, Any]:
        """Open the widget and return the options to click. Close the widget again if an error
        occurs."""
        if self._opens and not await self._is_open():
            await click(self._call, ref=self._ref.ref)
        # A widget that accepts text may show no options, or other options, until text is typed.
        options = await self._options_to_click(names, by, typable=by == "label")
        typed = ""
        if text_field := options.get("type"):
            typed, before = options["what"], options["options"]
            await type_text(self._call, text=typed, ref=self._assign(text_field), clear=True)
            options = await self._options_to_click([typed], by)
            if options.get("options") == []:
                options["options"] = before
            options["asked"] = names
        try:
            if "reason" in options:
                raise _refusal(self._ref, options, by, typed=typed, chosen=self._clicked)
            if not self._opens:
                _check_count(self._ref, names, by, multiple=options["multiple"])
        except (InvalidArgument, NotInteractable):
            await self._close()
            raise
        return options

    async def _close(self) -> None:
        if self._opens and await self._is_open():
            await press(self._call, "Escape")

    async def _options_to_click(
        self, names: list[str], by: By, *, typable: bool = False
    ) -> dict[str, Any]:
        limits = (_OPTIONS_MS, _TYPABLE_OPTIONS_MS if typable else 0)
        arguments = (self._ref.local_id, names, by, self._clicked, *limits)
        return dict(await call_walker(self._call.race, self._world, "toClick", *arguments))

    async def _is_open(self) -> bool:
        state = await call_walker(self._call.race, self._world, "picker", self._ref.local_id)
        return bool(state and state.get("expanded"))

    def _assign(self, element: dict[str, Any], role: str = "") -> str:
        return self._call.task.refs.assign(
            self._world.unique_id,
            element["id"],
            role=role or element["role"],
            name=element["label"] if role else element["name"],
            tab_id=self._call.tab.tab_id,
            frame_id=self._world.frame_id,
        )


def _note_difference(requested: list[str], labels: list[str], settled: str) -> str:
    """Return ``settled``, preceded by a note if the selected and the requested labels differ."""
    if sorted(requested) == sorted(labels):
        return settled
    shown_text, requested_text = (
        ", ".join(repr(one[:100]) for one in all_) for all_ in (labels, requested)
    )
    note = (
        f"The <select> element shows {shown_text or 'nothing'}, not "
        f"{requested_text or 'nothing'}. The page may have changed the selection."
    )
    return " ".join(filter(None, [note, settled]))


def _picker_ref(task: Task, element: Ref, offers: dict[str, Any] | None) -> Ref:
    """Return the ref of the element that contains the options: ``element`` or an ancestor."""
    if offers is None:
        raise NotInteractable(
            f"{element.ref} ({element.role} {element.name[:200]!r}) has no options.",
            "Use the ref of a <select>, list box or combobox. For a menu, click the menu and "
            "then an item.",
            ref=element.ref,
        )
    if offers["id"] == element.local_id:
        return element
    return task.refs.find(
        task.refs.assign(
            element.world_id,
            offers["id"],
            role=offers["role"],
            name=offers["name"],
            tab_id=element.tab_id,
            frame_id=element.frame_id,
        )
    )


def _check_count(ref: Ref, names: list[str], by: By, *, multiple: bool) -> None:
    if multiple or len(names) == 1:
        return
    raise _takes_one_error(ref, by, len(names))


def _takes_one_error(ref: Ref, by: By, count: int, *, shows: str = "") -> InvalidArgument:
    now = f" It now shows {shows[:200]!r}." if shows else ""
    return InvalidArgument(
        f"{ref.ref} ({ref.role} {ref.name[:200]!r}) accepts one option, not {count}.{now}",
        "Give one.",
        field=f"{by}s",
    )


def _refusal(
    ref: Ref, why: dict[str, Any], by: By, *, typed: str = "", chosen: Sequence[str] = ()
) -> TabwardenError:
    what = f"{ref.ref} ({ref.role} {ref.name[:200]!r})"
    if why["reason"] == "gone":
        return stale(ref, "it is no longer in the page")
    if why["reason"] == "disabled":
        return NotInteractable(
            f"The option {why['what'][:200]!r} of {what} is disabled.",
            "Choose another option. To enable this option first, take a snapshot.",
            ref=ref.ref,
            reason="disabled",
        )
    if why["reason"] == "several":
        values = why["values"][:_SHOWN_OPTIONS]
        return InvalidArgument(
            f"{what} has several options with the label {why['what'][:200]!r}.",
            f"Give one of these values instead: {', '.join(map(repr, values))}.",
            field="labels",
            options=values,
        )
    options = _nearest_first(why["what"], why["options"])
    listed = ", ".join(repr(option) for option in options[:_SHOWN_OPTIONS])
    more = len(options) - _SHOWN_OPTIONS
    has = f"Its options: {listed or 'none visible'}{f', and {more} more' if more > 0 else ''}."
    before = f"Already chosen: {', '.join(map(repr, chosen))}." if chosen else ""
    into = f"{typed[:100]!r} was typed into the field." if typed else ""
    return InvalidArgument(
        f"{what} has no option with the {by} {why['what'][:200]!r}.",
        " ".join(filter(None, [has, before, into])),
        field=f"{by}s",
        options=options[:_SHOWN_OPTIONS],
        **({"typed": typed} if typed else {}),
    )


def _nearest_first(name: str, options: list[str]) -> list[str]:
    near = get_close_matches(name, options, n=5, cutoff=0.4)
    return [*near, *(option for option in options if option not in near)]


@card(
    "select",
    command="menu",
    about="Choose options in a <select>, list box or combobox, without opening it first.",
    permission="act",
    group="core",
    idempotent=True,
    gives=Selected,
    uses_input=True,
    confirms=True,
)
async def select(
    call: Call,
    ref: OptionalRef = None,
    *,
    labels: Annotated[
        str | Sequence[str] | None,
        Field(description="Visible labels of the options to choose."),
        ForModels(list[str] | None),
    ] = None,
    values: Annotated[
        str | Sequence[str] | None,
        Field(description="The options' form values, instead of labels."),
        ForModels(list[str] | None),
    ] = None,
    x: X = None,
    y: Y = None,
) -> Done:
    """Select exactly the given options in a ``<select>``, a list box or a combobox; ``value``
    is ``{"selected": [labels]}``.

    Args:
        ref: the element, from a snapshot.
        labels: the options, by their visible text. If no label matches, an option with this
            value counts.
        values: the options, by the values that the form submits, instead of ``labels``.
        x, y: a point in the viewport, instead of ``ref``.

    Raises:
        InvalidArgument: no option matches; the error lists the options, closest match first.
        NotInteractable: the element has no options, or the element or the option is disabled.
        StaleRef, UnknownRef, Obscured, DialogPending: as for ``click``.
    """
    at = target_of(ref, x, y)
    by, names = choice_of(labels, values)
    return await select_options(call, by=by, names=names, ref=ref, at=at)
