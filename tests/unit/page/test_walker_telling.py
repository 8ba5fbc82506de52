"""A walk skips what it would ask of an element none of whose attributes tells anything."""

from __future__ import annotations

import re
from importlib import resources

JS = resources.files("tabwarden.page") / "js"
WALK = ("visibility", "roles", "names", "states", "outline", "content", "tree", "drawn")
ASKED = re.compile(r"(?:attribute|hasAttribute)\([^,()]+, \"([^\"]+)\"")
# Asked of a few kinds of elements, whatever else these have: not behind `isTelling`.
OF_SOME = {"href", "list", "label", "scope", "disabled", "controls"}


def test_all_that_is_asked_of_any_element_counts_as_telling() -> None:
    source = (JS / "telling.js").read_text("utf-8")
    (listed,) = re.findall(r"TELLING = new Set\(\s*\((.*?)\)\.split", source, re.DOTALL)
    telling = set(re.sub(r'["+]', " ", listed).split())
    assert "role" in telling
    asked = {
        name for file in WALK for name in ASKED.findall((JS / f"{file}.js").read_text("utf-8"))
    }
    plain = {name for name in asked if not name.startswith("aria-")}
    assert plain - OF_SOME <= telling, (
        "add it to js/telling.js, or here if it is asked all the same"
    )
