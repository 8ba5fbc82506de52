"""Random pages: a grammar of elements and attributes, with a fixed seed for each."""

from __future__ import annotations

from random import Random

__all__ = ["random_page"]

_WORDS = "buy tea now more home mail next סל 茶 🍵 one two 3".split()
_HOLDERS = "div div div p section ul h2 nav fieldset label details article main td".split()
_INLINE = "span span b em sub".split()
_CONTROLS = (
    "button button a a input input select textarea img div[role] div[role] span[role] "
    "div[contenteditable]"
).split()
_TYPES = (
    "text text email search number range checkbox checkbox radio submit button reset image file "
    "password date color hidden url tel"
).split()
_ROLES = (
    "button link checkbox radio switch textbox searchbox combobox slider spinbutton menuitem tab "
    "treeitem listbox menuitemcheckbox menuitemradio scrollbar none presentation group heading "
    "bogus region"
).split()
_GIVEN = "button link checkbox none presentation menuitem tab switch".split()
_STYLES = (
    "display:none", "visibility:hidden", "visibility:visible", "display:inline-block",
    "display:block", "display:inline", "opacity:0", "position:absolute;left:-999px",
)  # fmt: skip


class _Page:
    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.seed = seed
        self.count = 0

    def words(self, most: int = 2) -> str:
        return " ".join(self.random.choices(_WORDS, k=self.random.randint(1, most)))

    def some(self, share: float) -> bool:
        return self.random.random() < share

    def marks(self, *, nested: bool = False) -> str:
        """Attributes of any element; inside a name only those on which both always agree."""
        self.count += 1
        marks = f" data-n={self.seed}-{self.count} id=i{self.seed}-{self.count}"
        if self.some(0.12):
            marks += f" aria-label='{self.words() if self.some(0.8) else ' '}'"
        if self.some(0.12):
            marks += f" style='{self.random.choice(_STYLES)}'"
        if nested:
            return marks + (" hidden" if self.some(0.06) else "")
        if self.some(0.1):
            others = self.random.choices(range(self.count + 1, self.count + 9), k=2)
            marks += f" aria-labelledby='{' '.join(f'i{self.seed}-{n}' for n in others)}'"
        if self.some(0.1):
            marks += f" title='{self.words()}'"
        if self.some(0.06):
            marks += self.random.choice([" hidden", " aria-hidden=true", " inert"])
        return marks

    def content(self, depth: int, *, flows: bool = True) -> str:
        pieces = []
        for _ in range(self.random.randint(1, 3)):
            if depth < 5 and self.some(0.35):
                pieces.append(self.holder(depth + 1) if flows else self.phrase(depth + 1))
            elif depth < 6 and self.some(0.45):
                pieces.append(self.control(depth + 1, nested=not flows))
            else:
                pieces.append(self.words())
        return self.random.choice(["", " ", "\n"]).join(pieces)

    def phrase(self, depth: int) -> str:
        tag = self.random.choice(_INLINE)
        marks = self.marks(nested=True)
        return f"<{tag}{marks}>{self.content(depth, flows=False)}</{tag}>"

    def holder(self, depth: int) -> str:
        tag = self.random.choice(_HOLDERS)
        if tag in {"h2", "label", "p"} or self.some(0.3):
            inner = self.phrase(depth)
            return f"<{tag}{self.marks()}>{inner}</{tag}>" if tag in {"h2", "p"} else inner
        marks, inner = self.marks(), self.content(depth)
        match tag:
            case "ul":
                return f"<ul{marks}><li>{inner}<li{self.marks()}>{self.words()}</ul>"
            case "fieldset":
                off = " disabled" if self.some(0.3) else ""
                return f"<fieldset{marks}{off}><legend>{self.words()}</legend>{inner}</fieldset>"
            case "label":
                target = f" for=i{self.seed}-{self.count + 1}" if self.some(0.5) else ""
                return f"<label{marks}{target}>{inner}</label>{self.control(depth)}"
            case "details":
                is_open = " open" if self.some(0.5) else ""
                summary = f"<summary{self.marks()}>{self.words()}</summary>"
                return f"<details{marks}{is_open}>{summary}{inner}</details>"
            case "td":
                return f"<table{marks}><tr><td>{inner}<td>{self.words()}</table>"
        return f"<{tag}{marks}>{inner}</{tag}>"

    def control(self, depth: int, *, nested: bool = False) -> str:
        kind = self.random.choice(_CONTROLS)
        marks = self.marks(nested=nested)
        if not nested and self.some(0.06):
            marks += f" role={self.random.choice(_GIVEN)}"
        off = " disabled" if self.some(0.1) else ""
        match kind:
            case "button":
                inner = self.content(depth + 2, flows=False)
                return f"<button type=button{marks}{off}>{inner}</button>"
            case "a":
                href = " href=#" if self.some(0.85) else ""
                return f"<a{marks}{href}>{self.content(depth + 2, flows=False)}</a>"
            case "input":
                type_ = self.random.choice(_TYPES)
                if type_ == "file" and (nested or "title=" in marks):
                    type_ = "text"
                valued = self.some(0.4) and type_ not in {"password", "image"}
                more = f" value='{self.random.randint(1, 9)}'" if valued else ""
                more += f" placeholder='{self.words()}'" if self.some(0.3) else ""
                more += f" alt='{self.words()}'" if self.some(0.2) else ""
                return f"<input type={type_}{marks}{off}{more}>"
            case "select":
                many = self.random.choice(["", "", " multiple", " size=3"])
                marks = marks.replace(" id=", " data-id=")  # a second name adds nothing
                return f"<select{marks}{off}{many}><option>A<option selected>B</select>"
            case "textarea":
                return f"<textarea{marks}{off}>{self.words() if self.some(0.5) else ''}</textarea>"
            case "img":
                return f"<img src=x alt='{self.words() if self.some(0.8) else ''}'{marks}>"
            case "div[contenteditable]":
                return f"<div contenteditable role=textbox{marks}>{self.words()}</div>"
        tag = kind[:-6]
        focus = " tabindex=0" if nested or self.some(0.7) else ""
        role = self.random.choice(_ROLES)
        if role in {"treeitem", "group"} and nested:
            role = "link"
        if role in {"slider", "spinbutton", "scrollbar"}:
            marks += f" aria-valuenow={self.random.randint(1, 9)}"
        inner = f"<{tag} role={role}{focus}{marks}>{self.content(depth + 2, flows=False)}</{tag}>"
        return f"<div role=tree>{inner}</div>" if role == "treeitem" else inner


def random_page(seed: int) -> str:
    """Build one random tree."""
    return f"<div>{_Page(seed).content(0)}</div>"
