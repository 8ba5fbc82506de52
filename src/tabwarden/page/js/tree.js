// The flat tree: what is drawn. A shadow root's children stand for its host's, a slot's assigned
// nodes for its own; of a closed <details> only the summary is left.

// Closed shadow roots, by their hosts: the browser hands them over one by one (`closed.py`).
const closedRoots = new WeakMap();
let anyClosed = false;

const shadowRoot = (element) =>
  openRoot(element) ?? (anyClosed ? closedRoots.get(element) ?? null : null);

const opened = (root) => {
  anyClosed = true;
  closedRoots.set(root.host, root);
};

function* flatChildren(element, tag) {
  const root = shadowRoot(element);
  if (root) {
    for (let child = firstChild(root); child; child = nextSibling(child)) yield child;
    return;
  }
  const assigned = tag === "slot" ? assignedNodes(element) : null;
  if (assigned && assigned.length) {
    yield* assigned;
  } else if (tag === "details" && !element.open) {
    const summary = summaryOf(element);
    if (summary) yield summary;
  } else {
    let child = firstChild(element);
    if (suspected !== null && (!child || tag.includes("-"))) suspect(element, tag);
    for (; child; child = nextSibling(child)) yield child;
  }
}

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
