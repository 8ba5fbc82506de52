"""Heap snapshots: the classes, what is kept, and the file without secrets."""

from __future__ import annotations

import json

import pytest

from tabwarden.page.devtools import heap_snapshot
from tabwarden.page.devtools.heap_snapshot import UnknownFormat, summarize, without_secrets

STRINGS = ["", "Leak", 'pass"word,', "Detached <section>", "x"]
ROWS = [[1, 1, 5, 40, 0, 0]] * 3 + [[0, 2, 7, 100, 0, 0]] + [[2, 3, 9, 8, 0, 2]] * 2


def snapshot() -> str:
    meta = {
        "node_fields": ["type", "name", "id", "self_size", "edge_count", "detachedness"],
        "node_types": [["string", "object", "native"], "string", "number"],
    }
    head = json.dumps({"snapshot": {"meta": meta, "node_count": 6}})[:-1]
    nodes = [number for row in ROWS for number in row]
    return (
        f'{head},\n"nodes":{json.dumps(nodes, separators=(",", ":"))},\n"edges":[1,2],\n'
        f'"strings":{json.dumps(STRINGS, separators=(",", ":"))}}}'
    )


@pytest.mark.parametrize("piece", [1, 7, 500_000])
def test_heap_summary_counts_classes_and_detached_nodes(
    monkeypatch: pytest.MonkeyPatch, piece: int
) -> None:
    monkeypatch.setattr(heap_snapshot, "_PIECE", piece)
    told = summarize(snapshot())
    assert told["classes"] == [
        {"name": "Leak", "count": 3, "bytes": 120},
        {"name": "(string)", "count": 1, "bytes": 100},
        {"name": "Detached <section>", "count": 2, "bytes": 16},
    ]
    assert (told["objects"], told["bytes"]) == (6, 236)
    assert told["detached"] == [{"name": "Detached <section>", "count": 2}]
    text = b"".join(
        without_secrets(snapshot(), lambda text: text.replace('pass\\"word', "{{P}}"))
    ).decode()
    assert json.loads(text)["strings"] == ["", "Leak", "{{P}},", "Detached <section>", "x"]
    assert json.loads(text)["nodes"] == [number for row in ROWS for number in row]


@pytest.mark.parametrize("text", ["", "{}", '{"snapshot":{"meta":{}},"nodes":[1],"edges":[]}'])
def test_heap_summary_rejects_text_that_is_not_a_heap_snapshot(text: str) -> None:
    with pytest.raises(UnknownFormat):
        summarize(text)
