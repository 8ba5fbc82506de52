"""Tic-tac-toe."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from judges.miniwob.nodes import NotShown, Outline
from judges.miniwob.oracles.registry import oracle
from judges.miniwob.verbs import Page

_LINES = [
    (0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6),
]  # fmt: skip


def _board(outline: Outline) -> list[str]:
    cells = outline.all("generic|img|image|cell|button", ref=True)
    if len(cells) != 9:
        raise NotShown(f"the text shows {len(cells)} cells, not 9")
    marks = []
    for cell in cells:
        told = " ".join([cell.label, *cell.states.values()])
        found = re.search(r"\b(?:mark-)?([xo])\b", told, re.I)
        marks.append(found[1].lower() if found else "")
    return marks


def _wins(board: Sequence[str], mark: str) -> bool:
    return any(all(board[at] == mark for at in line) for line in _LINES)


def _free(board: Sequence[str]) -> list[int]:
    return [at for at in range(9) if not board[at]]


def _put(board: Sequence[str], at: int, mark: str) -> tuple[str, ...]:
    return (*board[:at], mark, *board[at + 1 :])


@cache
def _chance(board: tuple[str, ...]) -> float:
    """How likely x wins if it is its turn, and o often moves at random."""
    return max((_after(_put(board, at, "x")) for at in _free(board)), default=0.0)


@cache
def _after(board: tuple[str, ...]) -> float:
    if _wins(board, "x"):
        return 1.0
    free = _free(board)
    if not free:
        return 0.0
    chances = [0.0 if _wins(reply := _put(board, at, "o"), "o") else _chance(reply) for at in free]
    careful = [
        chance
        for at, chance in zip(free, chances, strict=True)
        if _wins(_put(board, at, "o"), "o") or _wins(_put(board, at, "x"), "x")
    ]
    return (sum(chances) / len(chances) + min(careful or chances)) / 2


def _best(board: list[str]) -> int:
    return max(_free(board), key=lambda at: _after(_put(tuple(board), at, "x")))


@oracle("tic-tac-toe")
async def play(page: Page) -> None:
    outline = await page.look()
    mine: set[int] = set()
    for _ in range(5):
        board = _board(outline)
        for at in mine:
            board[at] = "x"
        if all(board):
            return
        move = _best(board)
        mine.add(move)
        cells = outline.all("generic|img|image|cell|button", ref=True)
        outline = await page.click(cells[move], look=True)
        if len(outline.all("generic|img|image|cell|button", ref=True)) != 9:
            return
