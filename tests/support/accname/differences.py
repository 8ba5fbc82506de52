# ruff: noqa: E501 - a case a line
"""Where Chromium differs from the standards, which the walker follows, each with the reason.

``listed`` makes the tables of docs/names.md; a test compares them. Run this file to write them:
``python tests/support/accname/differences.py``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

__all__ = [
    "NAME_DIFFERENCES",
    "PAGE",
    "ROLE_DIFFERENCES",
    "SAME_ROLES",
    "STATE_DIFFERENCES",
    "listed",
]

PAGE = Path(__file__).parents[3] / "docs" / "names.md"

_EMPTY_IS_NONE = "if a source gives an empty name, the name comes from the next source"
_NESTED = "nested content is part of a name, whatever its role (accname 2F)"
_MEDIA = "if a player has nothing to play, Chromium uses this message as its name, even if the page sets a name"

NAME_DIFFERENCES: dict[str, tuple[str | None, str]] = {
    "<label for=$a></label><input T id=$a placeholder=Hint>": ("", _EMPTY_IS_NONE),
    "<img T src=x alt=' ' title=Tip>": ("", _EMPTY_IS_NONE),
    "<img T src=x alt='' title=Tip>": ("", _EMPTY_IS_NONE),
    "<button T>Send <input type=file></button>": (
        "Send Choose File: No file chosen",
        "the chosen file is the value, not part of the name",
    ),
    "<div id=$a>Size <select id=$b><option>A</select></div><input T aria-labelledby='$a $b'>": (
        "Size A",
        "an element that is referenced twice appears twice in the name; Chromium does the same except for selects",
    ),
    "<button T>Pay <span role=combobox>cash</span></button>": (
        "Pay",
        "a combobox contributes its value (here its text), whether or not it has the focus",
    ),
    "<button T>Pay <span role=group>by card</span></button>": ("Pay", _NESTED),
    "<label for=$a hidden>Hidden</label><input T id=$a title=Seen>": (
        "",
        "a hidden label still names its field (accname 2A)",
    ),
    "<figure T><img src=x alt=In><figcaption>Caption</figcaption></figure>": (
        "",
        "a caption names its figure (HTML-AAM)",
    ),
    "<a T href=#><figure><img src=x alt=Inner><figcaption>Caption</figcaption></figure></a>": (
        "",
        "a caption names its figure (HTML-AAM)",
    ),
    "<map name=$m><area T href=# alt=North shape=rect coords='0,0,9,9'></map><img usemap=#$m src=x width=9 height=9 alt=M>": (
        None,
        "Chromium exposes an `<area>` only if its image has loaded",
    ),
    "<video T aria-label=Film></video>": ("Unable to play media.", _MEDIA),
    "<audio T controls title=Song></audio>": ("Unable to play media.", _MEDIA),
    "<a T href=#><span title=Tip></span></a>": (
        "",
        "a tooltip names an element without content, even a nested element (accname 2I)",
    ),
    "<button T>Sum <progress value=1 max=2 aria-label=Half></progress></button>": (
        "Sum 1",
        "an element that a user can't adjust contributes its name, not its value (accname 2C)",
    ),
    "<button T><div role=img>no words</div>Go</button>": ("Go", _NESTED),
    "<a T href=#><svg><g><title>Home</title><path d='M0 0h9v9'/></g></svg></a>": ("", _NESTED),
    "<button T><article>Large</article> things</button>": ("things", _NESTED),
    "<button T><input type=password value=secret>Go</button>": (
        "•••••• Go",
        "neither a password nor its length belongs in a name",
    ),
    "<button T><select aria-labelledby=$a><option>A</select></button><span id=$a>By</span>": (
        "A",
        "`aria-labelledby` takes precedence over the value (accname 2B, 2C)",
    ),
    "<input T type=image src=x value=7>": (
        "7",
        "an image button does not show its value, so the value is not its name (HTML-AAM)",
    ),
    "<input T type=file title=Tip>": (
        "Choose File",
        "the tooltip takes precedence over the browser's own text (HTML-AAM)",
    ),
    "<style>.$a::before{content:'\\e001'}</style><button T class=$a>Save</button>": (
        "\ue001Save",
        "glyphs of icon fonts are not words",
    ),
    "<style>.$a{text-transform:uppercase}</style><button T class=$a>quiet</button>": (
        "QUIET",
        "the name contains the document's text, as `textContent` does",
    ),
    "<button T>日本語<wbr>テキスト</button>": (
        "日本語 テキスト",
        "a possible line break is not a space",
    ),
}

# Chromium's names for a role, and the walker's names for the same role.
SAME_ROLES = {
    "image": "img", "Iframe": "iframe", "Canvas": "canvas", "Video": "video", "Audio": "audio",
    "DisclosureTriangle": "button", "DisclosureTriangleGrouped": "button", "SvgRoot": "img",
    "ColorWell": "button", "Date": "textbox", "DateTime": "textbox", "InputTime": "textbox",
    "sectionheader": "generic", "sectionfooter": "generic", "doc-noteref": "link",
    "ListMarker": "generic", "LabelText": "generic", "Legend": "generic", "Details": "group",
}  # fmt: skip

_EDITABLE = (
    "an element that a person can type into is a textbox, so that the agent knows it is editable"
)

ROLE_DIFFERENCES: dict[str, tuple[str, str]] = {
    "<form T>x</form>": ("form", "a form without a name is not a landmark (HTML-AAM)"),
    "<div><li T>x</li></div>": (
        "listitem",
        "an item outside of a list is not a list item (HTML-AAM)",
    ),
    "<details open><summary>x</summary><summary T>y</summary></details>": (
        "button",
        "only the first summary opens its details",
    ),
    "<div T contenteditable>x</div>": ("generic", _EDITABLE),
    "<p T contenteditable>x</p>": ("paragraph", _EDITABLE),
    "<div T contenteditable=plaintext-only>x</div>": ("generic", _EDITABLE),
    "<iframe T role=dialog aria-label=x></iframe>": (
        "dialog",
        "a frame stays a frame whatever its role, so that the agent can find its content",
    ),
}

_NOT_YET = "a field counts as invalid only after a user has left it invalid (`:user-invalid`)"
_LEVEL = "if `aria-level` is invalid, the heading keeps its native level"

STATE_DIFFERENCES: dict[str, tuple[dict[str, Any], str]] = {
    "<input T type=checkbox aria-label=x role=button aria-pressed=true>": (
        {"pressed": False},
        "with this role, `aria-pressed` sets the state; Chromium uses the checkbox's own state",
    ),
    "<button T aria-expanded=bogus>x</button>": (
        {"expanded": True},
        "a value that ARIA does not define has no effect",
    ),
    "<select T aria-label=x required><option value=''>A</select>": (
        {"invalid": True},
        f"{_NOT_YET}; the walker reports this one as required, which Chromium does only for text fields",
    ),
    "<input T aria-label=x aria-invalid=spelling>": (
        {"invalid": True},
        "the snapshot keeps the kind of error, here `spelling`",
    ),
    "<h3 T aria-level=0>x</h3>": ({"level": 1}, _LEVEL),
    "<h3 T aria-level=bogus>x</h3>": ({"level": 1}, _LEVEL),
}

_HEAD = "<!-- made by tests/support/accname/differences.py -->"


def listed() -> str:
    """The tables as Markdown."""
    rows: list[str] = []
    for what, table in (
        ("Names", NAME_DIFFERENCES),
        ("Roles", ROLE_DIFFERENCES),
        ("States", STATE_DIFFERENCES),
    ):
        rows += [
            f"\n### {what}\n",
            "| page | Chromium says | why the walker differs |",
            "|---|---|---|",
        ]
        rows += [
            f"| {_code(page)} | {_said(said)} | {why} |" for page, (said, why) in table.items()
        ]
    same = ", ".join(f"`{theirs}` = `{ours}`" for theirs, ours in SAME_ROLES.items())
    return "\n".join([_HEAD, *rows, "\n### Other words for the same role\n", same, ""])


def _code(page: str) -> str:
    return f"`` {page.replace(' T', '', 1).replace('$', '').replace('|', chr(92) + '|')} ``"


def _said(said: Any) -> str:
    if said is None:
        return "(no such element)"
    if isinstance(said, dict):
        return ", ".join(f"`{key}={value}`" for key, value in said.items())
    return (
        f"`{said.encode('ascii', 'backslashreplace').decode() if not said.isprintable() else said}`"
        if said
        else '`""`'
    )


AGREED_LATER = {"<a T href=#><svg><g><title>Home</title><path d='M0 0h9v9'/></g></svg></a>"}
"""Newer Chromiums (156) compute these names like the walker."""


if __name__ == "__main__":
    text = PAGE.read_text("utf-8")
    PAGE.write_text(text[: text.index(_HEAD)] + listed(), "utf-8")
