// The flat tree is the tree that is drawn. A shadow root's children replace its host's, and a
// slot's assigned nodes replace its own. In a closed <details>, only the summary is left.

import { suspect } from "./closed_root_suspects.js";
import {
  all, assignedNodes, assignedSlot, checkVisibility, firstChild, firstElementChild, getRootNode, isElement,
  localName, nextSibling, nodeType, openRoot, parentNode,
} from "./natives.js";
import { duringWalk, walking } from "./walk.js";

// Yields the document, then every open shadow root in it.
export function* openRoots(root = document) {
  yield root;
  for (const element of all(root, "*")) {
    const inner = shadowRoot(element);
    if (inner) yield* openRoots(inner);
  }
}

export const LEAVES = new Set(
  "input textarea select img canvas video audio iframe frame object embed progress meter".split(" "),
);
export const isLeaf = (element, tag) => LEAVES.has(tag) && !(tag === "object" && showsOwn(element));

// Closed shadow roots by their hosts. The browser hands them over one at a time (`closed.py`).
const closedRoots = new WeakMap();
let anyClosed = false;
// Whether any shadow root was found. Until then, every visited node is in the document.
export let anyRoots = false;

export function shadowRoot(element) {
  const root = openRoot(element) ?? (anyClosed ? closedRoots.get(element) ?? null : null);
  if (root !== null) anyRoots = true;
  return root;
}

// Returns an element's root. During a walk, asking each element for it would be slow.
export const rootAround = (element) => (anyRoots ? getRootNode(element) : documentNow ?? document);
export const isInDocument = (element) => !anyRoots || getRootNode(element) === document;

// The document during a walk. Reading the window's property costs as much as three getters.
let documentNow = null;
duringWalk(
  () => (documentNow = document),
  () => (documentNow = null),
);

export function opened(root) {
  anyClosed = true;
  closedRoots.set(root.host, root);
}

export const flatChildren = (element, tag) => childrenInstead(element, tag) ?? ownChildren(element);

// Returns the nodes drawn instead of an element's own children, or null if its own are drawn.
export function childrenInstead(element, tag) {
  const root = shadowRoot(element);
  if (root) return ownChildren(root);
  if (tag === "slot") {
    const assigned = assignedNodes(element);
    if (assigned.length) return assigned;
  } else if (tag === "details" && !element.open) {
    const summary = summaryOf(element);
    return summary ? [summary] : [];
  }
  if (walking && (!firstChild(element) || tag.includes("-"))) suspect(element, tag);
  return null;
}

// These hold a document, whatever role they have.
export const FRAMED = new Set(["iframe", "frame"]);
export const holdsFrame = (element, tag) => FRAMED.has(tag) || (tag === "object" && element.contentWindow !== null);

// Whether an object could not be loaded, so that its content is drawn instead.
export function showsOwn(object) {
  if (object.contentWindow !== null) return false;
  for (let child = firstElementChild(object); child; child = nextSibling(child)) {
    if (isElement(child) && checkVisibility(child)) return true;
  }
  return false;
}

function ownChildren(node) {
  const children = [];
  for (let child = firstChild(node); child; child = nextSibling(child)) children.push(child);
  return children;
}

export function summaryOf(details) {
  for (let child = firstChild(details); child; child = nextSibling(child)) {
    if (isElement(child) && localName(child) === "summary") return child;
  }
  return null;
}

export function flatParent(node) {
  const parent = parentNode(node);
  if (!parent) return null;
  if (nodeType(parent) === 11) return parent.host ?? null;
  const slot = isElement(node) ? assignedSlot(node) ?? closedSlot(node, parent) : null;
  return slot ?? parent;
}

// `assignedSlot` works for open roots only.
function closedSlot(node, parent) {
  const root = anyClosed && isElement(parent) ? closedRoots.get(parent) : null;
  if (!root) return null;
  return [...all(root, "slot")].find((slot) => assignedNodes(slot).includes(node)) ?? null;
}

export function isInside(node, ancestor) {
  for (let at = node; at; at = flatParent(at)) if (at === ancestor) return true;
  return false;
}
