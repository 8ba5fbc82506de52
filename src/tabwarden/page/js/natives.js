// The DOM's own getters, taken before anything else. In an isolated world no page script can have
// replaced them, but a page's markup can still shadow a form's or the document's properties
// (<input name="children">), so these, and not the dotted form, read what a page may shadow.

const getterOf = (prototype, key) => Object.getOwnPropertyDescriptor(prototype, key).get;
const getter = (prototype, key) => {
  const get = getterOf(prototype, key);
  return (object) => get.call(object);
};
const method = (prototype, key) => {
  const call = prototype[key];
  return (object, ...args) => call.apply(object, args);
};

// What a walk calls for each element has a function of its own. Those that `getter` makes share what
// V8 has learned of its one call, of thirty getters at once, and are compiled to a call of none.
const getNodeType = getterOf(Node.prototype, "nodeType");
const getFirstChild = getterOf(Node.prototype, "firstChild");
const getFirstElementChild = getterOf(Element.prototype, "firstElementChild");
const getTextContent = getterOf(Node.prototype, "textContent");
const getNextSibling = getterOf(Node.prototype, "nextSibling");
const getParentNode = getterOf(Node.prototype, "parentNode");
const callGetRootNode = Node.prototype.getRootNode;
const getData = getterOf(CharacterData.prototype, "data");
const getLocalName = getterOf(Element.prototype, "localName");
const getNamespace = getterOf(Element.prototype, "namespaceURI");
const getOpenRoot = getterOf(Element.prototype, "shadowRoot");
const callHasAttributes = Element.prototype.hasAttributes;
const callAttribute = Element.prototype.getAttribute;
const callAttributeNames = Element.prototype.getAttributeNames;
const callHasAttribute = Element.prototype.hasAttribute;
const callMatches = Element.prototype.matches;
const callClosest = Element.prototype.closest;
const callCheckVisibility = Element.prototype.checkVisibility;
const callBoundingRect = Element.prototype.getBoundingClientRect;
const nodeType = (node) => getNodeType.call(node);
const firstChild = (node) => getFirstChild.call(node);
const isDrawing = (element) => getNamespace.call(element) === "http://www.w3.org/2000/svg";
const firstElementChild = (element) => getFirstElementChild.call(element);
const textContent = (node) => getTextContent.call(node);
const nextSibling = (node) => getNextSibling.call(node);
const parentNode = (node) => getParentNode.call(node);
const getRootNode = (node, options) => callGetRootNode.call(node, options);
const data = (node) => getData.call(node);
const localName = (element) => getLocalName.call(element);
const openRoot = (element) => getOpenRoot.call(element);
const hasAttributes = (element) => callHasAttributes.call(element);
const attribute = (element, name) => callAttribute.call(element, name);
const attributeNames = (element) => callAttributeNames.call(element);
const hasAttribute = (element, name) => callHasAttribute.call(element, name);
const matches = (element, selector) => callMatches.call(element, selector);
const closest = (element, selector) => callClosest.call(element, selector);
const checkVisibility = (element, options) => callCheckVisibility.call(element, options);
const boundingRect = (element) => callBoundingRect.call(element);

const isConnected = getter(Node.prototype, "isConnected");
const contains = method(Node.prototype, "contains");
const assignedSlot = getter(Element.prototype, "assignedSlot");
const assignedNodes = method(HTMLSlotElement.prototype, "assignedNodes");
const animationsOf = method(Element.prototype, "getAnimations");
const clientRects = method(Element.prototype, "getClientRects");
const scrollIntoView = method(Element.prototype, "scrollIntoView");
const focusElement = method(HTMLElement.prototype, "focus");
const titleOf = getter(Document.prototype, "title");
const bodyOf = getter(Document.prototype, "body");
const rootOf = getter(Document.prototype, "documentElement");
const designModeOf = getter(Document.prototype, "designMode");
const activeElementOf = getter(Document.prototype, "activeElement");
const scrollingElementOf = getter(Document.prototype, "scrollingElement");
const elementAt = method(Document.prototype, "elementFromPoint");
const allElements = method(Document.prototype, "getElementsByTagName");
const createRange = method(Document.prototype, "createRange");
const all = (root, selector) =>
  (root === document ? Document : root instanceof Element ? Element : DocumentFragment).prototype
    .querySelectorAll.call(root, selector);
const firstOf = (root, selector) =>
  (root instanceof Element ? Element : DocumentFragment).prototype.querySelector.call(root, selector);

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
const squash = (text, most = MAX_READ) => {
  if (text.length > most) return `${squash(text.slice(0, most), most)}…`;
  return text.length < SOON_READ && (text === "" || IS_ONE_LINE.test(text))
    ? text
    : text.replace(/\s+/g, " ").trim().toWellFormed();
};
const IS_ONE_LINE = /^[!-~]+(?: [!-~]+)*$/;
const SOON_READ = 10_000; // it goes back step by step, and has no room to do so for millions of words
// A name is cut to much less, and of a text as long as the second nobody reads all.
const MAX_READ = 100_000;
const MAX_TEXT = 2_000_000;

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
