# ruff: noqa: E501 - a case a line
"""States by HTML-AAM and WAI-ARIA 1.2: ``T`` marks the element that is asked.

Just what is said here is to be said: a state that a case doesn't name must not be there.
"""

from __future__ import annotations

from typing import Any

__all__ = ["STATES"]

Case = tuple[str, dict[str, Any]]

_CHECKED: list[Case] = [
    ("<input T type=checkbox aria-label=x>", {"checked": False}),
    ("<input T type=checkbox aria-label=x checked>", {"checked": True}),
    ("<input T type=checkbox aria-label=x aria-checked=true>", {"checked": False}),
    ("<input T type=checkbox aria-label=x role=switch checked>", {"checked": True}),
    ("<input T type=checkbox aria-label=x role=button aria-pressed=true>", {"pressed": True}),
    ("<input T type=radio aria-label=x checked>", {"checked": True}),
    ("<input T type=checkbox aria-label=x onclick=1 class=half>", {"checked": "mixed"}),
    ("<div T role=checkbox tabindex=0 aria-checked=mixed>x</div>", {"checked": "mixed"}),
    ("<div T role=radio tabindex=0 aria-checked=mixed>x</div>", {"checked": False}),
    ("<div T role=switch tabindex=0 aria-checked=mixed>x</div>", {"checked": False}),
    ("<div T role=checkbox tabindex=0>x</div>", {"checked": False}),
    ("<div T role=button tabindex=0 aria-checked=true>x</div>", {}),
    ("<div role=tree><div T role=treeitem aria-level=1 aria-checked=true>x</div></div>", {"level": 1, "checked": True}),
    ("<div role=tree><div T role=treeitem aria-level=1 aria-checked=mixed>x</div></div>", {"level": 1, "checked": "mixed"}),
    ("<div role=tree><div T role=treeitem aria-level=1 aria-checked=false>x</div></div>", {"level": 1, "checked": False}),
    ("<div role=tree><div T role=treeitem aria-level=1>x</div></div>", {"level": 1}),
    ("<div role=listbox><div T role=option aria-checked=true>x</div></div>", {"checked": True}),
    ("<div role=listbox><div T role=option aria-checked=false>x</div></div>", {"checked": False}),
    ("<div role=listbox><div T role=option>x</div></div>", {}),
]  # fmt: skip

_TOGGLED: list[Case] = [
    ("<button T aria-pressed=true>x</button>", {"pressed": True}),
    ("<button T aria-pressed=false>x</button>", {"pressed": False}),
    ("<button T aria-pressed=mixed>x</button>", {"pressed": "mixed"}),
    ("<button T aria-pressed=undefined>x</button>", {}),
    ("<button T aria-pressed=''>x</button>", {}),
    ("<div T role=link tabindex=0 aria-pressed=true>x</div>", {}),
    ("<button T aria-expanded=true>x</button>", {"expanded": True}),
    ("<button T aria-expanded=false>x</button>", {"expanded": False}),
    ("<button T aria-expanded=bogus>x</button>", {}),
    ("<details><summary T>x</summary>y</details>", {"expanded": False}),
    ("<details open><summary T>x</summary>y</details>", {"expanded": True}),
    ("<button T popovertarget=$p>x</button><div popover id=$p>y</div>", {"expanded": False}),
    ("<div role=tablist><div T role=tab aria-selected=true>x</div></div>", {"selected": True}),
    ("<div role=tablist><div T role=tab aria-selected=false>x</div></div>", {}),
    ("<button T aria-selected=true>x</button>", {}),
    ("<button T aria-haspopup=true>x</button>", {"haspopup": "menu"}),
    ("<button T aria-haspopup=dialog>x</button>", {"haspopup": "dialog"}),
    ("<button T aria-haspopup=bogus>x</button>", {}),
    ("<button T aria-haspopup=false>x</button>", {}),
    ("<a T href=# aria-current=page>x</a>", {"current": "page", "url": "#"}),
    ("<a T href=# aria-current=false>x</a>", {"url": "#"}),
    ("<a T href=# aria-current=''>x</a>", {"url": "#"}),
    ("<a T href=# aria-current=bogus>x</a>", {"current": "true", "url": "#"}),
]  # fmt: skip

