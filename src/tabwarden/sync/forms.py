"""Sync twin of ``tabwarden.browser.forms``: the same names, for code without an event loop.

Generated from browser/forms.py by tools/generate_sync.py: do not edit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tabwarden import results
from tabwarden.budget import Timeout
from tabwarden.errors import InvalidArgument
from tabwarden.journal import journaled
from tabwarden.page import ActionResult
from tabwarden.page.call import target_of
from tabwarden.page.input import check, fill, give_focus, keyboard, select, viewport
from tabwarden.page.snapshot import Show
from tabwarden.sync.base import BrowserBase


class FormMethods(BrowserBase):
    """Methods that type and fill in forms."""

    @journaled
    def type(
        self,
        text: str,
        ref: str | None = None,
        *,
        x: float | None = None,
        y: float | None = None,
        clear: bool | None = None,
        press_enter: bool = False,
        slowly: bool = False,
        snapshot: Show = "none",
        tab_id: str | None = None,
        timeout_ms: Timeout = None,
    ) -> ActionResult[results.Typed]:
        """Type text into a field; ``value`` is ``{"value": the field's content afterwards}``, with
        ``was`` if the text replaced another one.

        Args:
            text: the text to type; any Unicode.
            ref: the field, from a snapshot; by default the focused field.
            x, y: a point to click first, instead of ``ref``.
            clear: replace the field's content, or add to its end. The default is True with ``ref``,
                except that an editor that draws its own text, such as Monaco, gets the text at its
                caret. Without ``ref``, the text goes where the caret is.
            press_enter: press Enter afterwards.
            slowly: type key by key, for a page that listens to keys; the default inserts the whole
                text at once.
            snapshot, tab_id, timeout_ms: see ``Browser``.

        Raises:
            NotInteractable: the element accepts no text.
            StaleRef, UnknownRef, DialogPending: as for ``click``.
        """
        task = self._task
        at = target_of(ref, x, y) if ref is not None or x is not None or y is not None else None
        if not isinstance(text, str):
            raise InvalidArgument("text must be a string.", field="text")
        task.vault.check(text, "text")
        return self._perform(
            keyboard.TYPE,
            lambda call: viewport.inside(
                call.race,
                call.tab,
                at,
                lambda: keyboard.type_text(
                    call,
                    text=text,
                    ref=ref,
                    at=at,
                    clear=clear,
                    press_enter=press_enter,
                    slowly=slowly,
                ),
                first=True,
            ),
            task.tab_of(ref, tab_id),
            timeout_ms,
            shows=snapshot,
        )

    @journaled
    def press(
        self,
        key: str,
        *,
        times: int = 1,
        hold_ms: float = 0,
        mode: keyboard.KeyMode = "press",
        snapshot: Show = "none",
        tab_id: str | None = None,
        timeout_ms: Timeout = None,
    ) -> ActionResult[None]:
        """Press a key; the focused element receives it.

        Args:
            key: ``Enter``, ``a``, ``Ctrl+A``, ``Shift+Tab``, ``ArrowDown``, ...
            times: how many times; at most 50.
            hold_ms: how long the key stays down, and repeats; at most 60,000.
            mode: ``down`` presses one key and keeps it down until ``up``.
            snapshot, tab_id, timeout_ms: see ``Browser``.

        Raises:
            InvalidArgument: the key does not exist.
        """
        keyboard.check_press(key, times, hold_ms, mode)
        return self._perform(
            keyboard.PRESS,
            lambda call: keyboard.press(call, key=key, times=times, hold_ms=hold_ms, mode=mode),
            tab_id,
            timeout_ms,
            shows=snapshot,
        )

    @journaled
    def check(
        self,
        ref: str,
        *,
        snapshot: Show = "none",
        tab_id: str | None = None,
        timeout_ms: Timeout = None,
    ) -> ActionResult[results.CheckedState]:
        """Check a checkbox, switch or radio button, unless it is checked. ``value`` is
        ``{"checked", "changed"}``.

        Args:
            ref: the control, from a snapshot, or its label.
            snapshot, tab_id, timeout_ms: see ``Browser``.

        Raises:
            NotInteractable: it can't be checked, or the page did not allow it.
            StaleRef, UnknownRef, Obscured, DialogPending: as for ``click``.
        """
        return self._perform(
            check.CHECK,
            lambda call: check.check(call, ref, wanted=True),
            self._task.tab_of(ref, tab_id),
            timeout_ms,
            shows=snapshot,
        )

    @journaled
    def uncheck(
        self,
        ref: str,
        *,
        snapshot: Show = "none",
        tab_id: str | None = None,
        timeout_ms: Timeout = None,
    ) -> ActionResult[results.CheckedState]:
        """Uncheck a checkbox or switch, unless it is unchecked. ``value`` is as for ``check``.

        Args:
            ref: the control, from a snapshot, or its label.
            snapshot, tab_id, timeout_ms: see ``Browser``.

        Raises:
            InvalidArgument: it is a radio button.
            NotInteractable, StaleRef, UnknownRef, Obscured, DialogPending: as for ``check``.
        """
        return self._perform(
            check.UNCHECK,
            lambda call: check.check(call, ref, wanted=False),
            self._task.tab_of(ref, tab_id),
            timeout_ms,
            shows=snapshot,
        )

    @journaled
    def focus(
        self,
        ref: str,
        *,
        snapshot: Show = "none",
        tab_id: str | None = None,
        timeout_ms: Timeout = None,
    ) -> ActionResult[None]:
        """Give an element the focus, without a click.

        Args:
            ref: the element, from a snapshot.
            snapshot, tab_id, timeout_ms: see ``Browser``.

        Raises:
            NotInteractable, Obscured: it does not get the focus; the error says why.
            StaleRef, UnknownRef, DialogPending: as for ``click``.
        """
        return self._perform(
            give_focus.FOCUS,
            lambda call: give_focus.give_focus(call, ref),
            self._task.tab_of(ref, tab_id),
            timeout_ms,
            shows=snapshot,
        )

    @journaled
    def select(
        self,
        ref: str | None = None,
        *,
        labels: str | Sequence[str] | None = None,
        values: str | Sequence[str] | None = None,
        x: float | None = None,
        y: float | None = None,
        snapshot: Show = "none",
        tab_id: str | None = None,
        timeout_ms: Timeout = None,
    ) -> ActionResult[results.Selected]:
        """Select exactly the given options of a ``<select>``, a list box or a combobox; ``value``
        is ``{"selected": [labels]}``.

        Args:
            ref: the element, from a snapshot.
            labels: the options, by their visible text.
            values: the options, by the values that the form submits, instead of ``labels``.
            x, y: a point of the viewport, instead of ``ref``.
            snapshot, tab_id, timeout_ms: see ``Browser``.

        Raises:
            InvalidArgument: no option matches; the error lists the options, closest match first.
            NotInteractable: the element has no options, or the element or the option is disabled.
            StaleRef, UnknownRef, Obscured, DialogPending: as for ``click``.
        """
        task, at = self._task, target_of(ref, x, y)
        by, wanted = select.choice_of(labels, values)
        return self._perform(
            select.SELECT,
            lambda call: select.select(call, by=by, wanted=wanted, ref=ref, at=at),
            task.tab_of(ref, tab_id),
            timeout_ms,
            shows=snapshot,
        )

    @journaled
    def fill_form(
        self,
        fields: Sequence[Mapping[str, Any]],
        *,
        keep_going: bool = False,
        snapshot: Show = "none",
        tab_id: str | None = None,
        timeout_ms: Timeout = None,
    ) -> ActionResult[results.Filled]:
        """Fill several fields; ``value`` is ``{"filled": [{"ref", "value"}]}`` with each field's
        new content. With ``keep_going`` it also has ``failed``: ``[{"ref", "code", "message",
        ...}]``.

        Args:
            fields: ``[{"ref": "e5", "value": "Ann"}, {"ref": "e6", "value": True}, ...]``. ``ref``
                may also be the field's label. Use text or a number for text fields and pickers,
                true or false for a checkbox or switch, true for a radio button, and a label or a
                list of labels for a select.
            keep_going: skip fields that can't be filled, instead of stopping at the first.
            snapshot, tab_id, timeout_ms: see ``Browser``.

        Raises:
            InvalidArgument, NotInteractable, StaleRef, UnknownRef, Obscured: a field can't be
                filled. ``data["filled"]`` lists the filled fields; ``data["failed"]`` names the
                field that failed.
            DialogPending: a dialog blocks the page.
        """
        task, entries = self._task, fill.entries_of(fields)
        for at, entry in enumerate(entries):
            task.vault.check(entry.value, f"fields[{at}].value")
        filled: list[dict[str, Any]] = []
        done = self._perform(
            fill.FILL_FORM,
            lambda call: fill.fill_form(call, entries, filled, keep_going=keep_going),
            task.tab_of(entries[0].ref, tab_id),
            timeout_ms,
            shows=snapshot,
        )
        return fill.with_filled(done, filled)
