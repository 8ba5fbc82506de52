// The DOM's own getters, taken before anything else. In an isolated world no page script can have
// replaced them, but a page's markup can still shadow a form's or the document's properties
// (<input name="children">), so these, and not the dotted form, read what a page may shadow.

const getter = (prototype, key) => {
  const get = Object.getOwnPropertyDescriptor(prototype, key).get;
  return (object) => get.call(object);
};
const method = (prototype, key) => {
  const call = prototype[key];
  return (object, ...args) => call.apply(object, args);
};

const nodeType = getter(Node.prototype, "nodeType");
const firstChild = getter(Node.prototype, "firstChild");
const nextSibling = getter(Node.prototype, "nextSibling");
const parentNode = getter(Node.prototype, "parentNode");
const isConnected = getter(Node.prototype, "isConnected");
const textContent = getter(Node.prototype, "textContent");
const getRootNode = method(Node.prototype, "getRootNode");
const data = getter(CharacterData.prototype, "data");
const localName = getter(Element.prototype, "localName");
const shadowRoot = getter(Element.prototype, "shadowRoot");
const assignedSlot = getter(Element.prototype, "assignedSlot");
const hasAttributes = method(Element.prototype, "hasAttributes");
const attribute = method(Element.prototype, "getAttribute");
const hasAttribute = method(Element.prototype, "hasAttribute");
const matches = method(Element.prototype, "matches");
const closest = method(Element.prototype, "closest");
const animationsOf = method(Element.prototype, "getAnimations");
const checkVisibility = method(Element.prototype, "checkVisibility");
const clientRects = method(Element.prototype, "getClientRects");
const boundingRect = method(Element.prototype, "getBoundingClientRect");
const scrollIntoView = method(Element.prototype, "scrollIntoView");
const focusElement = method(HTMLElement.prototype, "focus");
const bodyOf = getter(Document.prototype, "body");
const rootOf = getter(Document.prototype, "documentElement");
const activeElementOf = getter(Document.prototype, "activeElement");
const scrollingElementOf = getter(Document.prototype, "scrollingElement");
const elementAt = method(Document.prototype, "elementFromPoint");
const createRange = method(Document.prototype, "createRange");
const all = (root, selector) =>
  (root === document ? Document : root instanceof Element ? Element : DocumentFragment).prototype
    .querySelectorAll.call(root, selector);

// Elements that an attribute names by id. Where the browser reflects them they may have been set
// by script too, across trees (ARIA element reflection); aria-owns it does not reflect.
const references = (name, key) => {
  const reflected = Object.getOwnPropertyDescriptor(Element.prototype, key)?.get;
  return (element) => {
    if (reflected) return reflected.call(element) ?? [];
    const ids = (attribute(element, name) ?? "").split(/\s+/).filter(Boolean);
    const root = getRootNode(element);
    const find = root === document ? elementById : (id) => root.getElementById?.(id);
    return ids.map(find).filter(Boolean);
  };
};
const elementById = (id) => Document.prototype.getElementById.call(document, id);
const labelledByElements = references("aria-labelledby", "ariaLabelledByElements");
const describedByElements = references("aria-describedby", "ariaDescribedByElements");
const ownedElements = references("aria-owns", "ariaOwnsElements");
const activeDescendantOf = getter(Element.prototype, "ariaActiveDescendantElement");

// Page text as one line: white space folded, lone surrogates replaced (they survive no encoding).
const squash = (text) => text.replace(/\s+/g, " ").trim().toWellFormed();

// Text cut to a length, and whether it was.
const MAX_NAME = 500;
const cutTo = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…`.toWellFormed() : text);

const isElement = (node) => nodeType(node) === 1;
const isText = (node) => nodeType(node) === 3;

// The flat tree: what is drawn. A shadow root's children stand for its host's, a slot's assigned
// nodes for its own, and what aria-owns names comes after.
function* flatChildren(element, tag) {
  const root = shadowRoot(element);
  if (root) {
    for (let child = firstChild(root); child; child = nextSibling(child)) yield child;
  } else {
    const assigned = tag === "slot" ? element.assignedNodes() : null;
    if (assigned && assigned.length) yield* assigned;
    else for (let child = firstChild(element); child; child = nextSibling(child)) yield child;
  }
}

const flatParent = (node) => {
  if (isElement(node)) {
    const slot = assignedSlot(node);
    if (slot) return slot;
  }
  const parent = parentNode(node);
  return parent && nodeType(parent) === 11 ? parent.host ?? null : parent;
};

const isInside = (node, ancestor) => {
  for (let at = node; at; at = flatParent(at)) if (at === ancestor) return true;
  return false;
};
