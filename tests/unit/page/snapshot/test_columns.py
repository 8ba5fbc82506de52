"""Processing by columns and by runs gives the same results as line by line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.fuzzing import searched
from support.outlines import outlines

from tabwarden.page.snapshot import outline
from tabwarden.page.snapshot.relevance import Nesting, split
from tabwarden.page.text.lines import Lines
from tabwarden.page.text.untrusted_text import Line
from tabwarden.page.walker.walk_records import Nodes, Props

ROLES = ("button", "link", "text", "listitem", "heading", "row", "cell", "iframe", "list", "group")
URLS = (
    "/a",
    "/a/long/enough/to/be/said/but/once",
    "javascript:x",
    "/q?utm_source=1",
    'https://x/"',
)
PROPS: st.SearchStrategy[Props] = st.one_of(
    st.none(),
    st.sampled_from(URLS),
    st.fixed_dictionaries({"level": st.integers(1, 6)}),
    st.fixed_dictionaries({"url": st.sampled_from(URLS), "disabled": st.just(True)}),
)
NODE = st.tuples(
    st.integers(-2, 1),  # how much deeper than the last
    st.sampled_from(ROLES),
    st.sampled_from(["Buy", "Tea", "", 'a "b"', "ünï"]),
    st.booleans(),  # whether it has an id
    PROPS,
    st.integers(1, 10),  # how often it occurs
)


@st.composite
def nodes(draw: st.DrawFn) -> Nodes:
    depths: list[int] = []
    roles: list[str] = []
    names: list[str] = []
    ids: list[int] = []
    props: list[Props] = []
    for step, role, name, has_id, state, times in draw(st.lists(NODE, max_size=20)):
        depth = max(0, min(depths[-1] + step, depths[-1] + 1)) if depths else 0
        for _ in range(times):
            depths.append(depth)
            roles.append(role)
            names.append(name)
            ids.append(len(ids) + 1 if has_id or role in ("button", "link") else 0)
            props.append(state)
    return Nodes(depths, roles, names, ids, props)


def rendered(found: Nodes, view: Sequence[int]) -> list[Line]:
    def below(local_id: int, number: int, at: int, *, in_view: bool) -> Lines:
        return Lines.of([Line(at, "note", f"(frame of {number})", (), in_view)])

    return list(outline.render(found, 1, lambda run: list(found.local_ids[run]), below, view))


@searched(300)
@given(nodes(), st.lists(st.integers(0, 60), max_size=4).map(sorted))
def test_render_returns_the_same_lines_in_runs_and_one_by_one(
    found: Nodes, view: list[int]
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(outline, "_RUN", 1)
        by_runs = rendered(found, view)
        patch.setattr(outline, "_RUN", len(found) + 1)
        assert by_runs == rendered(found, view)


@searched(100)
@given(outlines())
def test_column_storage_returns_the_original_lines(lines: list[Line]) -> None:
    columns = Lines.of(lines)
    assert list(columns) == lines
    assert columns.sizes() == [line.size for line in lines]
    refs = [int(ref[1:]) for line in lines for ref in line.refs]
    assert columns.refs() == list(columns.each_ref()) == refs
    half = len(lines) // 2
    assert list(columns[half:]) == lines[half:] == list(columns.pick(range(half, len(lines))))


@searched(300)
@given(outlines(), st.integers(20, 400))
def test_nesting_and_split_agree_with_a_reference_implementation(
    lines: list[Line], most: int
) -> None:
    depths = [line.depth for line in lines]
    above, ends = [], []
    for at, depth in enumerate(depths):
        over = [one for one in range(at) if depths[one] < depth]
        above.append(over[-1] if over else -1)
        after = [one for one in range(at + 1, len(depths)) if depths[one] <= depth]
        ends.append(after[0] if after else len(depths))
    nesting = Nesting(depths)
    assert (nesting.above, nesting.ends) == (above, ends)

    roles, sizes = [line.role for line in lines], [line.size for line in lines]
    kinds = list(zip(above, roles, strict=True))
    counts, met = Counter(kinds), Counter[tuple[int, str]]()
    single: list[int] = []
    items: list[int] = []
    for at, kind in enumerate(kinds):
        if items and at < ends[items[-1]]:
            continue
        met[kind] += 1
        is_item = counts[kind] >= 8 and met[kind] > 3 and sum(sizes[at : ends[at]]) <= most
        (items if is_item else single).append(at)
    assert split(nesting, roles, sizes, most) == (single, items)
