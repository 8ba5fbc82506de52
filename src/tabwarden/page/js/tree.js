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
    for (let child = firstChild(element); child; child = nextSibling(child)) yield child;
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

// Elements that may have a closed shadow root, which nothing here can tell: custom elements, and
// those that are drawn though there is nothing in them. Each is asked about once, and again when
// it has become something else.
const MAX_SUSPECTS = 500;
const HOSTS = new Set(
  "article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span".split(" "),
);
const suspectedAs = new WeakMap();
let suspected = [];

// How many there are that nobody has asked about.
const suspects = () => {
  const found = [];
  const look = (root) => {
    for (const element of all(root, "*")) {
      if (found.length >= MAX_SUSPECTS) return;
      if (shadowRoot(element)) look(shadowRoot(element));
      else if (isSuspect(element, localName(element))) found.push(element);
    }
  };
  look(document);
  suspected = found;
  return found.length;
};

const isSuspect = (element, tag) => {
  const custom = tag.includes("-");
  if (!custom && !(HOSTS.has(tag) && (!firstChild(element) || holdsUndrawn(element)))) return false;
  const { width, height } = boundingRect(element);
  if (!custom && !(width && height)) return false;
  const seen = `${custom && matches(element, ":defined")} ${width} ${height}`;
  if (suspectedAs.get(element) === seen) return false;
  suspectedAs.set(element, seen);
  return true;
};

// What has a place in no slot has no style at all.
const holdsUndrawn = (element) => {
  const child = firstElementChild(element);
  return child !== null && !assignedSlot(child) && getComputedStyle(child).display === "";
};
