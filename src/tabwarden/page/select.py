"""Select: choose options by label or value, in a ``<select>`` or in a widget made of ARIA roles."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import Any, Literal

from tabwarden.errors import InvalidArgument, NotInteractable, StaleRef, TabwardenError
from tabwarden.page.aim import Point
from tabwarden.page.arguments import texts
from tabwarden.page.element import element_of
from tabwarden.page.heal import Gone, healing
from tabwarden.page.keyboard import press, type_text
from tabwarden.page.mouse import click, point_of
from tabwarden.page.refs import Ref, stale
from tabwarden.page.result import Done
from tabwarden.page.settle import settle
from tabwarden.page.task import Task
from tabwarden.page.under import ref_at
from tabwarden.page.worlds import WorldGone, call
from tabwarden.supervisor import ExecutionContext, Race, Tab

__all__ = ["By", "choice_of", "select"]

By = Literal["label", "value"]
_OPEN_MS = 1_500
"""How long a widget may take to show its options."""
_TYPABLE_MS = 300
_SHOW_MS = 300
"""How long it may take until it shows what was chosen."""
_SHOWN_OPTIONS = 30
_DRAWN_ANEW = 3
"""So often an option is looked for again whose list was drawn anew before it was clicked."""
_HIDDEN = "That select is hidden: see whether what the page shows in its place followed."


def choice_of(
    labels: str | Sequence[str] | None, values: str | Sequence[str] | None
) -> tuple[By, list[str]]:
    """Which options are meant, and by what.

    Raises:
        InvalidArgument: not exactly one of them, or no texts.
    """
    if (labels is None) == (values is None):
        raise InvalidArgument(
            "Give either labels or values.",
            "labels are what the options show; values are what a form sends.",
            field="labels",
        )
    by: By = "label" if labels is not None else "value"
    given = labels if labels is not None else values
    return by, [given] if isinstance(given, str) else texts(f"{by}s", given)


async def select(
    task: Task,
    race: Race,
    tab: Tab,
    *,
    by: By,
    wanted: list[str],
    ref: str | None = None,
    at: tuple[float, float] | None = None,
) -> Done:
    """Choose exactly these options. The value is ``{"selected": [labels]}``.

    A ``<select>`` is set, and the page told by ``input`` and ``change``; the options of a widget
    are clicked, after it has been opened and, where it takes text, the label has been typed.

    Raises:
        InvalidArgument: no such option (the error lists what there is, the nearest first); several
            where one can be chosen.
        NotInteractable: it offers no options, or the option is disabled.
    """
    named = ref or await ref_at(task, race, tab, Point(*at or (0, 0)))
    meant = await element_of(task, race, tab, named)
    try:
        meant, (world, offers) = await healing(
            task, race, meant, lambda ref, world: _offers(race, ref, world)
        )
        found = _chooser(task, meant, offers)
        if offers["kind"] != "popup":  # whether that takes several is seen when it is open
            _check_count(found, wanted, by, multiple=offers["multiple"])
        if offers["kind"] == "select":
            await point_of(task, race, tab, found.ref, None)
            done = await call(race, world, "choose", found.local_id, wanted, by)
            if "reason" in done:
                raise _refused(found, done, by)
            hidden = _HIDDEN if done.pop("isHidden") else ""
            settled = await settle(task, race, tab)
            note = _unlike(done.pop("asked"), done["selected"], settled=settled)
            return Done(done, " ".join(filter(None, [hidden, note])))
        if offers["kind"] == "suggestions":
            one = await call(race, world, "suggestion", found.local_id, wanted, by)
            if "reason" in one:
                raise _refused(found, one, by)
            into = {"text": one["text"], "ref": found.ref, "clear": True}
            typed = await type_text(task, race, tab, **into)
            return Done({"selected": [typed.value.get("value", "")]}, typed.note)
        widget = _Widget(task, race, tab, world, found, offers)
        return await widget.choose(wanted, by)
    except WorldGone as gone:
        raise stale(meant, "its document was replaced while an option was chosen") from gone


async def _offers(
    race: Race, ref: Ref, world: ExecutionContext
) -> tuple[ExecutionContext, dict[str, Any] | None]:
    offers = await call(race, world, "chooser", ref.local_id)
    if offers is not None and offers["kind"] == "gone":
        raise Gone
    return world, offers


class _Widget:
    """A list box or a combobox that scripts made: worked as a person does, by its looks."""

    def __init__(
        self,
        task: Task,
        race: Race,
        tab: Tab,
        world: ExecutionContext,
        ref: Ref,
        offers: dict[str, Any],
    ) -> None:
        self._task, self._race, self._tab = task, race, tab
        self._world, self._ref = world, ref
        self._editable = offers["editable"]
        self._opens = offers["kind"] == "popup"

    async def choose(self, wanted: list[str], by: By) -> Done:
        """Open it, click what has to be clicked, and read what it shows then."""
        clicked: set[str] = set()
        drawn_anew = 0
        while True:
            found = await self._opened(wanted, by)
            left = [option for option in found["click"] if option["label"] not in clicked]
            if not left:
                break
            try:
                await self._click(self._option(left[0]))
            except StaleRef:  # as its list was scrolled; nothing was pressed
                drawn_anew += 1
                if drawn_anew > _DRAWN_ANEW:
                    raise
                continue
            clicked.add(left[0]["label"])
            if not found["multiple"]:
                break
        if found["multiple"]:
            await self._close()
        settled = await settle(self._task, self._race, self._tab)
        asked = found["asked"]
        try:
            now = await call(self._race, self._world, "chosen", self._ref.local_id, asked, _SHOW_MS)
        except WorldGone:  # the choice led to another page
            return Done({"selected": wanted}, settled)
        if now is None:
            return Done({"selected": []}, settled)
        shown = now["shown"]
        note = settled if now["isAsked"] else _unlike(asked, shown, settled=settled)
        return Done({"selected": shown}, note)

    async def _opened(self, wanted: list[str], by: By) -> dict[str, Any]:
        """The options that are to be clicked, the widget being open; it is closed again when those
        wanted can't be chosen.
        """
        if self._opens and not await self._is_open():
            await self._click(self._ref.ref)
        # One that takes text may offer nothing, or other things, before it is given some.
        typable = self._editable and by == "label" and len(wanted) == 1
        milliseconds = _TYPABLE_MS if typable else _OPEN_MS
        found = await self._to_click(wanted, by, milliseconds, is_final=not typable)
        typed = ""
        if "reason" in found and typable:
            before = found.get("options")
            await self._type(wanted[0])
            typed = wanted[0]
            found = await self._to_click(wanted, by, _OPEN_MS)
            if found.get("options") == []:
                found["options"] = before or []
        try:
            if "reason" in found:
                raise _refused(self._ref, found, by, typed=typed)
            _check_count(self._ref, wanted, by, multiple=found["multiple"])
        except (InvalidArgument, NotInteractable):
            await self._close()
            raise
        return found

    async def _close(self) -> None:
        if self._opens and await self._is_open():
            await press(self._task, self._race, self._tab, key="Escape")

    async def _to_click(
        self, wanted: list[str], by: By, milliseconds: int, *, is_final: bool = True
    ) -> dict[str, Any]:
        given = (self._ref.local_id, wanted, by, milliseconds, is_final)
        return dict(await call(self._race, self._world, "toClick", *given))

    async def _is_open(self) -> bool:
        now = await call(self._race, self._world, "chooser", self._ref.local_id)
        return bool(now and now.get("expanded"))

    async def _type(self, text: str) -> None:
        await type_text(self._task, self._race, self._tab, text=text, ref=self._ref.ref, clear=True)

    async def _click(self, ref: str) -> None:
        await click(self._task, self._race, self._tab, ref=ref)

    def _option(self, option: dict[str, Any]) -> str:
        return self._task.refs.assign(
            self._world.unique_id,
            option["id"],
            role="option",
            name=option["label"],
            tab_id=self._tab.tab_id,
            frame_id=self._world.frame_id,
        )


def _unlike(asked: list[str], shown: list[str], *, settled: str) -> str:
    """A note when what it shows is not what was asked, beside how the page settled."""
    if sorted(asked) == sorted(shown):
        return settled
    now, meant = (", ".join(repr(one[:100]) for one in all_) for all_ in (shown, asked))
    note = f"It shows {now or 'nothing'}, not {meant or 'nothing'}: see what the page made of it."
    return " ".join(filter(None, [note, settled]))


def _chooser(task: Task, meant: Ref, offers: dict[str, Any] | None) -> Ref:
    """The ref of what offers the options: the element that was named, or what it is a part of."""
    if offers is None:
        raise NotInteractable(
            f"{meant.ref} ({meant.role} {meant.name[:200]!r}) offers no options.",
            "Name a select, a list box or a combobox; for a menu, click it and then its item.",
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
    raise InvalidArgument(
        f"{ref.ref} ({ref.role} {ref.name[:200]!r}) takes one option, not {len(wanted)}.",
        "Give one.",
        field=f"{by}s",
    )


def _refused(ref: Ref, why: dict[str, Any], by: By, *, typed: str = "") -> TabwardenError:
    what = f"{ref.ref} ({ref.role} {ref.name[:200]!r})"
    if why["reason"] == "gone":
        return stale(ref, "it is no longer in the page")
    if why["reason"] == "disabled":
        return NotInteractable(
            f"The option {why['what'][:200]!r} of {what} is disabled.",
            "Choose another, or do first what enables it: take a snapshot.",
            ref=ref.ref,
            reason="disabled",
        )
    options = _nearest_first(why["what"], why["options"])
    listed = ", ".join(repr(option) for option in options[:_SHOWN_OPTIONS])
    more = len(options) - _SHOWN_OPTIONS
    has = f"It has: {listed or 'none that is shown'}{f', and {more} more' if more > 0 else ''}."
    return InvalidArgument(
        f"{what} has no option with the {by} {why['what'][:200]!r}.",
        f"{has} {typed[:100]!r} was typed into it." if typed else has,
        field=f"{by}s",
        options=options[:_SHOWN_OPTIONS],
    )


def _nearest_first(wanted: str, options: list[str]) -> list[str]:
    near = difflib.get_close_matches(wanted, options, n=5, cutoff=0.4)
    return [*near, *(option for option in options if option not in near)]
