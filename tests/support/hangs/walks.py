# ruff: noqa: E501 - pages and scripts, each in one piece
"""Pages that set traps for page readers; a reader in an isolated world avoids them."""

from __future__ import annotations

from support.hangs.hang import LOOP, Costs, Hang, click, evaluate, evaluate_on_element, snapshot

__all__ = ["WALKS"]

BODY = "<button>Go</button><ul><li>one<li>two</ul><input aria-label=Name value=x>"
FREE = frozenset({"ok"})


def trap(name: str, script: str, body: str = BODY) -> Hang:
    """A page whose script sets a trap, and a snapshot of the page."""
    return Hang(
        name=f"trap-{name}",
        pages={"": f"{body}<script>const loop = () => {{ {LOOP} }};{script}</script>"},
        call=snapshot,
        ends=FREE,
        costs=Costs.NOTHING,
        timeout_ms=1_000,
    )


WALKS = (
    trap(
        "getters",
        "for (const [made, names] of [[Element, ['tagName', 'id', 'attributes', 'shadowRoot', 'children']], [Node, ['nodeType', 'childNodes', 'parentNode', 'textContent', 'firstChild']], [HTMLElement, ['innerText', 'hidden', 'title']], [HTMLInputElement, ['value', 'type', 'labels']]]) for (const name of names) Object.defineProperty(made.prototype, name, {get: loop})",
    ),
    trap(
        "functions",
        "Element.prototype.getAttribute = Element.prototype.matches = Element.prototype.closest = Element.prototype.getBoundingClientRect = Document.prototype.createTreeWalker = window.getComputedStyle = loop",
    ),
    trap(
        "iterators",
        "for (const made of [NodeList, HTMLCollection, Array, NamedNodeMap, Map]) made.prototype[Symbol.iterator] = loop",
    ),
    trap(
        "to-string",
        "Object.prototype.toString = String.prototype.toString = Element.prototype.toString = Symbol.prototype[Symbol.toPrimitive] = loop",
    ),
    trap(
        "arrays",
        "for (const name of Object.getOwnPropertyNames(Array.prototype)) if (name !== 'constructor' && typeof Array.prototype[name] === 'function') Array.prototype[name] = loop",
    ),
    trap("json", "JSON.stringify = JSON.parse = loop"),
    trap(
        "prototype",
        "for (const name of ['get', 'value', 'then', 'toJSON', 'length']) Object.defineProperty(Object.prototype, name, {__proto__: null, get: loop, configurable: true})",
    ),
    trap(
        "custom-element",
        "customElements.define('x-trap', class extends HTMLElement { get shadowRoot() { loop() } get children() { loop() } get textContent() { loop() } getAttribute() { loop() } })",
        "<x-trap>text</x-trap>" + BODY,
    ),
    trap(
        "proxies",
        "const all = new Proxy({}, {get: loop, has: loop, getPrototypeOf: loop}); Object.setPrototypeOf(document.body, all); Object.setPrototypeOf(document.querySelector('ul'), all); window.Element = window.Node = window.Object = window.Map = all",
    ),
    trap(
        "form-names",
        "",
        "<form aria-label=Trap><input name=tagName><input name=childNodes><input name=attributes><input name=nodeType></form>",
    ),
    Hang(
        name="trap-under-evaluate",
        pages={
            "": "<script>JSON.stringify = Object.entries = Object.keys = Array.isArray = () => { while (true) {} }</script>trap"
        },
        call=evaluate("({a: [1, 2, {b: 3}]})"),
        ends=frozenset({"ok", "budget_exceeded"}),
    ),
    Hang(
        name="trap-under-click",
        pages={
            "": f"{BODY}<script>Element.prototype.getBoundingClientRect = Element.prototype.scrollIntoView = Document.prototype.elementFromPoint = () => {{ {LOOP} }}</script>"
        },
        aims_at="Go",
        call=click,
        ends=FREE,
        costs=Costs.NOTHING,
        timeout_ms=1_000,
    ),
    Hang(
        name="trap-under-evaluate-on-element",
        pages={
            "": f"{BODY}<script>Object.defineProperty(Element.prototype, 'outerHTML', {{get() {{ {LOOP} }}}})</script>"
        },
        aims_at="Go",
        call=evaluate_on_element("(element) => element"),
        ends=frozenset({"ok", "budget_exceeded"}),
    ),
)
