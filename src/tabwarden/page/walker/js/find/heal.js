// Healing: finds the redrawn version of a ref's element, if the match is certain.
//
// A new element replaces an old element only if all of these conditions are true:
// - It was added in the place of the old element after the old element was removed. An element that
//   was beside the old element is a different one.
// - Role and name are the same, and so are the keys (ids, addresses, handlers) above it.
// - The item around it (its row or card, as far up as it holds no similar element) reads the same,
//   and exactly one removed and one added element match in this way. Other elements may have been
//   in this place in between, one after the other, as in a list that was drawn three times.
// - No other element of its kind is missing. A missing element could be the old element.
// Other elements are rejected, because a click on the wrong row can't be undone.

import { controlWith, elementOf, identified, identify, idOf } from "../dom/element_ids.js";
import { comings, parentOf, queryAll, stands, topOf } from "../dom/mutations.js";
import { all, attribute, attributeNames, isElement, localName, textContent } from "../dom/natives.js";
import { shadowRoot } from "../dom/shadow_roots.js";
import { cutTo, squash } from "../dom/text.js";
import { near, tally } from "./nearest.js";
import { outlineOf } from "../outline/outline.js";

const KEY =
  /^(id|name|for|href|src|action|formaction|on\w+|data-(.*-)?(id|key|uid|uuid|guid|pk|sku|slug|test|testid|qa|cy))$/;
const OWN_KEY = /^data-(.*-)?(id|key|uid|uuid|guid|pk|sku|slug)$/;
// Ids that a library generates each time (React's useId).
const MADE_UP = /:r\w*:|«r\w*»|_r_\w*_/;
const LABELS = ["role", "type", "aria-label", "title", "alt", "placeholder"];
const KINDS = ["role", "type", "class"];

const MAX_COUNTS = 20;
const MAX_FORMER = 200;

// Maps each healed element to the old id that it replaces. Two refs never become one.
const heirs = new Map();
// The removed trees that contain earlier versions of an element.
const former = new WeakMap();
const formerOf = (element) => former.get(element) ?? [];

export function heal(id, role, name) {
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

// Returns the element that took the place of `was`, and the removed trees that contain `was` and
// the elements in between.
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

// Whether each element was added after the previous element had been removed.
function inTurn([first, ...others]) {
  others.sort((one, other) => one.came - other.came);
  return others.every(({ came }, at) => came >= (at ? others[at - 1] : first).time);
}

// Whether each removed element of the kind is among the added elements. If its text without numbers
// is unique ("Like (3)"), the numbers may differ. Of the elements that appeared and disappeared in
// between, one per text is enough.
function isAccounted(was, heir, lost, passing, fresh, twins, heirs, itemOf) {
  const kinds = new Set([kindOfNode(was), kindOfNode(heir)]);
  const ofKind = (all) => [...all].filter((one) => kinds.has(kindOfNode(one)));
  const removed = ofKind(lost);
  const came = ofKind(fresh);
  // A twin is identified by its item's text, any other element by its own.
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

// Returns all elements of some trees, including shadow roots.
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

// Maps each element to its item: the highest ancestor, added or removed with it, that contains no
// other of the given elements.
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

// Returns an item's text, and the keys of everything in it.
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

// Whether the element or its item has a key that identifies an object. A position (an index, "#")
// is not such a key.
function isOwnKeyed(element, item) {
  const href = attribute(element, "href");
  if (href && !/^\s*(#|javascript:)/i.test(href)) return true;
  for (let at = element; at; at = parentOf(at)) {
    if (isElement(at) && attributeNames(at).some((key) => OWN_KEY.test(key))) return true;
    if (at === item) return false;
  }
  return false;
}
