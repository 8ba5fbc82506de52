"""Decoding the walker's output (``js/columns.js``)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tabwarden.page.walker.walk_records import Node, decode

HEAD: dict[str, Any] = {
    "depths": [0, 1, 1, 1],
    "roles": ["main", "link", "button"],
    "role": [0, 1, 2, 1],
    "ids": [0, 7, -3, 2],
    "linked": [1, 2],
    "stated": {"at": [2], "states": [{"disabled": True}]},
    "cut": False,
    "view": [0, 2],
    "suspects": 0,
    "title": "Shop",
}
LINES = ["", "Tea", "Buy", "Mate", "/tea", "/mate"]
READ = [
    Node(0, "main", "", 0, {}),
    Node(1, "link", "Tea", 7, {"url": "/tea"}),
    Node(1, "button", "Buy", 4, {"disabled": True}),
    Node(1, "link", "Mate", 6, {"url": "/mate"}),
]


@pytest.mark.parametrize(
    "text",
    [
        "\n".join([json.dumps(HEAD | {"lines": None}), *LINES]),
        json.dumps(HEAD | {"lines": LINES}),  # one of them contains a line break
    ],
)
def test_walk_decoder_reads_names_and_urls_from_lines_or_the_header(text: str) -> None:
    told = decode(text)
    assert list(told.nodes) == READ
    assert (told.view, told.title) == ([0, 2], "Shop")


def test_walk_decoder_returns_no_nodes_for_an_empty_document() -> None:
    nothing: dict[str, Any] = {key: [] for key in HEAD if isinstance(HEAD[key], list)}
    head = HEAD | nothing | {"stated": {"at": [], "states": []}, "lines": None}
    assert len(decode(f"{json.dumps(head)}\n").nodes) == 0
