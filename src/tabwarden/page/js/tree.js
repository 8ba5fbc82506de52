// The flat tree: what is drawn. A shadow root's children stand for its host's, a slot's assigned
// nodes for its own; of a closed <details> only the summary is left.

// Closed shadow roots, by their hosts: the browser hands them over one by one (`closed.py`).
const closedRoots = new WeakMap();
let anyClosed = false;
// Until one is come upon, all that a walk comes by stands in the document.
let anyRoots = false;

const shadowRoot = (element) => {
  const root = openRoot(element) ?? (anyClosed ? closedRoots.get(element) ?? null : null);
  if (root !== null) anyRoots = true;
  return root;
};

// On a walk: to ask each element for its root takes as long as to go there.
const rootAround = (element) => (anyRoots ? getRootNode(element) : documentNow ?? document);
const isInDocument = (element) => !anyRoots || getRootNode(element) === document;

// As long as a walk lasts: the window's own property costs as much as three getters.
let documentNow = null;

const opened = (root) => {
  anyClosed = true;
  closedRoots.set(root.host, root);
};

const flatChildren = (element, tag) => childrenInstead(element, tag) ?? ownChildren(element);

// What is drawn instead of an element's own children; null where it is they that are drawn.
const childrenInstead = (element, tag) => {
  const root = shadowRoot(element);
  if (root) return ownChildren(root);
  if (tag === "slot") {
    const assigned = assignedNodes(element);
    if (assigned.length) return assigned;
  } else if (tag === "details" && !element.open) {
    const summary = summaryOf(element);
    return summary ? [summary] : [];
  }
  if (suspected !== null && (!firstChild(element) || tag.includes("-"))) suspect(element, tag);
  return null;
};

// What a document stands in. Whatever role it is given, that is what it is to who looks for its content.
const FRAMED = new Set(["iframe", "frame"]);
const holdsFrame = (element, tag) => FRAMED.has(tag) || (tag === "object" && element.contentWindow !== null);

// An object that could not be loaded: what stands in it is drawn instead.
const showsOwn = (object) => {
  if (object.contentWindow !== null) return false;
  for (let child = firstElementChild(object); child; child = nextSibling(child)) {
    if (isElement(child) && checkVisibility(child)) return true;
  }
  return false;
};

const ownChildren = (node) => {
  const children = [];
  for (let child = firstChild(node); child; child = nextSibling(child)) children.push(child);
  return children;
};

const summaryOf = (details) => {
  for (let child = firstChild(details); child; child = nextSibling(child)) {
    if (isElement(child) && localName(child) === "summary") return child;
  }
  return null;
};

const flatParent = (node) => {
  const parent = parentNode(node);
  if (!parent) return null;
  if (nodeType(parent) === 11) return parent.host ?? null;
  const slot = isElement(node) ? assignedSlot(node) ?? closedSlot(node, parent) : null;
  return slot ?? parent;
};

// `assignedSlot` tells of open roots only.
const closedSlot = (node, parent) => {
  const root = anyClosed && isElement(parent) ? closedRoots.get(parent) : null;
  if (!root) return null;
  return [...all(root, "slot")].find((slot) => assignedNodes(slot).includes(node)) ?? null;
};

const isInside = (node, ancestor) => {
  for (let at = node; at; at = flatParent(at)) if (at === ancestor) return true;
  return false;
};