_FIELDS: list[Case] = [
    ("<input T aria-label=x required>", {"required": True}),
    ("<input T aria-label=x aria-required=true>", {"required": True}),
    ("<input T type=range aria-label=x required>", {"value": "50"}),
    ("<select T aria-label=x required><option value=''>A</select>", {"required": True, "value": "A", "options": ["A"]}),
    ("<input T aria-label=x readonly>", {"readonly": True}),
    ("<input T aria-label=x aria-readonly=true>", {"readonly": True}),
    ("<input T type=checkbox aria-label=x readonly>", {"checked": False}),
    ("<textarea T aria-label=x readonly>y</textarea>", {"readonly": True, "value": "y", "multiline": True}),
    ("<input T aria-label=x aria-invalid=true>", {"invalid": True}),
    ("<input T aria-label=x aria-invalid=spelling>", {"invalid": "spelling"}),
    ("<input T aria-label=x aria-invalid=false>", {}),
    ("<input T aria-label=x aria-invalid=yes>", {"invalid": True}),
    ("<input T aria-label=x disabled>", {"disabled": True}),
    ("<input T aria-label=x aria-disabled=true>", {"disabled": True}),
    ("<fieldset disabled><input T aria-label=x></fieldset>", {"disabled": True}),
    ("<fieldset disabled><legend><input T aria-label=x></legend></fieldset>", {}),
    ("<fieldset disabled><a T href=#>x</a></fieldset>", {"url": "#"}),
    ("<div role=toolbar aria-disabled=true><button T>x</button></div>", {"disabled": True}),
    ("<select size=2 aria-label=x><optgroup label=G disabled><option T>A</select>", {"disabled": True}),
    ("<input T aria-label=x placeholder=Hint>", {"placeholder": "Hint"}),
    ("<input T placeholder=Hint>", {}),
    ("<input T aria-label=x placeholder=Hint value=y>", {"value": "y"}),
    ("<input T type=email aria-label=x>", {"type": "email"}),
    ("<input T type=password aria-label=x value=secret>", {"type": "password", "value": "••••••••"}),
    ("<select T multiple aria-label=x><option selected>A<option>B<option selected>C</select>", {"multiselectable": True, "value": "A, C", "options": ["A", "B", "C"]}),
    ("<div T contenteditable aria-label=x>typed <b>so</b></div>", {"value": "typed so", "multiline": True}),
    ("<select T aria-label=x><option label=''>A<option label=B>C</select>", {"value": "A", "options": ["A", "B"]}),
    ("<h2 T contenteditable>x</h2>", {"level": 2, "editable": True}),
    ("<input T aria-label=x title=Tip>", {"description": "Tip"}),
    ("<input T aria-label=x aria-describedby=$d><span id=$d hidden>More</span>", {"description": "More"}),
    ("<input T aria-label=x aria-description=More>", {"description": "More"}),
]  # fmt: skip

_RANGES: list[Case] = [
    ("<input T type=range aria-label=x min=1 max=9 value=3>", {"value": "3", "min": "1", "max": "9"}),
    ("<input T type=range aria-label=x value=3 aria-valuetext=low>", {"value": "low"}),
    ("<input T type=number aria-label=x value=3 max=9>", {"value": "3", "max": "9"}),
    ("<div T role=slider tabindex=0 aria-label=x aria-valuenow=3 aria-valuemin=0 aria-valuemax=9></div>", {"value": "3", "min": "0", "max": "9"}),
    ("<div T role=slider tabindex=0 aria-label=x aria-valuenow=3 aria-valuetext=low></div>", {"value": "low"}),
    ("<div T role=slider tabindex=0 aria-label=x aria-valuenow=3 aria-orientation=vertical></div>", {"value": "3", "orientation": "vertical"}),
    ("<div T role=spinbutton tabindex=0 aria-label=x aria-valuenow=3></div>", {"value": "3"}),
    ("<div T role=progressbar aria-label=x aria-valuenow=30></div>", {"value": "30"}),
    ("<progress T aria-label=x value=3 max=10></progress>", {"value": "3"}),
    ("<progress T aria-label=x></progress>", {}),
    ("<meter T aria-label=x value=0.5></meter>", {"value": "0.5"}),
    ("<div T role=button tabindex=0 aria-valuenow=3>x</div>", {}),
]  # fmt: skip

_STRUCTURE: list[Case] = [
    ("<h3 T>x</h3>", {"level": 3}),
    ("<h3 T aria-level=5>x</h3>", {"level": 5}),
    ("<h3 T aria-level=0>x</h3>", {"level": 3}),
    ("<h3 T aria-level=bogus>x</h3>", {"level": 3}),
    ("<div T role=heading>x</div>", {"level": 2}),
    ("<div T role=heading aria-level=7>x</div>", {"level": 7}),
    ("<div role=tree><div T role=treeitem aria-level=2>x</div></div>", {"level": 2}),
    ("<div T role=dialog aria-label=x aria-modal=true>y</div>", {"modal": True}),
    ("<div T role=listbox aria-label=x aria-multiselectable=true tabindex=0></div>", {"multiselectable": True}),
    ("<button T aria-busy=true>x</button>", {"busy": True}),
    ("<button T aria-busy=false>x</button>", {}),
    ("<section T aria-label=x aria-busy=true>y</section>", {"busy": True}),
    ("<table><tr><th T aria-sort=descending>x<tr><td>y</table>", {"sort": "descending"}),
    ("<table><tr><th T aria-sort=none>x<tr><td>y</table>", {}),
    ("<div T role=tablist aria-label=x aria-orientation=vertical></div>", {"orientation": "vertical"}),
    ("<div T role=tablist aria-label=x aria-orientation=horizontal></div>", {}),
    ("<a T href=/path?x=1>x</a>", {"url": "/path?x=1"}),
    ("<a T href='javascript:go()'>x</a>", {"url": "javascript:go()"}),
]  # fmt: skip

STATES: dict[str, list[Case]] = {
    "checked": _CHECKED,
    "toggled": _TOGGLED,
    "fields": _FIELDS,
    "ranges": _RANGES,
    "structure": _STRUCTURE,
}
