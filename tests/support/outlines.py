"""Random outlines, as Hypothesis draws them."""

from __future__ import annotations

from hypothesis import strategies as st

from tabwarden.page.text.untrusted_text import Line, quoted

__all__ = ["outlines"]

ROLES = ("list", "listitem", "row", "button", "link", "heading", "main", "text")
NAMES = st.one_of(st.sampled_from(["Buy", "Delete", "Tea", ""]), st.text(max_size=30))
NODE = st.tuples(
    st.integers(-3, 1),  # how much deeper than the last
    st.sampled_from(ROLES),
    NAMES,
    st.booleans(),
    st.integers(1, 12),  # how often it stands there
)


@st.composite
def outlines(draw: st.DrawFn, max_size: int = 60) -> list[Line]:
    """A tree of lines, with repetitions, some in the viewport, some texts very long."""
    lines: list[Line] = []
    depth, number = 0, 0
    for step, role, name, in_view, times in draw(st.lists(NODE, max_size=max_size)):
        depth = max(0, min(depth + step, lines[-1].depth + 1 if lines else 0))
        for _ in range(times):
            refs: tuple[str, ...] = ()
            text = f"{role} {quoted(name * (times * 20 if role == 'text' else 1))}"
            if role in ("button", "link", "row"):
                wanted = 2 if role == "row" else 1
                refs = tuple(f"e{number + n + 1}" for n in range(wanted))
                number += wanted
                text += "".join(f" [ref={ref}]" for ref in refs)
            lines.append(Line(depth, role, text, refs, in_view))
    return lines
