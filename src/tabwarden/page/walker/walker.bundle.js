// Generated from js/ by tools/bundle_walker.py: do not edit.
(() => { "use strict";
const getterOf = (prototype, key) => Object.getOwnPropertyDescriptor(prototype, key).get;
function getter(prototype, key) {
const get = getterOf(prototype, key);
return (object) => get.call(object);
}
function method(prototype, key) {
const call = prototype[key];
return (object, ...args) => call.apply(object, args);
}
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
const offsetHeight = getter(HTMLElement.prototype, "offsetHeight");
const offsetWidth = getter(HTMLElement.prototype, "offsetWidth");
const isConnected = getter(Node.prototype, "isConnected");
const previousSibling = getter(Node.prototype, "previousSibling");
const contains = method(Node.prototype, "contains");
const assignedSlot = getter(Element.prototype, "assignedSlot");
const assignedNodes = method(HTMLSlotElement.prototype, "assignedNodes");
const animationsIn = method(Document.prototype, "getAnimations");
const animationsOf = method(Element.prototype, "getAnimations");
const clientRects = method(Element.prototype, "getClientRects");
const scrollIntoView = method(Element.prototype, "scrollIntoView");
const focusElement = method(HTMLElement.prototype, "focus");
const blurElement = method(HTMLElement.prototype, "blur");
const contentTypeOf = getter(Document.prototype, "contentType");
const titleOf = getter(Document.prototype, "title");
const bodyOf = getter(Document.prototype, "body");
const rootOf = getter(Document.prototype, "documentElement");
const designModeOf = getter(Document.prototype, "designMode");
const activeElementOf = getter(Document.prototype, "activeElement");
const scrollingElementOf = getter(Document.prototype, "scrollingElement");
const elementAt = method(Document.prototype, "elementFromPoint");
const allElements = method(Document.prototype, "getElementsByTagName");
const createRange = method(Document.prototype, "createRange");
const createTreeWalker = method(Document.prototype, "createTreeWalker");
const all = (root, selector) =>
(root === document ? Document : root instanceof Element ? Element : DocumentFragment).prototype
.querySelectorAll.call(root, selector);
const firstOf = (root, selector) =>
(root instanceof Element ? Element : DocumentFragment).prototype.querySelector.call(root, selector);
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
const elementById = (id) => Document.prototype.getElementById.call(document, id);
const labelledByElements = references("aria-labelledby", "ariaLabelledByElements");
const describedByElements = references("aria-describedby", "ariaDescribedByElements");
const ownedElements = references("aria-owns", "ariaOwnsElements");
const activeDescendants = references("aria-activedescendant", "ariaActiveDescendantElement");
const activeDescendantOf = (element) => [activeDescendants(element)].flat()[0] ?? null;
const isElement = (node) => nodeType(node) === 1;
const isText = (node) => nodeType(node) === 3;
const learned = [];
let walking = false;
function duringWalk(begin, end) {
learned.push({ begin, end });
}
function walk(read) {
walking = true;
for (const { begin } of learned) begin();
try {
return read();
} finally {
walking = false;
for (const { end } of learned) end();
}
}
const closedRoots = new WeakMap();
let anyClosed = false;
let anyRoots = false;
const closedRoot = (host) => (anyClosed ? closedRoots.get(host) ?? null : null);
function shadowRoot(element) {
const root = openRoot(element) ?? closedRoot(element);
if (root !== null) anyRoots = true;
return root;
}
function opened(root) {
anyClosed = true;
closedRoots.set(root.host, root);
}
function* openRoots(root = document) {
yield root;
for (const element of all(root, "*")) {
const inner = shadowRoot(element);
if (inner) yield* openRoots(inner);
}
}
const rootAround = (element) => (anyRoots ? getRootNode(element) : documentNow ?? document);
const isInDocument = (element) => !anyRoots || getRootNode(element) === document;
let documentNow = null;
duringWalk(
() => (documentNow = document),
() => (documentNow = null),
);
let drawersIn = null;
let carouselsIn = new Map();
duringWalk(
() => {
drawersIn = new Map();
carouselsIn = new Map();
},
() => (drawersIn = null),
);
const MAX_DRAWING = 200;
const PSEUDO = /:(before|after)|::scroll-(button|marker)\b(?!-group)/;
const NO_WORDS = /^(none|normal|(["'\s/]|[\ue000-\uf8ff])*)$/;
function mayHaveDrawn(element) {
if (drawersIn === null || shadowRoot(element)) return true;
const drawers = drawersOf(rootAround(element));
return drawers === null || (drawers.size > 0 && drawers.has(element));
}
function drawersOf(root) {
let drawers = drawersIn?.get(root);
if (drawers === undefined) {
const carousels = [];
drawers = readDrawers(root, carousels);
drawersIn?.set(root, drawers);
carouselsIn.set(root, carousels);
}
return drawers;
}
function carouselSelectors(root) {
const drawers = drawersOf(root);
return { selectors: carouselsIn.get(root), isUnsure: drawers === null };
}
function readDrawers(root, carousels) {
const selectors = [];
let isUnknown = false;
for (const sheet of [...root.styleSheets, ...root.adoptedStyleSheets]) {
try {
collectDrawing(sheet, selectors, carousels);
} catch {
isUnknown = true;
}
}
if (isUnknown) return null;
try {
if (selectors.length > MAX_DRAWING || /&|:scope|:host|::slotted|::part/.test(selectors)) return null;
return new Set(selectors.length ? all(root, selectors.join()) : []);
} catch {
return null;
}
}
const MAX_SELECTOR = 2000;
function nestedSelector(selector, around) {
const parts = selector.split("&");
return parts.length === 1 ? selector
: parts.length * around.length > MAX_SELECTOR ? "" : parts.join(`:is(${around})`);
}
function collectDrawing(sheet, selectors, carousels, around = "") {
for (const rule of sheet.cssRules) {
const selector = rule.selectorText;
if (selector !== undefined && PSEUDO.test(selector)) {
if (selector.includes("::scroll-")) carousels.push(nestedSelector(selector, around));
else if (!NO_WORDS.test(rule.style.content)) selectors.push(selector.replace(/(^|[\s>+~,(])::?(before|after)/g, "$1*").replace(/::?(before|after)/g, ""));
}
if (rule.cssRules?.length) {
collectDrawing(rule, selectors, carousels, selector === undefined ? around : nestedSelector(selector, around));
}
else if (rule.styleSheet) collectDrawing(rule.styleSheet, selectors, carousels);
}
}
const DRAWN = /\/|"((?:[^"\\]|\\.)*)"|[\w-]+\((?:"(?:[^"\\]|\\.)*"|[^")])*\)/gs;
const ESCAPED = /\\(?:([0-9a-f]{1,6})\s?|(.))/gis;
function drawnBy(element, pseudo) {
const style = getComputedStyle(element, pseudo);
const content = style.content;
if (content === "none" || content === "normal" || content === '""') return "";
if (style.display === "none" || style.visibility !== "visible") return "";
let text = "";
for (const [piece, words] of content.matchAll(DRAWN)) {
if (piece === "/") text = "";
else if (words !== undefined) text += unescaped(words);
}
text = text.replace(/[\ue000-\uf8ff]/g, "");
return style.display.startsWith("inline") && style.display !== "inline-block" ? text : ` ${text} `;
}
const unescaped = (words) =>
words.replace(ESCAPED, (_, hex, other) => {
const code = parseInt(hex, 16);
return hex ? (code > 0 && code < 0x110000 ? String.fromCodePoint(code) : "\ufffd") : other;
});
const MAX_RECORDS = 1_000;
const MAX_WEIGHT = 20_000;
const observed = new WeakSet();
let records = [];
let weight = 0;
let clock = 0;
let since = { lastId: 0, url: location.href, complete: true };
const queryAll = method(Element.prototype, "querySelectorAll");
function parentOf(node) {
const parent = parentNode(node);
return parent || nodeType(node) !== 11 ? parent : node.host ?? null;
}
function topOf(node) {
let top = node;
for (let at = parentOf(top); at; at = parentOf(top)) top = at;
return top;
}
const stands = (node) => topOf(node) === document;
function keep(seen) {
for (const { target, addedNodes, removedNodes } of seen) {
const came = [...addedNodes].filter(isElement);
const went = [...removedNodes].filter(isElement);
if (!came.length && !went.length) continue;
const weighs = went.reduce((sum, root) => sum + 1 + queryAll(root, "*").length, 0);
records.push({ time: ++clock, target, came, went, weighs });
weight += weighs;
}
while (records.length > 1 && (records.length > MAX_RECORDS || weight > MAX_WEIGHT)) {
weight -= records.shift().weighs;
since.complete = false;
}
}
const watcher = new MutationObserver(keep);
function watchAbove(element) {
for (let at = parentOf(element); at && !observed.has(at); at = parentOf(at)) {
observed.add(at);
watcher.observe(at, { childList: true });
}
}
function sinceNow(lastId) {
watcher.takeRecords();
records = [];
weight = 0;
since = { lastId, url: location.href, complete: true };
}
function comings() {
keep(watcher.takeRecords());
if (!since.complete || location.href !== since.url) return null;
const first = new Map();
const went = new Map();
for (const { time, target, came, went: gone } of records) {
for (const root of gone) {
if (!first.has(root)) first.set(root, null);
went.set(root, { time, target, came: first.get(root) });
}
for (const root of came) if (!first.has(root)) first.set(root, time);
}
for (const root of went.keys()) if (topOf(root) !== root) went.delete(root);
const came = new Map();
for (const [root, time] of first) if (time !== null && stands(root)) came.set(root, time);
return { went, came, lastId: since.lastId };
}
const idOf = new WeakMap();
const elementOf = new Map();
const forgotten = new FinalizationRegistry((id) => {
elementOf.delete(id);
controls.delete(id);
});
let lastId = 0;
function identify(element) {
let id = idOf.get(element);
if (id === undefined) {
id = ++lastId;
idOf.set(element, id);
elementOf.set(id, new WeakRef(element));
forgotten.register(element, id);
watchAbove(element);
}
return id;
}
const controls = new Map();
const controlIds = new WeakMap();
const controlWith = (id) => controls.get(id) ?? null;
function controlId(element, control) {
if (!controlIds.has(element)) controlIds.set(element, new Map());
const ids = controlIds.get(element);
let id = ids.get(control.node);
if (id === undefined) {
id = ++lastId;
ids.set(control.node, id);
elementOf.set(id, new WeakRef(element));
forgotten.register(element, id);
}
const known = { ...control, id };
controls.set(id, known);
return known;
}
function identified(id) {
const element = elementOf.get(id)?.deref();
return element && isConnected(element) && getRootNode(element, { composed: true }) === document
? element
: null;
}
const MAX_SUSPECTS = 500;
const MAX_EMPTY = 200;
const HOSTS = new Set(
"article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span".split(" "),
);
const suspectedAs = new WeakMap();
let gathered = null;
let empty = 0;
let suspects = [];
function beginSuspects() {
gathered = [];
empty = 0;
}
function endSuspects() {
suspects = gathered;
gathered = null;
}
duringWalk(beginSuspects, endSuspects);
function suspectAll() {
beginSuspects();
boxesLeft = MAX_BOXES;
try {
suspectIn(document);
} finally {
endSuspects();
}
return suspects.length;
}
const MAX_BOXES = 1000;
let boxesLeft = 0;
function suspectIn(root) {
for (const element of all(root, "*")) {
const inner = shadowRoot(element);
if (inner) {
suspectIn(inner);
continue;
}
const tag = localName(element);
const custom = tag.includes("-");
if (!custom && (!HOSTS.has(tag) || (firstChild(element) && !isPlaceless(firstElementChild(element))))) continue;
if (--boxesLeft < 0) return;
suspect(element, tag);
}
}
const isPlaceless = (child) =>
child !== null && !checkVisibility(child) && getComputedStyle(child).display === "";
function suspect(element, tag = localName(element)) {
const custom = tag.includes("-");
if (gathered.length >= MAX_SUSPECTS || !(custom || HOSTS.has(tag))) return;
const { width, height } = boundingRect(element);
if (!custom && !(width && height)) return;
const seen = `${custom && matches(element, ":defined")} ${width} ${height}`;
if (suspectedAs.get(element) === seen) return;
if (!custom && ++empty > MAX_EMPTY) return;
suspectedAs.set(element, seen);
gathered.push(element);
}
const LEAVES = new Set(
"input textarea select img canvas video audio iframe frame object embed progress meter".split(" "),
);
const isLeaf = (element, tag) => LEAVES.has(tag) && !(tag === "object" && showsOwn(element));
const INLINE_TAGS = new Set(
(
"a abbr b bdi bdo cite code data del dfn em font i ins kbd label mark q s samp small span " +
"strong sub sup time u var wbr slot tt"
).split(" "),
);
const flatChildren = (element, tag) => childrenInstead(element, tag) ?? ownChildren(element);
function childrenInstead(element, tag) {
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
const FRAMED = new Set(["iframe", "frame"]);
const holdsFrame = (element, tag) => FRAMED.has(tag) || (tag === "object" && element.contentWindow !== null);
function showsOwn(object) {
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
function isSummary(element) {
const parent = parentNode(element);
return parent && isElement(parent) && localName(parent) === "details" &&
summaryOf(parent) === element;
}
const isOwnSummary = (details) => !details.open && summaryOf(details) === null;
function flatParent(node) {
const parent = parentNode(node);
if (!parent) return null;
if (nodeType(parent) === 11) return parent.host ?? null;
const slot = isElement(node) ? assignedSlot(node) ?? closedSlot(node, parent) : null;
return slot ?? parent;
}
function closedSlot(node, parent) {
const root = isElement(parent) ? closedRoot(parent) : null;
if (!root) return null;
return [...all(root, "slot")].find((slot) => assignedNodes(slot).includes(node)) ?? null;
}
function isInside(node, ancestor) {
for (let at = node; at; at = flatParent(at)) if (at === ancestor) return true;
return false;
}
const MAX_AROUND = 6;
function* ancestors(element, most = MAX_AROUND) {
let at = element && flatParent(element);
for (let n = 0; at && at !== bodyOf(document) && n < most; at = flatParent(at), n++) yield at;
}
function squash(text, most = MAX_READ) {
if (text.length > most) return `${squash(text.slice(0, most), most)}…`;
return text.length < SOON_READ && (text === "" || IS_ONE_LINE.test(text))
? text
: text.replace(/\s+/g, " ").trim().toWellFormed();
}
const IS_ONE_LINE = /^[!-~]+(?: [!-~]+)*$/;
const SOON_READ = 10_000;
const MAX_READ = 100_000;
const MAX_TEXT = 2_000_000;
function holding(words) {
const parts = squash(words).split(" ").map((part) => part.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
const pattern = new RegExp(parts.join("\\s+"), "iu");
return (some) => typeof some === "string" && pattern.test(some);
}
const MAX_NAME = 500;
const MAX_PILE = 40;
const seenCharacters = new Intl.Segmenter();
function cutTo(text, most) {
if (text.length <= most) return text;
const from = Math.max(0, most - 2 * MAX_PILE);
const near = seenCharacters.segment(text.slice(from, most + MAX_PILE));
const at = from + near.containing(most - 1 - from).index;
return `${text.slice(0, most - 1 - at > MAX_PILE ? most - 1 : at)}…`.toWellFormed();
}
const positions = new WeakMap();
const offsetsOf = ({ scrollLeft, scrollTop }) => `${scrollLeft} ${scrollTop}`;
function noteOwnScroll(scroller) {
if (scroller) positions.set(scroller, offsetsOf(scroller));
}
const isOwnScroll = (scroller) => positions.get(scroller) === offsetsOf(scroller);
function noteOwnScrollsAround(element) {
for (let at = element; at; at = parentNode(at) ?? at.host) if (isElement(at)) noteOwnScroll(at);
noteOwnScroll(scrollingElementOf(document));
}
function bringIntoView(element, options) {
scrollIntoView(element, options);
noteOwnScrollsAround(element);
}
function focusInView(element, options) {
focusElement(element, options);
noteOwnScrollsAround(element);
}
const isArea = (element) => localName(element) === "area";
function imageOf(area) {
const map = closest(area, "map");
const name = map && attribute(map, "name");
return name ? [...all(document, "img[usemap]")].find((one) => attribute(one, "usemap") === `#${name}`) : null;
}
const TELLING = new Set(
(
"role hidden inert onclick tabindex contenteditable title alt placeholder type popovertarget command " +
"xlink:href xlink:title open draggable"
).split(" "),
);
const tells = (name) => TELLING.has(name) || name.startsWith("aria-");
let tellingOf = null;
let tellingIs = false;
function forgetTelling() {
tellingOf = null;
}
duringWalk(forgetTelling, forgetTelling);
function isTelling(element, tag) {
if (element === tellingOf) return tellingIs;
const is = hasAttributes(element) && (tag.includes("-") || attributeNames(element).some(tells));
if (walking) {
tellingOf = element;
tellingIs = is;
}
return is;
}
const SHOWN = 0;
const INVISIBLE = 1;
const GONE = 2;
const RENDERED = { visibilityProperty: true };
function showing(element) {
if (checkVisibility(element, RENDERED)) return SHOWN;
if (isArea(element)) return imageOf(element) ? showing(imageOf(element)) : GONE;
const style = getComputedStyle(element);
if (style.display === "none") return GONE;
if (style.display === "") {
const parent = parentNode(element);
if (walking && parent && isElement(parent) && !shadowRoot(parent)) suspect(parent);
return GONE;
}
if (style.display === "contents") {
const parent = flatParent(element);
if (parent && isElement(parent) && showing(parent) === GONE) return GONE;
return style.visibility === "visible" ? SHOWN : INVISIBLE;
}
if (style.visibility !== "visible") return isCutOff(element) ? GONE : INVISIBLE;
return GONE;
}
const isCutOff = (element) => !checkVisibility(element);
const NEVER = new Set([
"script", "style", "template", "noscript", "head", "meta", "link", "title", "base", "param",
"source", "track", "datalist", "defs", "symbol", "metadata", "desc", "clippath", "mask",
]);
const isHiddenFromAll = (element, tag) =>
(NEVER.has(tag) && !(tag === "noscript" && checkVisibility(element))) ||
(isTelling(element, tag) &&
(isAriaHidden(element, tag) || attribute(element, "hidden") === "until-found"));
const isHidden = (element) =>
showing(element) !== SHOWN || closest(element, "[aria-hidden=true]") !== null;
function isInert(element) {
for (let at = element; at && isElement(at); at = flatParent(at)) if (hasAttribute(at, "inert")) return true;
return getComputedStyle(element).interactivity === "inert";
}
function isAriaHidden(element, tag) {
if (attribute(element, "aria-hidden") !== "true") return false;
if (tag === "body" || tag === "html") return false;
const focused = activeElementOf(document);
return !(focused && focused !== bodyOf(document) && contains(element, focused));
}
const isShown = (element) => showing(element) === SHOWN && boxesOf(element).length > 0;
function boxesOf(element) {
if (isArea(element)) return areaBoxes(element);
let boxes = [...clientRects(element)].filter(hasArea);
if (!boxes.length) {
const range = createRange(document);
range.selectNodeContents(element);
boxes = [...range.getClientRects()].filter(hasArea);
}
return boxes;
}
const hasArea = (box) => box.width > 0 && box.height > 0;
const EMPTY = { left: 0, top: 0, right: 0, bottom: 0 };
const unionOf = (boxes) =>
boxes.length
? {
left: Math.min(...boxes.map((box) => box.left)),
top: Math.min(...boxes.map((box) => box.top)),
right: Math.max(...boxes.map((box) => box.right)),
bottom: Math.max(...boxes.map((box) => box.bottom)),
}
: EMPTY;
function areaBoxes(area) {
const image = imageOf(area);
if (!image) return [];
const box = boundingRect(image);
const shape = (attribute(area, "shape") ?? "rect").toLowerCase();
const at = (attribute(area, "coords") ?? "").split(/[\s,]+/).map(Number);
if (shape === "default" || at.length < 3 || at.some(Number.isNaN)) return [box];
const [xs, ys] = shape.startsWith("circ")
? [[at[0] - at[2], at[0] + at[2]], [at[1] - at[2], at[1] + at[2]]]
: [at.filter((_, index) => index % 2 === 0), at.filter((_, index) => index % 2)];
const [left, top] = [Math.min(...xs), Math.min(...ys)];
const inset = contentInset(image);
const [across, down] = scalesOf(image);
const place = new DOMRect(
box.x + (inset.left + left) * across,
box.y + (inset.top + top) * down,
(Math.max(...xs) - left) * across,
(Math.max(...ys) - top) * down,
);
return [place].filter(hasArea);
}
function contentInset(element) {
const style = getComputedStyle(element);
return {
left: parseFloat(style.borderLeftWidth) + parseFloat(style.paddingLeft),
top: parseFloat(style.borderTopWidth) + parseFloat(style.paddingTop),
};
}
const MIN_SIDE = 3;
const isTinyBox = ({ width, height }) => width < MIN_SIDE || height < MIN_SIDE;
const isTiny = (element) => isTinyBox(boundingRect(element));
const ICON_SIDE = 32;
function isIcon(element) {
const { width, height } = boundingRect(element);
return width > 0 && width <= ICON_SIDE && height <= ICON_SIDE;
}
function paddingBox(element) {
const { left, top } = boundingRect(element);
const [across, down] = scalesOf(element);
const x = left + element.clientLeft * across;
const y = top + element.clientTop * down;
return new DOMRect(x, y, element.clientWidth * across, element.clientHeight * down);
}
function scalesOf(element) {
const { width, height } = boundingRect(element);
const { offsetWidth, offsetHeight, currentCSSZoom: zoom = 1 } = element;
const scale = (drawn, size) => (Math.abs(drawn - size * zoom) < 1 || !size ? zoom : drawn / size);
return [scale(width, offsetWidth), scale(height, offsetHeight)];
}
const CHECKS = "input[type=checkbox], input[type=radio]";
const CHECK_TYPES = new Set(["checkbox", "radio"]);
const isCheck = (element) => localName(element) === "input" && CHECK_TYPES.has(element.type);
const isUndrawn = (element) => !checkVisibility(element, RENDERED);
function checkDrawnBy(label) {
const { control } = label;
return control && isCheck(control) && isUndrawn(control) ? control : null;
}
function checkIn(element) {
const checks = all(element, CHECKS);
return checks.length === 1 && isUndrawn(checks[0]) ? checks[0] : null;
}
function drawnOf(element) {
if (!isCheck(element) || (isShown(element) && !isTiny(element))) return element;
return [...(element.labels ?? [])].find(isShown) ?? element;
}
function drawnWithId(id) {
const element = identified(id);
return element && drawnOf(element);
}
function fitsViewport(element) {
const box = boundingRect(element);
return box.top >= 0 && box.bottom <= innerHeight;
}
function seenArea() {
const { scale, offsetLeft, offsetTop, width, height } = visualViewport;
return scale === 1
? { left: 0, top: 0, right: innerWidth, bottom: innerHeight }
: { left: offsetLeft, top: offsetTop, right: offsetLeft + width, bottom: offsetTop + height };
}
function inViewport(box, seen = seenArea()) {
const left = Math.max(box.left, seen.left);
const top = Math.max(box.top, seen.top);
const right = Math.min(box.right, seen.right);
const bottom = Math.min(box.bottom, seen.bottom);
return right > left && bottom > top ? { left, top, right, bottom } : null;
}
const toScreen = (x, y) => ({ x: x - visualViewport.offsetLeft, y: y - visualViewport.offsetTop });
const fromScreen = (x, y) => ({ x: x + visualViewport.offsetLeft, y: y + visualViewport.offsetTop });
const seenAt = () => ({
x: Math.round(visualViewport.pageLeft), y: Math.round(visualViewport.pageTop), scale: visualViewport.scale,
});
const viewport = () => ({ width: innerWidth, height: innerHeight });
const reveal = (element) =>
bringIntoView(element, { block: "center", inline: "center", behavior: "instant" });
function scrollPointIntoView(element, place) {
for (let at = flatParent(element); at && isElement(at); at = flatParent(at)) {
const root = at === scrollingElementOf(document);
if (!root && at.scrollHeight <= at.clientHeight && at.scrollWidth <= at.clientWidth) continue;
const box = root ? { x: 0, y: 0, width: innerWidth, height: innerHeight } : boundingRect(at);
const point = place();
at.scrollBy({
left: point.x - (box.x + box.width / 2),
top: point.y - (box.y + box.height / 2),
behavior: "instant",
});
noteOwnScroll(at);
}
}
function scrollPage(left, top) {
scrollTo({ left, top, behavior: "instant" });
noteOwnScroll(scrollingElementOf(document));
}
function revealedBox(id) {
const element = drawnWithId(id);
if (!element) return null;
if (!boxesOf(element).some((box) => inViewport(box))) reveal(element);
const { x, y, width, height } = boundingRect(element);
return { x, y, width, height };
}
function roomAcross(scroller, style, scale = 1) {
const backwards = (style.direction === "rtl") !== (style.flexDirection === "row-reverse");
const room = scroller.scrollWidth - scroller.clientWidth;
return roomAround(scroller.scrollLeft * scale, room * scale, backwards);
}
function roomAlong(scroller, style, scale) {
const backwards = style.flexDirection === "column-reverse";
const room = scroller.scrollHeight - scroller.clientHeight;
return roomAround(scroller.scrollTop * scale, room * scale, backwards);
}
const roomAround = (position, room, backwards) =>
position < 0 || (backwards && position === 0)
? { before: room + position, after: -position }
: { before: position, after: room - position };
function canScroll(element, vertical, isRoot) {
const size = vertical ? element.scrollHeight : element.scrollWidth;
if (size <= (vertical ? element.clientHeight : element.clientWidth)) return false;
const overflow = getComputedStyle(element)[vertical ? "overflowY" : "overflowX"];
return overflow !== "hidden" && overflow !== "clip" && (isRoot || overflow !== "visible");
}
const EXIST = CSS.supports("selector(::scroll-button(*))");
const MAX_SELECTORS = 200;
const MAX_TRIED = 2000;
const MAX_CAROUSEL_PARTS = 200;
const MAX_LEVELS_UP = 10;
const LIKELY = "ul, ol, [class*=carousel i], [class*=slide i], [class*=scroll i]";
const MAX_LIKELY = 100;
let parts = [];
const drawnOn = new Map();
let selectedMarkers = new Set();
function collectParts(root) {
if (root === document) parts = [];
if (!EXIST) return;
const { selectors, isUnsure } = carouselSelectors(root);
if (!selectors.length && !isUnsure) return;
const found = new Set();
for (const selector of selectors.slice(0, MAX_SELECTORS)) {
if (found.size < MAX_TRIED) for (const one of originsIn(root, selector)) found.add(one);
}
if (isUnsure) for (const one of [...all(root, LIKELY)].slice(0, MAX_LIKELY)) found.add(one);
for (const element of [...found].slice(0, MAX_TRIED)) {
if (parts.length < MAX_CAROUSEL_PARTS && (has(element, "::scroll-button(*)") || has(element, "::scroll-marker"))) {
parts.push(element);
}
if (isUnsure && scrollMarkers(element)) {
for (const item of element.children) if (has(item, "::scroll-marker")) parts.push(item);
}
}
}
function originsIn(root, selector) {
try {
return all(root, selector.replace(/::scroll-(button\([^)]*\)|marker)(:[\w-]+)*/g, "").replace(/(^|[\s>+~,])(?=,|$)/g, "$1*"));
} catch {
return [];
}
}
const has = (element, pseudo) => !/^(|none|normal)$/.test(getComputedStyle(element, pseudo).content);
const scrollMarkers = (element) => {
const group = getComputedStyle(element).scrollMarkerGroup;
return group && group !== "none" ? group : "";
};
const carouselParts = () => parts;
function learnCarousels(described) {
const before = JSON.stringify([...drawnOn.values()]);
drawnOn.clear();
const tabs = [];
parts.forEach((element, at) => {
if (!described[at]?.length) return;
drawnOn.set(element, described[at]);
for (const [type, , node] of described[at]) {
if (type === "scroll-marker-group" && scrollMarkers(element).includes("tabs")) tabs.push(node);
}
});
return { isNew: JSON.stringify([...drawnOn.values()]) !== before, tabs };
}
function selectMarkers(nodes) {
const isNew = nodes.length !== selectedMarkers.size || nodes.some((node) => !selectedMarkers.has(node));
selectedMarkers = new Set(nodes);
return isNew;
}
function carousels() {
const found = new Map();
const at = (scroller) => {
if (!found.has(scroller)) {
const group = scrollMarkers(scroller);
found.set(scroller, {
buttons: [], markers: [], isBefore: group.startsWith("before"), isTabs: group.includes("tabs"),
});
}
return found.get(scroller);
};
for (const [element, described] of drawnOn) {
if (!isConnected(element)) {
drawnOn.delete(element);
continue;
}
for (const [type, direction, node] of described) {
if (type === "scroll-button") at(element).buttons.push(buttonOf(element, direction, node));
const scroller = type === "scroll-marker" ? scrollerOf(element) : null;
if (scroller) at(scroller).markers.push(markerOf(element, node, at(scroller).isTabs));
}
}
return found;
}
function scrollerOf(item) {
let scroller = flatParent(item);
for (let n = 0; scroller && isElement(scroller) && n < MAX_LEVELS_UP; scroller = flatParent(scroller), n++) {
if (scrollMarkers(scroller)) return scroller;
}
return null;
}
function buttonOf(element, direction, node) {
const name = cutTo(squash(drawnBy(element, `::scroll-button(${direction})`)), MAX_NAME);
const state = {};
if (isAtEnd(element, direction)) state.disabled = true;
if (!name) state.author = ["scrolls", direction];
return controlId(element, { role: "button", tag: "scroll-button", name, state, node });
}
function markerOf(item, node, isTab) {
const name = cutTo(squash(drawnBy(item, "::scroll-marker")), MAX_NAME);
const state = {};
if (selectedMarkers.has(node)) state.selected = true;
if (!name) state.author = ["shows", cutTo(squash(textContent(item).slice(0, 1000)), 60)];
return controlId(item, { role: isTab ? "tab" : "link", tag: "scroll-marker", name, state, node });
}
function isAtEnd(scroller, direction) {
const style = getComputedStyle(scroller);
const [axis, side] = direction.split("-");
if (!style.writingMode.startsWith("horizontal")) return false;
const isFirst = (side === "start") !== (axis === "inline" && style.direction === "rtl");
const { before, after } = axis === "inline" ? roomAcross(scroller, style) : roomAlong(scroller, style, 1);
return (isFirst ? before : after) < 1;
}
let labelsOf = new Map();
function forgetLabels() {
labelsOf = new Map();
}
function learnLabels(root) {
if (labelsOf.has(root)) return;
labelsOf.set(root, null);
for (const label of all(root, "label")) {
const control = label.control;
if (!control) continue;
const known = labelsOf.get(control);
if (known) known.push(label);
else labelsOf.set(control, [label]);
}
}
function labelsFor(element) {
const root = rootAround(element);
if (labelsOf.size && labelsOf.has(root)) return labelsOf.get(element) ?? [];
if (element.labels) return element.labels;
return [...all(root, "label")].filter((label) => label.control === element);
}
function controlNamedBy(label) {
const { control } = label;
return control && attribute(control, "aria-hidden") !== "true" ? control : null;
}
function shownAs(option) {
if (firstElementChild(option) === null || attribute(option, "label")) return option.label || option.text;
let text = "";
const nodes = createTreeWalker(document, option, TEXTS_AND_ELEMENTS);
while (nodes.nextNode() && text.length < MAX_OPTION) {
const node = nodes.currentNode;
if (isElement(node)) text += ` ${attribute(node, "alt") ?? ""} `;
else if (!NEVER.has(localName(parentNode(node)))) text += data(node);
}
return squash(text);
}
const TEXTS_AND_ELEMENTS = 5;
const MAX_OPTION = 2000;
const TYPED = new Set(["text", "search", "url", "tel", "email", "password", "number"]);
const PICKED = new Set(["date", "time", "month", "week", "datetime-local", "color", "range"]);
function kindOf(element) {
const tag = localName(element);
if (tag === "textarea") return "typed";
if (tag === "input") return TYPED.has(element.type) ? "typed" : PICKED.has(element.type) ? "picked" : "";
return element.isContentEditable || element.editContext ? "typed" : "";
}
function fieldOf(element) {
if (kindOf(element)) return element;
if (localName(element) === "label" && element.control) return element.control;
const fields = [...all(element, "input, textarea, [contenteditable]")].filter(kindOf);
return fields.length === 1 ? fields[0] : element;
}
function isEditingHost(element) {
const editable = attribute(element, "contenteditable");
if (editable === null) return localName(element) === "body" && isDesigned();
return editable.toLowerCase() !== "false" && element.isContentEditable;
}
const isDesigned = () => designModeOf(document) === "on";
const FOCUSABLE = new Set("button select textarea input iframe".split(" "));
const isFocusable = (element, tag) =>
hasAttribute(element, "tabindex") || isEditingHost(element) ||
(FOCUSABLE.has(tag) && !matches(element, ":disabled")) ||
((tag === "a" || tag === "area") && isLink(element)) ||
((tag === "audio" || tag === "video") && hasAttribute(element, "controls")) ||
(tag === "summary" && isSummary(element));
const isControl = (element, tag) =>
CONTROLS.has(tag) || ((tag === "a" || tag === "area") && isLink(element)) ||
(tag === "summary" && isSummary(element));
const CONTROLS = new Set("button select textarea input".split(" "));
const isLink = (element) => hasAttribute(element, "href") || hasAttribute(element, "xlink:href");
const ROLES = new Set(
(
"alert alertdialog application article banner blockquote button caption cell checkbox code " +
"columnheader combobox complementary contentinfo definition deletion dialog directory " +
"document emphasis feed figure form generic grid gridcell group heading img insertion link " +
"list listbox listitem log main marquee math menu menubar menuitem menuitemcheckbox " +
"menuitemradio meter navigation none note option paragraph presentation progressbar radio " +
"radiogroup region row rowgroup rowheader scrollbar search searchbox separator slider " +
"spinbutton status strong subscript superscript switch tab table tablist tabpanel term " +
"textbox time timer toolbar tooltip tree treegrid treeitem mark meter suggestion comment"
).split(" "),
);
const DIALOGS = new Set(["dialog", "alertdialog"]);
const INTERACTIVE = new Set(
(
"button link textbox searchbox checkbox radio combobox listbox option menuitem " +
"menuitemcheckbox menuitemradio tab switch slider spinbutton treeitem scrollbar"
).split(" "),
);
const TRANSPARENT = new Set(
(
"generic none presentation paragraph rowgroup emphasis strong code caption deletion insertion " +
"subscript superscript time mark suggestion document"
).split(" "),
);
const INPUT_ROLES = {
button: "button", submit: "button", reset: "button", image: "button", file: "button",
color: "button", checkbox: "checkbox", radio: "radio", range: "slider", number: "spinbutton",
search: "searchbox",
};
const TAG_ROLES = {
address: "group", hgroup: "group", s: "deletion", article: "article", blockquote: "blockquote", button: "button",
caption: "caption", code: "code", dd: "definition", del: "deletion",
dfn: "term", dialog: "dialog", dt: "term", em: "emphasis", fieldset: "group", figure: "figure",
h1: "heading", h2: "heading", h3: "heading", h4: "heading", h5: "heading", h6: "heading",
hr: "separator", html: "document", iframe: "iframe", frame: "iframe", ins: "insertion",
main: "main", mark: "mark", math: "math", menu: "list", meter: "meter",
nav: "navigation", ol: "list", optgroup: "group", option: "option", output: "status",
p: "paragraph", progress: "progressbar", search: "search", strong: "strong", sub: "subscript",
summary: "button", sup: "superscript", table: "table", tbody: "rowgroup", textarea: "textbox",
tfoot: "rowgroup", thead: "rowgroup", time: "time", tr: "row", ul: "list",
video: "video", audio: "audio", canvas: "canvas", embed: "embed",
};
const ARIA_ALIASES = {
image: "img", directory: "list", presentation: "none",
"doc-backlink": "link", "doc-biblioref": "link", "doc-glossref": "link", "doc-noteref": "link",
"doc-cover": "img", "graphics-symbol": "img", "graphics-object": "group",
};
const LANDMARKS = new Set(
(
"banner main navigation search complementary contentinfo form region dialog alertdialog table " +
"grid treegrid"
).split(" "),
);
const NEEDS_NAME = new Set(["region", "form"]);
const SECRET_FIELDS = /\b(current-password|new-password|one-time-code|cc-number|cc-csc)\b/i;
function takesSecret(field) {
if (localName(field) === "input" && field.type === "password") return true;
if (SECRET_FIELDS.test(attribute(field, "autocomplete") ?? "")) return true;
return (getComputedStyle(field).webkitTextSecurity ?? "none") !== "none";
}
const typedByPerson = new Set();
const filledIn = new Set();
const holdsSecret = (field) => field.type === "password" || typedByPerson.has(field) || filledIn.has(field);
function keepSecret(field) {
for (const kept of typedByPerson) if (!isConnected(kept)) typedByPerson.delete(kept);
if (takesSecret(field)) typedByPerson.add(field);
return typedByPerson.has(field);
}
const secretsTyped = () => [...typedByPerson].map((field) => field.value);
function holdSecret(field) {
for (const kept of filledIn) if (!isConnected(kept)) filledIn.delete(kept);
filledIn.add(field);
drawDots(field);
}
const drawDots = (field) => field.style.setProperty(SECURITY, "disc", "important");
const SECURITY = "-webkit-text-security";
let masked = [];
function mask() {
unmask();
for (const field of typedByPerson) {
const { style } = field;
masked.push([style, style.getPropertyValue(SECURITY), style.getPropertyPriority(SECURITY)]);
drawDots(field);
}
for (const field of filledIn) drawDots(field);
}
function unmask() {
for (const [style, value, priority] of masked) style.setProperty(SECURITY, value, priority);
masked = [];
}
const REPLACED = new Set(
"img svg input select textarea button meter progress canvas iframe frame video audio object".split(" "),
);
const MAX_GATHERED = 4 * MAX_NAME;
const MAX_STEPS = 2000;
const CONTENT = { follows: true, hidden: false };
const REFERENCED = { follows: false, hidden: false };
const HIDDEN = { follows: false, hidden: true };
const HIDDEN_LABEL = { follows: true, hidden: true };
const consulted = new Set();
const within = new Set();
let nameFrom = "";
let namedNow = null;
function named(text, from) {
namedNow = null;
nameFrom = text ? from : "";
return text;
}
let steps = 0;
function beginName(element = null) {
namedNow = element;
steps = 0;
if (consulted.size) consulted.clear();
if (within.size) within.clear();
}
function referenced(elements) {
let text = "";
for (const one of elements) {
const before = [...consulted];
consulted.clear();
text += ` ${nestedText(one, isHidden(one) ? HIDDEN : REFERENCED)}`;
for (const other of before) consulted.add(other);
}
return text;
}
const isConsulted = (element) => consulted.has(element);
function contentText(element, tag, except, how = CONTENT, own = true) {
const draws = mayHaveDrawn(element);
const owns = isTelling(element, tag) && hasAttribute(element, "aria-owns");
if (own && !draws && !owns) {
const alone = textAlone(element, tag);
if (alone) {
lastAlone = element;
return alone;
}
}
let text = draws ? drawnBy(element, "::before") : "";
for (const child of flatChildren(element, tag)) {
if (text.length > MAX_GATHERED) break;
if (isText(child)) text += own ? data(child) : "";
else if (isElement(child)) text += child === except ? " " : pieceOf(child, except, how);
}
if (owns) {
for (const owned of ownedElements(element)) text += ` ${pieceOf(owned, except, how)}`;
}
return draws ? text + drawnBy(element, "::after") : text;
}
let lastAlone = null;
const textAlone = (element, tag) =>
firstElementChild(element) === null && tag !== "slot" && tag !== "details" &&
shadowRoot(element) === null
? textContent(element)
: "";
function pieceOf(element, except, how) {
const tag = localName(element);
if (tag === "br") return " ";
if (NEVER.has(tag) || consulted.has(element)) return "";
let shown = SHOWN;
if (!how.hidden) {
if (hasAttributes(element) && hasAttribute(element, "inert")) return "";
if (isHiddenFromAll(element, tag)) return "";
shown = showing(element);
if (shown === GONE) return "";
}
const inline = !REPLACED.has(tag) && getComputedStyle(element).display === "inline";
if (!inline && !how.hidden && getComputedStyle(element).contentVisibility === "hidden") return "";
const text = shown === SHOWN
? nestedText(element, how, except)
: contentText(element, tag, except, how, false);
if (!text) return "";
return inline ? text : ` ${text} `;
}
function nestedText(element, how, except = null) {
if (within.has(element) || ++steps > MAX_STEPS) return "";
consulted.add(element);
within.add(element);
const text = saidBy(element, localName(element), how, except);
within.delete(element);
return text;
}
function saidBy(element, tag, how, except) {
const has = hasAttributes(element);
if (how.follows && has && hasAttribute(element, "aria-labelledby")) {
const text = referenced(labelledByElements(element));
if (text.trim()) return text;
}
if (NEVER.has(tag)) return "";
if (tag === "slot") return contentText(element, tag, except, how);
const value = element === namedNow ? null : embeddedValue(element, tag);
if (value) return value;
const label = has && attribute(element, "aria-label");
if (label && label.trim()) return label;
const native = has && isMadeNothing(element, tag) ? "" : nativeName(element, tag);
if (native.trim()) return native;
const text = value === null && !SAYS_NOTHING.has(tag) ? contentText(element, tag, except, how) : "";
if (text.trim() || !has) return text;
return lastResort(element, tag) || text;
}
const isMadeNothing = (element, tag) =>
hasAttribute(element, "role") && roleOf(element, tag) === "none";
const SAYS_NOTHING = new Set("input textarea select iframe frame video audio canvas object".split(" "));
function embeddedValue(element, tag) {
if (tag === "select" && !hasAttribute(element, "role")) return [...element.selectedOptions].map(shownAs).join(" ");
if (tag === "textarea") return element.value;
if (!hasAttributes(element)) return tag === "input" && !holdsSecret(element) ? element.value : null;
const role = tag === "input" || hasAttribute(element, "role") ? roleOf(element, tag) : "";
switch (role) {
case "textbox":
case "searchbox":
if (tag !== "input") return textContent(element);
return holdsSecret(element) ? "" : element.value;
case "slider":
case "spinbutton":
case "scrollbar": {
const words = attribute(element, "aria-valuetext") || attribute(element, "aria-valuenow");
return words || (tag === "input" ? element.value : null);
}
case "combobox":
return tag === "input" ? element.value : chosenText(element) || contentText(element, tag, null) || null;
case "listbox":
return chosenText(element);
case "menu":
return "";
default:
return null;
}
}
function chosenText(element) {
const chosen = localName(element) === "select"
? element.selectedOptions
: all(element, "[role=option][aria-selected=true]");
return [...chosen].map((one) => contentText(one, localName(one), null)).join(" ");
}
const authorName = (element) =>
hasAttribute(element, "aria-labelledby") ? squash(referenced(labelledByElements(element))) : "";
function lastResort(element, tag) {
if (tag === "img" && element !== namedNow && attribute(element, "alt") === "") return "";
const title = attribute(element, "title") ?? attribute(element, "xlink:title");
if (title && title.trim()) return (nameFrom = "title"), title;
if (tag === "input" && element.type === "image") return (nameFrom = "native"), "Submit";
nameFrom = "placeholder";
return hintOf(element, tag);
}
const HINTED = new Set("text search url tel email password number".split(" "));
function hintOf(element, tag) {
const hints = tag === "textarea" || (tag === "input" && HINTED.has(element.type));
const hint = hints ? attribute(element, "placeholder") : "";
return hint || attribute(element, "aria-placeholder") || "";
}
function nativeName(element, tag) {
switch (tag) {
case "input":
return labelText(element).trim() || inputName(element);
case "textarea":
case "select":
case "meter":
case "progress":
case "output":
case "button":
return labelText(element);
case "img":
case "area":
return attribute(element, "alt") ?? "";
case "fieldset":
return childText(element, "legend");
case "figure":
return childText(element, "figcaption");
case "details":
return isOwnSummary(element) ? "Details" : "";
case "geolocation":
return attribute(element, "accuracymode") === "precise" ? "Use precise location" : "Use location";
case "usermedia":
return "Use microphone and camera";
case "camera":
case "microphone":
return `Use ${tag}`;
case "table":
return childText(element, "caption") || (attribute(element, "summary") ?? "");
case "option":
case "optgroup":
return attribute(element, "label") ?? "";
default:
return tag.includes("-") ? labelText(element) : drawnTitle(element);
}
}
const drawnTitle = (element) =>
firstElementChild(element) !== null && isDrawing(element) ? childText(element, "title") : "";
function inputName(element) {
switch (element.type) {
case "button":
return element.value;
case "submit":
return element.value || "Submit";
case "reset":
return element.value || "Reset";
case "image":
return attribute(element, "alt") ?? "";
case "file":
return attribute(element, "title") || "Choose File";
default:
return "";
}
}
function childText(element, wanted) {
for (let child = firstChild(element); child; child = nextSibling(child)) {
if (isElement(child) && localName(child) === wanted) {
return wanted === "title" ? textContent(child) : nestedText(child, isHidden(child) ? HIDDEN : CONTENT);
}
}
return "";
}
function labelText(element) {
let text = "";
for (const label of labelsFor(element)) {
if (isConsulted(label)) continue;
text += ` ${nestedText(label, isHidden(label) ? HIDDEN_LABEL : CONTENT, element)}`;
}
return text;
}
const SECTIONING = "article, aside, main, nav, section, [role=article], [role=complementary], " +
"[role=main], [role=navigation], [role=region]";
function hasNameAttribute(element) {
if (!hasAttributes(element)) return false;
return Boolean(attribute(element, "aria-label")?.trim() || attribute(element, "title")?.trim()) ||
authorName(element) !== "";
}
const GLOBAL_ARIA = (
"atomic busy controls current describedby description details dropeffect flowto grabbed " +
"keyshortcuts label labelledby live owns relevant roledescription"
).split(" ").map((name) => `aria-${name}`);
const isTold = (element, tag) =>
isFocusable(element, tag) || GLOBAL_ARIA.some((name) => attribute(element, name));
function nativeRole(element, tag) {
switch (tag) {
case "a":
case "area":
return isLink(element) ? "link" : "generic";
case "input": {
const type = element.type;
if (type === "hidden") return "none";
const role = INPUT_ROLES[type] ?? "textbox";
return hasAttribute(element, "list") && (role === "textbox" || role === "searchbox") &&
element.list && !PICKED.has(type)
? "combobox"
: role;
}
case "select":
return element.multiple || element.size > 1 ? "listbox" : "combobox";
case "img":
return attribute(element, "alt") === "" && !hasNameAttribute(element) && !isTold(element, tag)
? "none"
: "img";
case "svg":
return "img";
case "summary":
return isSummary(element) ? "button" : "generic";
case "geolocation":
case "usermedia":
case "camera":
case "microphone":
return element instanceof HTMLUnknownElement ? "generic" : "button";
case "details":
return isOwnSummary(element) ? "button" : "group";
case "object":
return holdsFrame(element, tag) ? "iframe" : showsOwn(element) ? "generic" : "object";
case "section":
return hasNameAttribute(element) ? "region" : "generic";
case "form":
return hasNameAttribute(element) ? "form" : "generic";
case "header":
return closest(element, SECTIONING) ? "generic" : "banner";
case "footer":
return closest(element, SECTIONING) ? "generic" : "contentinfo";
case "aside": {
const parent = parentNode(element);
const within = parent && isElement(parent) && closest(parent, "article, aside, nav, section");
return within && !hasNameAttribute(element) ? "generic" : "complementary";
}
case "body":
return isDesigned() ? "textbox" : "generic";
case "li":
return itemRole(element);
case "td":
case "th":
return cellRole(element, tag);
case "tr":
case "tbody":
case "thead":
case "tfoot":
return isLaidOut(element) ? "none" : TAG_ROLES[tag];
default:
return TAG_ROLES[tag] ?? "generic";
}
}
function itemRole(element) {
const parent = flatParent(element);
if (!parent || !isElement(parent)) return "generic";
const tag = localName(parent);
if (tag !== "ul" && tag !== "ol" && tag !== "menu") {
return roleOf(parent, tag) === "list" ? "listitem" : "generic";
}
if (!hasAttributes(parent) || !hasAttribute(parent, "role")) return "listitem";
const role = roleOf(parent, tag);
return role === "none" ? "none" : "listitem";
}
const isNothing = (element) =>
hasAttributes(element) && hasAttribute(element, "role") &&
roleOf(element, localName(element)) === "none";
function isLaidOut(element) {
const table = closest(element, "table");
return table !== null && isNothing(table);
}
function cellRole(element, tag) {
const table = closest(element, "table");
if (table && isNothing(table)) return "none";
const grid = table && /^(tree)?grid$/.test(attribute(table, "role") ?? "");
if (tag === "td") return grid ? "gridcell" : "cell";
const scope = (attribute(element, "scope") ?? "").toLowerCase();
if (scope.startsWith("row")) return "rowheader";
if (scope.startsWith("col")) return "columnheader";
const row = parentNode(element);
const section = row && parentNode(row);
if (section && isElement(section) && localName(section) === "thead") return "columnheader";
return row && isElement(row) && all(row, ":scope > td").length ? "rowheader" : "columnheader";
}
function roleOf(element, tag) {
if (!isTelling(element, tag) || FRAMED.has(tag)) return nativeRole(element, tag);
const given = attribute(element, "role");
if (given) {
for (const token of given.toLowerCase().split(/\s+/)) {
const role = ARIA_ALIASES[token] ?? token;
if (!ROLES.has(role)) continue;
if (NEEDS_NAME.has(role) && !hasNameAttribute(element)) continue;
if (role === "none" && isTold(element, tag)) break;
return role;
}
}
const native = nativeRole(element, tag);
return TRANSPARENT.has(native) && native !== "document" && isEditingHost(element) ? "textbox" : native;
}
const NAMED_BY_CONTENT = new Set(
(
"button link heading checkbox radio option menuitem menuitemcheckbox menuitemradio tab switch " +
"treeitem tooltip columnheader rowheader cell gridcell row"
).split(" "),
);
const SHOWS_CONTENT = new Set("columnheader rowheader cell gridcell row treeitem".split(" "));
function nameOf(element, tag, role) {
beginName(element);
let name;
const has = isTelling(element, tag);
if (has) {
if ((name = authorName(element))) return named(name, "author");
const label = attribute(element, "aria-label");
if (label && (name = squash(label))) return named(name, "author");
}
if ((name = squash(nativeName(element, tag)))) return named(name, "native");
if (SHOWS_CONTENT.has(role) && walking) {
if (firstChild(element)) return named("", "content");
} else if (NAMED_BY_CONTENT.has(role) && !SAYS_NOTHING.has(tag)) {
if ((name = squash(contentText(element, tag, null)))) return named(name, "content");
}
return has && (name = squash(lastResort(element, tag))) ? named(name, nameFrom) : named("", "");
}
function nameOfNothing(element, tag) {
beginName(element);
if (!isTelling(element, tag)) return named("", "");
const label = authorName(element) || squash(attribute(element, "aria-label") ?? "");
return named(label || squash(drawnTitle(element)), "author");
}
function descriptionOf(element) {
let text;
beginName();
if (hasAttribute(element, "aria-describedby")) {
if ((text = squash(referenced(describedByElements(element))))) return text;
}
const own = attribute(element, "aria-description");
if (own && (text = squash(own))) return text;
const title = nameFrom === "title" ? null : attribute(element, "title");
return title ? squash(title) : "";
}
const CHECKABLE = new Set("checkbox radio switch menuitemcheckbox menuitemradio".split(" "));
const MAY_BE_CHECKED = new Set(["option", "treeitem"]);
const SORTED = new Set("ascending descending other".split(" "));
const MAX_VALUE = 500;
const END_OF_VALUE = 150;
const MAX_URL = 150;
const MAX_OPTIONS = 20;
const MASK = "••••••••";
const SELECTABLE = new Set("option tab row gridcell columnheader rowheader treeitem".split(" "));
const POPUPS = new Set("menu listbox tree grid dialog".split(" "));
const CURRENT = new Set("page step location date time".split(" "));
const MULTIPLE = new Set("listbox grid tree treegrid tablist".split(" "));
const LEVELLED = new Set("heading treeitem listitem row".split(" "));
const LIES = {
scrollbar: "vertical", listbox: "vertical", tree: "vertical", menu: "vertical",
slider: "horizontal", tablist: "horizontal", toolbar: "horizontal", menubar: "horizontal",
separator: "horizontal",
};
const ARIA_TRUE = { true: true, false: false };
function statesOf(element, tag, role, name, disabledAbove) {
const states = {};
const has = hasAttributes(element);
const telling = has && isTelling(element, tag);
const aria = telling && attributeNames(element).some(isAria)
? (key) => attribute(element, `aria-${key}`)
: saysNothing;
const checked = checkedOf(element, tag, role, aria);
if (checked !== null) states.checked = checked;
if (disabledAbove ? !isEnabledAnyway(element, tag) : isDisabled(element, tag)) states.disabled = true;
if (role === "heading") states.level = levelSaid(aria) || Number(tag[1]) || 2;
if (tag === "summary" && role === "button") states.expanded = parentNode(element).open;
else if (tag === "details" && isOwnSummary(element)) states.expanded = false;
if (!telling && !HOLDS_VALUE.has(tag) && tag !== "body") {
if (tag === "a" || tag === "area") states.url = linkUrl(element);
if (has && isUserInvalid(element, tag)) states.invalid = true;
return states;
}
addAria(states, element, tag, role, aria);
addLimits(states, element, tag, role, aria);
if (tag === "a" || tag === "area") states.url = linkUrl(element);
if (tag === "input" && SAYS_TYPE.has(element.type)) states.type = element.type;
const value = valueOf(element, tag, role, aria);
if (value) states.value = element === shownWhole ? value.toWellFormed() : shortValue(value);
if (tag === "input" || tag === "textarea") {
const placeholder = attribute(element, "placeholder");
if (placeholder && !value && nameFrom !== "placeholder") {
states.placeholder = cutTo(squash(placeholder), MAX_VALUE);
}
}
if (role === "textbox" && isMultiline(element, tag, aria)) states.multiline = true;
if (role !== "textbox" && isEditingHost(element)) states.editable = true;
if (attribute(element, "draggable") === "true") states.draggable = true;
const description = descriptionOf(element);
if (description && description !== name) states.description = cutTo(description, MAX_VALUE);
if (tag === "select") addOptions(states, element);
return states;
}
let shownWhole = null;
const showWhole = (element) => (shownWhole = element);
function shortValue(value) {
if (value.length <= MAX_VALUE) return value.toWellFormed();
const start = cutTo(value, MAX_VALUE - END_OF_VALUE).slice(0, -1);
const left = value.length - start.length - END_OF_VALUE;
return `${start}… (${left} more characters) …${value.slice(-END_OF_VALUE)}`.toWellFormed();
}
const isMultiline = (element, tag, aria) =>
tag === "textarea" || (tag !== "input" && (aria("multiline") ?? "true") === "true" && isEditingHost(element));
const isAria = (name) => name.startsWith("aria-");
const saysNothing = () => null;
const HOLDS_VALUE = new Set("input textarea select progress meter".split(" "));
const SAYS_TYPE = new Set(
"email tel url password date time month week datetime-local file color".split(" "),
);
function addAria(states, element, tag, role, aria) {
const expanded = ARIA_TRUE[aria("expanded")] ?? opensPopover(element, tag) ?? dropsDown(element, tag);
if (expanded !== undefined) states.expanded = expanded;
if (SELECTABLE.has(role) && aria("selected") === "true") states.selected = true;
const pressed = role === "button" ? aria("pressed") : null;
if (pressed === "mixed") states.pressed = "mixed";
else if (pressed in ARIA_TRUE) states.pressed = ARIA_TRUE[pressed];
const popup = aria("haspopup");
if (popup === "true" || POPUPS.has(popup)) states.haspopup = popup === "true" ? "menu" : popup;
const current = aria("current");
if (current && current !== "false") states.current = CURRENT.has(current) ? current : "true";
if (aria("busy") === "true") states.busy = true;
if ((role === "columnheader" || role === "rowheader") && SORTED.has(aria("sort"))) {
states.sort = aria("sort");
}
if (isRequired(element, tag, aria)) states.required = true;
if (isReadOnly(element, tag, aria)) states.readonly = true;
const invalid = aria("invalid");
if ((invalid && invalid !== "false") || isUserInvalid(element, tag)) {
states.invalid = invalid === "grammar" || invalid === "spelling" ? invalid : true;
}
if ((tag === "dialog" && matches(element, ":modal")) ||
((role === "dialog" || role === "alertdialog") && aria("modal") === "true")) {
states.modal = true;
}
if (role !== "heading" && LEVELLED.has(role) && levelSaid(aria)) states.level = levelSaid(aria);
}
const isUserInvalid = (element, tag) =>
DISABLEABLE.has(tag) && element.willValidate && matches(element, ":user-invalid");
function levelSaid(aria) {
const level = Number(aria("level"));
return Number.isInteger(level) && level > 0 ? level : 0;
}
function opensPopover(element, tag) {
if (tag !== "button" && tag !== "input") return undefined;
const popover = hasAttribute(element, "popovertarget") ? element.popoverTargetElement
: POPS.test(attribute(element, "command") ?? "") ? element.commandForElement : null;
return popover ? matches(popover, ":popover-open") : undefined;
}
const POPS = /^(show|hide|toggle)-popover$/i;
const dropsDown = (element, tag) => (tag === "select" && isDroppedDown(element) ? true : undefined);
const isDroppedDown = (select) => TELLS_OPEN && matches(select, ":open");
const TELLS_OPEN = CSS.supports("selector(:open)");
function addLimits(states, element, tag, role, aria) {
if (MULTIPLE.has(role) && (aria("multiselectable") === "true" || (tag === "select" && element.multiple))) {
states.multiselectable = true;
}
const lies = aria("orientation");
if ((lies === "vertical" || lies === "horizontal") && LIES[role] && lies !== LIES[role]) {
states.orientation = lies;
}
if (role !== "slider" && role !== "spinbutton" && role !== "scrollbar") return;
const native = tag === "input";
const min = native ? element.min : aria("valuemin");
const max = native ? element.max : aria("valuemax");
if (min) states.min = cutTo(squash(min), 40);
if (max) states.max = cutTo(squash(max), 40);
}
const CHECKED_NATIVELY = new Set(["checkbox", "radio"]);
function checkedOf(element, tag, role, aria) {
if (tag === "input" && CHECKED_NATIVELY.has(element.type) && CHECKABLE.has(role)) {
return element.indeterminate && element.type === "checkbox" && role !== "switch"
? "mixed"
: element.checked;
}
if (!CHECKABLE.has(role)) return MAY_BE_CHECKED.has(role) ? checkedIfSaid(aria("checked")) : null;
const checked = aria("checked");
const half = role === "checkbox" || role === "menuitemcheckbox";
return checked === "mixed" ? (half ? "mixed" : false) : checked === "true";
}
const checkedIfSaid = (checked) => (checked === "mixed" ? checked : ARIA_TRUE[checked] ?? null);
const REQUIRABLE = new Set(["input", "textarea", "select"]);
const isRequired = (element, tag, aria) =>
(REQUIRABLE.has(tag) && matches(element, ":required")) || aria("required") === "true";
const NEVER_READONLY = new Set("checkbox radio range color file button submit reset image".split(" "));
const isReadOnly = (element, tag, aria) =>
(((tag === "input" && !NEVER_READONLY.has(element.type)) || tag === "textarea") &&
element.readOnly === true) ||
aria("readonly") === "true";
const DISABLEABLE = new Set("button input select textarea option optgroup fieldset".split(" "));
const isDisabled = (element, tag = localName(element)) =>
(DISABLEABLE.has(tag) && isDisabledControl(element, tag)) ||
(isTelling(element, tag) &&
(attribute(element, "aria-disabled") === "true" ||
(tag.includes("-") && matches(element, ":disabled"))));
let disables = true;
duringWalk(
() => (disables = all(document, "fieldset[disabled]").length > 0),
() => (disables = true),
);
const isDisabledControl = (element, tag) =>
disables || tag === "option" || !isInDocument(element)
? matches(element, ":disabled")
: hasAttribute(element, "disabled");
function isEnabledAnyway(element, tag) {
if (isDisabled(element, tag)) return false;
const within = closest(element, "fieldset:disabled, [aria-disabled=true]");
return within !== null && localName(within) === "fieldset" &&
attribute(within, "aria-disabled") !== "true";
}
const RANGES = new Set("slider spinbutton scrollbar progressbar meter separator".split(" "));
function valueOf(element, tag, role, aria) {
if (tag === "input") {
const type = element.type;
const words = aria("valuetext");
if (words && (type === "range" || type === "number")) return words;
if (holdsSecret(element)) return element.value ? MASK : "";
if (type === "file") return [...element.files].map((file) => file.name).join(", ");
if (INPUT_ROLES[type] === "button" && type !== "color") return "";
if (type === "checkbox" || type === "radio") return "";
return element.value;
}
if (tag === "textarea") return element.value;
if (tag === "select") return [...element.selectedOptions].map(shownAs).join(", ");
if (tag === "meter" || tag === "progress") {
return element.position === -1 ? "" : String(element.value);
}
const words = RANGES.has(role) ? aria("valuetext") || aria("valuenow") : "";
if (words) return words;
if (role === "textbox" || role === "searchbox" || role === "combobox") {
if (!isEditingHost(element)) return "";
const plain = textContent(element);
const text = firstElementChild(element) || plain.includes("\n") ? element.innerText : plain.trim();
return inLines(text.slice(0, MAX_READ_VALUE));
}
return "";
}
const MAX_READ_VALUE = 100_000;
const inLines = (text) =>
text.replace(/(\S)[^\S\n]+/g, "$1 ").replace(/\s*\n/g, "\n").replace(/^\n|\s+$/g, "").toWellFormed();
function addOptions(states, element) {
const options = [...element.options].filter((one) => !one.hidden);
const listed = options.slice(0, MAX_OPTIONS);
const isPlain = firstOf(element, "optgroup, option:disabled, option > *") === null;
states.options = listed.map((one) => cutTo(squash(isPlain ? one.label || one.text : shownAs(one)), 80));
if (options.length > MAX_OPTIONS) states.options_more = options.length - MAX_OPTIONS;
if (isPlain) return;
const disabled = [...listed.keys()].filter((at) => matches(listed[at], ":disabled"));
if (disabled.length) states.options_disabled = disabled;
const groups = groupsOf(listed);
if (groups.length) states.option_groups = groups;
}
function groupsOf(options) {
const groups = [];
let last = null;
options.forEach((option, at) => {
const parent = parentNode(option);
const group = isElement(parent) && localName(parent) === "optgroup" ? parent : null;
if (group !== last) groups.push([at, group ? groupName(group) : ""]);
last = group;
});
return groups;
}
function groupName(group) {
const legend = firstOf(group, "legend");
return cutTo(squash(attribute(group, "label") || (legend ? textContent(legend) : "")), 80);
}
function linkUrl(element) {
const written = attribute(element, "href") ?? attribute(element, "xlink:href") ?? "";
const isShort = written[0] === "#" || (written[0] === "/" && written[1] !== "/");
return isShort ? cutTo(written.toWellFormed(), MAX_URL) : shortUrl(element.href);
}
const withoutLogin = (url) => url.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i, "$1");
function shortUrl(href) {
const text = withoutLogin(String(href?.baseVal ?? href ?? ""));
const own = `${location.origin}/`;
return cutTo((text.startsWith(own) ? text.slice(own.length - 1) : text).toWellFormed(), MAX_URL);
}
const listening = new WeakSet();
let listeners = [];
let aroundListeners = new WeakSet();
function listen(elements) {
let isNews = false;
for (const element of elements) {
if (!isElement(element) || element.ownerDocument !== document || listening.has(element)) continue;
listening.add(element);
listeners.push(new WeakRef(element));
isNews ||= !idOf.has(element);
}
return isNews;
}
const listensForClicks = (element) => listening.has(element);
const isAroundListener = (element) => aroundListeners.has(element);
function findAround() {
if (!listeners.length) return;
aroundListeners = new WeakSet();
let isAnyGone = false;
for (const reference of listeners) {
const element = reference.deref();
if (!element) isAnyGone = true;
else if (isConnected(element) && checkVisibility(element, RENDERED)) {
for (let at = flatParent(element); at && !aroundListeners.has(at); at = flatParent(at)) aroundListeners.add(at);
}
}
if (isAnyGone) listeners = listeners.filter((reference) => reference.deref());
}
duringWalk(findAround, () => {});
function isClickable(element, tag) {
if (tag === "body" || tag === "html" || LEAVES.has(tag) && tag !== "img" && tag !== "canvas") {
return false;
}
if (isTelling(element, tag) && hasAttribute(element, "onclick")) return true;
if (tag === "label" && element.control && !checkVisibility(element.control, RENDERED)) return true;
if (getComputedStyle(element).cursor !== "pointer" || isFilled(element)) return false;
return tag === "label" ? !element.control : !isOfLabel(element);
}
function startsHand(element) {
const around = flatParent(element);
return isElement(around) && getComputedStyle(around).cursor !== "pointer";
}
function isFilled(element) {
const root = shadowRoot(element);
const control = (root && firstOf(root, ACTED_ON)) ?? firstOf(element, ACTED_ON);
if (!control) return false;
const [inner, outer] = [boundingRect(control), boundingRect(element)];
return inner.width * inner.height > (outer.width * outer.height) / 2;
}
function isOfLabel(element) {
const label = closest(element, "label");
return label !== null && label.control !== null && getComputedStyle(label).cursor === "pointer";
}
function isInnermostListener(element, tag) {
if (!listensForClicks(element) || isAroundListener(element) || CONTAINERS.has(tag)) return false;
if (LEAVES.has(tag) && tag !== "img" && tag !== "canvas" || holdsControl(element)) return false;
const { width, height } = boundingRect(element);
return width * height > 0 && width * height < (innerWidth * innerHeight) / 2;
}
function isItemOfListener(element, tag) {
const around = parentNode(element);
if (!around || !listensForClicks(around) || isAroundListener(element) || holdsControl(element)) return false;
return tag === "li" || isOneOfAKind(element, around);
}
function isOneOfAKind(element, around) {
const kind = firstClass(element);
if (!kind) return false;
let count = 0;
for (let at = firstChild(around); at; at = nextSibling(at)) {
if (isText(at) && data(at).trim()) return false;
if (!isElement(at)) continue;
if (localName(at) !== localName(element) || firstClass(at) !== kind) return false;
count++;
}
return count > 1;
}
const firstClass = (element) => (attribute(element, "class") ?? "").trim().split(/\s+/)[0];
function isPartOfControl(element, tag) {
if (!listensForClicks(element) && !(isTelling(element, tag) && hasAttribute(element, "onclick"))) return false;
if (isAroundListener(element) || holdsControl(element)) return false;
let control = flatParent(element);
while (control && !INTERACTIVE.has(roleOf(control, localName(control)))) control = flatParent(control);
return control !== null && textContent(control).trim() !== textContent(element).trim();
}
const CONTAINERS = new Set("html body main form label ul ol dl table thead tbody tfoot menu fieldset".split(" "));
function holdsControl(element) {
const root = shadowRoot(element);
const inside = (root && firstOf(root, ACTED_ON)) ?? firstOf(element, ACTED_ON);
return inside !== null && checkVisibility(inside, RENDERED);
}
function isTabStop(element, tag) {
const index = isTelling(element, tag) ? attribute(element, "tabindex") : null;
return index !== null && Number(index) >= 0;
}
function isHandy(element, tag, within) {
if (!isTelling(element, tag) || tag === "body" || tag === "html" || LEAVES.has(tag)) return false;
if (attribute(element, "draggable") === "true") return true;
return !within && isTabStop(element, tag) && isWidget(element, tag);
}
function isWidget(element, tag) {
if (hasAttribute(element, "aria-label") || hasAttribute(element, "aria-labelledby")) return true;
if (tag === "label" && element.control) return false;
if (isTiny(element)) return false;
if (canScroll(element, true, false) || canScroll(element, false, false)) return false;
return !holdsControl(element);
}
const ACTED_ON = [
"a[href], button, input, select, textarea, summary, iframe, [tabindex], [onclick], [draggable=true]",
"[contenteditable]", ...[...INTERACTIVE].map((role) => `[role=${role}]`),
].join();
const TICKED = new Set(["checkbox", "radio", "switch"]);
const NEAR_FIELDS = new Set([...TICKED, ..."textbox searchbox combobox listbox spinbutton slider".split(" ")]);
const BOUNDS = new Set(
"html body form fieldset table ul ol li dialog main section article nav aside header footer details label".split(" "),
);
const NO_LABEL = `${ACTED_ON}, h1, h2, h3, h4, h5, h6, legend, table, ul, ol, pre`;
const SENTENCE = /^\S+(\s+\S+){3,}[.!。]$/;
const MAX_OUTWARD = 4;
const MAX_NEAR_TEXT = 80;
const MAX_ACROSS = 250;
const MAX_DOWN = 40;
const isField = (element, tag, role) =>
NEAR_FIELDS.has(role) || (tag === "input" && element.type === "file");
const nearOf = (element, tag, role) =>
isField(element, tag, role) ? labelBeside(element, role) : INTERACTIVE.has(role) ? cellBeside(element) : "";
function labelBeside(field, role) {
if (!TICKED.has(role)) {
const label = labelIn(textFrom(field, field, previousSibling));
return SENTENCE.test(label) ? "" : label;
}
const after = textFrom(field, field, nextSibling);
const before = textFrom(field, field, previousSibling);
return labelIn(isLabeledBefore(field) ? before ?? after : after ?? before);
}
function cellBeside(control) {
const cell = closest(control, "td, th");
return cell ? labelIn(besideCell(cell, previousSibling) || besideCell(cell, nextSibling)) : "";
}
function isDescribedBeside(control) {
const parent = flatParent(control);
const around = parent && isElement(parent) ? flatParent(parent) ?? parent : null;
const describers = around ? describedByElements(control) : [];
return describers.length > 0 && describers.every((one) => around.contains(one) && showing(one) === SHOWN);
}
function labelIn(text) {
const label = squash(text ?? "").replace(/[\s:：]+$/, "");
return label.length <= MAX_NEAR_TEXT && /[\p{L}\p{N}]/u.test(label) ? label : "";
}
function isLabeledBefore(field) {
let last = field;
for (let at = nextSibling(field); at; at = nextSibling(at)) if (isElement(at) && localName(at) === "input") last = at;
return !textOn(last, nextSibling)?.text.trim();
}
function textFrom(field, start, step) {
let at = start;
for (let level = 0; level < MAX_OUTWARD; level++) {
const found = textOn(at, step);
if (found === null) return null;
if (found.text.trim()) return isClose(found.node, field) ? found.text : null;
at = flatParent(at);
if (!at || !isElement(at) || BOUNDS.has(localName(at))) return null;
if (isCell(at)) return columnHeader(at, step) || besideCell(at, step);
}
return null;
}
function textOn(from, step) {
let text = "";
let first = null;
for (let node = step(from); node && text.length < 4 * MAX_NEAR_TEXT; node = step(node)) {
if (!isText(node) && !isElement(node)) continue;
const tag = isText(node) ? "" : localName(node);
if (tag && (isHiddenFromAll(node, tag) || showing(node) !== SHOWN)) continue;
const inline = !tag || INLINE_TAGS.has(tag);
if (first && !inline) break;
if (tag && isOther(node)) return first ? { text, node: first } : null;
const words = tag ? contentText(node, tag, null) : data(node);
if (!first && words.trim()) first = node;
text = step === nextSibling ? text + words : words + text;
if (first && !inline) break;
}
return { text, node: first };
}
const isOther = (element) =>
matches(element, NO_LABEL) || firstOf(element, NO_LABEL) !== null ||
(localName(element) === "label" && controlNamedBy(element) !== null);
function isClose(node, field) {
const range = createRange(document);
range.selectNode(node);
const label = range.getBoundingClientRect();
const box = boundingRect(field);
if (label.top < box.bottom && label.bottom > box.top) {
return Math.max(box.left - label.right, label.left - box.right) <= MAX_ACROSS;
}
const down = box.top - label.bottom;
return down >= 0 && down <= MAX_DOWN && label.left < box.right && label.right > box.left;
}
const isCell = (element) => localName(element) === "td" || localName(element) === "th";
function besideCell(cell, step) {
let beside = step(cell);
while (beside && !isElement(beside)) beside = step(beside);
return beside && isCell(beside) && !isOther(beside) ? contentText(beside, localName(beside), null) : null;
}
function columnHeader(cell, step) {
const row = parentNode(cell);
const table = closest(cell, "table");
const heads = table?.rows?.[0];
if (step === nextSibling || !heads || heads === row || heads.cells.length !== row.cells?.length) return "";
const head = heads.cells[cell.cellIndex];
return localName(head) === "th" ? contentText(head, "th", null) : "";
}
const screenNow = () =>
document.pointerLockElement ? "pointer lock" : document.fullscreenElement ? "full screen" : "";
function leaveScreen() {
const screen = screenNow();
if (document.pointerLockElement) document.exitPointerLock();
if (document.fullscreenElement) document.exitFullscreen();
return screen !== "";
}
const TYPES = {
image: /^image\/(?!svg\+xml)/, stream: /^multipart\//, audio: /^audio\//, video: /^video\//, pdf: /^application\/pdf$/,
text: /^(text\/(?!html|xml)|application\/(?!xhtml\+xml|xml))/,
};
const LONG_TEXT = 2000;
function kindNow() {
const type = contentTypeOf(document);
if (type === "text/html") return matchMedia("(scripting: none)").matches ? "scriptless" : screenNow();
const kind = Object.keys(TYPES).find((one) => TYPES[one].test(type)) ?? "";
if (kind === "text") return hasLongText() ? "long text" : "";
if (kind !== "image" && kind !== "stream") return kind;
const image = firstOf(rootOf(document), "img");
if (image?.naturalWidth) return `image ${image.naturalWidth}x${image.naturalHeight}`;
return kind === "image" && image?.complete ? "image broken" : kind;
}
function hasLongText() {
const pre = firstOf(rootOf(document), "pre");
const text = pre && firstChild(pre);
return Boolean(text) && isText(text) && data(text).length > LONG_TEXT;
}
const OWN_ROLES = new Set("iframe canvas video audio embed object comment".split(" "));
const WITH_LABELS = new Set("button meter output progress select textarea input".split(" "));
const WITHOUT_TEXT = new Set(["script", "style", "noscript", "head"]);
const MAX_TOLD = 80;
const LONGEST_NAME = 200;
const GENERATED = /:r\w*:|«r\w*»|_r_\w*_|\d{4}|[0-9a-f]{8}/;
function locators(id, x = null, y = null) {
const element = identified(id);
if (!element || controlWith(id)) return null;
for (const root of openRoots()) learnLabels(root);
const role = roleIn(element);
const name = nameOf(element, localName(element), role);
const candidates = [...candidatesFor(element, role, name)].map((one) => ({ ...one, ...findsOnly(element, one) }));
forgetLabels();
const tag = localName(element);
const text = textOf(element, new Map()) ?? "";
const details = { tag, role: TRANSPARENT.has(role) ? "generic" : role, name, text: isShort(text) ? text : "" };
return { ...details, candidates, ...(x === null ? {} : offset(element, x, y)) };
}
function offset(element, x, y) {
const { left, top, width, height } = boundingRect(element);
const [right, down] = [x - left, y - top];
const position = [right - (element.clientLeft || 0), down - (element.clientTop || 0)];
return { offset: [right, down], position, size: [width, height] };
}
function* candidatesFor(element, role, name) {
const has = isSharedRole(element, role) && !isHidden(element);
if (has && name && name.length < LONGEST_NAME) yield { by: "role", role, name, exact: true };
for (const text of labelWords(element)) if (isShort(text)) yield { by: "label", text };
const placeholder = attribute(element, "placeholder");
if (placeholder && isShort(placeholder)) yield { by: "placeholder", text: placeholder };
const text = textOf(element, new Map());
if (text && isShort(text)) yield { by: "text", text };
const testId = attribute(element, "data-testid");
if (testId) yield { by: "test_id", text: testId };
if (has && !name) yield { by: "role", role, exact: true };
yield { by: "css", css: cssThrough(element) };
}
const isShort = (text) => text.length > 0 && text.length <= MAX_TOLD;
function findsOnly(element, candidate) {
const [found, other] = located(candidate);
if (!found || other) return { unique: false };
if (found === element) return { unique: true };
return candidate.by === "text" && contains(element, found) ? { unique: true, inside: true } : { unique: false };
}
function* located(locator) {
yield* MATCHES[locator.by](locator);
}
const MATCHES = {
role: function* ({ role, name = null }) {
for (const element of everything()) {
if (roleIn(element) !== role || !isSharedRole(element, role)) continue;
if (name !== null && nameOf(element, localName(element), role) !== name) continue;
if (!isHidden(element)) yield element;
}
},
label: function* ({ text }) {
for (const element of everything()) if (labelWords(element).includes(text)) yield element;
},
placeholder: ({ text }) => byAttribute("placeholder", text),
test_id: ({ text }) => byAttribute("data-testid", text),
text: function* ({ text }) {
const known = new Map();
for (const element of everything()) {
if (textOf(element, known) === text && !isHeldBelow(element, text, known)) yield element;
}
},
css: ({ css }) => inRoots(css),
};
function* inRoots(css) {
const [first, ...others] = css.split(INTO_ROOT);
for (const root of openRoots()) {
let found = [...all(root, first)];
for (const one of others) {
found = found.flatMap((host) => (shadowRoot(host) ? [...all(shadowRoot(host), one)] : []));
}
yield* found;
}
}
const INTO_ROOT = " >>> ";
function* everything() {
for (const root of openRoots()) for (const element of all(root, "*")) if (!NEVER.has(localName(element))) yield element;
}
function* byAttribute(name, text) {
for (const element of everything()) if (attribute(element, name) === text) yield element;
}
const roleIn = (element) => roleOf(element, localName(element));
function isSharedRole(element, role) {
if (TRANSPARENT.has(role) || OWN_ROLES.has(role)) return false;
if (hasAttribute(element, "role")) return true;
const tag = localName(element);
return tag !== "summary" && tag !== "details" && !(tag === "input" && element.type === "color");
}
function labelWords(element) {
const tag = localName(element);
if (hasAttribute(element, "aria-labelledby")) {
const labels = labelledByElements(element);
if (labels.length) return labels.map((label) => textOf(label, new Map()) ?? "");
}
const own = attribute(element, "aria-label");
if (own && own.trim()) return [normalized(own)];
if (!WITH_LABELS.has(tag) || (tag === "input" && element.type === "hidden")) return [];
return [...(element.labels ?? [])].map((label) => textOf(label, new Map()) ?? "");
}
const normalized = (text) => text.replace(/[\u200b\u00ad]/g, "").trim().replace(/\s+/g, " ");
function textOf(node, known) {
const text = rawText(node, known);
return text === null ? null : normalized(text);
}
function rawText(node, known) {
if (known.has(node)) return known.get(node);
const text = readText(node, known);
known.set(node, text);
return text;
}
function readText(node, known) {
if (isElement(node)) {
const tag = localName(node);
if (WITHOUT_TEXT.has(tag) || closest(node, "head")) return "";
if (tag === "input" && (node.type === "submit" || node.type === "button")) return node.value;
}
let text = "";
for (const child of childrenOf(node)) {
const words = isText(child) ? data(child) : isElement(child) || child instanceof ShadowRoot ? rawText(child, known) : "";
if (words === null || (text += words).length > MAX_NAME * 4) return null;
}
return text;
}
function childrenOf(node) {
const children = [];
for (let child = firstChild(node); child; child = nextSibling(child)) children.push(child);
const root = isElement(node) ? openRoot(node) : null;
if (root) children.push(root);
return children;
}
const isHeldBelow = (element, text, known) =>
childrenOf(element).some((child) => !isText(child) && (isElement(child) || child instanceof ShadowRoot) && textOf(child, known) === text);
function cssThrough(element) {
const css = cssOf(element);
const root = getRootNode(element);
if (root === document || [...inRoots(css)].length === 1) return css;
return cssThrough(root.host) + INTO_ROOT + css;
}
function cssOf(element) {
const root = getRootNode(element);
const steps = [];
for (let at = element; at && isElement(at); at = parentNode(at)) {
for (const own of ownSelectors(at)) {
const css = [own, ...steps].join(" > ");
const found = all(root, css);
if (found.length === 1 && found[0] === element) return css;
}
steps.unshift(positionOf(at));
const css = steps.join(" > ");
const found = all(root, css);
if (steps.length > 1 && found.length === 1) return css;
}
return steps.join(" > ");
}
const OWN_KEYS = ["name", "data-test", "data-id", "data-key", "title", "aria-label", "for", "href", "value"];
function* ownSelectors(element) {
const tag = localName(element);
const id = attribute(element, "id");
if (id && !GENERATED.test(id)) yield `#${CSS.escape(id)}`;
for (const key of OWN_KEYS) {
const value = attribute(element, key);
if (value && value.length <= MAX_TOLD && !/[\n\r\f]|>>/.test(value)) {
yield `${CSS.escape(tag)}[${key}="${value.replace(/["\\]/g, "\\$&")}"]`;
}
}
const classes = (attribute(element, "class") ?? "").split(/\s+/).filter((one) => one && !GENERATED.test(one));
if (classes.length && classes.length < 4) yield CSS.escape(tag) + classes.map((one) => `.${CSS.escape(one)}`).join("");
if (!parentNode(element) || tag === "body") yield CSS.escape(tag);
}
function positionOf(element) {
const tag = localName(element);
let place = 1;
let twins = 0;
const parent = parentNode(element);
for (let child = parent && firstChild(parent), passed = false; child; child = nextSibling(child)) {
if (child === element) passed = true;
else if (isElement(child) && localName(child) === tag) {
twins += 1;
if (!passed) place += 1;
}
}
return twins ? `${CSS.escape(tag)}:nth-of-type(${place})` : CSS.escape(tag);
}
const isCutToNothing = (element) =>
isTiny(element) && getComputedStyle(element).overflow !== "visible";
const FLAT = 3;
const PANELS = new Set("div section article aside nav ul ol menu dl dd form fieldset main header footer".split(" "));
function isFolded(element, tag = localName(element)) {
if (!(PANELS.has(tag) || tag.includes("-")) || !hasAttributes(element) || !(element instanceof HTMLElement)) return false;
const isFlat = offsetHeight(element) < FLAT;
if (isFlat === offsetWidth(element) < FLAT) return false;
const style = getComputedStyle(element);
if ((isFlat ? style.overflowY : style.overflowX) === "visible") return false;
if ((isFlat ? element.clientHeight : element.clientWidth) > 0) return false;
return style.position !== "static" || ![...all(element, "*")].some(isLifted);
}
const isLifted = (element) => /^(absolute|fixed)$/.test(getComputedStyle(element).position);
const isOpenToView = (element) => isShown(element) && foldAround(element) === null;
function foldAround(element) {
for (let at = flatParent(element); at && isElement(at); at = flatParent(at)) if (isFolded(at)) return at;
return null;
}
function clipperOf(element, style) {
const fixed = style.position === "fixed";
for (let at = flatParent(element); at && isElement(at); at = flatParent(at)) {
if (at === rootOf(document) || (at === bodyOf(document) && !isBodyScrolled())) return null;
const around = getComputedStyle(at);
if (around.display === "contents" || around.display === "inline") continue;
const holds = around.transform !== "none" || around.filter !== "none";
if (fixed && !holds) continue;
if (style.position === "absolute" && around.position === "static" && !holds) continue;
return at;
}
return null;
}
const isBodyScrolled = () => getComputedStyle(rootOf(document)).overflow !== "visible";
function seenOf(element, whole) {
let seen = showing(element) === GONE ? EMPTY : whole;
let style = getComputedStyle(element);
for (let at = clipperOf(element, style); at; at = clipperOf(at, style)) {
style = getComputedStyle(at);
if (style.overflow !== "visible" || style.contain === "paint") {
seen = intersection(seen, paddingBox(at));
}
}
return seen;
}
const intersection = (one, other) => ({
left: Math.max(one.left, other.left),
top: Math.max(one.top, other.top),
right: Math.min(one.right, other.right),
bottom: Math.min(one.bottom, other.bottom),
});
const WORDED = "[aria-label], [aria-labelledby], [alt], [title], [placeholder], input, textarea, select";
const ORDERED = 7;
function findElements(query, most) {
let found;
try {
found = [...FINDERS[query.by](query)];
} catch (error) {
if (error instanceof DOMException || (query.by === "xpath" && error instanceof TypeError)) {
return { wrong: query.by, why: squash(String(error.message)).slice(0, 200) };
}
throw error;
}
const shown = innerWidth > 0 && innerHeight > 0;
for (const root of openRoots()) learnLabels(root);
const matches = [
...found.map((element) => ({ element, visible: shown && isOpenToView(drawnOf(element)) })),
...controlsFor(query).map(({ element, control }) => ({ element, control, visible: shown && isOpenToView(element) })),
];
const rank = ({ element, visible }) => visible * 2 + (closest(element, "[aria-hidden=true], [inert]") === null);
matches.sort((a, b) => rank(b) - rank(a));
const elements = matches.slice(0, most).map(({ element, control, visible }) => ({
...(control ? calledControl(control) : called(element)), visible, untilFound: !visible && closest(element, "[hidden=until-found]") !== null,
}));
forgetLabels();
return { elements, total: matches.length, visible: matches.filter((one) => one.visible).length, kind: kindNow() };
}
function described(element) {
for (const root of openRoots()) learnLabels(root);
const description = called(element);
forgetLabels();
return description;
}
function called(element) {
const tag = localName(element);
const role = roleOf(element, tag);
const own = nameOf(element, tag, role) || (NAMED_BY_CONTENT.has(role) ? "" : squash(contentText(element, tag, null)));
return {
id: identify(element),
role: TRANSPARENT.has(role) ? "generic" : role,
name: cutTo(own, MAX_NAME),
near: own ? "" : nearOf(element, tag, role),
tag,
};
}
const calledControl = ({ id, role, name, tag }) => ({ id, role, name, near: "", tag });
function controlsFor({ by, text, role, name }) {
if (by !== "text" && by !== "role") return [];
for (const root of openRoots()) collectParts(root);
const wanted = squash(text ?? name ?? "").toLowerCase();
const matching = [];
for (const { buttons, markers } of carousels().values()) {
for (const control of [...buttons, ...markers]) {
if (role !== null && role !== undefined && control.role !== role) continue;
if (control.name.toLowerCase().includes(wanted)) matching.push({ element: identified(control.id), control });
}
}
return matching.filter(({ element }) => element !== null);
}
const FINDERS = {
css: function* ({ css }) {
new DocumentFragment().querySelector(css.replaceAll(" >>> ", " "));
yield* inRoots(css);
},
xpath: function* ({ xpath }) {
const found = Document.prototype.evaluate.call(document, xpath, document, null, ORDERED, null);
for (let i = 0; i < found.snapshotLength; i++) {
const node = found.snapshotItem(i);
if (isElement(node)) yield node;
}
},
locator: function* ({ locator }) {
for (const root of openRoots()) learnLabels(root);
yield* located(locator);
forgetLabels();
},
role: function* ({ role, name }) {
const wanted = name === null ? null : squash(name).toLowerCase();
for (const root of openRoots()) learnLabels(root);
for (const root of openRoots()) {
for (const element of all(root, "*")) {
const tag = localName(element);
if (NEVER.has(tag)) continue;
const its = roleOf(element, tag);
if (!isOf(role, its, element, tag)) continue;
const has = (words) => squash(words).toLowerCase().includes(wanted);
if (wanted === null || has(labelFor(element, tag, its)) || isLabelled(element, has)) yield element;
}
}
forgetLabels();
},
text: function* ({ text }) {
const has = holding(text);
const found = new Set();
for (const root of openRoots()) {
learnLabels(root);
for (const element of all(root, WORDED)) {
const tag = localName(element);
if (!NEVER.has(tag) && has(labelFor(element, tag, roleOf(element, tag)))) found.add(element);
}
const top = root === document ? rootOf(document) : root;
if (top) for (const element of innermost(top, has)) found.add(actionable(element));
}
forgetLabels();
yield* inOrder(found);
},
};
function isOf(role, its, element, tag) {
if (role === null) return !TRANSPARENT.has(its);
if (role !== "landmark") return its === role;
return LANDMARKS.has(its) || (its === "list" && nameOf(element, tag, its) !== "");
}
const labelFor = (element, tag, role) => nameOf(element, tag, role) || nearOf(element, tag, role);
const isLabelled = (element, has) => [...(element.labels ?? [])].some((label) => has(textContent(label)));
function* innermost(top, has) {
const stack = [top];
while (stack.length) {
const at = stack.pop();
if (!has(textContent(at))) continue;
const inner = [];
for (let child = firstChild(at); child; child = nextSibling(child)) {
if (isElement(child) && !NEVER.has(localName(child)) && has(textContent(child))) inner.push(child);
}
if (inner.length) stack.push(...inner.reverse());
else if (isElement(at) && has(wordsOf(at))) yield at;
}
}
function wordsOf(element) {
let words = "";
for (let child = firstChild(element); child; child = nextSibling(child)) {
if (isText(child)) words += data(child);
else if (isElement(child) && !NEVER.has(localName(child))) words += wordsOf(child);
}
return words;
}
function actionable(element) {
for (let at = element; at && isElement(at); at = flatParent(at)) {
if (INTERACTIVE.has(roleOf(at, localName(at)))) return at;
}
return element;
}
const compare = method(Node.prototype, "compareDocumentPosition");
const inOrder = (elements) =>
[...elements].sort((a, b) => (compare(a, b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));
const MAX_TITLE = 4096;
const titleNow = () => titleOf(document).slice(0, MAX_TITLE).toWellFormed();
function inColumns({ depths, roles, names, ids, states, cut, view, layers }, suspects, carousels = 0) {
const places = new Map();
const stated = { at: [], states: [] };
const linked = [];
const urls = [];
const role = roles.map((one) => {
const known = places.get(one);
if (known !== undefined) return known;
places.set(one, places.size);
return places.size - 1;
});
for (let at = 0; at < states.length; at++) {
const state = states[at];
if (state === null) continue;
if (isUrlAlone(state)) {
linked.push(at);
urls.push(state.url);
} else {
stated.at.push(at);
stated.states.push(state);
}
}
const lines = names.concat(urls);
const areLines = lines.every(isOneLine);
const head = JSON.stringify({
depths, roles: [...places.keys()], role, ids: inSteps(ids), linked: inSteps(linked), stated, cut,
view, layers, suspects, carousels, count: document.getElementsByTagName("*").length, title: titleNow(), kind: kindNow(), lines: areLines ? null : lines,
});
return areLines ? `${head}\n${lines.join("\n")}` : head;
}
const isOneLine = (text) => !text.includes("\n");
function inSteps(numbers) {
let last = 0;
return numbers.map((number) => {
if (!number) return 0;
const step = number - last;
last = number;
return step;
});
}
function recordsInColumns(records, cut) {
const column = (at, missing) => records.map((record) => record[at] ?? missing);
const outline = {
depths: column(0, 0), roles: column(1, ""), names: column(2, ""), ids: column(3, 0),
states: column(4, null), cut, view: [], layers: null,
};
return inColumns(outline, 0);
}
function isUrlAlone(state) {
for (const key in state) if (key !== "url") return false;
return true;
}
function ownership() {
const ownedBy = new Map();
for (const owner of all(document, "[aria-owns]")) {
if (LEAVES.has(localName(owner)) || isHidden(owner) || closest(owner, "[inert]")) continue;
for (const owned of ownedElements(owner)) {
if (!ownedBy.has(owned) && !standsIn(owner, owned, ownedBy)) ownedBy.set(owned, owner);
}
}
return ownedBy;
}
function standsIn(owner, owned, ownedBy) {
for (let at = owner; at; at = ownedBy.get(at) ?? flatParent(at)) if (at === owned) return true;
return false;
}
const SHAPES = new Set("circle ellipse rect polygon polyline line path text".split(" "));
const MAX_SHAPES = 40;
const MIN_SIDE_OF_DRAWING = 32;
const NO_SHAPES = "title, path, image, use, foreignObject, pattern, linearGradient, radialGradient";
const isShape = (element, tag) => SHAPES.has(tag) && isDrawing(element);
function isSmallDrawing(svg) {
if (hasNameAttribute(svg) || firstOf(svg, NO_SHAPES) || all(svg, "*").length > MAX_SHAPES) return false;
const { width, height } = boundingRect(svg);
return Math.min(width, height) >= MIN_SIDE_OF_DRAWING;
}
function shapeWords(element, tag) {
const box = boundingRect(element);
const { fill, stroke, opacity } = getComputedStyle(element);
const color = colorWord(fill) || (colorWord(stroke) && `outline ${colorWord(stroke)}`);
if (!color || !(hasArea(box) || tag === "line") || opacity === "0") return "";
return `${tag} ${color} ${Math.round(box.width)}x${Math.round(box.height)}`;
}
const COLOR_NAMES = {
"#000000": "black", "#ffffff": "white", "#808080": "gray", "#ff0000": "red", "#008000": "green",
"#0000ff": "blue", "#ffff00": "yellow", "#00ffff": "aqua", "#ff00ff": "magenta", "#00ff00": "lime",
"#ffa500": "orange", "#800080": "purple", "#ffc0cb": "pink", "#a52a2a": "brown",
};
function hexOf(color) {
const [red, green, blue, alpha = 1] = color.match(/[\d.]+/g)?.map(Number) ?? [];
if (!color.startsWith("rgb") || alpha === 0) return "";
return `#${[red, green, blue].map((one) => Math.round(one).toString(16).padStart(2, "0")).join("")}`;
}
const colorWord = (color) => COLOR_NAMES[hexOf(color)] ?? hexOf(color);
const MAX_PARTS = 8;
const HEX_COLOR = /^#[0-9a-f]{3,8}$/i;
const MAX_WORDS = 40;
const DATA = "tooltip title label icon action command name dismiss testid test cy qa value color type key".split(" ");
const ICON = /^(?:fa[bsrldt]?|bi|mdi|glyphicon|icon|ion|ion-md|pi|ri|ti|tio|ph|oi|la|bx[sl]?|uil|octicon|lucide|feather|ui-icon|codicon|dashicons|anticon|el-icon|k-i|fi|cil|tabler-icon)-+(?!(?:\d|fw|lg|xs|sm|spin|solid|regular|light|brands|icon|button|btn|size)\b)[a-z]/i;
const COMMON = new Set(
(
"btn button icon icons img image svg ui fa fas far fab fal fad bi mdi glyphicon anticon pi ri ti item link " +
"wrapper wrap inner outer root container row col column active disabled selected clickable pointer small " +
"medium large mini tiny primary secondary default basic circular compact fluid notranslate material-icons"
).split(" "),
);
const FRAMEWORK = /^(?:Mui|css-|jss|sc-|svelte-|ng-|v-|ant-|el-|q-|mat-|mdc-|chakra-|p-(?:button|component)|ui-(?:button|corner|state|widget)|svg-inline|hover|focus)/;
const PROPERTY = /^-?(?:[mp][xytblrse]?|[whdzg]|min|max|gap|col|row|order|offset|size|space|inset|top|left|right|bottom|opacity|rounded|shadow|border|ring|outline|text|bg|font|flex|grid|justify|items|content|self|align|float|overflow|cursor|transition|position|object|inline|btn|fs|fw|badge|btn-outline)-(?:\d.*|auto|none|full|screen|start|end|center|left|right|between|around|top|bottom|middle|wrap|nowrap|row|column|xs|sm|md|lg|xl|hidden|visible|scroll|pointer|default|block|primary|secondary|success|danger|warning|info|light|dark|muted|link|white|black|transparent|current|bold|normal|medium|semibold|all|colors|icon|[a-z]+-\d{1,3})$/;
function authorWords(element, isField) {
const parts = [element, ...[...all(element, "*")].slice(0, MAX_PARTS)];
const words = fromData(parts) ?? fromPictures(parts) ?? fromPlace(element) ?? fromClasses(parts);
return words ?? fromOwn(element, "name") ?? fromOwn(element, "id") ?? (isField ? null : fromColor(element));
}
function fromData(parts) {
let best = null;
let rank = DATA.length;
for (const part of parts) {
for (const name of attributeNames(part)) {
const at = name.startsWith("data-") ? DATA.indexOf(name.slice(name.lastIndexOf("-") + 1)) : -1;
if (at < 0 || at >= rank) continue;
const value = attribute(part, name).trim();
if (isWords(value) || HEX_COLOR.test(value)) [best, rank] = [[name, value], at];
}
}
return best;
}
function fromPictures(parts) {
for (const part of parts) {
const drawn = attribute(part, "href") ?? attribute(part, "xlink:href") ?? "";
if (localName(part) === "use" && isWords(drawn.split("#")[1] ?? "")) return ["href", `#${drawn.split("#")[1]}`];
const file = fileOf(localName(part) === "img" ? attribute(part, "src") ?? "" : "");
if (file) return ["src", file];
}
const [, url] = /^url\("(.*?)"\)/.exec(getComputedStyle(parts[0]).backgroundImage) ?? [];
const file = url && fileOf(url);
return file ? ["background", file] : null;
}
function fileOf(url) {
if (url.startsWith("data:")) return "";
const file = url.split(/[?#]/)[0].split("/").at(-1);
return isWords(file.replace(/\.\w+$/, "")) ? file : "";
}
function fromClasses(parts) {
const classes = new Set(parts.flatMap((part) => (attribute(part, "class") ?? "").split(/\s+/)));
const telling = [...classes].map(withoutHash).filter(isTellingClass);
const icon = telling.find((one) => ICON.test(one));
if (icon) return ["class", icon];
let words = "";
for (const one of telling.slice(0, 3)) if (words.length + one.length < MAX_WORDS) words += ` ${one}`;
return words ? ["class", words.trim()] : null;
}
const ICON_TAGS = new Set(["i", "span", "em", "b"]);
const MIN_ICON = 6;
function iconWord(element, tag) {
if (!ICON_TAGS.has(tag) || firstChild(element) || !hasAttribute(element, "class")) return "";
const icon = attribute(element, "class").split(/\s+/).find((one) => ICON.test(one) && isTellingClass(one));
const { width, height } = boundingRect(element);
return icon && Math.min(width, height) >= MIN_ICON ? icon : "";
}
const withoutHash = (one) => one.replace(/(?<=[a-z])_{1,2}[A-Za-z0-9+-]{5,8}$/, (hash) => (/\d|[A-Z].*[A-Z]/.test(hash) ? "" : hash));
const isTellingClass = (one) =>
isWords(one) && !COMMON.has(one.toLowerCase()) && !PROPERTY.test(one) && (!FRAMEWORK.test(one) || ICON.test(one));
function fromPlace(element) {
const id = attribute(element, "id") ?? "";
return id.length <= MAX_WORDS && /^\W?-?\d{1,4}[^\w\s]{1,2}\d{1,4}\W?$/.test(id) ? ["id", id] : null;
}
function fromOwn(element, name) {
const value = attribute(element, name)?.trim() ?? "";
return isWords(value) ? [name, value] : null;
}
function fromColor(element) {
const color = hexOf(getComputedStyle(element).backgroundColor);
return color ? ["color", color] : null;
}
function isWords(value) {
if (value.length < 2 || value.length > MAX_WORDS || !/^[\p{L}_][\p{L}\p{N} _.-]*$/u.test(value)) return false;
if (/\d{3}|\d[a-z]+\d|[a-z]\d+[a-z]/i.test(value)) return false;
const words = value.split(/[^\p{L}]+|(?<=\p{Ll})(?=\p{Lu})/u);
const inner = value.length < 8 && !/[ _.-]/.test(value) ? value.slice(1).match(/\p{Lu}/gu)?.length ?? 0 : 0;
return inner < 2 && words.some((word) => word.length > 2 || /^(?:up|go|no|ok)$/i.test(word));
}
const TABLES = new Set(["table", "grid", "treegrid"]);
const CELLS = new Set("cell gridcell columnheader rowheader".split(" "));
const ITEMS = { list: "listitem", listbox: "option", feed: "article", menu: "menuitem", tree: "treeitem" };
const PARTED = new Set([...TABLES, ...Object.keys(ITEMS)]);
function total(element, name) {
const given = attribute(element, name);
const number = Number(given ?? undefined);
return Number.isSafeInteger(number) && number >= -1 ? number : null;
}
const partWords = (count, of, what) =>
of === null || (of >= 0 && of <= count) || !count ? "" : `${count} of ${of < 0 ? "?" : of} ${what}`;
const rowKey = (row) => attribute(row, "aria-rowindex") ?? row;
function partOfTable(table, sizes) {
const rows = partWords(sizes.length, total(table, "aria-rowcount"), "rows");
const columns = partWords(Math.max(0, ...sizes), total(table, "aria-colcount"), "columns");
return [rows, columns].filter(Boolean).join(", ");
}
function partOfList(items) {
const of = items.length ? total(items[0], "aria-setsize") : null;
const isOfSet = (item) => total(item, "aria-setsize") === of;
return of === null ? "" : partWords(items.filter(isOfSet).length, of, "items");
}
function partOfRecord(role, at, depths, roles, where) {
if (TABLES.has(role)) {
const table = where[at];
if (total(table, "aria-rowcount") === null && total(table, "aria-colcount") === null) return "";
const rows = new Map();
let row = null;
for (let one = at + 1; one < depths.length; one++) {
if (roles[one] === "row") row = rowKey(where[one]);
if (row !== null) rows.set(row, (rows.get(row) ?? 0) + CELLS.has(roles[one]));
}
return partOfTable(table, [...rows.values()]);
}
const item = ITEMS[role];
if (!item || roles[at + 1] !== item || total(where[at + 1], "aria-setsize") === null) return "";
const items = [];
for (let one = at + 1; one < depths.length; one++) if (roles[one] === item) items.push(where[one]);
return partOfList(items);
}
const EXISTS = CSS.supports("reading-flow: normal");
const MAX_FLOWS = 200;
const BY_STYLE = '[style*="reading-flow"]';
const setIn = new WeakMap();
let containers = new Set();
const forget = () => (containers = new Set());
duringWalk(forget, forget);
function learnFlows(root) {
if (!EXISTS) return;
const selectors = [BY_STYLE];
for (const sheet of [...root.styleSheets, ...root.adoptedStyleSheets]) selectors.push(...selectorsOf(sheet));
for (const selector of selectors.slice(0, MAX_FLOWS)) {
try {
for (const element of all(root, selector)) containers.add(element);
} catch { }
}
}
function selectorsOf(sheet) {
try {
const count = sheet.cssRules.length;
if (setIn.get(sheet)?.count !== count) setIn.set(sheet, { count, selectors: [...flowSelectors(sheet, "")] });
return setIn.get(sheet).selectors;
} catch {
return [];
}
}
function* flowSelectors(sheet, around) {
for (const rule of sheet.cssRules) {
const selector = rule.selectorText === undefined ? around : nestedSelector(rule.selectorText, around);
if (selector && rule.style?.readingFlow) yield selector;
if (rule.cssRules?.length) yield* flowSelectors(rule, selector);
else if (rule.styleSheet) yield* flowSelectors(rule.styleSheet, "");
}
}
function inReadingOrder(element) {
if (!containers.size || !containers.has(element)) return null;
const style = getComputedStyle(element);
const flow = style.readingFlow;
if (flow === "normal" || !/flex|grid|block/.test(style.display)) return null;
const isVisual = flow === "flex-visual" && style.flexDirection.endsWith("reverse");
const sign = isVisual ? -1 : 1;
const backwards = style.direction === "rtl" ? -1 : 1;
const keyed = flatChildren(element, localName(element)).filter(isRead).map((node, at) => {
const own = isElement(node) ? getComputedStyle(node) : null;
const { top, left } = own && flow.startsWith("grid") ? boundingRect(node) : { top: 0, left: 0 };
const [row, column] = [Math.round(top), Math.round(left) * backwards];
const places = { "grid-rows": [row, column], "grid-columns": [column, row], "source-order": [] };
const order = Number(own?.order ?? 0);
return { node, key: [Number(own?.readingOrder ?? 0), ...(places[flow] ?? [order * sign]), at * sign] };
});
keyed.sort((one, other) => one.key.map((value, at) => value - other.key[at]).find(Boolean) ?? 0);
return keyed.map(({ node }) => node);
}
const isRead = (node) => isElement(node) || squash(data(node)) !== "";
const withId = (element) => ({ ...describe(element), id: identify(element) });
const SHORT = 100;
function shortName(element) {
const tag = localName(element);
return cutTo(nameOf(element, tag, roleOf(element, tag)), SHORT);
}
function describe(element) {
const tag = localName(element);
const role = roleOf(element, tag);
const name = cutTo(nameOf(element, tag, role) || squash(contentText(element, tag, null)), SHORT);
return { tag, role: TRANSPARENT.has(role) ? "" : role, name, id: idOf.get(element) ?? 0 };
}
function focusedNow() {
let element = activeElementOf(document);
while (element && shadowRoot(element)?.activeElement) element = shadowRoot(element).activeElement;
return element;
}
function activeNow() {
const element = focusedNow();
if (!element || element === bodyOf(document)) return { element: null, descendant: null };
const descendant = activeDescendantOf(element);
const isShown = descendant !== null && checkVisibility(descendant, RENDERED);
return { element, descendant: isShown ? descendant : null };
}
function activeInOutline() {
const active = activeNow();
const { element } = active;
if (!element || localName(element) !== "option") return active;
return { ...active, element: closest(element, "select") ?? element };
}
function focusNow() {
const { element, descendant } = activeNow();
const meant = descendant ?? element;
return meant ? { ...describe(meant), id: identify(meant) } : null;
}
function secretNow() {
const element = focusedNow();
if (!element || FRAME_TAGS.has(localName(element))) return null;
return takesSecret(element);
}
const FRAME_TAGS = new Set(["iframe", "frame", "object"]);
const pageNow = () => ({ focus: focusNow(), title: titleNow() });
let shown = null;
let readWhole = new WeakSet();
let roots = [];
let shownAt = 0;
function beginShown() {
shown = new WeakSet();
shownAt = performance.now();
readWhole = new WeakSet();
roots = [];
}
const noteShown = (element) => shown.add(element);
const noteRead = (element) => readWhole.add(element);
const MAX_ROOTS = 100;
function noteRoot(root) {
if (roots.length < MAX_ROOTS) roots.push(new WeakRef(root));
}
const shadowRootsShown = () => roots.map((root) => root.deref()).filter(Boolean);
const knowsShown = () => shown !== null;
const wasShown = (element) => shown !== null && shown.has(element);
const wasRead = (element) => readWhole.has(element);
function nowShown(element, isShown) {
if (shown === null) return;
if (isShown) shown.add(element);
else shown.delete(element);
}
const NOTHING = new Set();
const SHARE = 4;
function leftBehind() {
const body = bodyOf(document);
if (!body) return NOTHING;
const found = [];
let count = 0;
for (const one of all(document, "[aria-hidden=true], [inert]")) {
if (!isOutermost(one, body) || !firstElementChild(one) || (found.length && contains(found.at(-1), one))) continue;
if ((!hasAttribute(one, "inert") && !isHiddenFromAll(one, localName(one))) || showing(one) !== SHOWN) continue;
found.push(one);
count += all(one, "*").length;
}
if (!count || count * SHARE < allElements(document, "*").length || shownDialogs().length) return NOTHING;
const size = (element) => squash(element.innerText ?? "").length;
const whole = size(rootOf(document));
const left = unlike(found);
const hidden = left.reduce((sum, one) => sum + size(one), 0);
return hidden * 2 > whole || !whole ? new Set(left) : NOTHING;
}
const SHOWS_DIALOG = "[role=dialog], [role=alertdialog], [aria-modal=true], dialog[open]";
const shownDialogs = () => [...all(document, SHOWS_DIALOG)].filter((one) => checkVisibility(one, RENDERED));
function unlike(elements) {
const looks = (one) => `${localName(one)} ${attribute(one, "class")}`;
const counts = new Map();
for (const one of elements) counts.set(looks(one), (counts.get(looks(one)) ?? 0) + 1);
return elements.filter((one) => counts.get(looks(one)) === 1);
}
function isOutermost(element, body) {
for (let at = element; at && isElement(at); at = parentNode(at)) {
const around = parentNode(at);
if (at === body || at === rootOf(document) || around === body || around === rootOf(document)) return true;
if (!isOnly(around)) return false;
}
return false;
}
function isOnly(element) {
for (let at = firstElementChild(parentNode(element)); at; at = nextSibling(at)) {
if (at !== element && isElement(at) && !NEVER.has(localName(at))) return false;
}
return true;
}
function frameBox(id) {
const element = identified(id);
if (!element) return null;
const box = boundingRect(element);
const [scaleX, scaleY] = scalesOf(element);
const inset = contentInset(element);
return {
contentX: box.x + inset.left * scaleX,
contentY: box.y + inset.top * scaleY,
scaleX,
scaleY,
};
}
function frameMap(element) {
const box = boundingRect(element);
const { offsetWidth: width, offsetHeight: height } = element;
const inset = contentInset(element);
let [a, b, c, d] = linearOf(element);
const wide = Math.abs(a) * width + Math.abs(c) * height;
const high = Math.abs(b) * width + Math.abs(d) * height;
if (Math.abs(wide - box.width) > 2 || Math.abs(high - box.height) > 2) {
[a, b, c, d] = [width ? box.width / width : 1, 0, 0, height ? box.height / height : 1];
}
const [middleX, middleY] = [box.x + box.width / 2, box.y + box.height / 2];
const area = a * d - b * c || 1;
return {
out: (x, y) => {
const [dx, dy] = [x + inset.left - width / 2, y + inset.top - height / 2];
return { x: middleX + a * dx + c * dy, y: middleY + b * dx + d * dy };
},
in: (x, y) => {
const [dx, dy] = [x - middleX, y - middleY];
return {
x: (d * dx - c * dy) / area + width / 2 - inset.left,
y: (a * dy - b * dx) / area + height / 2 - inset.top,
};
},
};
}
function linearOf(element) {
const zoom = element.currentCSSZoom ?? 1;
let whole = new DOMMatrix([zoom, 0, 0, zoom, 0, 0]);
for (let at = element; at && isElement(at); at = flatParent(at)) {
const { transform, rotate, scale } = getComputedStyle(at);
if (transform === "none" && rotate === "none" && scale === "none") continue;
const own = new DOMMatrix();
if (rotate !== "none" && !rotate.includes(" ")) own.multiplySelf(new DOMMatrix(`rotate(${rotate})`));
if (scale !== "none") own.multiplySelf(new DOMMatrix(`scale(${scale.split(" ").slice(0, 2).join(",")})`));
if (transform !== "none") own.multiplySelf(new DOMMatrix(transform));
whole = own.multiply(whole);
}
return [whole.a, whole.b, whole.c, whole.d];
}
function hitAt(x, y, sought = null) {
const closed = closedRootsAround(sought);
const rootOfHost = (host) => shadowRoot(host) ?? closed.get(host);
let hit = elementAt(document, x, y);
for (let root = hit && rootOfHost(hit); root; root = hit && rootOfHost(hit)) {
let inner = root.elementFromPoint(x, y);
if (inner === hit) inner = root.elementsFromPoint(x, y)[0];
if (!inner || getRootNode(inner) !== root) break;
hit = inner;
}
return hit;
}
const NO_ROOTS = new Map();
function closedRootsAround(element) {
let found = NO_ROOTS;
let root = element && getRootNode(element);
while (root && root !== document && root.host) {
if (root.mode === "closed") {
if (found === NO_ROOTS) found = new Map();
found.set(root.host, root);
}
root = getRootNode(root.host);
}
return found;
}
function under(x, y) {
const point = fromScreen(x, y);
const hit = hitAt(point.x, point.y);
if (!hit) return null;
const id = identify(hit);
const found = { ...describe(hit), id };
if (!holdsFrame(hit, found.tag)) return found;
return { ...found, ...frameMap(hit).in(point.x, point.y) };
}
function modalOnTop() {
nestedModals = nestedModals.filter((one) => isConnected(one) && matches(one, ":modal"));
const open = [...all(document, ":modal"), ...nestedModals];
if (open.length < 2) return open[0] ?? null;
return (
open.find((modal) => {
const { x, y, width, height } = boundingRect(modal);
const hit = hitAt(x + width / 2, y + height / 2, modal);
return hit && modalAround(hit, open) === modal;
}) ?? open.at(-1)
);
}
function modalAround(element, modals) {
for (let at = element; at; at = flatParent(at)) if (modals.includes(at)) return at;
return null;
}
let nestedModals = [];
function noteModal(dialog) {
if (!isInDocument(dialog) && matches(dialog, ":modal") && !nestedModals.includes(dialog)) {
nestedModals.push(dialog);
}
}
function isGlued(element, run) {
if (run && !isSpace(run.at(-1))) return true;
const next = nextSibling(element);
return next !== null && !(nodeType(next) === 3 && isSpace(data(next)[0]));
}
const isSpace = (text) => text === " " || text === "\n" || text === "\t";
function standsAlone(element) {
const style = getComputedStyle(element);
return !FLOWING.test(style.display) && style.float === "none";
}
const FLOWING = /^(inline|contents|ruby)/;
function isSaidByControl(label) {
const control = controlNamedBy(label);
return (
control !== null &&
!(localName(control).includes("-") && TRANSPARENT.has(roleOf(control, localName(control)))) &&
checkVisibility(control, RENDERED) &&
!hasAttribute(control, "aria-label") &&
!hasAttribute(control, "aria-labelledby")
);
}
const SEEN = 1;
const BEFORE = 2;
const AFTER = 3;
const BOXLESS = 4;
const MANY = 64;
const STEP = 15;
function inView(depths, elements, each = false) {
const seen = new Int8Array(elements.length);
const [width, height] = [innerWidth, innerHeight];
const ask = (at) => {
if (seen[at]) return seen[at];
const box = boundingRect(elements[at]);
const is = box.top < height && box.bottom > 0 && box.left < width && box.right > 0;
const side = box.bottom <= 0 || (box.top < height && box.right <= 0) ? BEFORE : AFTER;
return (seen[at] = is ? SEEN : box.width && box.height ? side : BOXLESS);
};
const count = depths.length;
for (let at = 0, end = 0; at < count; at = end) {
const depth = depths[at];
while (end < count && depths[end] === depth) end++;
const step = end - at > MANY && !each ? STEP : 1;
for (let from = at; from < end; from += step) {
const to = Math.min(from + step, end - 1);
if (ask(from) === ask(to) && seen[to] !== SEEN) continue;
for (let one = from - step; one < to + step; one++) if (one >= at && one < end) ask(one);
}
if (!each && end < count && depths[end] > depth && (ask(end - 1) === BEFORE || ask(end - 1) === AFTER)) {
while (end < count && depths[end] > depth) end++;
}
}
const ranges = [];
for (let at = 0, was = false; at <= elements.length; at++) {
const is = seen[at] === SEEN;
if (is !== was) ranges.push(at);
was = is;
}
return ranges;
}
const MOST_BUTTONS = 20;
const MOST_SEARCHED = 2000;
const SAYS_WHAT = new Set("dialog alertdialog alert banner menu listbox tooltip status iframe".split(" "));
function coverJson(hit, element) {
const cover = coverOf(hit, element);
const buttons = isInside(element, cover) ? [] : buttonsIn(cover).map(withId);
return { ...withId(cover), buttons };
}
function coverOf(hit, element) {
let floating = null;
for (let at = hit; at && isElement(at) && !isInside(element, at); at = flatParent(at)) {
if (SAYS_WHAT.has(roleOf(at, localName(at)))) return at;
if (getComputedStyle(at).position !== "static") floating = at;
}
return floating ?? hit;
}
function buttonsIn(cover) {
const found = [];
let searched = 0;
const search = (element) => {
const tag = localName(element);
if (["button", "link"].includes(roleOf(element, tag)) && showing(element) === SHOWN) {
found.push(element);
return;
}
for (const child of flatChildren(element, tag)) {
if (found.length >= MOST_BUTTONS || ++searched > MOST_SEARCHED) return;
if (isElement(child)) search(child);
}
};
search(cover);
return found;
}
const reaches = (hit, element) => wayTo(hit, element) !== null;
function wayTo(hit, element, whole = false) {
let taker = null;
let labelled = false;
for (let at = hit; at; at = flatParent(at)) {
if (at === element) return { taker: taker && isWrapped(taker, element) ? null : taker };
if (!isElement(at)) continue;
const tag = localName(at);
if (tag === "label" && !labelled) {
if (at.control === element) return { taker };
labelled = true;
}
if (whole && taker === null && takesClicks(at, tag)) taker = at;
}
return isDrawnOver(element, hit) ? { taker: null } : null;
}
const MAX_WRAPPED = 2;
const DRAWN_OVER = new Set(["combobox", "slider"]);
function* drawnAround(element) {
if (localName(element) !== "input" || !DRAWN_OVER.has(roleOf(element, "input"))) return;
for (const at of ancestors(element, MAX_WRAPPED)) {
if ([...all(at, ACTED_ON)].some((one) => one !== element)) return;
yield at;
}
}
function isDrawnOver(element, hit) {
const isTinyInput = isTiny(element) || isCutToNothing(flatParent(element));
for (const at of drawnAround(element)) if ((at !== hit || isTinyInput) && isInside(hit, at)) return true;
return false;
}
function drawnFor(element) {
const isSeen = (one) => !isTiny(one) && !isCutToNothing(one);
if (isSeen(element) && isSeen(flatParent(element))) return [];
return [...drawnAround(element)].filter(isSeen).slice(0, 1);
}
const OF_PARTS = new Set("combobox spinbutton textbox searchbox listbox slider scrollbar".split(" "));
function isClickedAsOne(element) {
const tag = localName(element);
const role = roleOf(element, tag);
return !OF_PARTS.has(role) && (INTERACTIVE.has(role) || isClickable(element, tag));
}
function takesClicks(element, tag) {
if (tag === "label") return element.control !== null;
if (holdsFrame(element, tag)) return true;
return INTERACTIVE.has(roleOf(element, tag)) ||
(isTelling(element, tag) && hasAttribute(element, "onclick"));
}
const isWrapped = (inner, outer) => squash(textContent(inner)) === squash(textContent(outer));
const MAX_PLACED = 500;
const MAX_HITS = 64;
const MIN_HITS = 8;
const LARGE = 4000;
const COVER_SPOTS = [[0.5, 0.5], [0.25, 0.5], [0.75, 0.5], [0.5, 0.25], [0.5, 0.75]];
let placed = 0;
let hitsLeft = 0;
let seenNow = null;
let widthNow = 0;
let cuttersNow = null;
let coveredBy = new Map();
let reached = new Set();
let untested = new Set();
function beginPlaces() {
const size = allElements(document, "*").length;
placed = 0;
hitsLeft = Math.max(MIN_HITS, Math.round(MAX_HITS * Math.min(1, LARGE / size)));
seenNow = seenArea();
widthNow = innerWidth;
cuttersNow = new Map();
coveredBy = new Map();
reached = new Set();
untested = new Set();
}
duringWalk(beginPlaces, () => {
seenNow = cuttersNow = null;
coveredBy = new Map();
reached = new Set();
untested = new Set();
});
function hitsOf(states) {
if (!coveredBy.size) return [];
return [...states.keys()].filter((at) => coveredBy.has(states[at])).map((at) => [at, coveredBy.get(states[at])]);
}
const isReached = (element) => reached.has(element);
const isUntested = (states) => untested.has(states);
function addPlace(states, element) {
if (seenNow === null) return;
if (++placed > MAX_PLACED) {
untested.add(states);
return;
}
const box = boundingRect(element);
if (isTinyBox(box)) return;
const beyond = isBeyond(box);
const hit = beyond ? null : hitOver(element, box, states);
if (!beyond && !hit) return;
const sight = sightOf(element, box);
if (!sight || isBeyond(sight.box)) {
states.offscreen = true;
return;
}
if (isTinyBox(sight.box)) return;
const over = sight.box === box ? hit : hitOver(sight.holder, sight.box, states);
if (!over) return;
if (isInert(element)) {
states.inert = true;
return;
}
states.obscured = true;
coveredBy.set(states, over);
}
function isBeyond(box) {
if (box.right > 0 && box.bottom > 0 && box.left < widthNow) return false;
const root = scrollingElementOf(document);
if (!root) return false;
const { before, after } = roomAcross(root, getComputedStyle(root));
return box.right + before <= 0 || box.bottom + root.scrollTop <= 0 || box.left - after >= widthNow;
}
function hitOver(element, box, states) {
const shown = inViewport(box, seenNow);
if (!shown) return null;
if (--hitsLeft < 0) {
untested.add(states);
return null;
}
let over = null;
for (const [across, down] of COVER_SPOTS) {
const hit = hitAt(
shown.left + (shown.right - shown.left) * across,
shown.top + (shown.bottom - shown.top) * down,
);
if (!hit) return null;
if (reaches(hit, element)) {
reached.add(element);
return null;
}
over ??= hit;
}
return over;
}
function sightOf(element, box) {
let holder = element;
for (let cutter = cutterOf(element); cutter; cutter = cutter.next) {
const { port, across, along, overflowX, overflowY } = cutter;
if (!hasArea(port)) return null;
const wide = sightIn(box.left, box.right, port.left, port.right, across, overflowX);
const high = sightIn(box.top, box.bottom, port.top, port.bottom, along, overflowY);
if (!wide || !high) return null;
if (wide.moves || high.moves) holder = cutter.at;
else if (!wide.cut && !high.cut) continue;
box = new DOMRect(wide.from, high.from, wide.to - wide.from, high.to - high.from);
}
return { holder, box };
}
function cutterOf(element) {
const at = clipperOf(element, getComputedStyle(element));
if (!at) return null;
if (!cuttersNow.has(at)) {
const style = getComputedStyle(at);
cuttersNow.set(at, style.overflow === "visible" ? cutterOf(at) : cutting(at, style));
}
return cuttersNow.get(at);
}
function cutting(at, style) {
const [x, y] = scalesOf(at);
return {
at,
port: paddingBox(at),
across: roomAcross(at, style, x),
along: roomAlong(at, style, y),
overflowX: style.overflowX,
overflowY: style.overflowY,
next: cutterOf(at),
};
}
function sightIn(from, to, first, last, room, overflow) {
if (overflow === "visible" || (from >= first && to <= last)) return { from, to };
const { before, after } = overflow === "clip" ? NO_ROOM : room;
if (to + before <= first || from - after >= last) return null;
const moves = (from < first && before >= 1) || (to > last && after >= 1);
return moves
? { from: first, to: last, moves }
: { from: Math.max(from, first), to: Math.min(to, last), cut: true };
}
const NO_ROOM = { before: 0, after: 0 };
const IN_FRONT = new Set("alert status log menu listbox tooltip dialog alertdialog".split(" "));
const FEW = 2;
const WHOLE = 0.95;
function isSetAside(element, dialogs) {
const parent = parentNode(element);
return dialogs.some((one) => contains(parent, one) && !contains(element, one)) &&
firstOf(element, ACTED_ON) !== null;
}
function arranged(outline, modal, modalRange, aside) {
const fronts = modal ? [modalRange] : dialogsIn(outline);
if (!fronts.length) outline = without(outline, aside);
const covered = hitsOf(outline.states);
if (!fronts.length && !covered.length) return outline;
const groups = groupedByCover(covered, outline);
const wall = modal ? null : wallAmong(groups);
if (wall && !fronts.length) fronts.push(rangeOf(frontOf(wall), outline.where));
const found = fronts.filter(([start, end]) => end > start);
const isWhole = found.length > 0 && (modal !== null || wall !== null || aside.length > 0);
const covers = [];
for (const [cover, group] of groups) {
if (group.length <= FEW) continue;
for (const at of group) unmark(outline.states, at);
if (!isWhole) covers.push([idIn(outline, rangeOf(cover, outline.where)), group.map((at) => outline.ids[at])]);
}
const wrong = new Set(covered.map(([at]) => at));
for (const [start, end] of aside) for (let at = start; at < end; at++) wrong.add(at);
const order = inFront(outline, found, isWhole, wrong);
const behind = isWhole ? order.count : outline.roles.length;
const by = found.length ? idIn(outline, found[0]) : 0;
return { ...reordered(outline, order), layers: { behind, by, covers } };
}
function scrollsOut(element, cover) {
const root = scrollingElementOf(document);
if (!root || !BARS.has(getComputedStyle(cover).position)) return false;
const [box, bar] = [boundingRect(element), boundingRect(cover)];
if (bar.height > innerHeight / 2) return false;
const below = root.scrollHeight - innerHeight - root.scrollTop;
return bar.top <= 0
? bar.bottom - box.top <= root.scrollTop
: bar.bottom >= innerHeight && box.bottom - bar.top <= below;
}
const BARS = new Set(["fixed", "sticky"]);
function unmark(states, at) {
delete states[at].obscured;
for (const _ in states[at]) return;
states[at] = null;
}
function groupedByCover(covered, { where, states }) {
const groups = new Map();
for (const [at, hit] of covered) {
const cover = coverOf(hit, where[at]);
if (scrollsOut(where[at], cover)) unmark(states, at);
else if (groups.has(cover)) groups.get(cover).push(at);
else groups.set(cover, [at]);
}
return groups;
}
function dialogsIn({ depths, roles, where }) {
const found = [];
for (let at = 0; at < roles.length; at++) {
if (!DIALOGS.has(roles[at])) continue;
if (!isOnTop(where[at])) continue;
const end = endOf(depths, at);
found.push([at, end]);
at = end - 1;
}
return found;
}
function isOnTop(element) {
const seen = inViewport(boundingRect(element));
const hit = seen && hitAt((seen.left + seen.right) / 2, (seen.top + seen.bottom) / 2, element);
return Boolean(hit) && isInside(hit, element);
}
function wallAmong(groups) {
for (const [cover, group] of groups) {
const seen = group.length > FEW && inViewport(boundingRect(cover));
if (seen && (seen.right - seen.left) >= innerWidth * WHOLE && (seen.bottom - seen.top) >= innerHeight * WHOLE &&
isFixed(cover)) return cover;
}
return null;
}
const isFixed = (cover) =>
getComputedStyle(cover).position === "fixed" || document.documentElement.scrollHeight <= innerHeight;
function frontOf(wall) {
const hit = hitAt(innerWidth / 2, innerHeight / 2);
return !hit || isInside(hit, wall) ? wall : coverOf(hit, wall);
}
function without(outline, ranges) {
if (!ranges.length) return outline;
const kept = [];
let at = 0;
for (const [start, end] of [...ranges, [outline.roles.length]]) {
if (start > at) kept.push([at, start]);
at = end;
}
return reordered(outline, { ranges: kept, count: 0 });
}
function endOf(depths, at) {
let end = at + 1;
while (end < depths.length && depths[end] > depths[at]) end++;
return end;
}
function rangeOf(element, where) {
const isIn = anyRoots ? (one) => isInside(one, element) : (one) => contains(element, one);
const start = where.findIndex(isIn);
let end = start < 0 ? start : start + 1;
while (end > 0 && end < where.length && isIn(where[end])) end++;
return [start, end];
}
const idIn = ({ ids }, [start, end]) => (start < 0 ? 0 : ids.slice(start, end).find((id) => id) ?? 0);
function inFront({ depths, roles, states, ids, where }, fronts, isWhole, wrong) {
const count = roles.length;
const moved = new Int8Array(count);
const ranges = [];
const move = ([start, end]) => {
if (moved[start]) return;
moved.fill(1, start, end);
ranges.push([start, end]);
};
fronts.forEach(move);
if (isWhole) {
const [first] = fronts[0];
for (const root of rootsWithout(depths, (at) => moved[at] || wrong.has(at))) {
const [start, end] = root;
for (let at = start; at < end; at++) {
if (IN_FRONT.has(roles[at]) ? isOnTop(where[at])
: ids[at] && (isReached(where[at]) || (at > first && isUntested(states[at])))) {
move(root);
break;
}
}
}
}
const front = ranges.reduce((sum, [start, end]) => sum + end - start, 0);
for (let at = 0; at < count; at++) {
if (moved[at]) continue;
const start = at;
while (at + 1 < count && !moved[at + 1]) at++;
ranges.push([start, at + 1]);
}
return { ranges, count: front };
}
function rootsWithout(depths, wrong) {
const found = [];
const count = depths.length;
const holds = new Int8Array(count);
const path = [];
for (let at = 0; at < count; at++) {
while (path.length && depths[path.at(-1)] >= depths[at]) path.pop();
path.push(at);
if (wrong(at)) for (const one of path) holds[one] = 1;
}
for (let at = 0; at < count; at++) {
if (holds[at]) continue;
const end = endOf(depths, at);
found.push([at, end]);
at = end - 1;
}
return found;
}
function reordered(outline, { ranges, count }) {
const result = { ...outline };
for (const column of ["depths", "roles", "names", "ids", "states", "where"]) {
result[column] = ranges.flatMap(([start, end]) => outline[column].slice(start, end));
}
let at = 0;
for (const [start, end] of ranges) {
const outer = at < count ? outline.depths[start] : 0;
for (let one = start; one < end; one++) result.depths[at++] -= outer;
}
return result;
}
const QUIET = 1;
const DISABLED = 2;
const WITHIN = 4;
const BEHIND = 8;
const UNSEEN = 16;
const IN_CONTROL = 32;
const IN_DRAWING = 64;
const FOLDED = 128;
const IN_CELL = 256;
const MAX_INLINE = 160;
const UPLOADS = "Choose File";
const MAX_LEVELS = 900;
const EMBEDDED = new Set(["iframe", "embed", "object"]);
const REFERABLE = new Set("img dialog alertdialog canvas video audio iframe embed object".split(" "));
const KEPT_EMPTY = new Set("separator cell gridcell columnheader rowheader progressbar meter".split(" "));
const MOST_SHAPES = 100;
const UNNAMED_IS_NOTHING = new Set("group region form img tabpanel".split(" "));
function outlineOf(view) {
beginShown();
const modal = modalOnTop();
const known = nestedModals.length;
const outline = outlineUnder(modal, view);
if (nestedModals.length === known) return outline;
beginPlaces();
return outlineUnder(modalOnTop(), view);
}
const outlineIn = (id, view) => outlineUnder(null, view, identified(id));
function outlineUnder(modal, view, only = undefined) {
const depths = [];
const roles = [];
const names = [];
const ids = [];
const states = [];
const where = [];
let run = "";
let around = null;
let cut = false;
let modalRange = null;
const aside = [];
const left = modal ? new Set() : leftBehind();
const ticked = new Set();
let dialogs = null;
let shapesLeft = MOST_SHAPES;
const icons = new Set();
forgetLabels();
learnLabels(document);
collectParts(document);
learnFlows(document);
const controls = carousels();
const ownedBy = ownership();
const active = activeInOutline();
const add = (depth, role, name, id, state, element) => {
depths.push(depth);
roles.push(role);
names.push(name);
ids.push(id);
states.push(state);
where.push(element);
};
const dropFrom = (at) => {
for (const column of [depths, roles, names, ids, states, where]) column.length = at;
};
const flush = (depth) => {
if (!run) return;
const text = run === " " || run === "\n" ? "" : squash(run, MAX_TEXT);
run = "";
if (text && !isLabel(text, depths.length - 1, depth)) add(depth, "text", text, 0, null, around);
};
const isLabel = (text, at, depth) =>
at >= 0 && depths[at] === depth && states[at]?.near !== undefined && states[at].near === labelIn(text);
const addIcon = (element, tag) => {
const icon = iconWord(element, tag);
if (!icon) return false;
icons.add(icon);
if (!run) around = element;
run += ` [${icon}] `;
return true;
};
const addWords = (element, tag, flags) => {
const name = nameOf(element, tag, "img");
if (!name || flags & (QUIET | FOLDED)) return false;
if (!run) around = element;
run += ` ${name} `;
return true;
};
const addLabel = (state, element, role, depth) => {
const label = labelBeside(element, role);
if (!label) return;
state.near = label;
const last = depths.length - 1;
if (roles[last] === "text" && depths[last] === depth && labelIn(names[last]) === label) dropFrom(last);
};
const visitChildren = (element, tag, depth, flags, level) => {
const root = shadowRoot(element);
if (root) {
learnLabels(root);
collectParts(root);
learnFlows(root);
noteRoot(root);
}
const instead = inReadingOrder(element) ?? childrenInstead(element, tag);
if (instead) {
for (const child of instead) visit(child, depth, flags, level, element);
} else {
for (let child = firstChild(element); child; child = nextSibling(child)) {
visit(child, depth, flags, level, element);
}
}
if (ownedBy.size && hasAttribute(element, "aria-owns")) {
for (const owned of new Set(ownedElements(element))) {
if (ownedBy.get(owned) === element) visit(owned, depth, flags, level, element);
}
}
};
const visit = (node, depth, flags, level, from) => {
const type = nodeType(node);
if (type === 3) {
if (flags & (QUIET | UNSEEN | FOLDED)) return;
if (!run) around = from;
run += data(node);
return;
}
if (type !== 1) return;
const tag = localName(node);
if (node !== only && (isHiddenFromAll(node, tag) || (isTelling(node, tag) && hasAttribute(node, "inert")))) {
if (left.has(node)) visitLeft(node, tag, depth, flags, level + 1);
else if (!(flags & BEHIND) && isTelling(node, tag)) visitAside(node, tag, depth, flags, level);
return;
}
if (ownedBy.size && ownedBy.has(node) && ownedBy.get(node) !== from) return;
if (level > MAX_LEVELS) {
cut = true;
return;
}
const shown = showing(node);
if (shown === GONE) return;
if (shown !== INVISIBLE) noteShown(node);
flags = shown === INVISIBLE ? flags | UNSEEN : flags & ~UNSEEN;
if (anyRoots && tag === "dialog") noteModal(node);
if (node === modal && !modalRange) {
flush(depth);
const start = depths.length;
modalRange = [start, start];
visit(node, depth, 0, level, from);
flush(depth);
modalRange = [start, depths.length];
return;
}
if (tag === "br") {
flush(depth);
return;
}
if (flags & UNSEEN) {
if (!LEAVES.has(tag)) inside(node, tag, depth, flags, level + 1);
return;
}
if (!(flags & FOLDED) && firstChild(node) && isFolded(node, tag)) flags |= FOLDED;
const carousel = controls.size && !(flags & FOLDED) ? controls.get(node) : undefined;
if (carousel) addControls(carousel, node, depth, true);
shownElement(node, tag, depth, flags, level + 1);
if (carousel) addControls(carousel, node, depth, false);
};
const addControls = ({ buttons, markers, isBefore, isTabs }, scroller, depth, isAbove) => {
flush(depth);
const addControl = ({ role, name, id, state }, at) => add(at, role, name, id, isEmpty(state) ? null : state, scroller);
if (isAbove) for (const button of buttons) addControl(button, depth);
if (isBefore !== isAbove || !markers.length) return;
add(depth, isTabs ? "tablist" : "navigation", "", 0, null, scroller);
for (const marker of markers) addControl(marker, depth + 1);
};
const visitLeft = (node, tag, depth, flags, level) => {
flush(depth);
add(depth, "left behind", hasAttribute(node, "inert") ? "inert" : "aria-hidden", 0, null, node);
shownElement(node, tag, depth + 1, flags, level);
flush(depth + 1);
};
const visitAside = (node, tag, depth, flags, level) => {
if (NEVER.has(tag) || level > MAX_LEVELS || showing(node) !== SHOWN) return;
dialogs ??= shownDialogs();
if (!dialogs.length || !isSetAside(node, dialogs)) return;
flush(depth);
const start = depths.length;
shownElement(node, tag, depth, flags | BEHIND, level + 1);
flush(depth);
if (depths.length > start) aside.push([start, depths.length]);
};
const inside = (element, tag, depth, flags, level) => {
if (tag === "details" && !element.open) {
const summary = all(element, ":scope > summary")[0];
if (summary) visit(summary, depth, flags, level, element);
} else {
visitChildren(element, tag, depth, flags, level);
}
};
const shownElement = (element, tag, depth, flags, level) => {
const check = tag === "label" ? checkDrawnBy(element) : null;
if (check) {
if (!ticked.has(check)) emit(check, "input", roleOf(check, "input"), depth, flags, level, true, element);
ticked.add(check);
inside(element, tag, depth, flags | QUIET | WITHIN, level);
return;
}
const role = roleOf(element, tag);
const interactive = INTERACTIVE.has(role);
if (interactive && (role !== "option" || tag !== "option")) {
emit(element, tag, role, depth, flags, level, true);
return;
}
const isInHand = flags & WITHIN && (flags & IN_CONTROL || !startsHand(element));
const clickable = isControl(element, tag) || (!isInHand && isClickable(element, tag)) ||
(flags & IN_CONTROL ? isPartOfControl(element, tag) : isInnermostListener(element, tag) || isItemOfListener(element, tag));
if (tag === "svg" && shapesLeft > 0 && !(flags & (WITHIN | QUIET)) && isSmallDrawing(element)) flags |= IN_DRAWING;
if (flags & IN_CELL && role === "img" && !clickable && isIcon(element) && addWords(element, tag, flags)) return;
if (flags & IN_DRAWING && !clickable && isShape(element, tag) && shapeWords(element, tag)) {
shapesLeft -= 1;
emit(element, tag, "img", depth, flags, level, false);
return;
}
if (TRANSPARENT.has(role) && element !== only && !clickable && !isHandy(element, tag, (flags & WITHIN) !== 0)) {
if (!(flags & (QUIET | WITHIN | IN_CONTROL | FOLDED)) && addIcon(element, tag)) return;
const breaks = !INLINE_TAGS.has(tag) || (isGlued(element, run) && standsAlone(element));
if (breaks) flush(depth);
if (tag === "label" && isSaidByControl(element)) flags |= QUIET;
if (isTelling(element, tag) && attribute(element, "aria-disabled") === "true") {
flags |= DISABLED;
}
if (!isLeaf(element, tag)) inside(element, tag, depth, flags, level);
if (breaks) flush(depth);
return;
}
emit(element, tag, TRANSPARENT.has(role) ? "generic" : role, depth, flags, level, clickable);
};
const emit = (element, tag, role, depth, flags, level, actionable, place = element) => {
if (role === "iframe" && isTiny(element)) return;
const quietAbove = (flags & (QUIET | FOLDED)) !== 0;
let name = role === "generic" ? nameOfNothing(element, tag) : nameOf(element, tag, role);
const from = nameFrom;
if (SHOWS_CONTENT.has(role) && from === "content") name = "";
const structure = !actionable && !REFERABLE.has(role);
if ((quietAbove && !actionable && role !== "iframe") ||
(element !== only && !name && !actionable && UNNAMED_IS_NOTHING.has(role) && !isEditingHost(element) &&
(tag === "svg" || !(flags & IN_DRAWING)))) {
if (tag === "svg") flags |= quietAbove ? QUIET : 0;
flush(depth);
if (!isLeaf(element, tag)) inside(element, tag, depth, flags, level);
flush(depth);
return;
}
flush(depth);
const state = statesOf(element, tag, role, name, (flags & DISABLED) !== 0);
if (element === active.element || element === active.descendant) state.active = true;
if (actionable && flags & FOLDED) state.offscreen = true;
else if (actionable && !state.disabled && !(flags & BEHIND)) addPlace(state, place);
if (state.description && element !== only && isDescribedBeside(element)) delete state.description;
if (EMBEDDED.has(role)) state.url = shortUrl(element.src ?? element.data);
if (actionable && (!name || name === UPLOADS) && isField(element, tag, role)) addLabel(state, element, role, depth);
const whole = cutTo(name, MAX_NAME);
const handy = !structure || element === only || state.editable || state.draggable || isTabStop(element, tag);
const id = handy ? identify(element) : 0;
const at = depths.length;
add(depth, role, whole, id, state, place);
let below = flags;
if (actionable) below |= WITHIN;
if (actionable && role === "generic" && !name) below &= ~QUIET;
if (INTERACTIVE.has(role) || isControl(element, tag)) below |= IN_CONTROL;
if (state.disabled) below |= DISABLED;
if (CELLS.has(role)) below |= IN_CELL;
if (from === "content" && name && whole === name) below |= QUIET;
if (role === "textbox" && state.value) {
if (LEAVES.has(tag) || state.value.length <= MAX_INLINE) below |= QUIET;
else delete state.value;
}
if (isSaid(element, tag, below)) {
noteRead(element);
} else if (!isLeaf(element, tag)) {
inside(element, tag, depth + 1, below, level);
flush(depth + 1);
}
fold(at);
if (at === depths.length) return;
const part = PARTED.has(role) ? partOfRecord(role, at, depths, roles, where) : "";
if (part) state.part = part;
if (icons.size && actionable && names[at]) {
const icon = [...all(element, "[class]")].map((one) => iconWord(one, localName(one))).find((one) => icons.has(one));
if (icon) state.author = ["class", icon];
}
if (id && at === depths.length - 1) {
const check = role === "generic" ? checkIn(element) : null;
if (check) state.checked = check.checked;
const isDrawnShape = isShape(element, tag);
if ((actionable || isDrawnShape) && !names[at]) addHints(state, element, tag, role);
if (isDrawnShape && (tag !== "path" || !(names[at] || state.author))) state.svg = shapeWords(element, tag);
}
if (isEmpty(state)) states[at] = null;
};
const addHints = (state, element, tag, role) => {
const isAField = isField(element, tag, role);
if (isAField && state.near) return;
const label = isAField ? "" : cellBeside(element);
if (label) state.near = label;
const words = authorWords(element, isAField);
if (words) state.author = words;
};
const isSaid = (element, tag, below) =>
element === lastAlone && (below & QUIET) !== 0 && !ownedBy.size && !tag.includes("-");
const fold = (at) => {
const inner = depths.length - at - 1;
if (names[at]) return;
if (inner === 1 && roles[at + 1] === "text" && roles[at] !== "iframe") {
names[at] = names[at + 1];
dropFrom(at + 1);
} else if (!inner && !ids[at] && !KEPT_EMPTY.has(roles[at])) {
dropFrom(at);
}
};
const start = only === undefined ? rootOf(document) : only;
if (start) visit(start, 0, modal ? BEHIND : 0, 0, null);
flush(0);
if (modal && !modalRange) visit(modal, 0, 0, 0, null);
forgetLabels();
const outline = arranged({ depths, roles, names, ids, states, where, cut, layers: null }, modal, modalRange, aside);
return { ...outline, view: view ? inView(outline.depths, outline.where, view === "exact") : [] };
}
function isEmpty(state) {
for (const _ in state) return false;
return true;
}
let highlighting = null;
function highlight(id) {
unhighlight();
const element = drawnWithId(id);
if (!element) return false;
highlighting = document.createElement("div");
highlighting.setAttribute("popover", "manual");
highlighting.setAttribute("aria-hidden", "true");
highlighting.style.cssText =
"position:absolute;inset:0 auto auto 0;margin:0;padding:0;border:0;overflow:visible;" +
"width:0;height:0;background:none;pointer-events:none";
const root = highlighting.attachShadow({ mode: "closed" });
for (const { x, y, width, height } of boxesOf(element).slice(0, 20)) {
const frame = document.createElement("div");
frame.style.cssText =
`position:absolute;left:${x + scrollX}px;top:${y + scrollY}px;width:${width}px;` +
`height:${height}px;background:rgb(214 0 108 / 25%);outline:3px solid rgb(214 0 108)`;
root.append(frame);
}
rootOf(document).append(highlighting);
highlighting.showPopover();
return true;
}
function unhighlight() {
highlighting?.remove();
highlighting = null;
}
const HEADS = new Set(["columnheader", "rowheader"]);
const NATIVE = new Set("tbody thead tfoot tr td th".split(" "));
const MOST_SPANNED = 50;
const holdsData = (tag, role) => tag === "td" || tag === "th" || CELLS.has(role);
const isTable = (tag, role) => tag === "table" || TABLES.has(role);
function rowsOf(table) {
const rows = new Map();
for (const row of partsOf(table, (tag, role) => tag === "tr" || role === "row")) {
const key = rowKey(row);
if (!rows.has(key)) rows.set(key, []);
rows.get(key).push(...partsOf(row, holdsData));
}
return [...rows.values()];
}
function partsOf(element, isMeant, found = []) {
for (const child of flatChildren(element, localName(element))) {
if (!isElement(child) || showing(child) === GONE) continue;
const tag = localName(child);
const role = NATIVE.has(tag) ? "" : roleOf(child, tag);
if (isMeant(tag, role)) found.push(child);
else if (!isTable(tag, role)) partsOf(child, isMeant, found);
}
return found;
}
const isHead = (cell) =>
localName(cell) === "th" || (hasAttribute(cell, "role") && HEADS.has(roleOf(cell, localName(cell))));
function spansOf(cell) {
const spanAttribute = (name, native) => {
const span = Math.min(MOST_SPANNED, native ?? Number(attribute(cell, `aria-${name}`)));
return Number.isInteger(span) && span > 1 ? ` ${name}="${span}"` : "";
};
return spanAttribute("colspan", cell.colSpan) + spanAttribute("rowspan", cell.rowSpan);
}
function isDataTable(element, tag, role) {
if (!isTable(tag, role)) return false;
if (role === "none" || role === "presentation") return false;
if (tag === "table" && firstOf(element, "table") && !isHeaded(element)) return false;
return rowsOf(element).some((cells) => cells.length > 1);
}
const isHeaded = (table) =>
[...all(table, "th, thead, caption")].some((one) => tableAround(one) === table);
function tableAround(element) {
let at = parentNode(element);
while (at && localName(at) !== "table") at = parentNode(at);
return at;
}
const IN_LINE = /^(inline|contents|ruby.*)$/;
const WITHOUT_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;
const GAP = 0.22;
const CODE = new Set(["code", "kbd", "samp"]);
const isApart = (element) =>
!IN_LINE.test(getComputedStyle(element).display) && textContent(element).trim().length > 1;
function standApart(before, after) {
if ([before, after].some((text) => CODE.has(localName(flatParent(text) ?? rootOf(document))))) return false;
const left = boxesOfText(before).at(-1);
const right = boxesOfText(after)[0];
if (!left || !right) return false;
if (left.bottom <= right.top || right.bottom <= left.top) {
return !WITHOUT_SPACES.test(data(before).trimEnd().slice(-1) + data(after).trimStart()[0]);
}
const gap = Math.max(right.left - left.right, left.left - right.right);
return gap > GAP * Math.max(left.height, right.height);
}
function boxesOfText(text) {
const range = createRange(document);
range.selectNodeContents(text);
return [...range.getClientRects()].filter((box) => box.width > 0);
}
const LOOK_MS = 50;
function isSelector(selector) {
try {
new DocumentFragment().querySelector(selector);
return true;
} catch {
return false;
}
}
function present(kind, what) {
if (kind === "match") return firstMatch(what, () => true);
if (innerWidth === 0 || innerHeight === 0) return null;
return kind === "text" ? shows(what) : firstMatch(what, isOpenToView);
}
function shows(text) {
const has = holding(text);
const root = rootOf(document);
if (root && has(root.innerText) && !isFoldedText(root, has)) return {};
const { names, states } = outlineOf();
return names.some(has) || states.some((state) => has(state?.value)) ? {} : null;
}
function isFoldedText(root, has) {
const found = [...innermost(root, has)];
return found.length > 0 && !found.some(isOpenToView);
}
function firstMatch(selector, isMeant) {
for (const root of openRoots()) {
for (const element of all(root, selector)) {
if (isMeant(element)) return { ...describe(element), id: identify(element) };
}
}
return null;
}
const isOff = (element) => isDisabled(element) || closest(element, "[aria-disabled=true]") !== null;
const TESTS = {
visible: (element) => isOpenToView(drawnOf(element)),
hidden: (element) => !isOpenToView(drawnOf(element)),
enabled: (element) => !isOff(element),
disabled: isOff,
gone: () => false,
};
function meets(id, state, text) {
const element = identified(id);
if (!element) return { gone: true };
const isSo = state === null || TESTS[state](element);
return isSo && (text === null || hasText(element, text)) ? {} : null;
}
function hasText(element, text) {
const has = holding(text);
return has(element.innerText ?? element.textContent) ||
(!holdsSecret(element) && has(element.value)) || has(describe(element).name);
}
async function awaited(kind, what, gone, milliseconds) {
return looking(() => {
const found = present(kind, what);
return gone ? (found ? null : {}) : found;
}, milliseconds);
}
async function elementAwaited(id, state, text, milliseconds) {
return looking(() => meets(id, state, text), milliseconds);
}
async function looking(look, milliseconds) {
const until = performance.now() + milliseconds;
for (;;) {
const began = performance.now();
const found = look();
if (found) return found;
const now = performance.now();
if (now >= until) return null;
await new Promise((later) => setTimeout(later, Math.max(LOOK_MS, 10 * (now - began))));
}
}
const FLOW = 0;
const LINES = 1;
const PHRASE = 2;
const PRE = 3;
const HEADING = /^h[1-6]$/;
const FORMATS = { b: "strong", strong: "strong", i: "em", em: "em", del: "del", s: "del", code: "code", kbd: "code", samp: "code", sub: "sub", sup: "sup" };
const UNREAD = new Set("svg canvas video audio progress meter map area".split(" "));
const isUnread = (node, name) => UNREAD.has(name) && node !== rootOf(document);
const AROUND = new Set("navigation banner contentinfo complementary search".split(" "));
const BLOCKS = "h1, h2, h3, h4, h5, h6, p, div, table, ul, ol, pre, section, article";
const BEGUN = /<(p|li|td|th|h[1-6]|dt|dd)( [^>]*)?>$/;
const DEEPEST = 600;
const LINKED = 600;
const SEPARATE_ROLES = new Set("button menuitem option tab".split(" "));
function readable(selector, main, most, home) {
linksFrom = home;
if (selector !== null && !isSelector(selector)) return outcome("wrong");
const root = rootOf(document);
const roots = selector === null ? [root] : matching(selector);
if (!roots.length || !roots[0]) return outcome("nothing");
const kept = leftBehind();
const shown = selector === null ? kept : new Set([...kept, ...roots]);
const whole = blocksOf(roots, false, most, shown);
const read = selector === null && main ? mainPart(root, whole, most, kept) : whole;
const left = whole.length - read.length;
if (left > whole.length / 50 && left > 40) read.nodes.push([left, "left"]);
if (kept.size) read.nodes.push([0, "left behind"]);
return recordsInColumns(read.nodes, read.cut);
}
function mainPart(root, whole, most, kept) {
const shown = [...all(document, "main, [role=main]")].filter((m) => showing(m) === SHOWN);
const [longest] = shown.sort((a, b) => textContent(b).length - textContent(a).length);
const part = longest ? blocksOf([longest], true, most, kept) : null;
if (part && part.length * 5 > whole.length) return part;
const rest = blocksOf([root], true, most, kept);
return rest.length * 5 > whole.length || rest.length > 500 ? rest : whole;
}
const outcome = (kind) => recordsInColumns([[0, kind]], false);
function matching(selector) {
const found = [];
for (const root of openRoots()) {
for (const element of all(root, selector)) {
if (showing(element) !== GONE && !found.some((outer) => isInside(element, outer))) {
found.push(element);
}
}
}
return found;
}
function blocksOf(roots, without, most, kept) {
const nodes = [];
const frames = [];
let out = "";
let open = false;
let depth = 0;
let due = "";
let last = null;
let lists = 0;
let length = 0;
let room = most;
let cut = false;
let level = 0;
const ticked = new Set();
const escaped = (text) =>
text.toWellFormed().replace(/[&<>]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[c]);
const quoted = (text) => escaped(text).replaceAll('"', "&quot;");
const flush = () => {
if (depth) return;
if (out) nodes.push([0, "html", out]);
room -= out.length;
out = "";
while (frames.length) nodes.push([0, "iframe", "", frames.shift()]);
};
const tag = (markup) => {
out += markup;
};
const endParagraph = () => {
if (open) out = `${out.trimEnd()}</p>`;
open = false;
due = "";
flush();
};
const boundary = (context) => {
if (context === FLOW) endParagraph();
else if (context === PRE) tag("\n");
else if (due !== "<br>") due = context === LINES ? "<br>" : " ";
};
const separate = () => {
due ||= " ";
};
const say = (text, context, node = null) => {
if (context === PRE) {
length += text.length;
tag(escaped(text));
return;
}
const folded = text.replace(/\s+/g, " ");
if (!folded.trim()) {
if (folded && !due && !/(^|[\s>])$/.test(out)) due = " ";
return;
}
const isGlued = !due && last && node && folded[0] !== " ";
if (isGlued && flatParent(last) !== flatParent(node) && standApart(last, node)) separate();
last = node;
const begins = begin(context) || /(\s|<br>)$/.test(out);
const words = begins ? folded.trimStart() : folded;
const ended = words.trimEnd();
length += ended.length;
tag(escaped(ended));
if (ended !== words) due = " ";
};
const begin = (context) => {
if (context === FLOW && !open) {
tag("<p>");
open = true;
}
const fresh = BEGUN.test(out);
if (due && !fresh) tag(due);
const separated = fresh || due !== "";
due = "";
return separated;
};
const children = (element, name, context) => {
if (name === "details" && !element.open) {
const summary = all(element, ":scope > summary")[0];
if (summary) visit(summary, context);
return;
}
for (const child of flatChildren(element, name)) visit(child, context);
};
const wrapped = (markup, attributes, inside) => {
tag(`<${markup}${attributes}>`);
inside();
due = "";
tag(`</${markup}>`);
};
const block = (markup, inside) => {
endParagraph();
depth++;
wrapped(markup, "", inside);
depth--;
flush();
};
const visit = (node, context) => {
if (cut || out.length > room) {
cut = true;
return;
}
const type = nodeType(node);
if (type === 3) {
const parent = flatParent(node);
if (!parent || showing(parent) !== INVISIBLE) say(data(node), context, node);
return;
}
if (type !== 1) return;
const name = localName(node);
if ((isHiddenFromAll(node, name) && !kept.has(node)) || isUnread(node, name) || showing(node) === GONE) return;
if (firstChild(node) && isFolded(node, name)) return;
if (holdsFrame(node, name) || name === "embed") {
if (!isTiny(node)) frames.push(identify(node));
boundary(context);
return;
}
if (name === "object" && !showsOwn(node)) return;
const role = roleOf(node, name);
if (without && AROUND.has(role)) return;
if (level >= DEEPEST) {
cut = true;
return;
}
level++;
element(node, name, role, context);
if (context === FLOW && role in ITEMS) tellPart(partOfList([...all(node, "[aria-setsize]")]));
level--;
};
const element = (node, name, role, context) => {
const check = name === "label" ? checkDrawnBy(node) : null;
if (check && !ticked.has(check)) field(check, "input", context);
if (check) ticked.add(check);
if (name === "br") return lineBreak(context);
if (name === "hr") return rule(context);
if (name === "img") return image(node, context);
if (name === "input" || name === "textarea" || name === "select") {
return showing(node) === SHOWN ? field(node, name, context) : undefined;
}
if (context === PRE) return children(node, name, PRE);
const within = () => children(node, name, PHRASE);
if (HEADING.test(name) || role === "heading") {
const level = Number(attribute(node, "aria-level") ?? name[1]) || 2;
if (context === FLOW) return block(`h${Math.min(6, Math.max(1, level))}`, within);
} else if (name === "pre" && context === FLOW) {
return block("pre", () => children(node, name, PRE));
} else if (name === "blockquote" && context === FLOW) {
return block("blockquote", () => {
children(node, name, FLOW);
endParagraph();
});
} else if ((name === "ul" || name === "ol" || name === "menu") && context <= LINES) {
return list(node, name, context);
} else if (name === "li" && lists && context <= LINES) {
return wrapped("li", "", () => children(node, name, LINES));
} else if (context === FLOW && isDataTable(node, name, role)) {
return table(node);
} else if (isDataTable(node, name, role)) {
return tableInLine(node, context);
} else if (name === "dl" && context === FLOW) {
return block("dl", () => children(node, name, LINES));
} else if ((name === "dt" || name === "dd") && depth && context === LINES) {
return wrapped(name, "", within);
} else if (name === "a") {
const url = address(attribute(node, "href"));
if (url && textContent(node).length < LINKED) return inline(node, "a", ` href="${quoted(url)}"`, within, context);
} else if (name in FORMATS && !all(node, BLOCKS).length) {
return inline(node, FORMATS[name], "", within, context);
}
const around = !isInline(node, name)
? () => boundary(context)
: SEPARATE_ROLES.has(role) || isApart(node) ? separate : () => {};
around();
children(node, name, context);
around();
};
const inline = (node, markup, attributes, inside, context) => {
const before = { out, open, due };
const start = length;
if ((markup === "a" && out.endsWith("</a>")) || isApart(node)) separate();
if (due) last = null;
begin(context);
tag(`<${markup}${attributes}>`);
inside();
tag(`</${markup}>`);
if (length === start) ({ out, open, due } = before);
else if (isApart(node)) separate();
};
const lineBreak = (context) => {
if (context === PRE) tag("\n");
else due = context === PHRASE ? " " : "<br>";
};
const rule = (context) => {
boundary(context);
if (context !== FLOW) return;
tag("<hr>");
flush();
};
const list = (node, name, context) => {
const markup = name === "ol" ? "ol" : "ul";
const items = () => {
lists++;
children(node, name, LINES);
lists--;
};
if (context === FLOW) return block(markup, items);
due = "";
wrapped(markup, "", items);
};
const table = (node) => {
const rows = rowsOf(node);
const caption = all(node, ":scope > caption")[0];
if (caption) {
endParagraph();
visit(caption, FLOW);
}
block("table", () => {
for (const cells of rows) {
if (cut || out.length > room) {
cut = true;
return;
}
wrapped("tr", "", () => {
for (const cell of cells) {
wrapped(isHead(cell) ? "th" : "td", spansOf(cell), () => children(cell, localName(cell), PHRASE));
}
});
}
});
tellPart(partOfTable(node, rows.map((cells) => cells.length)));
};
const tableInLine = (node, context) => {
const mark = (text) => {
due = "";
say(text, context);
separate();
};
boundary(context);
for (const [at, cells] of rowsOf(node).entries()) {
if (at) mark(";");
for (const [one, cell] of cells.entries()) {
if (one) mark(",");
children(cell, localName(cell), context);
}
}
boundary(context);
};
const tellPart = (part) => {
if (!part) return;
endParagraph();
tag(`<p>(${part}: scroll for more)</p>`);
flush();
};
const image = (node, context) => {
const alt = cutTo(squash(attribute(node, "alt") ?? attribute(node, "aria-label") ?? ""), 300);
if (!alt) return;
const url = address(attribute(node, "src"));
begin(context);
length += alt.length;
tag(`<img alt="${quoted(alt)}" src="${quoted(url)}">`);
};
const field = (node, name, context) => {
if (name === "select") {
const chosen = [...node.selectedOptions].map(shownAs);
return say(` ${chosen.join(", ")} `, context);
}
if (name === "textarea") return say(` ${node.value} `, context);
if (holdsSecret(node)) return undefined;
switch (node.type) {
case "hidden":
case "file":
return undefined;
case "checkbox":
case "radio":
return say(node.checked ? " [x] " : " [ ] ", context);
default:
return say(` ${node.value} `, context);
}
};
for (const root of roots) {
visit(root, FLOW);
endParagraph();
}
return { nodes, cut, length };
}
const isInline = (element, name) =>
INLINE_TAGS.has(name) || name === "button" || name === "slot" ||
(name.includes("-") && /^(inline|contents)/.test(getComputedStyle(element).display));
let linksFrom = "";
function address(given) {
if (given === null) return "";
try {
const url = new URL(given, document.baseURI);
if (!/^(https?|mailto|tel):$/.test(url.protocol) || url.href.length > 2000) return "";
const address = withoutLogin(url.href);
return linksFrom && address.startsWith(`${linksFrom}/`) ? address.slice(linksFrom.length) : address;
} catch {
return "";
}
}
const CELL = 64;
const LARGEST = 20_000;
const LEVELS = 3;
const ON_LABEL = 10;
const ON_TEXT = 0.5;
const APART = 0.2;
const CROSSED = 2;
const CUT_OFF = 100;
function labelPlaces(boxes, texts, page) {
const cells = new Map();
const add = (box, weight) => {
const known = { ...box, isElement: weight === 1, share: weight / Math.max(1, areaOfBox(box)) };
for (const key of cellsOf(known)) {
const cell = cells.get(key);
if (cell) cell.push(known);
else cells.set(key, [known]);
}
};
const near = (box) => {
const met = new Set();
for (const key of cellsOf(box)) for (const known of cells.get(key) ?? []) met.add(known);
return met;
};
const costOf = (label, box) => {
let cost = leavesPage(label, page) ? CUT_OFF : 0;
for (const known of near(label)) cost += overlap(label, known) * known.share;
const line = { left: label.left, right: label.left + 1, top: label.bottom, bottom: box.top };
if (label.top > box.bottom) [line.top, line.bottom] = [box.bottom, label.top];
if (line.bottom <= line.top) return cost;
for (const known of near(line)) cost += known.isElement && overlap(line, known) > 0 ? CROSSED : 0;
return cost + APART;
};
for (const box of boxes) if (areaOfBox(box) <= LARGEST) add(box, 1);
for (const box of texts) add(box, ON_TEXT);
return (box, width, height) => {
let best = null;
let least = Infinity;
for (const [left, top] of placesBeside(box, width, height)) {
const label = { left, top, right: left + width, bottom: top + height };
const cost = costOf(label, box);
if (cost < least) [best, least] = [label, cost];
if (cost === 0) break;
}
add(best, ON_LABEL);
return best;
};
}
const areaOfBox = ({ left, top, right, bottom }) => (right - left) * (bottom - top);
const overlap = (one, other) =>
Math.max(0, Math.min(one.right, other.right) - Math.max(one.left, other.left)) *
Math.max(0, Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top));
const leavesPage = (label, page) =>
label.left < page.left || label.top < page.top || label.right > page.right || label.bottom > page.bottom;
function* placesBeside(box, width, height) {
for (let level = 1; level <= LEVELS; level++) {
const over = box.top - level * height;
const under = box.bottom + (level - 1) * height;
for (const y of [over, under]) {
yield [box.left, y];
yield [box.right - width, y];
}
if (level > 1) continue;
const middle = (box.top + box.bottom - height) / 2;
yield [box.right, middle];
yield [box.left - width, middle];
}
yield [box.left, box.top];
}
function* cellsOf({ left, top, right, bottom }) {
for (let x = Math.floor(left / CELL); x * CELL < right; x++) {
for (let y = Math.floor(top / CELL); y * CELL < bottom; y++) yield x * 100_003 + y;
}
}
const COLOR = "#d6006c";
const HEIGHT = 13;
const SIGN = 6.7;
const MOST_TEXTS = 3000;
const TEXTS = 4;
let drawing = null;
function annotate(labels) {
unannotate();
drawing = document.createElement("div");
drawing.setAttribute("popover", "manual");
drawing.setAttribute("aria-hidden", "true");
drawing.style.cssText =
"position:absolute;inset:0 auto auto 0;margin:0;padding:0;border:0;overflow:visible;" +
"width:0;height:0;background:none;pointer-events:none";
const root = drawing.attachShadow({ mode: "closed" });
const boxes = [];
for (const [id, label] of Object.entries(labels)) {
const box = seenBox(drawnWithId(Number(id)));
if (box) boxes.push({ ...box, label });
}
const texts = boxesOfTexts();
for (const box of boxes) root.append(frameAround(box));
for (const whole of [false, true]) {
const some = boxes.filter((box) => isOnScreen(box) !== whole);
const place = labelPlaces(boxes, texts, whole ? wholePage() : screen());
for (const box of some) root.append(...tagBeside(box, place));
}
rootOf(document).append(drawing);
drawing.showPopover();
}
function seenBox(element) {
const first = element && boxesOf(element)[0];
if (!first) return null;
const seen = seenOf(element, first);
return hasArea({ width: seen.right - seen.left, height: seen.bottom - seen.top }) ? onPage(seen) : null;
}
const onPage = ({ left, top, right, bottom }) => ({
left: left + scrollX, top: top + scrollY, right: right + scrollX, bottom: bottom + scrollY,
});
function boxesOfTexts() {
const found = [];
const range = createRange(document);
const walker = createTreeWalker(document, rootOf(document), TEXTS);
for (let node = walker.nextNode(); node && found.length < MOST_TEXTS; node = walker.nextNode()) {
if (!data(node).trim()) continue;
range.selectNodeContents(node);
for (const box of range.getClientRects()) if (hasArea(box)) found.push(onPage(box));
}
return found;
}
const screen = () => ({ left: scrollX, top: scrollY, right: scrollX + innerWidth, bottom: scrollY + innerHeight });
function wholePage() {
const { scrollWidth = innerWidth, scrollHeight = innerHeight } = scrollingElementOf(document) ?? {};
return { left: 0, top: 0, right: Math.max(scrollWidth, innerWidth), bottom: Math.max(scrollHeight, innerHeight) };
}
function isOnScreen(box) {
const { left, top, right, bottom } = screen();
return box.right > left && box.left < right && box.bottom > top && box.top < bottom;
}
function frameAround({ left, top, right, bottom }) {
const frame = document.createElement("div");
frame.style.cssText =
`position:absolute;left:${left}px;top:${top}px;width:${right - left}px;height:${bottom - top}px;` +
`outline:2px solid ${COLOR};outline-offset:-1px`;
return frame;
}
function tagBeside(box, place) {
const width = Math.ceil(box.label.length * SIGN) + 4;
const { left: x, top: y } = place(box, width, HEIGHT);
const text = document.createElement("span");
text.textContent = box.label;
text.style.cssText =
`position:absolute;left:${x}px;top:${y}px;width:${width}px;height:${HEIGHT}px;text-align:center;` +
`font:bold 11px/${HEIGHT}px sans-serif;background:${COLOR};color:#fff;white-space:nowrap`;
const gap = Math.max(box.top - y - HEIGHT, y - box.bottom);
if (gap <= 0) return [text];
const line = document.createElement("div");
line.style.cssText =
`position:absolute;left:${Math.max(x, box.left) + 1}px;top:${y < box.top ? y + HEIGHT : box.bottom}px;` +
`width:1px;height:${gap}px;background:${COLOR}`;
return [line, text];
}
function unannotate() {
drawing?.remove();
drawing = null;
}
function shownPart(id) {
const element = drawnWithId(id);
if (!element) return null;
let { whole, seen } = partOf(element);
if (!inViewport(seen) || areaOf(seen) < areaOf(whole)) {
bringIntoView(element, NEAREST);
({ whole, seen } = partOf(element));
}
if (isUnderBar(element, seen)) {
bringIntoView(element, MIDDLE);
({ whole, seen } = partOf(element));
}
const box = frameBox(id);
const padding = (side) => parseFloat(getComputedStyle(element)[`padding${side}`]) || 0;
return {
whole: listed(whole),
seen: listed(seen),
content: [
box.contentX,
box.contentY,
(element.clientWidth - padding("Left") - padding("Right")) * box.scaleX,
(element.clientHeight - padding("Top") - padding("Bottom")) * box.scaleY,
],
scales: [box.scaleX, box.scaleY],
page: {
left: scrollX,
top: scrollY,
width: innerWidth,
height: innerHeight,
density: devicePixelRatio,
},
};
}
const NEAREST = { block: "nearest", inline: "nearest", behavior: "instant" };
const MIDDLE = { block: "center", inline: "nearest", behavior: "instant" };
function isUnderBar(element, seen) {
if (seen.bottom - seen.top > innerHeight) return false;
const x = (seen.left + seen.right) / 2;
return [seen.top + 1, seen.bottom - 1].some((y) => {
const hit = hitAt(x, y, element);
return hit !== null && !isInside(hit, element) && STAYING.test(getComputedStyle(coverOf(hit, element)).position);
});
}
const STAYING = /^(fixed|sticky)$/;
function partOf(element) {
const whole = unionOf(boxesOf(element));
return { whole, seen: seenOf(element, whole) };
}
const areaOf = ({ left, top, right, bottom }) =>
Math.max(0, right - left) * Math.max(0, bottom - top);
const listed = ({ left, top, right, bottom }) => [
left, top, Math.max(0, right - left), Math.max(0, bottom - top),
];
const WORKING = '[aria-busy="true"], [role="progressbar"]:not([aria-valuenow]), progress:not([value]), ' +
'img[alt^="loading" i], img[alt^="running" i]';
const WORKS = /spin|load|progress|skeleton|shimmer|pulse|busy/i;
const LOADING = /^\s*(loading|please wait|connecting|starting|saving)\b/i;
const LONGEST = 100;
function isWorking(root) {
if ([...all(root, WORKING)].some(isShown)) return true;
const animations = root === document ? animationsIn(document) : animationsOf(root, { subtree: true });
return animations.some(({ playState, effect, animationName = "" }) =>
playState === "running" && effect?.target && effect.getComputedTiming().endTime === Infinity &&
WORKS.test(`${animationName} ${attribute(effect.target, "class") ?? ""}`) && isShown(effect.target));
}
const saysLoading = (text) => text.length < LONGEST && LOADING.test(text);
const ends = ({ playState, effect }) =>
playState === "running" && effect !== null && effect.getComputedTiming().endTime !== Infinity;
const MAX_COUNTED = 3000;
const MAX_LINE = 80;
const DRAWS = new Set("input textarea select img canvas video audio iframe object embed".split(" "));
const noLines = () => ({
came: 0, text: "", isCut: false, visited: 0, most: MAX_COUNTED, seen: new Set(), lost: new Set(),
});
function countCome(lines, node) {
if (isText(node)) {
const holder = textHolder(parentNode(node));
if (holder) countText(lines, holder, data(node));
return;
}
if (isElement(node)) forEach(lines, node, (element) => {
const shown = showing(element);
if (shown === SHOWN && isLine(element)) cameIntoView(lines, element);
return shown !== GONE;
});
}
function countGone(lines, node, from) {
if (isText(node)) {
const holder = textHolder(from);
if (holder && squash(data(node)) && isConnected(holder) && isShownNow(holder)) lines.lost.add(holder);
return;
}
if (isElement(node)) forEach(lines, node, (element) => {
if (knowsShown() && !wasShown(element)) return true;
if (isLine(element)) lines.lost.add(element);
nowShown(element, false);
return !wasRead(element);
});
}
function countText(lines, element, text) {
if (!squash(text) || !isShownNow(element)) return;
cameIntoView(lines, element, text);
}
function countToggled(lines, root) {
if (isInRead(root)) return;
forEach(lines, root, (element) => {
const shown = showing(element);
const before = wasShown(element);
if (shown === SHOWN && !before) {
if (isLine(element)) cameIntoView(lines, element);
nowShown(element, true);
} else if (shown !== SHOWN && before) {
if (isLine(element)) lines.lost.add(element);
nowShown(element, false);
}
return (shown !== GONE || before) && !wasRead(element);
});
}
function cameIntoView(lines, element, text = null) {
if (lines.seen.has(element)) return;
lines.seen.add(element);
nowShown(element, true);
lines.came += 1;
if (!lines.text) lines.text = cutTo(squash(text ?? ownText(element)), MAX_LINE);
}
function forEach(lines, root, judge) {
const left = [root];
while (left.length) {
if (++lines.visited > lines.most) {
lines.isCut = true;
return;
}
const element = left.pop();
const tag = localName(element);
if (isHiddenFromAll(element, tag) || !judge(element)) continue;
left.push(...flatChildren(element, tag).filter(isElement).reverse());
}
}
const textHolder = (parent) => (parent && isElement(parent) ? parent : parent?.host ?? null);
const isShownNow = (element) => showing(element) === SHOWN;
function isInRead(element) {
for (let at = flatParent(element); at && isElement(at); at = flatParent(at)) if (wasRead(at)) return true;
return false;
}
const isLine = (element) => DRAWS.has(localName(element)) || ownText(element) !== "";
function ownText(element) {
let text = "";
for (let child = firstChild(element); child; child = nextSibling(child)) if (isText(child)) text += data(child);
return squash(text);
}
const numberIn = (text) => (text === null || text === "" ? null : Number(text));
const isSlider = (element) =>
localName(element) === "input" ? element.type === "range" : roleOf(element, localName(element)) === "slider" && kindOf(element) === "";
function sliderState(element) {
const native = localName(element) === "input";
const aria = (key) => attribute(element, `aria-${key}`);
const now = native ? element.value : aria("valuenow");
return {
now: numberIn(now),
shown: squash(aria("valuetext") ?? now ?? ""),
min: numberIn(native ? element.min || "0" : aria("valuemin")),
max: numberIn(native ? element.max || "100" : aria("valuemax")),
vertical: aria("orientation") === "vertical",
native,
};
}
const shownValue = (element) => sliderState(element).shown;
async function slider(id, before, milliseconds) {
const until = performance.now() + milliseconds;
for (;;) {
const element = identified(id);
if (!element) return null;
const found = sliderState(element);
if (before === null || found.now !== before.now || found.shown !== before.shown) return found;
if (performance.now() >= until) return found;
await new Promise((later) => setTimeout(later, 10));
}
}
function slideNear(id, value) {
const element = identified(id);
if (!element) return null;
const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set;
const before = element.value;
set.call(element, String(value));
const goal = element.value;
if (goal === before) return { goal: Number(goal), isThere: true };
set.call(element, before);
const rises = Number(goal) > Number(before);
if (element.step === "any") return { goal: Number(goal), rises };
set.call(element, goal);
rises ? element.stepDown() : element.stepUp();
if (element.value !== before) element.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
return { goal: Number(goal), rises };
}
const OBSERVED_MS = 5000;
const MAX_CHANGES = 2000;
const MAX_BESIDE = 30;
const MAX_GLANCES = 300;
const MAX_GLANCED = 30;
const MAX_FACTS = 4;
const MAX_SAID = 80;
const STATES = {
"aria-checked": ["checked", "not checked"], "aria-pressed": ["pressed", "not pressed"],
"aria-expanded": ["expanded", "collapsed"], "aria-selected": ["selected", "not selected"],
"aria-disabled": ["disabled", "enabled"], "aria-busy": ["busy", "not busy"],
"aria-invalid": ["invalid", "valid"],
disabled: ["disabled", "enabled"],
};
const NAMED_BY = ["title", "alt", "placeholder", "aria-label", "aria-description", "aria-valuenow", "aria-valuetext"];
const SHOWN_BY = ["class", "style", "hidden", "open", "aria-hidden", "popover", "data-state"];
const OBSERVED = {
subtree: true, childList: true, characterData: true, attributes: true, attributeOldValue: true,
attributeFilter: [...Object.keys(STATES), ...SHOWN_BY, ...NAMED_BY],
};
const LIVE = '[aria-live="polite"], [aria-live="assertive"], [role="alert"], [role="status"], [role="log"], output';
let effect = null;
const observer = new MutationObserver(keepChanges);
const requests = new PerformanceObserver((list) => keepRequests(list.getEntries()));
function keepRequests(entries) {
for (const { name, responseStatus } of entries) {
if (responseStatus < 400 || name.endsWith("/favicon.ico")) continue;
if (effect?.failed.length < MAX_FACTS) effect.failed.push([name, responseStatus]);
}
}
function keepChanges(records) {
if (!effect || effect.isFull) return;
if (performance.now() > effect.began + OBSERVED_MS) {
observer.disconnect();
requests.disconnect();
return;
}
effect.records.push(...records);
noteChanges(records);
for (const record of records) glanceAt(record);
if (effect.records.length > MAX_CHANGES) {
effect.isFull = true;
observer.disconnect();
}
}
function effectBegins(element = null, scrolls = false) {
if (!effect || effect.isTold) {
const late = seen();
observer.disconnect();
effect = {
began: performance.now(), records: [], failed: [], isFull: false, isTold: false,
controls: new Map(), near: new Set(), late, count: 0, last: 0,
glances: 0, said: new Map(), passing: new Map(), toggled: new Map(), scrolled: new Set(), positions: new Map(), invalid: null,
};
addEventListener("beforetoggle", noteToggle, true);
addEventListener("toggle", noteToggle, true);
addEventListener("scroll", noteScroll, SCROLLED);
addEventListener("invalid", noteInvalid, true);
requests.observe({ type: "resource" });
observer.observe(document, OBSERVED);
for (const root of shadowRootsShown()) observer.observe(root, OBSERVED);
}
if (!element) {
const focused = focusedNow();
const state = focused && stateOf(focused);
if (state) effect.controls.set(focused, state);
return;
}
for (let root = getRootNode(element); root && root !== document; root = root.host && getRootNode(root.host)) {
if (!(root instanceof ShadowRoot)) break;
observer.observe(root, OBSERVED);
}
const control = controlUnder(element);
if (control) effect.controls.set(control, stateOf(control));
effect.near.add(element);
for (let at = scrolls ? element : null; at && isElement(at); at = flatParent(at)) effect.positions.set(at, positionIn(at));
const parent = flatParent(element);
if (parent && isElement(parent)) effect.near.add(parent);
}
const SHOWS = new Set(["hidden", "open", "popover", ...NAMED_BY]);
const changes = new WeakMap();
function noteChanges(records) {
const now = performance.now();
if (records.length) {
effect.last = now;
changed?.();
}
for (const { type, target, addedNodes } of records) {
if (type === "attributes") changes.set(target, now);
else for (const node of addedNodes) changes.set(node, now);
}
effect.count += records.filter(({ type, attributeName }) => type !== "attributes" || SHOWS.has(attributeName)).length;
}
function noteToggle({ type, isTrusted, target, newState }) {
if (!isTrusted || !effect || !isElement(target) || attribute(target, "popover") === null) return;
effect.toggled.set(target, newState);
if (type === "beforetoggle") return;
effect.count += 1;
effect.last = performance.now();
changed?.();
if (newState === "open") glance(target);
}
const isPopoverIn = (state, element) => matches(element, ":popover-open") === (state === "open");
const SCROLLED = { capture: true, passive: true };
const SCROLLED_FIELDS = new Set(["input", "textarea", "select"]);
function noteScroll({ isTrusted, target }) {
const scroller = target === document ? scrollingElementOf(document) : target;
if (!isTrusted || !effect || !scroller || !isElement(scroller) || SCROLLED_FIELDS.has(localName(scroller))) return;
if (performance.now() > effect.began + OBSERVED_MS || isOwnScroll(scroller)) return;
effect.last = performance.now();
effect.scrolled.add(scroller);
}
function positionIn({ scrollLeft: left, scrollTop: top }) {
const across = Math.round(left) && `${Math.abs(Math.round(left))} px ${left < 0 ? "left" : "right"}`;
const down = Math.round(top) && `${Math.abs(Math.round(top))} px ${top < 0 ? "up" : "down"}`;
return `scrolled to ${[across, down].filter(Boolean).join(", ") || "its start"}`;
}
function noteInvalid({ isTrusted, target }) {
if (isTrusted && effect && isElement(target) && !effect.near.has(target)) effect.invalid ??= target;
}
function glanceAt({ type, target, addedNodes, attributeName }) {
if (type === "childList") {
for (const node of addedNodes) glance(node);
} else if (type === "characterData") {
glance(target);
} else if (SHOWN_BY.includes(attributeName) && knowsShown() && !wasShown(target)) {
glance(target);
}
}
function glance(node) {
if (!isConnected(node) || ++effect.glances > MAX_GLANCES) return;
const text = firstLine(node);
if (!text) return;
announce(effect.said, node);
if (!saysLoading(text)) effect.passing.set(node, text);
}
function firstLine(node) {
if (isText(node)) return isStanding(node) ? cutTo(squash(data(node)), MAX_SAID) : "";
let text = "";
if (isElement(node)) forEach({ visited: 0, most: MAX_GLANCED }, node, (element) => {
const shown = text ? GONE : showing(element);
if (shown === SHOWN) text = cutTo(ownText(element), MAX_SAID);
return shown !== GONE;
});
return text;
}
function isStanding(node) {
const element = isText(node) ? textHolder(parentNode(node)) : node;
return isConnected(node) && element !== null && isShownNow(element);
}
function passed({ passing }) {
const standing = new Set();
const gone = new Set();
for (const [node, text] of passing) (isStanding(node) ? standing : gone).add(text);
return [...gone].filter((text) => !standing.has(text)).slice(0, MAX_FACTS);
}
let changed = null;
function nextChange(milliseconds) {
return new Promise((resolve) => {
changed = resolve;
setTimeout(resolve, milliseconds);
});
}
function lastChangeAgo() {
const { last } = changesSinceInput();
return last ? performance.now() - last : null;
}
function changesSinceInput() {
if (!effect) return { count: 0, last: 0, isObserved: false, ageMs: Infinity };
keepChanges(observer.takeRecords());
const { count, last, began, controls } = effect;
const toggled = [...controls].filter(([control, before]) => stateOf(control) !== before).length;
const ageMs = performance.now() - began;
return { count: count + toggled, last, isObserved: ageMs < OBSERVED_MS, ageMs };
}
function changedAt(element) {
if (effect) keepChanges(observer.takeRecords());
return changes.get(element) ?? 0;
}
function controlUnder(element) {
if (matches(element, "input, select")) return element;
const label = closest(element, "label");
return label?.control ?? null;
}
function stateOf(control) {
if (localName(control) === "select") return [...control.selectedOptions].map(shownAs).join(", ");
if (/^(checkbox|radio)$/.test(control.type)) {
return control.indeterminate ? "mixed" : control.checked ? "checked" : "not checked";
}
return MOVED.has(roleOf(control, localName(control))) && !takesSecret(control) ? shownValue(control) : null;
}
const MOVED = new Set(["slider", "spinbutton"]);
function effectSeen() {
if (!effect) return null;
const { late } = effect;
effect.late = null;
return { ...seen(), late };
}
function seen() {
if (!effect) return null;
keepChanges(observer.takeRecords());
const ms = Math.round(performance.now() - effect.began);
keepRequests(requests.takeRecords());
const { records, failed, controls, near, isFull, said, toggled, scrolled, invalid } = effect;
const gone = passed(effect);
Object.assign(effect, { records: [], failed: [], said: new Map(), passing: new Map(), toggled: new Map(), scrolled: new Set(), invalid: null });
effect.isTold = true;
const lines = noLines();
const states = new Map();
const changed = new Map();
const was = new Map();
const texts = new Set();
for (const { type, target, addedNodes, removedNodes, attributeName, oldValue } of records) {
if (type === "attributes") {
const before = changed.get(target) ?? {};
if (!(attributeName in before)) before[attributeName] = oldValue;
changed.set(target, before);
} else if (type === "characterData") {
texts.add(target);
} else {
for (const node of removedNodes) if (!was.has(node)) was.set(node, target);
for (const node of addedNodes) if (!was.has(node)) was.set(node, null);
}
}
for (const [node, from] of was) {
const stands = isConnected(node);
if (from !== null && !stands) countGone(lines, node, from);
else if (from === null && stands) countCome(lines, node);
announce(said, stands ? node : null);
}
for (const text of texts) {
const holder = textHolder(parentNode(text));
if (!holder || was.has(text) || !isConnected(text)) continue;
if (isShownNow(holder)) lines.lost.add(holder);
countText(lines, holder, data(text));
announce(said, text);
}
const seemsChanged = new Set();
let looks = 0;
let names = 0;
for (const [element, before] of changed) {
if (!isConnected(element) || was.has(element)) continue;
let isLook = false;
let isName = false;
for (const [name, old] of Object.entries(before)) {
const now = attribute(element, name);
if (now === old) continue;
if (STATES[name]) states.set(element, stateWord(name, now));
else if (NAMED_BY.includes(name)) isName = true;
else isLook = true;
}
if (isName) names += 1;
if (!isLook) continue;
if ("open" in before && localName(element) === "details") countOwnText(lines, element);
looks += 1;
seemsChanged.add(element);
}
for (const [element, state] of toggled) {
if (!isPopoverIn(state, element)) continue;
if (knowsShown()) seemsChanged.add(element);
else states.set(element, `now ${state}`);
}
if (knowsShown()) {
for (const element of seemsChanged) if (isConnected(element)) countToggled(lines, element);
const beside = { ...lines, visited: 0, most: MAX_BESIDE };
for (const element of near) if (isConnected(element)) countToggled(beside, element);
Object.assign(lines, { came: beside.came, text: beside.text });
}
if (invalid && isConnected(invalid) && invalid.validationMessage) {
states.set(invalid, `is invalid: ${JSON.stringify(cutTo(squash(invalid.validationMessage), 100))}`);
}
for (const [control, before] of controls) {
const now = stateOf(control);
if (now === before || now === null) continue;
const isCheck = /^(checkbox|radio)$/.test(control.type);
states.set(control, isCheck ? `now ${now}` : `shows ${JSON.stringify(cutTo(now, 60))}`);
controls.set(control, now);
}
for (const [scroller, before] of effect.positions) {
if (positionIn(scroller) !== before) scrolled.add(scroller);
}
effect.positions.clear();
for (const scroller of scrolled) {
if (!isConnected(scroller) || isOwnScroll(scroller)) continue;
states.set(scroller, positionIn(scroller));
noteOwnScroll(scroller);
}
return {
ms, came: lines.came, went: lines.lost.size, text: lines.text,
said: [...said.values()].slice(0, MAX_FACTS), passed: gone,
states: [...states].slice(0, MAX_FACTS).map(([element, state]) => ({
role: element === scrollingElementOf(document) ? "page" : roleOf(element, localName(element)),
name: shortName(element), state,
})),
looks, names, failed: failed.map(([url, status]) => ({ url: cutTo(url, 2000), status })), isMore: isFull || lines.isCut,
};
}
function countOwnText(lines, details) {
if (details.open) countText(lines, details, ownText(details));
else if (ownText(details) && isShownNow(details)) lines.lost.add(details);
}
function stateWord(name, now) {
const [on, off] = STATES[name];
if (now === "mixed") return "now mixed";
const isOn = name === "disabled" ? now !== null : now !== null && now !== "false";
return `now ${isOn ? on : off}`;
}
function announce(said, node) {
const element = node && (isElement(node) ? node : parentNode(node));
if (!element || !isElement(element)) return;
const region = closest(element, LIVE) ?? element.querySelector(LIVE);
if (!region || !checkVisibility(region)) return;
const text = squash(textContent(region), 10_000);
if (text) said.set(region, cutTo(text, MAX_SAID));
}
const TO_SEE = "input:not([type=hidden]), button, select, textarea, a[href], canvas, video, iframe, object, embed, img";
const namedFor = (words, names) => words.flatMap((word) => names.map((name) => `[${name}*=${word} i]`)).join();
const SKELETONS = namedFor(["skeleton", "shimmer"], ["class", "data-testid"]);
const LOADERS = namedFor(["loading", "loader", "splash"], ["class", "id"]);
const FEW_SKELETONS = 3;
const LITTLE = 1;
const LITTLE_TEXT = 60;
const DRAWN_COUNT = 2500;
const MOST_SAID = 200;
const MOST_SEEN = 5;
const UNASKED_MS = 2000;
let lastChange = 0;
let askedAt = 0;
let isWatching = false;
const activityObserver = new MutationObserver(() => {
lastChange = performance.now();
if (lastChange < askedAt + UNASKED_MS) return;
activityObserver.disconnect();
isWatching = false;
});
function activity(quietMs = 0) {
const now = performance.now();
askedAt = now;
const input = changesSinceInput();
if (!isWatching) {
activityObserver.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
isWatching = true;
lastChange = input.isObserved ? input.last : now;
}
if (activityObserver.takeRecords().length) lastChange = now;
const restedMs = Math.round(now - Math.max(lastChange, input.last));
const changed = input.count > 0;
if (restedMs < quietMs) return { restedMs, changed };
const shown = howMuch();
return {
restedMs, changed, scripts: scriptsIn(),
busy: shown.isLoading || document.readyState === "loading" || isWorking(document) || animationsIn(document).some(ends) || awaitsInterest(input.ageMs), text: shown.text, controls: shown.controls, isBare: shown.isBare ?? false,
};
}
async function activityAfter(quietMs, waitMs) {
if (changesSinceInput().last <= askedAt) await nextChange(waitMs);
return activity(quietMs);
}
const INTEREST_MS = 1000;
const AWAITS_INTEREST = CSS.supports("selector(:interest-source)") ? "[interestfor]:hover:not(:interest-source)" : "";
const awaitsInterest = (ageMs) =>
AWAITS_INTEREST !== "" && ageMs < INTEREST_MS && all(document, AWAITS_INTEREST).length > 0;
function scriptsIn() {
if (!all(document, "script").length) return 0;
return all(document, "script[src], link[rel=modulepreload]").length ? 2 : 1;
}
function howMuch() {
const body = bodyOf(document);
if (!body || allElements(document, "*").length > DRAWN_COUNT) {
return { text: body ? MOST_SAID : 0, controls: body ? MOST_SEEN : 0, isLoading: false };
}
let bodyText = body.innerText ?? "";
const isLong = bodyText.trim().length > MOST_SAID;
if (isPlaceholder(body) || !isLong && bodyText.split("\n").some(saysLoading)) {
return { text: LITTLE, controls: 0, isLoading: true };
}
if (isLong) return { text: MOST_SAID, controls: MOST_SEEN, isLoading: false };
let controls = 0;
let pictures = 0;
for (const root of openRoots()) {
if (root !== document) for (const child of root.children) bodyText += child.innerText ?? "";
for (const one of all(root, TO_SEE)) {
if (controls >= MOST_SEEN || !isShown(one)) continue;
controls += 1;
if (localName(one) === "img") pictures += 1;
}
}
const text = Math.min(bodyText.trim().length, MOST_SAID);
const isLittle = text < LITTLE_TEXT;
const isLoading = isLittle && [...all(body, LOADERS)].some(isShown);
return { text, controls, isLoading, isBare: isLittle && controls === pictures };
}
function isPlaceholder(body) {
const [main] = all(body, "main, [role=main]");
if (main && !main.innerText.trim() && ![...all(main, `${TO_SEE}, svg`)].some(isShown)) return true;
return [...all(body, SKELETONS)].filter(isShown).length >= FEW_SKELETONS;
}
const zones = () => Intl.supportedValuesOf("timeZone");
const judged = (zone, locale) => ({
zone: zone && known(() => zone[0] !== "+" && zone[0] !== "-" && zoneOf({ timeZone: zone })),
locale: locale && known(() => Intl.DateTimeFormat.supportedLocalesOf(locale)[0]),
});
const zoneOf = (options) => new Intl.DateTimeFormat("en", options).resolvedOptions().timeZone;
function known(ask) {
try {
return ask() || null;
} catch {
return null;
}
}
const storageGet = method(Storage.prototype, "getItem");
const storageSet = method(Storage.prototype, "setItem");
const storageRemove = method(Storage.prototype, "removeItem");
const storageClear = method(Storage.prototype, "clear");
const storageKey = method(Storage.prototype, "key");
const storageLength = getter(Storage.prototype, "length");
function entriesOf(area) {
const found = [];
for (let at = 0; at < storageLength(area); at++) {
const key = storageKey(area, at);
found.push([key, storageGet(area, key)]);
}
return found.sort(([a], [b]) => (a < b ? -1 : 1));
}
function stored(kind, mode, key, value) {
try {
const area = kind === "local" ? localStorage : sessionStorage;
const origin = location.origin;
if (mode === "set") {
storageSet(area, key, value);
return { origin };
}
if (mode === "delete") {
const was = storageGet(area, key) !== null;
storageRemove(area, key);
return { origin, deleted: was ? 1 : 0 };
}
if (mode === "clear") {
const deleted = storageLength(area);
storageClear(area);
return { origin, deleted };
}
const entries = key === null ? entriesOf(area) : [[key, storageGet(area, key)]];
const there = entries.filter(([, text]) => text !== null);
return { origin, items: there.map(([name, text]) => ({ name, value: text })) };
} catch (error) {
return { error: error.name };
}
}
const MOST_TIMERS = 200000;
function clearTimers() {
const nothing = () => {};
for (let id = Math.min(setTimeout(nothing, 0), MOST_TIMERS); id > 0; id--) clearTimeout(id);
const last = requestAnimationFrame(nothing);
for (let id = Math.min(last, MOST_TIMERS); id > 0; id--) cancelAnimationFrame(id);
}
const NAME = "tabwarden-secret";
const STYLE = `::highlight(${NAME}) { background: #000; color: #000; -webkit-text-fill-color: #000;
  -webkit-text-stroke: 0; text-shadow: none; text-decoration: none }`;
const NODES = 5;
const UNDRAWN = new Set(["script", "style", "noscript", "title"]);
const DRAWS_VALUE = new Set(["input", "textarea", "select", "img"]);
const LONGEST_DRAWN = 4_000_000;
let texts = [];
let fields = [];
let sheet = null;
let covered = new Map();
function drawnTexts() {
texts = [];
fields = [];
const root = rootOf(document);
if (root) collect(root);
const text = texts.map(data).join("").slice(0, LONGEST_DRAWN).toWellFormed();
return { text, fields: fields.map(textDrawnBy), suspects: suspectAll() };
}
function collect(root) {
const walker = createTreeWalker(document, root, NODES);
for (let node = walker.nextNode(); node; node = walker.nextNode()) {
if (isText(node)) {
const around = parentNode(node);
if (!around || !UNDRAWN.has(localName(around) ?? "")) texts.push(node);
continue;
}
if (DRAWS_VALUE.has(localName(node))) fields.push(node);
const inner = shadowRoot(node);
if (inner) collect(inner);
}
}
function textDrawnBy(field) {
const chosen = field.selectedOptions?.[0]?.label ?? "";
const value = localName(field) === "select" ? chosen : String(field.value ?? "");
const rest = ["placeholder", "alt"].map((name) => attribute(field, name) ?? "");
return [value, ...rest].join("\n").slice(0, LONGEST_DRAWN).toWellFormed();
}
function coverTexts(parts, numbers) {
const before = covered;
covered = new Map();
let isNew = false;
let at = 0;
for (const node of texts) {
const from = at;
at += data(node).length;
const places = parts
.filter(([start, end]) => end > from && start < at)
.map(([start, end]) => [Math.max(start - from, 0), Math.min(end, at) - from]);
if (!places.length) continue;
const ranges = before.get(node) ?? [];
const isKept = ranges.length === places.length && ranges.every((range, k) => isAt(range, places[k]));
isNew ||= !isKept;
covered.set(node, isKept ? ranges : places.map((place) => rangeIn(node, place)));
}
if (isNew || covered.size !== before.size || !CSS.highlights.has(NAME)) {
CSS.highlights.set(NAME, new Highlight(...[...covered.values()].flat()));
}
style();
for (const number of numbers) isNew = hide(fields[number]) || isNew;
return isNew;
}
function isAt(range, [start, end]) {
return range.startOffset === start && range.endOffset === end;
}
function rangeIn(node, [start, end]) {
const range = createRange(document);
range.setStart(node, start);
range.setEnd(node, end);
return range;
}
function style() {
if (!sheet) {
sheet = new CSSStyleSheet();
sheet.replaceSync(STYLE);
}
const roots = [document, ...texts.map((node) => node.getRootNode())];
for (const root of new Set(roots)) {
if (root.adoptedStyleSheets && !root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets.push(sheet);
}
}
const TEXT_FIELD = new Set(["text", "search", "url", "tel", "email", "password", "number", "textarea"]);
function hide(field) {
const takesText = TEXT_FIELD.has(field.type) && String(field.value ?? "") !== "";
const before = field.style.cssText;
if (takesText) holdSecret(field);
else field.style.setProperty("opacity", "0", "important");
return field.style.cssText !== before;
}
const origin = () => self.origin;
function insertSecret(id, text, replaces) {
const named = identified(id);
const into = focusedNow();
if (!named || !into) return false;
if (replaces && text === "") return document.execCommand("delete");
const room = into.maxLength >= 0 ? into.maxLength - (replaces ? 0 : into.value.length) : Infinity;
const parts = text.length > room ? [...text] : [text];
return parts.every(insert);
}
function insert(part) {
const into = focusedNow();
if (!into || kindOf(into) !== "typed") return false;
holdSecret(into);
return document.execCommand("insertText", false, part);
}
const MAX_NEAR = 200;
function tally(texts) {
const counts = new Map();
for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
return counts;
}
function near(outline, role, name) {
const found = [];
outline.ids.forEach((id, at) => {
if (id && outline.roles[at] === role) found.push({ id, name: outline.names[at], at });
});
found.sort((a, b) => (b.name === name) - (a.name === name) || a.at - b.at);
const nearest = found.slice(0, MAX_NEAR).map(({ id, name: called, at }) => ({
id, name: called, beside: outline.states[at]?.near ?? wordsBeside(outline, at), at,
}));
const counts = tally(nearest.map(sayingOf));
for (const one of nearest) {
if (counts.get(sayingOf(one)) > 1) one.beside = wordsAround(outline, one.at) || one.beside;
}
return { near: nearest.map(({ at: _, ...one }) => one) };
}
const sayingOf = (one) => `${one.name}\n${one.beside}`;
const nearest = (role, name) => near(outlineOf(), role, name);
function wordsBeside({ depths, names }, at) {
const parent = holderOf(depths, at);
const words = [];
if (parent >= 0 && names[parent]) words.push(names[parent]);
for (let i = parent + 1; i < depths.length && depths[i] >= depths[at] && words.length < 3; i++) {
if (i !== at && depths[i] === depths[at] && names[i]) words.push(names[i]);
}
return cutTo(words.join(", "), 80);
}
function wordsAround({ depths, roles, names }, at) {
const isTwin = (one) => one !== at && roles[one] === roles[at] && names[one] === names[at];
let words = [];
for (let top = at; top >= 0; ) {
top = holderOf(depths, top);
const found = top >= 0 && names[top] ? [names[top]] : [];
for (let i = top + 1; i < depths.length && (top < 0 || depths[i] > depths[top]); i++) {
if (isTwin(i)) return cutTo(words.join(", "), 80);
if (i !== at && names[i] && found.length < 3) found.push(names[i]);
}
words = found;
}
return cutTo(words.join(", "), 80);
}
function holderOf(depths, at) {
let holder = at;
while (holder >= 0 && depths[holder] >= depths[at]) holder -= 1;
return holder;
}
const KEY =
/^(id|name|for|href|src|action|formaction|on\w+|data-(.*-)?(id|key|uid|uuid|guid|pk|sku|slug|test|testid|qa|cy))$/;
const OWN_KEY = /^data-(.*-)?(id|key|uid|uuid|guid|pk|sku|slug)$/;
const MADE_UP = /:r\w*:|«r\w*»|_r_\w*_/;
const LABELS = ["role", "type", "aria-label", "title", "alt", "placeholder"];
const KINDS = ["role", "type", "class"];
const MAX_COUNTS = 20;
const MAX_FORMER = 200;
const heirs = new Map();
const former = new WeakMap();
const formerOf = (element) => former.get(element) ?? [];
function heal(id, role, name) {
const was = elementOf.get(id)?.deref();
if (was && identified(id)) return { id };
const outline = outlineOf();
const { roles, names, ids } = outline;
const alike = ids.filter((its, at) => its && !controlWith(its) && roles[at] === role && names[at] === name);
const { heir, trees } = (was && !controlWith(id) && heirOf(was, alike.map(identified).filter(Boolean))) || {};
if (heir) {
const next = identify(heir);
if ((heirs.get(next) ?? id) === id) {
heirs.set(next, id);
if (heir !== was) former.set(heir, [...formerOf(was), ...trees].slice(-MAX_FORMER));
return { id: next };
}
}
return { alike: alike.length, around: was ? cutTo(deepText(topOf(was)), 500) : "", ...near(outline, role, name) };
}
function heirOf(was, alike) {
const seen = comings();
if (!seen) return null;
const { came, lastId } = seen;
const root = topOf(was);
const left = seen.went.get(root);
if (!left || !stands(left.target)) return null;
const earlier = new Set(formerOf(was).map((one) => one.deref()));
const removed = [...seen.went.keys()].filter((one) => one !== root && !earlier.has(one));
const wasShown = (one) => seen.went.get(one).came === null;
const lost = elementsIn([root, ...removed.filter(wasShown)]);
const passing = elementsIn(removed.filter((one) => !wasShown(one)));
const fresh = elementsIn(came.keys());
const label = labelOf(was);
const twinsIn = (all) => [...all].filter((one) => localName(one) === localName(was) && labelOf(one) === label);
const twins = twinsIn(lost);
const between = twinsIn(passing);
const heirsToBe = alike.filter((one) => fresh.has(one) && idOf.get(one) > lastId);
const itemOf = items([...twins, ...between, ...heirsToBe], came);
const own = itemOf(was);
if (own === was && twins.some((one) => one !== was && topOf(one) === root)) return null;
const signature = signatureOf(own);
if (twins.some((one) => one !== was && signatureOf(itemOf(one)) === signature)) return null;
const [heir, other] = heirsToBe.filter((one) => signatureOf(itemOf(one)) === signature);
if (!heir || other || localName(heir) !== localName(was)) return null;
const branch = branchOf(heir, left.target);
const tops = between.filter((one) => signatureOf(itemOf(one)) === signature).map(topOf);
const lives = tops.map((one) => seen.went.get(one));
if (!branch || !inTurn([left, ...lives, { came: came.get(branch) }])) return null;
if (keysAbove(heir, branch) !== keysAbove(was, root)) return null;
const stood = alike.filter((one) => !fresh.has(one)).map((one) => branchOf(one, left.target));
if (stood.some((one) => one && signatureOf(one) === signatureOf(root))) return null;
const found = { heir, trees: [root, ...tops].map((one) => new WeakRef(one)) };
const words = deepText(own);
const isAlone = (all) => all.filter((one) => deepText(itemOf(one)) === words).length === 1;
if (isOwnKeyed(was, own) && isAlone(twins) && isAlone(heirsToBe)) return found;
const olds = new Set([...twins, ...between]);
return isAccounted(was, heir, lost, passing, fresh, olds, new Set(heirsToBe), itemOf) ? found : null;
}
function inTurn([first, ...others]) {
others.sort((one, other) => one.came - other.came);
return others.every(({ came }, at) => came >= (at ? others[at - 1] : first).time);
}
function isAccounted(was, heir, lost, passing, fresh, twins, heirs, itemOf) {
const kinds = new Set([kindOfNode(was), kindOfNode(heir)]);
const ofKind = (all) => [...all].filter((one) => kinds.has(kindOfNode(one)));
const removed = ofKind(lost);
const came = ofKind(fresh);
const aroundIt = (one) => `${labelOf(one)}\n${deepText(itemOf(one))}`;
const trace = (one) => (twins.has(one) || heirs.has(one) ? aroundIt(one) : labelOf(one));
const left = tally(came.filter((one) => one !== heir).map(trace));
const missing = removed.filter((one) => {
if (one === was) return false;
const count = left.get(trace(one)) ?? 0;
left.set(trace(one), count - 1);
return count <= 0;
});
const texts = new Set(came.map(trace));
missing.push(...ofKind(passing).filter((one) => !texts.has(trace(one))));
const isSingle = (one) => {
const isTwin = twins.has(one);
const words = (some, others) =>
tally((isTwin ? some.filter((it) => others.has(it)).map(aroundIt) : some.map(labelOf)).map(plain));
const own = plain(isTwin ? aroundIt(one) : labelOf(one));
return words(removed, twins).get(own) === 1 && words(came, heirs).get(own) === 1;
};
return missing.length <= MAX_COUNTS && missing.every(isSingle);
}
const plain = (text) => text.replace(/\d+/g, "#");
function elementsIn(roots) {
const found = new Set();
const add = (element) => {
found.add(element);
const root = shadowRoot(element);
if (root) for (const inner of all(root, "*")) add(inner);
};
for (const root of roots) {
add(root);
for (const element of queryAll(root, "*")) add(element);
}
return found;
}
function items(elements, came) {
const counts = new Map();
const tops = new Map();
for (const one of elements) {
for (let at = one; at; at = parentOf(at)) {
counts.set(at, (counts.get(at) ?? 0) + 1);
if (came.has(at) || (at !== document && !parentOf(at))) tops.set(one, at);
}
}
const found = new Map();
const itemOf = (element) => {
let item = element;
for (let at = element; counts.get(at) === 1; at = parentOf(at)) {
if (isElement(at)) item = at;
if (at === tops.get(element)) break;
}
return item;
};
return (element) => {
if (!found.has(element)) found.set(element, itemOf(element));
return found.get(element);
};
}
function branchOf(element, place) {
for (let at = element; at; at = parentOf(at)) {
const up = parentOf(at);
if (up === place) return isElement(at) ? at : null;
}
return null;
}
function deepText(element) {
let text = textContent(element);
for (const one of elementsIn([element])) {
const root = shadowRoot(one);
if (root) text += ` ${textContent(root)}`;
}
return squash(text);
}
const valued = (element, names) => names.map((key) => attribute(element, key) ?? "").join("\n");
const kindOfNode = (element) => `${localName(element)}\n${valued(element, KINDS)}`;
function labelOf(element) {
const value = localName(element) === "input" && element.type !== "text" ? attribute(element, "value") : "";
return [localName(element), valued(element, LABELS), value ?? "", deepText(element)].join("\n");
}
const keysOf = (element) =>
attributeNames(element)
.filter((key) => KEY.test(key))
.map((key) => `${key}=${attribute(element, key)}`)
.filter((pair) => !MADE_UP.test(pair))
.sort()
.join("\n");
function signatureOf(item) {
const keys = [];
for (const one of elementsIn([item])) {
const own = keysOf(one);
if (own) keys.push(`${localName(one)} ${own}`);
if (localName(one) === "input") keys.push(attribute(one, "type") ?? "", attribute(one, "value") ?? "");
}
return JSON.stringify([deepText(item), keys]);
}
function keysAbove(element, top) {
const keys = [];
for (let at = element; at; at = parentOf(at)) {
if (isElement(at)) keys.push(keysOf(at));
if (at === top) break;
}
return keys.filter(Boolean).join("\n\n");
}
function isOwnKeyed(element, item) {
const href = attribute(element, "href");
if (href && !/^\s*(#|javascript:)/i.test(href)) return true;
for (let at = element; at; at = parentOf(at)) {
if (isElement(at) && attributeNames(at).some((key) => OWN_KEY.test(key))) return true;
if (at === item) return false;
}
return false;
}
const boxes = (ids) =>
ids.map((id) => {
const element = controlWith(id) ? null : drawnWithId(id);
const all = element ? boxesOf(element) : [];
if (!all.length) return null;
const { left, top, right, bottom } = unionOf(all);
return [left, top, right - left, bottom - top];
});
const boxesInView = (ids, isWhole = false) =>
ids.map((id) => {
const element = controlWith(id) ? null : drawnWithId(id);
const first = element && boxesOf(element)[0];
if (!first) return null;
const seen = seenOf(element, first);
const view = isWhole && self.top === self ? seen : { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
const left = Math.max(view.left, seen.left);
const top = Math.max(view.top, seen.top);
const width = Math.min(view.right, seen.right) - left;
const height = Math.min(view.bottom, seen.bottom) - top;
return hasArea({ width, height }) && width > 0 && height > 0 ? [left, top, width, height] : null;
});
const MOVES = new Set(
(
"transform translate rotate scale left right top bottom inset width height margin padding " +
"offsetDistance zoom flexBasis"
).split(" "),
);
const movesBoxes = (key) => MOVES.has(key) || /^(margin|padding|inset|min|max|block|inline)/.test(key);
function isMoving(element) {
for (let at = element; at && isElement(at); at = flatParent(at)) {
for (const animation of animationsOf(at)) {
if (animation.playState !== "running") continue;
const effect = animation.effect;
if (!effect || effect.getComputedTiming().endTime === Infinity) continue;
if (effect.getKeyframes().some((frame) => Object.keys(frame).some(movesBoxes))) return true;
}
}
return false;
}
const nextFrame = () =>
new Promise((done) => {
setTimeout(done, 100);
requestAnimationFrame(done);
});
async function drawn() {
await nextFrame();
await nextFrame();
}
const STAYS = new Set([...DIALOGS, "menu", "listbox"]);
function withObstacle(found, target) {
if (found.ok || found.reason === "gone") return found;
const obstacle = found.by ? identified(found.by.id) : target;
const around = [];
for (let at = obstacle; at && isElement(at) && (at === target || !isInside(target, at)); at = flatParent(at)) {
around.push(at);
}
return { ...found, obstacle: {
busy: around.some((one) => attribute(one, "aria-busy") === "true") || isWorking(obstacle) ||
saysLoading((obstacle.innerText ?? "").slice(0, 200)),
fades: found.reason === "obscured" && around.some((one) => animationsOf(one).some(ends)),
covers: obstacle !== target, isOpened: STAYS.has(found.by?.role),
ageMs: Math.round(ageOf(around)), documentMs: Math.round(performance.now()),
} };
}
function ageOf(around) {
const now = performance.now();
const since = Math.max(...around.map(changedAt), knowsShown() && !wasShown(around[0]) ? shownAt : 0);
return now - since;
}
const PRESS_EVENTS = [
"pointerdown", "mousedown", "pointerup", "mouseup", "click", "auxclick", "dblclick", "contextmenu",
];
const PRESS_MS = 2000;
let expected = null;
let ended = null;
let lastPress = 0;
let takenBy = null;
const pressIsTakenBy = (child) => (takenBy = child);
const pressExpected = (id, count) =>
expectPress(id === null ? null : identified(id), count, controlWith(id) !== null);
function expectPress(element, count, scrolls = false) {
forgetPress();
ended = null;
expected = {
element, box: element && boundingRect(element), taker: takenBy, whole: element !== null && isClickedAsOne(element),
until: performance.now() + PRESS_MS, count, began: 0, landed: null, strayed: false,
press: ++lastPress, releases: 0, wanted: Infinity, tell: null,
isWatched: false, clicked: null, scrolls,
};
for (const kind of PRESS_EVENTS) addEventListener(kind, judgePress, true);
if (element === null) effectBegins();
}
function judgePress(event) {
if (!event.isTrusted || !expected) return;
if (performance.now() > expected.until) {
expected.clicked = null;
forgetPress();
return;
}
if (event.type === "pointerup" && ++expected.releases >= expected.wanted) tellLater();
if (expected.isWatched) {
if (event.type === "pointerup") expected.clicked ??= false;
else if (event.type !== "mouseup") expected.clicked ||= landsOn(event, expected);
return;
}
if (expected.landed === null) {
if (event.type !== "pointerdown" && event.type !== "mousedown") return;
expected.landed = expected.element !== null && landsOn(event, expected) && !hasLeft(event, expected);
expected.began = 1;
if (expected.landed) effectBegins(expected.element, expected.scrolls);
} else if (event.type === "pointerdown" && expected.landed && !expected.strayed) {
expected.began += 1;
expected.strayed = !landsOn(event, expected);
}
if (expected.landed && !expected.strayed) {
if (expected.began < expected.count) return;
expected.isWatched = true;
for (const kind of ["pointerdown", "mousedown"]) removeEventListener(kind, judgePress, true);
return;
}
event.stopImmediatePropagation();
if (!event.type.startsWith("pointer")) event.preventDefault();
}
const hasLeft = ({ clientX: x, clientY: y }, { element, box }) => {
const holds = ({ left, top, right, bottom }) => x >= left && x <= right && y >= top && y <= bottom;
return holds(box) && !holds(boundingRect(element));
};
function landsOn(event, { element, taker, whole }) {
const arrives = (hit) => {
const way = wayTo(hit, element, whole);
return way !== null && (!way.taker || (taker !== null && isInside(hit, taker)));
};
const hit = event.composedPath()[0];
if (!(hit instanceof Node)) return true;
if (arrives(hit)) return true;
const closed = closedRootsAround(element);
return closed.has(hit) && arrives(hitAt(event.clientX, event.clientY, element));
}
function pressSeen() {
if (!expected && ended) {
const outcome = ended;
ended = null;
return outcome;
}
const seen = {
landed: expected?.landed ?? null, strayed: expected?.strayed ?? false,
clicked: expected?.clicked ?? null, effect: effectSeen(),
};
forgetPress();
return seen;
}
const pressBegun = () =>
expected?.landed === false ? { landed: false, strayed: false } : pressSeen();
async function pressDone(releases) {
return new Promise((tell) => {
if (!expected) {
tell({ landed: null, strayed: false });
return;
}
expected.tell = tell;
expected.wanted = releases;
if (expected.releases >= releases) forgetPress();
});
}
const { port1: pressHeard, port2: pressTold } = new MessageChannel();
pressHeard.onmessage = ({ data: press }) => {
if (expected?.press === press) forgetPress();
};
const tellLater = () => pressTold.postMessage(expected.press);
function forgetPress() {
const press = expected;
if (!press) return;
for (const kind of PRESS_EVENTS) removeEventListener(kind, judgePress, true);
expected = null;
const { landed, strayed, clicked } = press;
if (!press.tell) return;
ended = { landed, strayed, clicked, effect: effectSeen() };
press.tell({ ...ended, ...pageNow() });
}
const miss = (reason, by) => ({ ok: false, reason, by });
function aim(id, presses = 0, expects = true) {
const element = identified(id);
const control = element && controlWith(id);
if (control) return control.state.disabled ? miss("disabled") : { ...miss("drawn"), node: control.node };
const found = element ? aimAt(element, WAYS_IN, presses) : miss("gone");
if (found.ok && presses && expects) expectPress(element, presses);
return withObstacle(found, element);
}
function aimDrawn(id, across, down, presses, expects) {
const element = identified(id);
if (!element) return miss("gone");
noteOwnScrollsAround(element);
const { left, top } = boundingRect(element);
const [x, y] = [left + across, top + down];
const hit = hitAt(x, y, element);
if (!hit) return miss("outside");
if (hit !== element) return miss("obscured", coverJson(hit, element));
if (presses && expects) expectPress(element, presses, true);
return { ok: true, ...toScreen(x, y), name: cutTo(controlWith(id).name, 80), by: null };
}
async function aimLater(id, presses, expects, milliseconds, isFinal) {
const until = performance.now() + milliseconds;
for (;;) {
await nextFrame();
const element = identified(id);
if (!element) return miss("gone");
const isLast = performance.now() >= until;
const ways = isLast && isFinal ? WAYS_IN : WAYS_IN.slice(0, 1);
const found = aimAt(element, ways, presses, isLast && isFinal);
if (found.ok && presses && expects) expectPress(element, presses);
if (found.ok || isLast) return withObstacle(found, element);
}
}
async function rests(id, milliseconds, atMost) {
const until = performance.now() + atMost;
let since = performance.now();
while (performance.now() < until && performance.now() - since < milliseconds) {
await nextFrame();
const element = identified(id);
if (!element || !aimAt(element, [], 0).ok) since = performance.now();
}
}
const WAYS_IN = ["center", "end", "start"];
function aimAt(element, ways, presses, evenMoving = false) {
if (presses !== null && isDisabled(element)) return miss("disabled");
const toPress = presses > 0;
const locker = document.pointerLockElement;
if (toPress && locker && !contains(element, locker)) return miss("pointer_locked");
const places = [element, ...standIns(element)].filter((one) => showing(one) === SHOWN);
if (!places.length) return miss("hidden");
const whole = toPress && isClickedAsOne(element);
const passes = presses === null;
let found = pointOnAny(places, element, whole, passes);
let scrolled = false;
const scrollTo = (block) => {
const before = boundingRect(places[0]);
bringIntoView(isArea(places[0]) ? imageOf(places[0]) ?? places[0] : places[0], {
block, inline: block === "center" ? block : "nearest", behavior: "instant",
});
const after = boundingRect(places[0]);
scrolled ||= isArea(places[0]) || before.x !== after.x || before.y !== after.y;
found = pointOnAny(places, element, whole, passes);
};
for (const block of found.ok ? [] : ways) {
scrollTo(block);
if (found.ok) break;
}
if (!found.ok) return reasonOf(found, places[0]);
if (found.taker && !fitsViewport(places[0])) scrollTo("start");
if (!found.ok) scrollTo("center");
if (!found.ok) return found;
const taker = found.taker ?? null;
pressIsTakenBy(taker);
if (!evenMoving && isMoving(element)) return miss("moving");
if (toPress && element.isValid === false) return { ...miss("unready"), why: String(element.invalidReason) };
const { ok, x, y } = found;
return toPress
? { ok, x, y, scrolled, name: shortName(element), by: taker && withId(taker) }
: { ok, x, y, scrolled };
}
function reasonOf(found, place) {
if (found.reason !== "obscured" && found.reason !== "outside") return found;
if (isInert(place)) return miss("inert");
const [box] = boxesOf(place);
const seen = box && seenOf(place, box);
return seen && (seen.right <= seen.left || seen.bottom <= seen.top) ? miss("clipped") : found;
}
const LABELLED = new Set("input select textarea button meter output progress".split(" "));
const standIns = (element) =>
LABELLED.has(localName(element)) ? [...drawnFor(element), ...(element.labels ?? [])] : [];
function pointOnAny(places, element, whole, passes) {
const first = pointOn(places[0], element, whole, passes);
if (first.ok && !first.taker) return first;
let taken = first.ok ? first : null;
for (const other of places.slice(1)) {
const found = pointOn(other, element, whole, passes);
if (found.ok && !found.taker) return found;
if (found.ok) taken ??= found;
}
return taken ?? first;
}
const SPOTS = [
[0.5, 0.5], [0.25, 0.5], [0.75, 0.5], [0.5, 0.25], [0.5, 0.75],
[0.1, 0.1], [0.9, 0.1], [0.1, 0.9], [0.9, 0.9],
];
const FINE_SPOTS = Array.from({ length: 121 }, (_, n) => [
0.03 + (0.94 * (n % 11)) / 10, 0.03 + (0.94 * Math.floor(n / 11)) / 10,
]);
function pointOn(place, element, whole, passes) {
const boxes = boxesOf(place);
if (!boxes.length) return miss("zero_size");
const seen = seenArea();
const shown = boxes.map((box) => inViewport(box, seen)).filter(Boolean);
if (!shown.length) return miss("outside");
let cover = null;
let taken = null;
for (const [spots, among] of [[SPOTS, shown.slice(0, 4)], [FINE_SPOTS, shown.slice(0, 2)]]) {
for (const [across, down] of spots) {
for (const box of among) {
const x = box.left + (box.right - box.left) * across;
const y = box.top + (box.bottom - box.top) * down;
const hit = hitAt(x, y, element);
const way = hit && wayTo(hit, element, whole);
if (way && !way.taker) return { ok: true, ...toScreen(x, y) };
if (way) taken ??= { ok: true, ...toScreen(x, y), taker: way.taker };
else cover ??= hit;
}
}
}
if (taken) return taken;
if (!cover) return miss("outside");
const svg = closest(element, "svg");
if (passes && svg && svg !== element && svg === closest(cover, "svg")) {
const [box] = shown;
return { ok: true, ...toScreen((box.left + box.right) / 2, (box.top + box.bottom) / 2) };
}
if (getComputedStyle(element).pointerEvents === "none") return miss("mouse_proof");
return miss("obscured", coverJson(cover, element));
}
function aimThrough(id, x, y) {
const element = identified(id);
if (!element) return miss("gone");
const place = () => frameMap(element).out(x, y);
const hit = (at) => hitAt(at.x, at.y, element);
let at = place();
let found = hit(at);
if (found === element) return { ok: true, ...toScreen(at.x, at.y) };
scrollPointIntoView(element, place);
at = place();
found = hit(at);
if (found === element) return { ok: true, ...toScreen(at.x, at.y), scrolled: true };
return withObstacle(found ? miss("obscured", coverJson(found, element)) : miss("outside"), element);
}
async function aimThroughLater(id, x, y, milliseconds) {
const until = performance.now() + milliseconds;
for (;;) {
await nextFrame();
const found = aimThrough(id, x, y);
if (found.ok || found.reason === "gone" || performance.now() >= until) return found;
}
}
const COUNTED = ["keydown", "keyup", "pointerdown", "mousedown", "pointerup", "mouseup", "touchstart"];
const HEARD = ["mousemove", "pointermove", "wheel"];
const UNHARMED = { capture: true, passive: true };
let before = 0;
let isHeard = false;
function hear(event) {
isHeard ||= event.isTrusted;
}
function counted() {
const counts = performance.eventCounts;
return COUNTED.reduce((sum, kind) => sum + (counts?.get(kind) ?? 0), 0);
}
function inputExpected() {
before = counted();
isHeard = false;
for (const kind of HEARD) addEventListener(kind, hear, UNHARMED);
}
function inputCame() {
for (const kind of HEARD) removeEventListener(kind, hear, UNHARMED);
return isHeard || counted() !== before;
}
const SHARES = [0.5, 0.1, 0.9, 0.3, 0.7];
const INNER = new Set(["iframe", "frame"]);
const UNSURE = new Set(["embed", "object", "fencedframe"]);
function openSpot() {
let inFrame = null;
for (const across of SHARES) {
for (const down of SHARES) {
const x = Math.round(innerWidth * across);
const y = Math.round(innerHeight * down);
const tag = localName(hitAt(x, y) ?? document.documentElement);
if (UNSURE.has(tag)) continue;
if (!INNER.has(tag)) return toScreen(x, y);
inFrame ??= toScreen(x, y);
}
}
return inFrame;
}
function pastMiddle(sourceId, goalId) {
const [source, goal] = [identified(sourceId), identified(goalId)];
const areAlike = source && goal && source !== goal &&
parentNode(source) === parentNode(goal) && localName(source) === localName(goal) &&
!/absolute|fixed/.test(getComputedStyle(source).position);
if (!areAlike) return { x: 0, y: 0 };
const [from, to] = [boundingRect(source), boundingRect(goal)];
const past = (way, size) => (Math.abs(way) < size / 2 ? 0 : (Math.sign(way) * size) / 4);
return { x: past(to.x - from.x, to.width), y: past(to.y - from.y, to.height) };
}
let dragging = null;
const ALL = { subtree: true, childList: true, characterData: true, attributes: true };
const REACTIONS = ["scroll", "input", "change"];
const DRAWN_IN = "canvas, video, audio, iframe, frame, object, embed, input, textarea, select";
const MAX_ABOVE = 5;
const MOVABLE = /drag|sort|grab|handle/i;
function isMovable(path) {
const elements = path.filter((one) => one instanceof Element).slice(0, MAX_ABOVE);
return elements.length > 0 && /grab|move/.test(getComputedStyle(elements[0]).cursor) || elements.some((one) =>
["aria-roledescription", "aria-grabbed", "class", "id"].some((name) =>
attribute(one, name) !== null && MOVABLE.test(`${name} ${attribute(one, name)}`)));
}
function reactions() {
const seen = { any: false, isMovable: false };
const reacts = () => { seen.any = true; };
const observer = new MutationObserver(reacts);
const begin = (event) => {
const path = event.composedPath();
seen.any = path[0] instanceof Element && matches(path[0], DRAWN_IN);
seen.isMovable = isMovable(path);
observer.disconnect();
for (const root of [document, ...path.filter((one) => one instanceof ShadowRoot)]) observer.observe(root, ALL);
for (const kind of REACTIONS) addEventListener(kind, reacts, true);
};
addEventListener("pointerdown", begin, true);
return {
seen,
end() {
observer.disconnect();
removeEventListener("pointerdown", begin, true);
for (const kind of REACTIONS) removeEventListener(kind, reacts, true);
},
};
}
function dragExpected() {
dragging?.forget();
const events = {};
const reacted = reactions();
const note = (event) => {
events[event.type] = { event, effect: event.dataTransfer?.dropEffect, path: event.composedPath() };
};
for (const kind of DRAG_EVENTS) addEventListener(kind, note, true);
dragging = {
events, reacted: reacted.seen,
forget: () => {
reacted.end();
for (const kind of DRAG_EVENTS) removeEventListener(kind, note, true);
dragging = null;
},
};
}
function dragTaken(hasFiles) {
const { dragover } = dragging?.events ?? {};
if (!dragover) return false;
const [target] = dragover.path;
if (dragover.event.defaultPrevented) return true;
const isFileInput = localName(target) === "input" && target.type === "file";
return hasFiles ? isFileInput : !isFileInput && Boolean(kindOf(target) || target.isContentEditable);
}
const DRAG_EVENTS = ["dragstart", "dragend", "dragover", "drop"];
async function dragSeen(milliseconds) {
if (!dragging) return { began: false, ended: null, dropped: null, reacted: true, isMovable: false };
const { events, reacted, forget } = dragging;
const { dragstart } = events;
const began = dragstart !== undefined && !dragstart.event.defaultPrevented;
const until = performance.now() + milliseconds;
while (began && !events.dragend && performance.now() < until) {
await new Promise((later) => setTimeout(later, 5));
}
forget();
const selects = getSelection()?.isCollapsed === false;
return {
began, ended: events.dragend?.effect ?? null, dropped: events.drop?.effect ?? null,
reacted: reacted.any || (selects && !reacted.isMovable),
isMovable: reacted.isMovable,
};
}
const MODAL = ':modal, [aria-modal="true"]';
const DIALOG = `${MODAL}, [role="dialog"], [role="alertdialog"]`;
function dialogAround(element) {
for (let at = element; at && isElement(at); at = flatParent(at)) if (matches(at, DIALOG)) return at;
return null;
}
let shutting = [];
function takeFocus(field) {
const before = focusedNow();
const open = [...all(document, MODAL)].filter((one) => showing(one) === SHOWN);
shutting = [dialogAround(before), ...open].filter((one) => one && !isInside(field, one));
focusInView(hostOf(field));
const now = focusedNow();
if (holdsFocus(field, now)) return null;
return { now, isGivenOn: now !== before && !shutting.includes(dialogAround(now)) };
}
const isUnsure = () => shutting.some((one) => isConnected(one) && matches(one, MODAL));
function hostOf(field) {
let host = field;
for (let at = field; at?.isContentEditable; at = at.parentElement) host = at;
return host;
}
const holdsFocus = (field, now) =>
isInside(now, field) || Boolean(now?.isContentEditable && isInside(field, now));
function refusedFocus(field, now) {
const dialog = [dialogAround(now), modalOnTop()].find((one) => one && !isInside(field, one));
if (dialog) return { kind: "", reason: "obscured", by: coverJson(dialog, field) };
const found = aimAt(field, WAYS_IN, 0);
if (found.by && !isInside(field, identified(found.by.id))) return { kind: "", ...found };
if (isInert(field)) return { kind: "", reason: "inert" };
if (!kindOf(field)) return { kind: "", reason: "no_text" };
return { kind: "", reason: "no_focus", elsewhere: elsewhereOf(field) };
}
function giveFocus(id) {
const named = identified(id);
if (!named) return { reason: "gone" };
const element = (localName(named) === "label" && named.control) || named;
if (isDisabled(element)) return { reason: "disabled" };
if (showing(element) !== SHOWN) return { reason: "hidden" };
const lost = takeFocus(element);
if (!lost) return { reason: "" };
const refused = refusedFocus(element, lost.now);
return refused.reason === "no_text" ? { ...refused, reason: "no_focus" } : refused;
}
function coverOver(field) {
const { reason, by } = aimAt(field, WAYS_IN, 0);
if (reason !== "obscured" || isTiny(field)) return null;
const cover = identified(by.id);
const isOwn = (at) => isInside(cover, at) && [...all(at, FIELDS)].every((one) => one === field);
return [...ancestors(field, 3)].some(isOwn) ? null : by;
}
const FIELDS = "input:not([type=hidden]), textarea, select, [contenteditable]";
function elsewhereOf(field) {
const now = focusedNow();
return now && now !== bodyOf(document) && !holdsFocus(field, now) ? withId(now) : null;
}
async function focusLost(id, milliseconds) {
const until = performance.now() + milliseconds;
for (;;) {
const named = identified(id);
const field = named && fieldOf(named);
const now = focusedNow();
if (field && !holdsFocus(field, now) && shutting.includes(dialogAround(now))) {
return refusedFocus(field, now);
}
if (performance.now() >= until) return null;
await new Promise((later) => setTimeout(later, 10));
}
}
function isCatcher(field) {
if (field.editContext) return true;
if (localName(field) !== "textarea") return false;
for (let at = field; at; at = clipperOf(at, getComputedStyle(at))) {
if (at === field ? isTiny(at) : isCutToNothing(at)) return true;
}
return false;
}
const EMBEDS = new Set(["iframe", "frame", "object", "embed", "fencedframe"]);
function fieldInUse() {
if (!document.hasFocus()) return null;
const focused = focusedNow();
if (focused && EMBEDS.has(localName(focused))) return null;
if (!focused || kindOf(focused) !== "typed") return { id: null };
return { id: identify(focused), isSecret: keepSecret(focused) };
}
function focus(id, { select, length }) {
const named = identified(id);
if (!named) return { kind: "", reason: "gone" };
const field = fieldOf(named);
const notNow = isDisabled(field) ? "disabled" : field.readOnly === true ? "read_only"
: checkVisibility(field, RENDERED) ? null : "hidden";
if (notNow) return withObstacle({ kind: "", reason: notNow }, field);
const stray = takeFocus(field);
if (stray && !stray.isGivenOn) return refusedFocus(field, stray.now);
const by = stray || isCatcher(field) ? null : coverOver(field);
if (by) return { kind: "", reason: "obscured", by };
if (isSlider(field)) return { kind: "slid", isUnsure: isUnsure() };
const kind = kindOf(field);
if (kind === "picked") return { kind, isUnsure: isUnsure() };
const into = stray || !kind ? focusedNow() : field;
if (!into || kindOf(into) !== "typed") return stray ? refusedFocus(field, stray.now) : { kind: "", reason: "no_text" };
const catches = isCatcher(into);
const isEmpty = (into.value ?? textContent(into)) === "";
if (!catches) select ? selectAll(into) : caretToEnd();
const room = into.maxLength >= 0 ? into.maxLength - (select ? 0 : into.value.length) : Infinity;
return {
kind: length > room ? "keyed" : "typed",
isAll: select || isEmpty,
isEmpty,
isCatcher: catches,
isRich: !catches && into.isContentEditable && getComputedStyle(into).webkitUserModify === "read-write",
isMultiline: !catches && localName(into) !== "input",
isUnsure: isUnsure(),
isSecret: takesSecret(into),
was: select && !catches && !takesSecret(into) ? cutTo((into.value ?? into.innerText).trim(), 200) : "",
elsewhere: stray && elsewhereOf(field),
};
}
async function focusLater(id, how, milliseconds) {
const until = performance.now() + milliseconds;
for (;;) {
await nextFrame();
const found = focus(id, how);
if (!("obstacle" in found) || performance.now() >= until) return found;
}
}
function selectAll(field) {
if (typeof field.select === "function") field.select();
else getSelection().selectAllChildren(field);
}
function caretToEnd() {
getSelection().modify("move", "forward", "documentboundary");
}
function pick(id, value) {
const named = identified(id);
const field = named && fieldOf(named);
if (!field) return null;
const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set;
const before = field.value;
set.call(field, value);
const taken = field.type === "range"
? value.trim() !== "" && !Number.isNaN(Number(value))
: field.type === "color"
? field.value === value.toLowerCase()
: value === "" || field.value !== "";
if (!taken) {
set.call(field, before);
return { taken, value: before };
}
for (const kind of ["input", "change"]) {
field.dispatchEvent(new Event(kind, { bubbles: true, composed: kind === "input" }));
}
return { taken, value: field.value, ...invalidOf(field) };
}
const invalidOf = (field) =>
field.willValidate === true && field.validity.valid === false
? { invalid: cutTo(squash(field.validationMessage), 200) }
: {};
async function leave(id, isLast) {
const named = identified(id);
const field = named && fieldOf(named);
if (!field || focusedNow() !== field || !IS_TEXT.has(localName(field)) || isCatcher(field)) return null;
for (let frames = isLast ? POPUP_FRAMES : 0; !hasPopup(field) && frames > 0; frames--) await nextFrame();
if (hasPopup(field)) return { popup: true };
if (!isLast) return null;
blurElement(field);
await nextFrame();
if (isConnected(field) && focusedNow() === bodyOf(document)) focusInView(field);
return read(id);
}
const POPUP_FRAMES = 6;
const IS_TEXT = new Set(["input", "textarea"]);
function hasPopup(field) {
const { left, right, top, bottom } = boundingRect(field);
return [bottom + BESIDE, top - BESIDE].some((y) => {
for (let at = hitAt((left + right) / 2, y); at && isElement(at) && !isInside(field, at); at = flatParent(at)) {
if (FLOATS.has(getComputedStyle(at).position)) return true;
}
return false;
});
}
const BESIDE = 20;
const FLOATS = new Set(["absolute", "fixed"]);
async function readLater(id, milliseconds) {
const before = read(id)?.value;
const until = performance.now() + milliseconds;
for (;;) {
await nextFrame();
const now = read(id);
if (now?.value !== before || performance.now() >= until) return now;
}
}
const MAX_LINES = 2000;
function read(id) {
const named = identified(id);
if (!named) return null;
const field = fieldOf(named);
const tag = localName(field);
const value = field.isContentEditable
? cutTo(field.innerText.trimEnd().toWellFormed(), MAX_LINES)
: valueOf(field, tag, roleOf(field, tag), (key) => attribute(field, `aria-${key}`));
const isOpen = kindOf(field) === "typed" && roleOf(field, tag) === "combobox" &&
attribute(field, "aria-expanded") === "true" && attribute(field, "aria-haspopup") !== "dialog";
return { value, ...invalidOf(field), elsewhere: elsewhereOf(field), isOpen };
}
const LISTS = "[role=listbox]";
const COMBOBOXES = "[role=combobox], [aria-haspopup=listbox]";
const shownBefore = new WeakMap();
const seenClosed = (element) => shownBefore.set(element, new Set(listsAround(element)));
function around(element, selector) {
const found = [];
for (let root = getRootNode(element); ; root = getRootNode(root.host)) {
found.push(...all(root, selector));
if (!root.host) return found;
}
}
const listsAround = (element) => around(element, LISTS).filter(isShown);
function ownLists(element) {
if (roleOf(element, localName(element)) === "listbox") return [element];
const own = [...namedBy(element), ...all(element, LISTS)].filter(isShown);
return own.length ? own : listsAround(element).filter((list) => isLabelledAs(list, element));
}
function namedBy(element) {
const root = getRootNode(element);
const ids = `${attribute(element, "aria-controls") ?? ""} ${attribute(element, "aria-owns") ?? ""}`;
return [...new Set(ids.split(/\s+/).filter(Boolean))]
.map((id) => (root === document ? elementById(id) : root.getElementById?.(id)))
.filter(Boolean);
}
function isLabelledAs(list, element) {
const labels = labelledByElements(list);
const own = [element, ...labelledByElements(element), ...(element.labels ?? [])];
return labels.length > 0 && labels.every((label) => own.includes(label));
}
const isOthers = (list, element) =>
around(element, COMBOBOXES).some(
(other) =>
!isInside(other, element) &&
!isInside(element, other) &&
(namedBy(other).some((one) => isInside(list, one)) || isLabelledAs(list, other)),
);
function listsOf(element, isLast = true) {
const own = ownLists(element);
if (own.length) return own;
const before = shownBefore.get(element);
const free = listsAround(element)
.filter((list) => !isOthers(list, element))
.map((list) => ({ list, away: awayFrom(list, element) }))
.sort((a, b) => a.away - b.away)
.map(({ list }) => list);
const came = before ? free.filter((list) => !before.has(list)) : [];
return came.length ? came : free.slice(0, isLast || !before ? 1 : 0);
}
function awayFrom(one, other) {
const [a, b] = [boundingRect(one), boundingRect(other)];
const across = Math.max(0, a.left - b.right, b.left - a.right);
const down = Math.max(0, a.top - b.bottom, b.top - a.bottom);
return Math.hypot(across, down);
}
const MAX_SCROLLS = 60;
function offeredIn(list) {
const own = [...all(list, "[role=option]")];
if (!isCutToNothing(list)) return own;
for (const at of ancestors(list)) {
const drawn = [...all(at, "[aria-selected]")].filter((one) => !isInside(one, list));
if (drawn.length) return drawn;
}
return own;
}
function scrollOn(option, toStart) {
for (const at of ancestors(option)) {
if (at.scrollHeight - at.clientHeight < 1 || getComputedStyle(at).overflowY === "visible") continue;
const before = at.scrollTop;
at.scrollTop = toStart ? 0 : before + 0.8 * at.clientHeight;
noteOwnScroll(at);
if (at.scrollTop !== before) return true;
}
return false;
}
function saidBeside(field) {
for (const at of ancestors(field)) {
if ([...all(at, "input, select, textarea, button")].some((one) => one !== field)) return "";
const text = squash(contentText(at, localName(at), field));
if (text) return text;
}
return "";
}
const MAX_OFFERED = 1000;
const isMultiple = (element, lists) =>
[element, ...lists].some((one) => attribute(one, "aria-multiselectable") === "true");
const optionsOf = ({ element, kind }, lists = []) =>
kind === "select" || kind === "suggestions"
? [...(element.options ?? element.list.options)].map((option) => ({
option,
label: squash(shownAs(option)),
value: option.value,
selected: option.selected,
disabled: option.disabled || matches(option, ":disabled"),
}))
: lists
.flatMap(offeredIn)
.filter(isShown)
.map((option) => ({
option,
label: optionLabel(option),
value: attribute(option, "data-value") ?? attribute(option, "value") ?? "",
selected: attribute(option, "aria-selected") === "true",
disabled: isDisabled(option),
}));
function optionLabel(option) {
const name = squash(nameOf(option, localName(option), "option"));
const text = squash(textContent(option));
return text && name.startsWith(`${text} `) ? text : name;
}
const matched = (options, wanted, by) =>
wanted.map((text) => optionWith(options, by, text) ?? (by === "label" ? optionWith(options, "value", text) : null));
function optionWith(options, key, text) {
const plain = key === "label" ? squash(text) : text;
const same = options.filter((one) => one[key] === plain);
if (same.length) return same.find((one) => !one.disabled) ?? same[0];
const alike = options.filter((one) => one[key].toLowerCase() === plain.toLowerCase());
return alike.length === 1 ? alike[0] : null;
}
const offered = (options, by) => options.slice(0, MAX_OFFERED).map((one) => cutTo(one[by], 200));
function refusal(options, found, wanted, by) {
const missing = found.indexOf(null);
if (missing >= 0) return { reason: "missing", what: wanted[missing], options: offered(options, by) };
const disabled = found.findIndex((one) => one.disabled);
if (disabled >= 0) return { reason: "disabled", what: wanted[disabled] };
const named = by === "label" ? found.filter(({ label }, at) => label.toLowerCase() === squash(wanted[at]).toLowerCase()) : [];
for (const { label } of named) {
const twins = options.filter((one) => one.label === label && !one.disabled);
const values = [...new Set(offered(twins, "value"))];
if (values.length > 1) return { reason: "several", what: label, values };
}
return null;
}
function pickerOf(named) {
const start = localName(named) === "label" && named.control ? named.control : named;
for (let at = start; at && isElement(at); at = flatParent(at)) {
const tag = localName(at);
if (tag === "select") return { element: at, kind: "select" };
if (tag === "input" && at.list) return { element: at, kind: "suggestions" };
const role = roleOf(at, tag);
if (role === "listbox") return { element: at, kind: "list" };
if (role === "combobox" || attribute(at, "aria-haspopup") === "listbox") {
return { element: at, kind: "popup" };
}
}
return null;
}
function picker(id) {
const named = identified(id);
const found = named && pickerOf(named);
if (!found) return named ? null : { kind: "gone" };
const { element, kind } = found;
const expanded = attribute(element, "aria-expanded") === "true";
if (kind === "popup" && !expanded) seenClosed(element);
const role = roleOf(element, localName(element));
return {
kind,
id: identify(element),
role,
name: cutTo(nameOf(element, localName(element), role), MAX_NAME),
editable: kindOf(element) === "typed" && element.readOnly !== true,
multiple: kind === "select" ? element.multiple : isMultiple(element, ownLists(element)),
expanded,
};
}
function suggestion(id, wanted, by) {
const element = identified(id);
if (!element?.list) return { reason: "gone" };
const options = optionsOf({ element, kind: "suggestions" });
const found = matched(options, wanted, by);
return refusal(options, found, wanted, by) ?? { text: found[0].value };
}
function choose(id, wanted, by) {
const element = identified(id);
if (!element) return { reason: "gone" };
const options = optionsOf({ element, kind: "select" });
const found = matched(options, wanted, by);
const refused = refusal(options, found, wanted, by);
if (refused) return refused;
focusInView(element);
const chosen = new Set(found.map((one) => one.option));
const changes = options.filter((one) => one.selected !== chosen.has(one.option));
for (const { option } of changes) option.selected = chosen.has(option);
if (changes.length) {
element.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
element.dispatchEvent(new Event("change", { bubbles: true }));
}
return {
selected: [...element.selectedOptions].map((one) => squash(shownAs(one))),
asked: found.map((one) => one.label),
isOpen: isDroppedDown(element),
isHidden: !isShown(element) || getComputedStyle(element).opacity === "0",
};
}
function control(id) {
const named = identified(id);
if (!named) return { kind: "gone" };
const element = controlOf(named);
const tag = localName(element);
const role = roleOf(element, tag);
if (tag === "input" && element.type === "file") return { kind: "file" };
if (CHECKABLE.has(role)) {
return { kind: role.endsWith("radio") ? "radio" : "checked", checked: checkedNow(element) };
}
if (isChosenFrom(element)) return { kind: "chosen" };
const isNumber = tag === "input" && element.type === "number";
return { kind: isSlider(element) || kindOf(fieldOf(element)) ? "text" : "", isNumber };
}
function isChosenFrom(element) {
const found = pickerOf(element);
if (!found || found.kind === "suggestions") return false;
return !OTHER_POPUPS.has(attribute(found.element, "aria-haspopup"));
}
const OTHER_POPUPS = new Set(["dialog", "grid"]);
const controlOf = (named) =>
(localName(named) === "label" ? named.control : TRANSPARENT.has(roleOf(named, localName(named))) && checkIn(named)) || named;
function checkedNow(element) {
const tag = localName(element);
return checkedOf(element, tag, roleOf(element, tag), (key) => attribute(element, `aria-${key}`));
}
async function checkedAs(id, wanted, milliseconds) {
const until = performance.now() + milliseconds;
for (;;) {
const named = identified(id);
if (!named) return null;
if (checkedNow(controlOf(named)) === wanted) return true;
if (performance.now() >= until) return false;
await new Promise((later) => setTimeout(later, 20));
}
}
let moves = 0;
let onMove = () => {};
function witness() {
moves += 1;
onMove(true);
}
function mouseExpected() {
moves = 0;
addEventListener("mousemove", witness, { capture: true, passive: true });
}
async function mouseCame(milliseconds) {
const came =
moves > 0 ||
(await new Promise((answer) => {
onMove = answer;
setTimeout(answer, milliseconds, false);
}));
removeEventListener("mousemove", witness, { capture: true });
onMove = () => {};
return came;
}
const MAX_ATTRIBUTES = 50;
const MAX_FACT = 500;
const MAX_FACT_TEXT = 200;
const HIDDEN_VALUE = "••••••••";
function facts(id, styles) {
const element = identified(id);
if (!element) return null;
const tag = localName(element);
const { role } = describe(element);
const name = nameOf(element, tag, roleOf(element, tag));
const isSecret = holdsSecret(element) || takesSecret(element);
const names = attributeNames(element);
const computed = getComputedStyle(element);
return {
tag,
role,
name: cutTo(name, MAX_FACT),
text: isSecret ? "" : cutTo(squash(textContent(element)), MAX_FACT_TEXT),
attributes: Object.fromEntries(
names.slice(0, MAX_ATTRIBUTES).map((key) => [
cutTo(key, MAX_FACT),
isSecret && key === "value" ? HIDDEN_VALUE : cutTo(attribute(element, key), MAX_FACT),
]),
),
attributes_left_out: Math.max(0, names.length - MAX_ATTRIBUTES),
states: statesOf(element, tag, role, name, isDisabled(element)),
styles: Object.fromEntries(styles.map((key) => [key, cutTo(computed.getPropertyValue(key), MAX_FACT)])),
...visibilityOf(element),
};
}
function visibilityOf(element) {
const hidden = whyHidden(element);
if (hidden) return { visible: false, reason: hidden, by: null };
const boxes = boxesOf(element).filter(hasArea);
if (!boxes.length) return { visible: false, reason: "it has no size", by: null };
const seen = seenOf(element, boxes[0]);
if (!(seen.right > seen.left && seen.bottom > seen.top)) {
return { visible: false, reason: "a box around it clips this part: scroll that box", by: null };
}
if (seen.bottom <= 0 || seen.right <= 0 || seen.top >= innerHeight || seen.left >= innerWidth) {
return { visible: false, reason: "it is outside its frame's viewport: scroll to it", by: null };
}
const aimed = aimAt(element, [], null, true);
if (aimed.reason === "obscured") return { visible: false, reason: "covered", by: aimed.by };
return { visible: true, reason: aimed.reason === "mouse_proof" ? "mouse events pass through it" : "", by: null };
}
function whyHidden(element) {
for (let at = element; at && isElement(at); at = flatParent(at)) {
const { display, opacity, visibility, contentVisibility } = getComputedStyle(at);
const whose = at === element ? "its own" : `${wordFor(at)} has`;
if (display === "none") return `${whose} display: none`;
if (opacity === "0") return `${whose} opacity: 0`;
if (at !== element && contentVisibility === "hidden") return `${whose} content-visibility: hidden`;
if (at === element && visibility !== "visible") return `its visibility: ${visibility}`;
}
return showing(element) === SHOWN || getComputedStyle(element).display === "contents" ? "" : "it is not drawn";
}
const wordFor = (element) => {
const id = attribute(element, "id");
return id ? `${localName(element)}#${cutTo(id, 40)}` : localName(element);
};
const SETTLED_MS = 1500;
const FRAMES = 3;
let watched = null;
function wheelExpected(x, y, vertical, sign) {
watched?.forget();
const scrollers = scrollersAt(x, y, vertical);
const events = {};
const note = (event) => (events[event.type] ??= event);
for (const kind of WHEEL_EVENTS) addEventListener(kind, note, CAPTURED);
watched = {
sign,
events,
vertical,
scrollers,
before: scrollers.map((one) => offsetOf(one, vertical)),
forget: () => {
for (const kind of WHEEL_EVENTS) removeEventListener(kind, note, CAPTURED);
scrollers.forEach(noteOwnScroll);
watched = null;
},
};
}
const WHEEL_EVENTS = ["wheel", "scroll", "scrollend"];
const CAPTURED = { capture: true, passive: true };
async function wheeled(milliseconds) {
const { sign, events, vertical, scrollers, before, forget } = watched;
const began = performance.now();
let frames = 0;
const count = () => ++frames < FRAMES && requestAnimationFrame(count);
requestAnimationFrame(count);
const isMoved = () => scrollers.some((one, at) => offsetOf(one, vertical) !== before[at]);
const isOver = () => {
const passed = performance.now() - began;
if (events.scrollend && !isMoved()) delete events.scroll, delete events.scrollend;
const isStill = !events.scroll && frames >= FRAMES && passed > milliseconds;
return events.scrollend || isStill || passed > SETTLED_MS;
};
while (!isOver()) await new Promise((later) => setTimeout(later, 5));
forget();
const moved = scrollers.map((one, at) => (offsetOf(one, vertical) - before[at]) * sign);
const which = moved.findIndex((by) => Math.abs(by) >= 1);
const shown = scrollers[which < 0 ? 0 : which];
return {
moved: which < 0 ? 0 : Math.round(moved[which]),
taken: events.wheel?.defaultPrevented === true,
scrolls: shown !== undefined,
x: shown ? Math.round(shown.scrollLeft) : 0,
y: shown ? Math.round(shown.scrollTop) : 0,
left: shown ? roomOf(shown, vertical, sign) : 0,
};
}
function scrollersAt(x, y, vertical) {
const root = scrollingElementOf(document);
const found = [];
const point = fromScreen(x, y);
for (let at = hitAt(point.x, point.y); at && isElement(at); at = flatParent(at)) {
if (at !== root && canScroll(at, vertical, false)) found.push(at);
}
if (root && canScroll(root, vertical, true)) found.push(root);
return found;
}
const offsetOf = (element, vertical) => (vertical ? element.scrollTop : element.scrollLeft);
function roomOf(element, vertical, sign) {
const at = offsetOf(element, vertical);
const most = vertical
? element.scrollHeight - element.clientHeight
: element.scrollWidth - element.clientWidth;
const backwards = !vertical && getComputedStyle(element).direction === "rtl" ? most + at : at;
return Math.max(0, Math.round(sign > 0 ? most - backwards : backwards));
}
const MAX_HIGH = 300;
const MAX_LABEL = 200;
const OTHER_FIELDS = "input, textarea, select, [contenteditable=true], [role=combobox], [role=textbox], [role=slider]";
const NOT_SHOWN = "[aria-hidden=true]";
function widgetAround(field) {
const isOther = (one) =>
one !== field && !isInside(one, field) && !isInside(field, one) && !matches(one, NOT_SHOWN) &&
isShown(one) && !isTiny(one);
let widget = field;
for (const at of ancestors(field)) {
if (boundingRect(at).height > MAX_HIGH || [...all(at, OTHER_FIELDS)].some(isOther)) break;
widget = at;
}
return widget;
}
const isOffer = (element) =>
attribute(element, "role") === "listbox" &&
[...all(element, "[role=option]")].some((one) => attribute(one, "aria-selected") !== "true");
function fieldValue(element) {
const tag = localName(element);
return squash(valueOf(element, tag, roleOf(element, tag), (key) => attribute(element, `aria-${key}`)));
}
function textsOf(field) {
const found = [];
const read = (element) => {
const tag = localName(element);
if (tag === "label" || tag === "select" || isOffer(element) || !isShown(element)) return;
const whole = squash(tag === "input" ? fieldValue(element) : textContent(element).slice(0, 4 * MAX_LABEL));
if (whole && whole.length <= MAX_LABEL) found.push({ element, text: whole });
for (const child of flatChildren(element, tag)) {
if (isElement(child)) read(child);
else if (isText(child) && squash(data(child)) && squash(data(child)) !== whole) {
found.push({ element, text: squash(data(child)) });
}
}
};
read(widgetAround(field));
return found;
}
function displays(field, { typed }) {
const texts = textsOf(field)
.filter(({ element }) => typed || kindOf(element) !== "typed")
.map((one) => one.text.toLowerCase());
const split = texts.flatMap((text) => text.split(/\s*[,;]\s*/));
const shown = new Set([...texts, ...split]);
return (label) => shown.has(label.toLowerCase());
}
function chipsLike(field, label) {
const low = label.toLowerCase();
const own = textsOf(field).filter((one) => one.text.toLowerCase() === low).map((one) => one.element);
const widget = widgetAround(field);
for (let at = own.at(-1); at && at !== widget; at = at.parentElement) {
const alike = [...(at.parentElement?.children ?? [])].filter(
(one) => localName(one) === localName(at) && one.classList[0] === at.classList[0] && isShown(one),
);
if (alike.length > 1) return alike.map((one) => ({ element: one, label: labelOfChip(one) }));
}
return [];
}
function labelOfChip(chip) {
const texts = [];
const read = (element) => {
for (const child of flatChildren(element, localName(element))) {
if (isElement(child)) read(child);
else if (isText(child) && squash(data(child)).length > 1) texts.push(squash(data(child)));
}
};
read(chip);
return texts[0] ?? "";
}
const BEFORE_SCROLLS_MS = 300;
async function toClick(id, wanted, by, done, milliseconds, typable) {
const from = performance.now();
const seen = new Set();
const isDone = (text) => done.some((one) => one.toLowerCase() === squash(text).toLowerCase());
for (let scrolls = 0; ; ) {
const element = identified(id);
if (!element) return { reason: "gone" };
const into = typable ? fieldToType(element) : null;
const isFinal = into === null;
const isLast = performance.now() >= from + (isFinal ? milliseconds : typable);
const lists = listsOf(element, isLast && isFinal);
const options = optionsOf(pickerOf(element), lists);
for (const one of options) if (seen.size < MAX_OFFERED) seen.add(cutTo(one[by], 200));
const isShowing = displays(element, { typed: false });
const left = wanted.filter((text) => !isDone(text));
const found = matched(options, left, by);
const needed = left.filter((text, index) => found[index] || !isShowing(text));
const refused = refusal(options, matched(options, needed, by), needed, by);
if (!refused) {
const multiple = isMultiple(element, lists);
const isChosen = (one) =>
isMarked(element, one) && (isShowing(one.label) || one.option !== activeDescendantOf(element));
const isWanted = (one) => found.includes(one) || isDone(one[by]);
const clicked = multiple
? options.filter((one) => !isDone(one[by]) && isChosen(one) !== isWanted(one))
: found.filter((one) => one && !(one.selected && isShowing(one.label)));
const click = clicked.map((one) => ({ id: identify(one.option), label: one.label, key: one[by] }));
lastOffered.set(element, offered(options, "label"));
return { click, multiple, asked: matched(options, wanted, by).map((one, index) => one?.label ?? wanted[index]) };
}
if (refused.reason === "disabled") return refused;
const scrolled = isFinal && performance.now() >= from + BEFORE_SCROLLS_MS &&
++scrolls < MAX_SCROLLS && scrollOn(options.at(-1)?.option, scrolls === 1);
if (isLast && !scrolled) return { ...refused, options: [...seen], type: into && withId(into) };
await new Promise((later) => setTimeout(later, 30));
}
}
function isMarked(element, { label, selected }) {
const stands = firstOf(element, "select");
const own = stands && [...stands.options].find((one) => squash(one.label) === label);
return own ? own.selected : selected;
}
function fieldToType(element) {
const field = [element, focusedNow()].find((one) => one && kindOf(one) === "typed");
return !field || field.readOnly === true ? null : field;
}
const lastOffered = new WeakMap();
async function chosen(id, asked, milliseconds) {
const until = performance.now() + milliseconds;
for (;;) {
const element = identified(id);
if (!element) return null;
const { shown, isAsked } = shownChoice(element, asked);
if (isAsked || performance.now() >= until) return { shown, isAsked };
await new Promise((later) => setTimeout(later, 30));
}
}
function shownChoice(element, asked) {
const low = (text) => text.toLowerCase();
const marked = [
...new Set(optionsOf(pickerOf(element), ownLists(element)).filter((one) => one.selected).map((one) => one.label)),
];
if (asked.length && marked.length >= asked.length && asked.every((label) => marked.includes(label))) {
return { shown: marked, isAsked: true };
}
const offers = lastOffered.get(element) ?? [];
const isShowing = displays(element, { typed: true });
const chips = asked.flatMap((label) => (isShowing(label) ? chipsLike(element, label) : []));
const known = [...new Set([...asked, ...offers])].filter(isShowing);
const also = chips.map((one) => one.label).filter((label) => label && !known.map(low).includes(low(label)));
const shown = [...known, ...new Set(also)];
if (asked.length && asked.every(isShowing)) return { shown, isAsked: true };
if (shown.length || marked.length) return { shown: shown.length ? shown : marked, isAsked: false };
const texts = textShown(element);
return { shown: texts, isAsked: isSaid(texts, asked, offers) };
}
function textShown(element) {
const tag = localName(element);
const shown = fieldValue(element) || squash(contentText(element, tag, null));
return [shown || (tag === "input" ? saidBeside(element) : "")].filter(Boolean);
}
function isSaid(shown, asked, offers) {
const low = (text) => text.toLowerCase();
const others = new Set(offers.filter((one) => !asked.includes(one)).map(low));
const words = shown.map(low).filter((text) => !others.has(text));
return asked.map(low).every((label) => words.some((text) => text.includes(label)));
}
function snapshot(view, whole = 0) {
const outline = outlined(whole, () => outlineOf(view));
sinceNow(lastId);
return inColumns(outline, suspects.length, carouselParts().length);
}
function snapshotIn(id, view) {
return inColumns(outlined(id, () => outlineIn(id, view)), suspects.length, carouselParts().length);
}
function outlined(whole, outline) {
showWhole(identified(whole));
try {
return walk(outline);
} finally {
showWhole(null);
}
}
function suspected() {
return suspects;
}
function find(query, most) {
return { ...findElements(query, most), suspects: suspectAll(), carousels: carouselParts().length };
}
globalThis.__tabwarden = { snapshot, snapshotIn, suspected, find, carouselParts, learnCarousels, selectMarkers, highlight, unhighlight, readable, annotate, unannotate, shownPart, activity, activityAfter, kindNow, judged, zones, leaveScreen, stored, clearTimers, listen, opened, mask, secretsTyped, unmask, coverTexts, drawnTexts, insertSecret, origin, described, heal, locators, nearest, awaited, elementAwaited, isSelector, present, frameBox, boxes, boxesInView, under, drawn, revealedBox, scrollPage, seenAt, viewport, focusNow, secretNow, aim, aimDrawn, aimLater, aimThrough, aimThroughLater, rests, inputCame, inputExpected, openSpot, dragExpected, dragSeen, dragTaken, pastMiddle, fieldInUse, focus, focusLater, leave, pick, read, readLater, effectBegins, effectSeen, lastChangeAgo, checkedAs, control, mouseCame, mouseExpected, pressBegun, pressDone, pressExpected, pressSeen, slideNear, slider, focusLost, giveFocus, facts, wheeled, wheelExpected, choose, picker, suggestion, chosen, toClick, element: identified };
})()
