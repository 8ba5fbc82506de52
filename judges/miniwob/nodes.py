"""The common format of all tools' texts: nodes in page order, and the search for a node."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace

__all__ = ["Beside", "Node", "NotShown", "Outline", "Point"]


class NotShown(LookupError):
    """The tool's text does not show what the oracle needs."""


@dataclass(frozen=True)
class Point:
    """A place in the viewport, in CSS pixels."""

    x: float
    y: float


@dataclass(frozen=True)
class Node:
    """One element or text, as a tool shows it."""

    role: str
    """An ARIA role, ``text`` for text without an element, or ``generic``."""
    name: str = ""
    ref: str = ""
    """The ref for the tool's actions; empty if the tool offers none."""
    text: str = ""
    """The text in the element, if the tool writes it on the element's own line."""
    value: str = ""
    states: dict[str, str] = field(default_factory=dict)
    """``checked``, ``selected``, ``expanded`` and other states from the tool, such as ``url``."""
    depth: int = 0
    order: int = 0
    box: tuple[float, float, float, float] | None = None
    """Left, top, width and height, if the tool reports them."""

    @property
    def label(self) -> str:
        """The node's label for a reader."""
        return self.name or self.text

    def says(self, word: str) -> bool:
        """Whether the node's text contains a word, such as an icon's class."""
        said = " ".join((self.label, *self.states.values())).casefold()
        return re.search(rf"(?<![a-z]){re.escape(word.casefold())}(?![a-z])", said) is not None

    @property
    def near(self) -> str:
        """The text beside a field that labels it, if the tool writes it on the field's own line."""
        return self.states.get("near", "")

    @property
    def center(self) -> Point:
        if self.box is None:
            raise NotShown(f"the tool does not say where {self.role} {self.label!r} is")
        left, top, width, height = self.box
        return Point(left + width / 2, top + height / 2)

    def is_on(self, state: str) -> bool:
        return self.states.get(state, "false") not in {"false", ""}


@dataclass(frozen=True)
class Beside:
    """A place at a distance from the middle of a node, in CSS pixels. A drag may end there."""

    node: Node
    right: float
    down: float


class Outline:
    """A tool's view of the page, without the task's instruction."""

    def __init__(self, nodes: Iterable[Node], goal: str = "") -> None:
        self.all_nodes = tuple(nodes)
        self.nodes = tuple(_without_goal(_not_near(self.all_nodes, goal), goal))

    def __iter__(self) -> Iterator[Node]:
        return iter(self.nodes)

    def __repr__(self) -> str:
        return "\n".join(
            f"{'  ' * one.depth}{one.role} {one.label!r} {one.ref} {one.value!r} {one.states}"
            for one in self.nodes
        )

    def all(
        self,
        role: str | None = None,
        name: str | re.Pattern[str] | None = None,
        *,
        ref: bool = False,
        where: Callable[[Node], bool] | None = None,
    ) -> list[Node]:
        """Return the nodes that match every argument.

        Args:
            role: one role, or several separated by ``|``.
            name: the label, exactly; or a pattern that the label contains.
            ref: return only nodes with a ref.
            where: any other condition.
        """
        roles = role.split("|") if role else None
        return [
            node
            for node in self.nodes
            if (roles is None or node.role in roles)
            and (name is None or _fits(name, node.label))
            and (not ref or node.ref)
            and (where is None or where(node))
        ]

    def find(
        self,
        role: str | None = None,
        name: str | re.Pattern[str] | None = None,
        *,
        nth: int = 0,
        ref: bool = True,
        where: Callable[[Node], bool] | None = None,
    ) -> Node:
        """Return the nth matching node; see ``all``.

        Raises:
            NotShown: fewer nodes match.
        """
        found = self.all(role, name, ref=ref, where=where)
        if not -len(found) <= nth < len(found):
            named = name.pattern if isinstance(name, re.Pattern) else name
            raise NotShown(
                f"the text shows {len(found)} of {role or 'any'} {named!r}, not number {nth + 1}"
                + (" (with a ref)" if ref else "")
            )
        return found[nth]

    def has(self, role: str | None = None, name: str | re.Pattern[str] | None = None) -> bool:
        return bool(self.all(role, name))

    @property
    def texts(self) -> list[str]:
        """Return all labels in page order, and texts that the tool reports beside fields."""
        said = [text for node in self.nodes for text in (node.near, node.label)]
        return [text for text in said if text]

    @property
    def text(self) -> str:
        return "\n".join(self.texts)

    def under(self, node: Node) -> list[Node]:
        """Return the nodes inside ``node``."""
        found = []
        for one in self.nodes:
            if one.order <= node.order:
                continue
            if one.depth <= node.depth:
                break
            found.append(one)
        return found

    def holder(self, node: Node) -> Node:
        """Return ``node``, or its nearest ancestor with a ref."""
        if node.ref:
            return node
        depth = node.depth
        for one in reversed([each for each in self.nodes if each.order < node.order]):
            if one.depth < depth:
                if one.ref:
                    return one
                depth = one.depth
        raise NotShown(f"neither {node.role} {node.label!r} nor any node around it has a ref")

    def after(self, node: Node) -> list[Node]:
        return [one for one in self.nodes if one.order > node.order]

    def before(self, node: Node) -> list[Node]:
        """Return the nodes before a node, nearest first."""
        return [one for one in reversed(self.nodes) if one.order < node.order]


def _fits(name: str | re.Pattern[str], label: str) -> bool:
    if isinstance(name, str):
        return _plain(label) == _plain(name)
    return bool(name.search(label))


def _plain(text: str) -> str:
    return " ".join(text.split())


_ACTING = frozenset(("button", "link", "textbox", "checkbox", "radio", "tab", "menuitem"))


def _not_near(nodes: Iterable[Node], goal: str) -> tuple[Node, ...]:
    """The instruction names no field, even if the tool says that it is beside one."""
    whole = "".join(goal.split())

    def tells(node: Node) -> bool:
        return bool(node.near) and "".join(node.near.split()) in whole

    return tuple(
        replace(one, states={**one.states, "near": ""}) if tells(one) else one for one in nodes
    )


def _without_goal(nodes: tuple[Node, ...], goal: str) -> tuple[Node, ...]:
    """Omit the consecutive nodes that together contain the goal. A dialog may precede them."""
    whole = "".join(goal.split())
    for start in range(len(nodes)):
        left = whole
        for at in range(start, len(nodes)):
            said = "".join(nodes[at].label.split())
            if nodes[at].role in _ACTING or not left.startswith(said):
                break
            left = left.removeprefix(said)
            if not left:
                return nodes[:start] + nodes[at + 1 :]
    return nodes
