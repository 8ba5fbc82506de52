// The DOM's own getters, stored before other code runs. In an isolated world no page script can
// have replaced them. But a page's markup can still shadow properties of a form or of the document
// (<input name="children">). So these getters read everything that a page may shadow.

const getterOf = (prototype, key) => Object.getOwnPropertyDescriptor(prototype, key).get;

export function getter(prototype, key) {
  const get = getterOf(prototype, key);
  return (object) => get.call(object);
}

export function method(prototype, key) {
  const call = prototype[key];
  return (object, ...args) => call.apply(object, args);
}

// Each getter that a walk calls for every element has its own function. Functions made by `getter`
// share one call site for thirty getters, which V8 can't inline.
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
export const nodeType = (node) => getNodeType.call(node);
export const firstChild = (node) => getFirstChild.call(node);
export const isDrawing = (element) => getNamespace.call(element) === "http://www.w3.org/2000/svg";
export const firstElementChild = (element) => getFirstElementChild.call(element);
export const textContent = (node) => getTextContent.call(node);
export const nextSibling = (node) => getNextSibling.call(node);
export const parentNode = (node) => getParentNode.call(node);
export const getRootNode = (node, options) => callGetRootNode.call(node, options);
export const data = (node) => getData.call(node);
export const localName = (element) => getLocalName.call(element);
export const openRoot = (element) => getOpenRoot.call(element);
export const hasAttributes = (element) => callHasAttributes.call(element);
export const attribute = (element, name) => callAttribute.call(element, name);
export const attributeNames = (element) => callAttributeNames.call(element);
export const hasAttribute = (element, name) => callHasAttribute.call(element, name);
export const matches = (element, selector) => callMatches.call(element, selector);
export const closest = (element, selector) => callClosest.call(element, selector);
export const checkVisibility = (element, options) => callCheckVisibility.call(element, options);
export const boundingRect = (element) => callBoundingRect.call(element);

export const offsetHeight = getter(HTMLElement.prototype, "offsetHeight");
export const offsetWidth = getter(HTMLElement.prototype, "offsetWidth");
export const isConnected = getter(Node.prototype, "isConnected");
export const previousSibling = getter(Node.prototype, "previousSibling");
export const contains = method(Node.prototype, "contains");
export const assignedSlot = getter(Element.prototype, "assignedSlot");
export const assignedNodes = method(HTMLSlotElement.prototype, "assignedNodes");
export const animationsIn = method(Document.prototype, "getAnimations");
export const animationsOf = method(Element.prototype, "getAnimations");
export const clientRects = method(Element.prototype, "getClientRects");
export const scrollIntoView = method(Element.prototype, "scrollIntoView");
export const focusElement = method(HTMLElement.prototype, "focus");
export const blurElement = method(HTMLElement.prototype, "blur");
export const contentTypeOf = getter(Document.prototype, "contentType");
export const titleOf = getter(Document.prototype, "title");
export const bodyOf = getter(Document.prototype, "body");
export const rootOf = getter(Document.prototype, "documentElement");
export const designModeOf = getter(Document.prototype, "designMode");
export const activeElementOf = getter(Document.prototype, "activeElement");
export const scrollingElementOf = getter(Document.prototype, "scrollingElement");
export const elementAt = method(Document.prototype, "elementFromPoint");
export const allElements = method(Document.prototype, "getElementsByTagName");
export const createRange = method(Document.prototype, "createRange");
export const createTreeWalker = method(Document.prototype, "createTreeWalker");
export const all = (root, selector) =>
  (root === document ? Document : root instanceof Element ? Element : DocumentFragment).prototype
    .querySelectorAll.call(root, selector);
export const firstOf = (root, selector) =>
  (root instanceof Element ? Element : DocumentFragment).prototype.querySelector.call(root, selector);

// Returns the elements that an attribute references by id. If the browser reflects the attribute,
// scripts may also have set elements across trees (ARIA element reflection). It does not reflect
// aria-owns, and Chromium before 135 reflects none: applications that embed it are often older.
function references(name, key) {
  const reflected = Object.getOwnPropertyDescriptor(Element.prototype, key)?.get;
  return (element) => {
    if (reflected) return reflected.call(element) ?? [];
    const ids = (attribute(element, name) ?? "").split(/\s+/).filter(Boolean);
    const root = getRootNode(element);
    const find = root === document ? elementById : (id) => root.getElementById?.(id);
    return ids.map(find).filter(Boolean);
  };
}

export const elementById = (id) => Document.prototype.getElementById.call(document, id);
export const labelledByElements = references("aria-labelledby", "ariaLabelledByElements");
export const describedByElements = references("aria-describedby", "ariaDescribedByElements");
export const ownedElements = references("aria-owns", "ariaOwnsElements");
const activeDescendants = references("aria-activedescendant", "ariaActiveDescendantElement");
export const activeDescendantOf = (element) => [activeDescendants(element)].flat()[0] ?? null;

export const isElement = (node) => nodeType(node) === 1;
export const isText = (node) => nodeType(node) === 3;
