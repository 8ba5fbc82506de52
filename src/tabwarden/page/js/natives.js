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
const firstElementChild = getter(Element.prototype, "firstElementChild");
const nextSibling = getter(Node.prototype, "nextSibling");
const parentNode = getter(Node.prototype, "parentNode");
const isConnected = getter(Node.prototype, "isConnected");
const contains = method(Node.prototype, "contains");
const textContent = getter(Node.prototype, "textContent");
const getRootNode = method(Node.prototype, "getRootNode");
const data = getter(CharacterData.prototype, "data");
const localName = getter(Element.prototype, "localName");
const openRoot = getter(Element.prototype, "shadowRoot");
const assignedSlot = getter(Element.prototype, "assignedSlot");
const assignedNodes = method(HTMLSlotElement.prototype, "assignedNodes");
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

// Text cut to a length, between two characters as people see them (marks and joined emoji stay
// whole), unless a page piles up marks to prevent that.
const MAX_NAME = 500;
const MAX_PILE = 40;
const seenCharacters = new Intl.Segmenter();
const cutTo = (text, most) => {
  if (text.length <= most) return text;
  const from = Math.max(0, most - 2 * MAX_PILE);
  const near = seenCharacters.segment(text.slice(from, most + MAX_PILE));
  const at = from + near.containing(most - 1 - from).index;
  return `${text.slice(0, most - 1 - at > MAX_PILE ? most - 1 : at)}…`.toWellFormed();
};

const isElement = (node) => nodeType(node) === 1;
const isText = (node) => nodeType(node) === 3;
