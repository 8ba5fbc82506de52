"""Titles: the URL and the title of each tab, from the browser process.

The browser process knows the URL and the title even while a page hangs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from tabwarden.protocol import target
from tabwarden.supervisor.core.state import inputs
from tabwarden.supervisor.core.state.transition import Ask, Turn
from tabwarden.supervisor.core.state.values import replace


class TitleAsked(Ask, frozen=True):
    command = target.GetTargetInfo


class TabsAsked(Ask, frozen=True):
    command = target.GetTargets
    replaces: ClassVar[bool] = True


def info_changed(turn: Turn, event: target.TargetInfoChanged, session_id: str | None) -> None:
    _ = session_id
    _fold(turn, event.target_info)


def seen(turn: Turn, input_: inputs.TargetSeen) -> None:
    _fold(turn, input_.info)


def _fold(turn: Turn, info: target.TargetInfo) -> None:
    """Update a tab from the browser process's information."""
    if info.target_id in turn.state.closing and info.attached:
        turn.send(target.CloseTarget(target_id=info.target_id), None)
    tab = turn.state.tab_of_target(info.target_id)
    if tab is None:
        return
    url = info.url or tab.url  # empty while a navigation hangs between two documents
    if (tab.url, tab.title) != (url, info.title):
        turn.put("tabs", tab.tab_id, replace(tab, url=url, title=info.title))


def ask_title(turn: Turn, session_id: str | None) -> None:
    """Request a title from the browser process, because no event reports a change after the
    commit.
    """
    tab = turn.state.tab_of_session(session_id)
    if tab is not None and tab.session_id == session_id:
        turn.send(target.GetTargetInfo(target_id=tab.target_id), None, TitleAsked())


def ask_tabs(turn: Turn, _: inputs.LookAtTabs) -> None:
    turn.send(target.GetTargets(), None, TabsAsked())


def title_known(turn: Turn, _: TitleAsked, result: target.GetTargetInfoResult | None) -> None:
    _fold_titles(turn, [result.target_info] if result is not None else [])


def tabs_known(turn: Turn, _: TabsAsked, result: target.GetTargetsResult | None) -> None:
    _fold_titles(turn, result.target_infos if result is not None else [])


def _fold_titles(turn: Turn, infos: Sequence[target.TargetInfo]) -> None:
    """Update titles, but never replace a known title with the page's URL."""
    for info in infos:
        tab = turn.state.tab_of_target(info.target_id)
        if tab is not None and not (is_address(info) and tab.title and tab.url == info.url):
            _fold(turn, info)


def is_address(info: target.TargetInfo) -> bool:
    """Whether the browser process has no title for a page yet, and sent the URL instead."""
    return bool(info.title) and info.title in info.url


def entitled(turn: Turn, input_: inputs.TitleRead) -> None:
    """Store a title that was read in the page, because no event reports a title that a script
    sets.
    """
    tab = turn.state.tabs.get(input_.tab_id)
    if tab is not None and tab.title != input_.title:
        turn.put("tabs", tab.tab_id, replace(tab, title=input_.title))


EVENTS = ((target.TargetInfoChanged, info_changed),)
INPUTS = (
    (inputs.TargetSeen, seen),
    (inputs.TitleRead, entitled),
    (inputs.LookAtTabs, ask_tabs),
)
REPLIES = ((TitleAsked, title_known), (TabsAsked, tabs_known))
