"""Select: choose options by label or value, in a ``<select>`` or in a widget with ARIA roles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import Field

from tabwarden.errors import InvalidArgument, NotInteractable, StaleRef, TabwardenError
from tabwarden.page.call import settle, target_of
from tabwarden.page.elements import Gone, Point, element_of, healing, ref_at
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
"""The limit for a widget that takes text: it may show no options until text is typed."""
_CHOSEN_MS = 300
"""How long a widget may take to show the chosen option."""
By = Literal["label", "value"]
_SHOWN_OPTIONS = 30
_DRAWN_ANEW = 3
"""How often to retry when the page redraws the list before the click."""
_HIDDEN = "That select is hidden: check whether the page's visible control changed too."


def choice_of(
    labels: str | Sequence[str] | None, values: str | Sequence[str] | None
) -> tuple[By, list[str]]:
    """Return whether the caller names options by label or by value, and the names."""
    if (labels is None) == (values is None):
        raise InvalidArgument(
            "Give either labels or values.",
            "Labels are the visible names of the options. Values are the ones that a form sends.",
            field="labels",
        )
    by: By = "label" if labels is not None else "value"
    given = (labels if labels is not None else values) or ()
    return by, [given] if isinstance(given, str) else list(given)


async def select_options(
    call: Call,
    *,
    by: By,
    wanted: list[str],
    ref: str | None = None,
    at: tuple[float, float] | None = None,
) -> Done:
    """Choose exactly these options. The value is ``{"selected": [labels]}``.

    A script sets a ``<select>``, and the page gets ``input`` and ``change`` events. A widget is
    opened and its options are clicked. If the widget takes text, the label may be typed first.

    Raises:
        InvalidArgument: an option does not exist (the error lists the options, most similar first),
            or the caller gave several options but the element accepts only one.
        NotInteractable: the element has no options, or the option is disabled.
    """
    named = ref or await ref_at(call, Point(*at or (0, 0)))
    meant = await element_of(call, named)
    try:
        meant, (world, offers) = await healing(
            call, meant, lambda ref, world: _offers(call.race, ref, world)
        )
        found = _picker(call.task, meant, offers)
        if offers["kind"] != "popup":  # a closed popup does not show whether it takes several
            _check_count(found, wanted, by, multiple=offers["multiple"])
        if offers["kind"] == "select":
            await point_of(call, found.ref, None)
            done = await call_walker(call.race, world, "choose", found.local_id, wanted, by)
            if "reason" in done:
                raise _refused(found, done, by)
            hidden = _HIDDEN if done.pop("isHidden") else ""
            settled = await settle(call)
            note = _unlike(done.pop("asked"), done["selected"], settled)
            return Done(done, " ".join(filter(None, [hidden, note])))
        if offers["kind"] == "suggestions":
            one = await call_walker(call.race, world, "suggestion", found.local_id, wanted, by)
            if "reason" in one:
                raise _refused(found, one, by)
            into = {"text": one["text"], "ref": found.ref, "clear": True}
            typed = await type_text(call, **into)
            return Done({"selected": [typed.value.get("value", "")]}, typed.note)
        widget = _Widget(call, world, found, offers)
        return await widget.choose(wanted, by)
    except WorldGone as gone:
        raise stale(meant, "its document was replaced during the selection") from gone


async def _offers(
    race: Race, ref: Ref, world: ExecutionContext
) -> tuple[ExecutionContext, dict[str, Any] | None]:
    offers = await call_walker(race, world, "picker", ref.local_id)
    if offers is not None and offers["kind"] == "gone":
        raise Gone
    return world, offers


class _Widget:
    """A scripted list box or combobox. We use it as a person would, and judge by what it shows."""

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

    async def choose(self, wanted: list[str], by: By) -> Done:
        drawn_anew = 0
        while True:
            found = await self._opened(wanted, by)
            if not found["click"]:
                break
            option = found["click"][0]
            try:
                await click(self._call, ref=self._assign(option, role="option"))
            except StaleRef:  # the list was redrawn when it scrolled; nothing was clicked
                drawn_anew += 1
                if drawn_anew > _DRAWN_ANEW:
                    raise
                continue
            self._clicked.append(option["key"])
            several = found["multiple"] or len(wanted) > 1
            if not several:
                break
        if len(self._clicked) != 1 or several:
            await self._close()
        settled = await settle(self._call)
        asked = found["asked"]
        try:
            now = await call_walker(
                self._call.race, self._world, "chosen", self._ref.local_id, asked, _CHOSEN_MS
            )
        except WorldGone:  # the choice navigated the page
            return Done({"selected": wanted}, settled)
        if now is None:
            return Done({"selected": []}, settled)
        shown = now["shown"]
        if len(asked) > 1 and shown == asked[-1:]:
            raise _takes_one(self._ref, by, len(asked), shows=shown[0])
        is_right = now["isAsked"] and len(shown) <= len(asked)
        return Done({"selected": shown}, settled if is_right else _unlike(asked, shown, settled))

    async def _opened(self, wanted: list[str], by: By) -> dict[str, Any]:
        """Open the widget and return the options to click. If there is an error, close it again."""
        if self._opens and not await self._is_open():
            await click(self._call, ref=self._ref.ref)
        # A widget that takes text may show no options, or different ones, until text is typed.
        found = await self._to_click(wanted, by, typable=by == "label")
        typed = ""
        if into := found.get("type"):
            typed, before = found["what"], found["options"]
            await type_text(self._call, text=typed, ref=self._assign(into), clear=True)
            found = await self._to_click([typed], by)
            if found.get("options") == []:
                found["options"] = before
            found["asked"] = wanted
        try:
            if "reason" in found:
                raise _refused(self._ref, found, by, typed=typed, chosen=self._clicked)
            if not self._opens:
                _check_count(self._ref, wanted, by, multiple=found["multiple"])
        except (InvalidArgument, NotInteractable):
            await self._close()
            raise
        return found

    async def _close(self) -> None:
        if self._opens and await self._is_open():
            await press(self._call, "Escape")

    async def _to_click(
        self, wanted: list[str], by: By, *, typable: bool = False
    ) -> dict[str, Any]:
        limits = (_OPTIONS_MS, _TYPABLE_OPTIONS_MS if typable else 0)
        given = (self._ref.local_id, wanted, by, self._clicked, *limits)
        return dict(await call_walker(self._call.race, self._world, "toClick", *given))

    async def _is_open(self) -> bool:
        now = await call_walker(self._call.race, self._world, "picker", self._ref.local_id)
        return bool(now and now.get("expanded"))

    def _assign(self, found: dict[str, Any], role: str = "") -> str:
        return self._call.task.refs.assign(
            self._world.unique_id,
            found["id"],
            role=role or found["role"],
            name=found["label"] if role else found["name"],
            tab_id=self._call.tab.tab_id,
            frame_id=self._world.frame_id,
        )


def _unlike(asked: list[str], shown: list[str], settled: str) -> str:
    """If the result differs from the choice, put a note about that before the settle note."""
    if sorted(asked) == sorted(shown):
        return settled
    now, meant = (", ".join(repr(one[:100]) for one in all_) for all_ in (shown, asked))
    note = (
        f"The select shows {now or 'nothing'}, not {meant or 'nothing'}: check what the page did."
    )
    return " ".join(filter(None, [note, settled]))


def _picker(task: Task, meant: Ref, offers: dict[str, Any] | None) -> Ref:
    """Return the ref of the element that has the options: the named element or an ancestor."""
    if offers is None:
        raise NotInteractable(
            f"{meant.ref} ({meant.role} {meant.name[:200]!r}) has no options.",
            "Name a select, a list box or a combobox. For a menu, click it and then its item.",
            ref=meant.ref,
        )
    if offers["id"] == meant.local_id:
        return meant
    return task.refs.find(
        task.refs.assign(
            meant.world_id,
            offers["id"],
            role=offers["role"],
            name=offers["name"],
            tab_id=meant.tab_id,
            frame_id=meant.frame_id,
        )
    )


def _check_count(ref: Ref, wanted: list[str], by: By, *, multiple: bool) -> None:
    if multiple or len(wanted) == 1:
        return
    raise _takes_one(ref, by, len(wanted))


def _takes_one(ref: Ref, by: By, given: int, *, shows: str = "") -> InvalidArgument:
    now = f" It shows {shows[:200]!r} now." if shows else ""
    return InvalidArgument(
        f"{ref.ref} ({ref.role} {ref.name[:200]!r}) accepts one option, not {given}.{now}",
        "Give one.",
        field=f"{by}s",
    )


def _refused(
    ref: Ref, why: dict[str, Any], by: By, *, typed: str = "", chosen: Sequence[str] = ()
) -> TabwardenError:
    what = f"{ref.ref} ({ref.role} {ref.name[:200]!r})"
    if why["reason"] == "gone":
        return stale(ref, "it is no longer in the page")
    if why["reason"] == "disabled":
        return NotInteractable(
            f"The option {why['what'][:200]!r} of {what} is disabled.",
            "Choose another option, or enable this one first: take a snapshot.",
            ref=ref.ref,
            reason="disabled",
        )
    if why["reason"] == "several":
        values = why["values"][:_SHOWN_OPTIONS]
        return InvalidArgument(
            f"{what} has several options with the label {why['what'][:200]!r}.",
            f"Give one of their values instead: {', '.join(map(repr, values))}.",
            field="labels",
            options=values,
        )
    options = _nearest_first(why["what"], why["options"])
    listed = ", ".join(repr(option) for option in options[:_SHOWN_OPTIONS])
    more = len(options) - _SHOWN_OPTIONS
    has = f"It has: {listed or 'no visible options'}{f', and {more} more' if more > 0 else ''}."
    before = f"Chosen before it: {', '.join(map(repr, chosen))}." if chosen else ""
    into = f"{typed[:100]!r} was typed into it." if typed else ""
    return InvalidArgument(
        f"{what} has no option with the {by} {why['what'][:200]!r}.",
        " ".join(filter(None, [has, before, into])),
        field=f"{by}s",
        options=options[:_SHOWN_OPTIONS],
        **({"typed": typed} if typed else {}),
    )


def _nearest_first(wanted: str, options: list[str]) -> list[str]:
    near = get_close_matches(wanted, options, n=5, cutoff=0.4)
    return [*near, *(option for option in options if option not in near)]


@card(
    "select",
    command="menu",
    about="Choose options of a select, list box or combobox. No need to open it first.",
    permission="act",
    group="core",
    idempotent=True,
    gives=Selected,
    uses_input=True,
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
        Field(description="Instead of labels: the options' form values."),
        ForModels(list[str] | None),
    ] = None,
    x: X = None,
    y: Y = None,
) -> Done:
    """Select exactly the given options of a ``<select>``, a list box or a combobox; ``value``
    is ``{"selected": [labels]}``.

    Args:
        ref: the element, from a snapshot.
        labels: the options, by their visible text.
        values: the options, by the values that the form submits, instead of ``labels``.
        x, y: a point of the viewport, instead of ``ref``.

    Raises:
        InvalidArgument: no option matches; the error lists the options, closest match first.
        NotInteractable: the element has no options, or the element or the option is disabled.
        StaleRef, UnknownRef, Obscured, DialogPending: as for ``click``.
    """
    at = target_of(ref, x, y)
    by, wanted = choice_of(labels, values)
    return await select_options(call, by=by, wanted=wanted, ref=ref, at=at)
