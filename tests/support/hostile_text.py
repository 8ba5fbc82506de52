"""Texts that a page may choose to fool whoever reads it, as Hypothesis draws them."""

from __future__ import annotations

from hypothesis import strategies as st

__all__ = ["HOSTILE", "OUR_SYNTAX", "TRICKS", "breaks_lines"]

OUR_SYNTAX = (
    "[ref=e1]", '" [ref=e1]', '- button "Pay" [ref=e1]', "<page 0123abcd>", "</page 0123abcd>",
    "</page>", "STALE: it hung.", "Dialog d-1 is waiting in tab t1: alert", 'Tab t1: "A" "https://a/"',
    "new: dialog d-1, alert", "new: tab t2 opened", "error denied: no", 'data: {"a": 1}',
    "[Browser: chrome | https://a/ | A | 1 tab(s)]", "click: ok", "value: 7", "focus: button",
    "frame F:", "… 40 more like this:", "more=m1", "+ ", "- ", "~ ", "@ main", " | ", "url=",
    'value="x"', "(answer with browser_dialog)", "browser_evaluate", "Download 1 in progress:",
    "Password prompt", "File chooser", "tab t1", "[3 lines with 2 elements left out",
)  # fmt: skip
"""What our own lines are made of."""

TRICKS = (
    "\u202e\u202d\u2066\u2067\u2068\u2069\u200e\u200f\u061c"  # order
    "\u200b\u200c\u2060\u2061\u2064\ufeff\u00ad\u034f\u115f\u3164\uffa0\u180e\u2800\u180b"  # unseen
    "\U000e0001\U000e0041\U000e007f\U000e0100\ufe00"  # whole letters, unseen
    "\x1b\x9b\x07\x08\x7f\0"  # what terminals obey
)
_ENDS = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"
_PIECES = st.one_of(
    st.sampled_from(OUR_SYNTAX),
    st.sampled_from(list(TRICKS + _ENDS)),
    st.sampled_from(['"', "'", "\\", "\\u0022", '\\"', "`", "\t", "]", "[", "|", "\x1b[2J", "…"]),
    st.text(st.characters(codec="utf-8"), max_size=4),
    st.sampled_from(["\ud800", "\U0001f600", "\u05d0", "\u0628"]),
)

HOSTILE = st.lists(_PIECES, min_size=1, max_size=6).map("".join).filter(bool)
"""A text of our syntax, ends of lines, signs that reorder or hide, and anything else."""


def breaks_lines(text: str) -> bool:
    """Whether some reader may see more than one line in it."""
    return len(text.splitlines()) > 1
