"""The walker skips computations for an element without semantic attributes."""

from __future__ import annotations

import re
from pathlib import Path

import tabwarden.page.walker

JS = Path(tabwarden.page.walker.__file__).parent / "js"
WALK = ("accessibility/*.js", "outline/*.js", "dom/flat_tree.js", "dom/visibility.js")
ASKED = re.compile(r"(?:attribute|hasAttribute)\([^,()]+, \"([^\"]+)\"")
# Read only from a few kinds of elements, whatever their other attributes: not behind `isTelling`.
OF_SOME = set("href list label scope disabled controls class id src summary accuracymode".split())


def test_semantic_attribute_list_contains_every_attribute_that_the_walker_reads() -> None:
    source = (JS / "dom/semantic_attributes.js").read_text("utf-8")
    (listed,) = re.findall(r"TELLING = new Set\(\s*\((.*?)\)\.split", source, re.DOTALL)
    telling = set(re.sub(r'["+]', " ", listed).split())
    assert "role" in telling
    walk = [file.read_text("utf-8") for pattern in WALK for file in JS.glob(pattern)]
    asked = {name for text in walk for name in ASKED.findall(text)}
    assert len(asked) > 20
    plain = {name for name in asked if not name.startswith("aria-")}
    assert plain - OF_SOME <= telling, (
        "add it to semantic_attributes.js, or here if it is asked all the same"
    )
