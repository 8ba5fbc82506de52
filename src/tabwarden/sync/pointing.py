"""Sync twin of ``tabwarden.browser.pointing``: the same names, for code without an event loop.

Generated from browser/pointing.py by tools/generate_sync.py: do not edit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from tabwarden import results
from tabwarden.budget import Timeout
from tabwarden.journal import journaled
from tabwarden.page import ActionResult
from tabwarden.page.call import between, one_of, target_of, texts, within
from tabwarden.page.input import (
    drag,
    drop,
    files_in,
    mouse,
    parse_modifiers,
    pointer,
    scroll,
    touch,
    viewport,
)
from tabwarden.page.snapshot import Show
from tabwarden.sync.base import BrowserBase


class PointingMethods(BrowserBase):
    """Methods that point at elements and places."""

    @journaled
    def click(
        self,
        ref: str | None = None,
        *,
        x: float | None = None,
        y: float | None = None,
        button: Literal["left", "middle", "right"] = "left",
        count: int = 1,
        modifiers: Sequence[str] = (),
        snapshot: Show = "none",
        tab_id: str | None = None,
        timeout_ms: Timeout = None,
    ) -> ActionResult[None]:
        """Click an element or a point. The element is scrolled into view and must not be covered.

        Args:
            ref: the element, from a snapshot.
            x, y: a point of the viewport in CSS pixels, instead of ``ref``.
            button: left, middle or right.
            count: 2 for a double click; at most 3.
            modifiers: keys to hold during the click: Alt, Control, Meta, Shift.
            snapshot, tab_id, timeout_ms: see ``Browser``.

        Raises:
            StaleRef, UnknownRef: the element does not exist.
            NotInteractable, Obscured: the element can't be clicked; the error says why.
            DialogPending: a dialog blocks the page.
        """
        task, at = self._task, target_of(ref, x, y)
        held = parse_modifiers(texts("modifiers", modifiers))
        within("count", count, 1, 3)
        one_of("button", button, ("left", "middle", "right"))
        return self._perform(
            mouse.CLICK,
            lambda call: viewport.inside(
                call.race,
                call.tab,
                at,
                lambda: mouse.click(
                    call, ref=ref, at=at, button=button, count=count, modifiers=held
                ),
            ),
            task.tab_of(ref, tab_id),
            timeout_ms,
            shows=snapshot,
        )

    @journaled
    def hover(
        self,
        ref: str | None = None,
        *,
        x: float | None = None,
        y: float | None = None,
        snapshot: Show = "none",
        tab_id: str | None = None,
        timeout_ms: Timeout = None,
    ) -> ActionResult[None]:
        """Move the mouse over an element, which is scrolled into view, or over a point.

        Args:
            ref: the element, from a snapshot.
            x, y: a point of the viewport in CSS pixels, instead of ``ref``.
            snapshot, tab_id, timeout_ms: see ``Browser``.

        Raises:
            StaleRef, UnknownRef, NotInteractable, Obscured, DialogPending: as for ``click``.
        """
        task, at = self._task, target_of(ref, x, y)
        return self._perform(
            mouse.HOVER,
            lambda call: viewport.inside(
                call.race, call.tab, at, lambda: mouse.hover(call, ref=ref, at=at)
            ),
            task.tab_of(ref, tab_id),
            timeout_ms,
            shows=snapshot,
        )

    @journaled
    def scroll(
        self,
        direction: Literal["up", "down", "left", "right"] = "down",
        amount: float = 500,
        ref: str | None = None,
        *,
        x: float | None = None,
        y: float | None = None,
        snapshot: Show = "none",
        tab_id: str | None = None,
        timeout_ms: Timeout = None,
    ) -> ActionResult[results.Scrolled]:
        """Turn the mouse wheel; ``value`` is ``{"moved", "x", "y", "left"}`` in CSS pixels.
        ``moved`` is the distance that the area scrolled, ``x`` and ``y`` are its new position, and
        ``left`` is the distance that it can still scroll.

        Args:
            direction: up, down, left or right.
            amount: the distance in CSS pixels; at most 100,000.
            ref: the element to scroll over; by default the middle of the viewport.
            x, y: a point of the viewport, instead of ``ref``.
            snapshot, tab_id, timeout_ms: see ``Browser``.

        Raises:
            StaleRef, UnknownRef, NotInteractable, Obscured, DialogPending: as for ``click``.
        """
        task = self._task
        at = None if ref is None and x is None and y is None else target_of(ref, x, y)
        one_of("direction", direction, ("up", "down", "left", "right"))
        between("amount", amount, 1, 100_000)
        return self._perform(
            scroll.SCROLL,
            lambda call: viewport.inside(
                call.race,
                call.tab,
                at,
                lambda: scroll.scroll(call, direction=direction, amount=amount, ref=ref, at=at),
            ),
            task.tab_of(ref, tab_id),
            timeout_ms,
            shows=snapshot,
        )

    @journaled
    def drag(
        self,
        from_ref: str | None = None,
        to_ref: str | None = None,
        *,
        from_x: float | None = None,
        from_y: float | None = None,
        to_x: float | None = None,
        to_y: float | None = None,
        snapshot: Show = "none",
        tab_id: str | None = None,
        timeout_ms: Timeout = None,
    ) -> ActionResult[results.Dragged]:
        """Drag with the left button from one element or point to another, even between frames.

        ``value`` is ``{"kind": "pointer"}``, or for HTML drag and drop ``{"kind": "html5",
        "effect": "move" | "copy" | "link" | "none"}``; ``none`` means that nothing accepted the
        drop. The button is always released, even on an error.

        Args:
            from_ref, to_ref: the elements, from a snapshot.
            from_x, from_y, to_x, to_y: points of the viewport in CSS pixels, instead of refs. With
                ``to_ref``, ``to_x`` and ``to_y`` count from that element's middle.
            snapshot, tab_id, timeout_ms: see ``Browser``.

        Raises:
            StaleRef, UnknownRef, NotInteractable, Obscured, DialogPending: as for ``click``.
        """
        task = self._task
        source = drag.place_of("from", from_ref, from_x, from_y)
        goal = drag.place_of("to", to_ref, to_x, to_y)
        return self._perform(
            drag.DRAG,
            lambda call: drag.drag(call, source, goal),
            task.tab_of(from_ref, tab_id),
            timeout_ms,
            shows=snapshot,
        )

    @journaled
    def mouse(
        self,
        mode: pointer.Mode,
        x: float | None = None,
        y: float | None = None,
        *,
        to_x: float | None = None,
        to_y: float | None = None,
        path: Sequence[Sequence[float]] = (),
        button: Literal["left", "middle", "right"] = "left",
        count: int = 1,
        hold_ms: float = 0,
        delta_x: float = 0,
        delta_y: float = 0,
        modifiers: Sequence[str] = (),
        pixels: Literal["picture", "css"] = "picture",
        picture_width: int | None = None,
        snapshot: Show = "none",
        tab_id: str | None = None,
        timeout_ms: Timeout = None,
    ) -> ActionResult[results.Pointed]:
        """Use the mouse at points that were seen on the tab's last screenshot, in its pixels.

        ``click`` does not look for an element or a cover: it clicks whatever is at the point.
        ``value`` is ``{"x", "y"}``, the mouse's position in CSS pixels of the viewport. After a
        drag, it also has what ``drag`` returns.

        Args:
            mode: ``move``, ``click``, ``down``, ``up``, ``drag`` or ``wheel``.
            x, y: the point; for ``down``, ``up`` and ``wheel``, the mouse's place by default.
            to_x, to_y: where a drag ends.
            path: points on a drag's way, ``[[x, y], ...]``.
            button: left, middle or right.
            count: for ``click``: 2 for a double click.
            hold_ms: for ``click``: how long the button stays down; at most 60,000.
            delta_x, delta_y: for ``wheel``: CSS pixels to the right and down.
            modifiers: keys to hold meanwhile: Alt, Control, Meta, Shift.
            pixels: ``css``: points are in CSS pixels of the viewport, as for ``click``. They are
                so too in a tab without a screenshot.
            picture_width: the screenshot's width as you saw it, if something made it smaller.
            snapshot, tab_id, timeout_ms: see ``Browser``.

        Raises:
            InvalidArgument: a point is outside of the picture, or the page has navigated, scrolled
                or changed its size since; the error names the picture.
            DialogPending: a dialog blocks the page.
        """
        want = pointer.wanted(
            mode,
            x=x,
            y=y,
            to_x=to_x,
            to_y=to_y,
            path=path,
            button=button,
            count=count,
            hold_ms=hold_ms,
            delta_x=delta_x,
            delta_y=delta_y,
            modifiers=texts("modifiers", modifiers),
            pixels=pixels,
            picture_width=picture_width,
        )
        return self._perform(
            pointer.MOUSE,
            lambda call: pointer.use_mouse(call, want),
            tab_id,
            timeout_ms,
            shows=snapshot,
        )

    @journaled
    def touch(
        self,
        mode: Literal["tap", "swipe", "pinch"],
        ref: str | None = None,
        *,
        x: float | None = None,
        y: float | None = None,
        to_x: float | None = None,
        to_y: float | None = None,
        direction: Literal["up", "down", "left", "right"] | None = None,
        distance: float = 300,
        scale: float | None = None,
        hold_ms: float = 0,
        pixels: Literal["picture", "css"] = "picture",
        picture_width: int | None = None,
        snapshot: Show = "none",
        tab_id: str | None = None,
        timeout_ms: Timeout = None,
    ) -> ActionResult[results.Touched]:
        """Touch the page with fingers, also if it emulates no touch screen. ``value`` is ``{"x",
        "y", "scale"}``: where the page is scrolled to then, and its zoom.

        Args:
            mode: ``tap``, ``swipe`` or ``pinch``.
            ref: the element, from a snapshot.
            x, y: a point instead of ``ref``; for ``swipe`` and ``pinch``, the viewport's middle by
                default.
            to_x, to_y: where a swipe ends.
            direction: where the finger moves, instead of ``to_x`` and ``to_y``; ``up`` scrolls
                down.
            distance: how far, in CSS pixels; not beyond the viewport.
            scale: for ``pinch``: 2 zooms in, 0.5 out; from 0.2 to 5.
            hold_ms: how long the finger rests first: a long tap, or a drag.
            pixels, picture_width: as for ``mouse``.
            snapshot, tab_id, timeout_ms: see ``Browser``.

        Raises:
            StaleRef, UnknownRef, NotInteractable, Obscured, DialogPending: as for ``click``.
            InvalidArgument: as for ``mouse``.
        """
        want = touch.touch_wanted(
            mode,
            ref=ref,
            x=x,
            y=y,
            to_x=to_x,
            to_y=to_y,
            direction=direction,
            distance=distance,
            scale=scale,
            hold_ms=hold_ms,
            pixels=pixels,
            picture_width=picture_width,
        )
        return self._perform(
            touch.TOUCH,
            lambda call: touch.touch(call, want),
            self._task.tab_of(ref, tab_id),
            timeout_ms,
            shows=snapshot,
        )

    @journaled
    def drop(
        self,
        ref: str | None = None,
        filenames: Sequence[str] = (),
        *,
        data: Mapping[str, str] | None = None,
        x: float | None = None,
        y: float | None = None,
        snapshot: Show = "none",
        tab_id: str | None = None,
        timeout_ms: Timeout = None,
    ) -> ActionResult[results.Dropped]:
        """Drop files or data on an element, as if dragged from outside the page. ``value`` is
        ``{"files", "types", "effect"}``.

        Args:
            ref: the element, from a snapshot.
            filenames: names in the upload folder (``upload_dir`` of the configuration).
            data: texts by MIME type, such as ``{"text/plain": "words"}``.
            x, y: a point of the viewport in CSS pixels, instead of ``ref``.
            snapshot, tab_id, timeout_ms: see ``Browser``.

        Raises:
            Denied: a name leads outside the folder.
            InvalidArgument: a file does not exist, or there is nothing to drop.
            NotInteractable: nothing takes the drop there.
            StaleRef, UnknownRef, Obscured, DialogPending: as for ``click``.
        """
        at = target_of(ref, x, y)
        files = files_in(self.upload_folders, filenames)
        dropped = drop.checked_data(data, has_files=bool(files))
        return self._perform(
            drop.DROP,
            lambda call: viewport.inside(
                call.race,
                call.tab,
                at,
                lambda: drop.drop(call, files, dropped, ref=ref, at=at),
                first=True,
            ),
            self._task.tab_of(ref, tab_id),
            timeout_ms,
            shows=snapshot,
        )
