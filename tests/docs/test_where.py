"""docs/where.md refers to existing files."""

from __future__ import annotations

import generate_where


def test_each_row_of_the_where_page_lists_existing_files() -> None:
    rows = generate_where.rows()
    assert len(rows) > 90
    lost = [(row.what, named) for row in rows for named, path in row.paths() if path is None]
    assert lost == []


def test_nearly_every_row_of_the_where_page_lists_a_file() -> None:
    without = [row.what for row in generate_where.rows() if not list(row.paths())]
    assert len(without) < 5, without


def test_generated_where_page_is_up_to_date() -> None:
    assert generate_where.PAGE.read_text("utf-8") == generate_where.page()
