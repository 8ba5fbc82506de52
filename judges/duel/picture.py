"""Draws the verdicts as an SVG for a page: without scripts and fonts, and readable on light and
dark."""

from __future__ import annotations

from html import escape

from judges.duel.card import Card

__all__ = ["Card", "picture"]

WIDTH, NAME, HEAD, ROW, FOOT = 880, 184, 88, 58, 50
CELL = (WIDTH - NAME - 16) / 5
LETTERS = 20
"""Maximum characters in a cell."""

STYLE = """
text{font:13px system-ui,sans-serif;fill:#1f2328}.b{font-weight:600}.s{font-size:11px;fill:#59636e}
.t{font-size:17px;font-weight:600}.y{fill:#1a7f37;font-weight:600}.n{fill:#cf222e;font-weight:600}
.c{fill:#fff;stroke:#d1d9e0}.o{fill:#1a7f3718}line{stroke:#d1d9e0}
@media(prefers-color-scheme:dark){text{fill:#f0f6fc}.s{fill:#9198a1}.y{fill:#3fb950}.n{fill:#f85149}
.c{fill:#0d1117;stroke:#3d444d}.o{fill:#3fb95022}line{stroke:#3d444d}}
"""


def picture(card: Card) -> str:
    """Return the SVG as text."""
    height = HEAD + ROW * len(card.tools) + FOOT
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        f'width="{WIDTH}" height="{height}" role="img" aria-labelledby="title told">',
        f'<title id="title">{escape(card.title)}</title>',
        f'<desc id="told">{escape(_told(card))}</desc><style>{STYLE}</style>',
        f'<rect class="c" x=".5" y=".5" width="{WIDTH - 1}" height="{height - 1}" rx="8"/>',
        _text(16, 28, card.title, "t"),
    ]
    for at, bout in enumerate(card.bouts):
        for line, words in enumerate(_lines(bout, 17)):
            parts.append(_text(NAME + at * CELL, 56 + 16 * line, words, "b"))
    for at, tool in enumerate(card.ranking):
        parts += _row(card, tool, HEAD + at * ROW, first=at == 0)
    for line, words in enumerate(_lines(card.caption, 140)):
        parts.append(_text(16, height - FOOT + 20 + 15 * line, words, "s"))
    return "\n".join([*parts, "</svg>", ""])


def _told(card: Card) -> str:
    """Return a text alternative for the image."""
    lines = []
    for tool in card.ranking:
        cells = [(bout, card.verdicts.get((tool, bout))) for bout in card.bouts]
        told = "; ".join(f"{bout}: {verdict.line}" for bout, verdict in cells if verdict)
        lines.append(f"{card.name(tool)} won {card.score(tool)}. {told or 'not run'}.")
    return "\n".join([*lines, card.caption])


def _row(card: Card, tool: str, top: float, *, first: bool) -> list[str]:
    parts = [f'<line x1="1" x2="{WIDTH - 1}" y1="{top}" y2="{top}"/>']
    if first:
        parts.append(f'<rect class="o" x="1" y="{top}" width="{WIDTH - 2}" height="{ROW}"/>')
    parts.append(_text(16, top + 22, card.name(tool), "b"))
    parts.append(_text(16, top + 39, f"{card.score(tool)} · {card.version(tool)}", "s"))
    for at, bout in enumerate(card.bouts):
        left, verdict = NAME + at * CELL, card.verdicts.get((tool, bout))
        if verdict is None:
            parts.append(_text(left, top + 22, "not run", "s"))
        elif verdict.won:
            parts.append(_text(left, top + 22, f"✓ {verdict.seconds:.1f} s", "y"))
        else:
            told = f"✗ {verdict.result}, {verdict.seconds:.0f} s"
            parts.append(_text(left, top + 22, told, "n"))
            for line, words in enumerate(_lines(verdict.why)[:2]):
                parts.append(_text(left, top + 37 + 13 * line, words, "s"))
    return parts


def _text(x: float, y: float, text: str, kind: str) -> str:
    return f'<text x="{x:g}" y="{y:g}" class="{kind}">{escape(text)}</text>'


def _lines(text: str, letters: int = LETTERS) -> list[str]:
    lines = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + len(word) >= letters:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines
