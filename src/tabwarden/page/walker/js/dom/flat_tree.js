// The flat tree is the tree that is drawn. A shadow root's children replace its host's, and a
// slot's assigned nodes replace its own. In a closed <details>, only the summary is left.

import { suspect } from "./closed_root_suspects.js";
import {
  all, assignedNodes, assignedSlot, bodyOf, checkVisibility, firstChild, firstElementChild, isElement,
  localName, nextSibling, nodeType, parentNode,
} from "./natives.js";
import { closedRoot, shadowRoot } from "./shadow_roots.js";
import { walking } from "./walk.js";

export const LEAVES = new Set(
  "input textarea select img canvas video audio iframe frame object embed progress meter".split(" "),
);
export const isLeaf = (element, tag) => LEAVES.has(tag) && !(tag === "object" && showsOwn(element));

// Tags of inline elements.
export const INLINE_TAGS = new Set(
  (
    "a abbr b bdi bdo cite code data del dfn em font i ins kbd label mark q s samp small span " +
    "strong sub sup time u var wbr slot tt"
  ).split(" "),
);

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

// These elements contain a document, regardless of role.
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

function summaryOf(details) {
  for (let child = firstChild(details); child; child = nextSibling(child)) {
    if (isElement(child) && localName(child) === "summary") return child;
  }
  return null;
}

export function isSummary(element) {
  const parent = parentNode(element);
  return parent && isElement(parent) && localName(parent) === "details" &&
    summaryOf(parent) === element;
}

// If there is no summary, the browser draws one, and a click on it opens a closed <details>.
export const isOwnSummary = (details) => !details.open && summaryOf(details) === null;

export function flatParent(node) {
  const parent = parentNode(node);
  if (!parent) return null;
  if (nodeType(parent) === 11) return parent.host ?? null;
  const slot = isElement(node) ? assignedSlot(node) ?? closedSlot(node, parent) : null;
  return slot ?? parent;
}

// `assignedSlot` works for open roots only.
function closedSlot(node, parent) {
  const root = isElement(parent) ? closedRoot(parent) : null;
  if (!root) return null;
  return [...all(root, "slot")].find((slot) => assignedNodes(slot).includes(node)) ?? null;
}

export function isInside(node, ancestor) {
  for (let at = node; at; at = flatParent(at)) if (at === ancestor) return true;
  return false;
}

const MAX_AROUND = 6;

// Yields the ancestors of an element, innermost first, as far as its widget may extend.
export function* ancestors(element, most = MAX_AROUND) {
  let at = element && flatParent(element);
  for (let n = 0; at && at !== bodyOf(document) && n < most; at = flatParent(at), n++) yield at;
}
