// Locators: ways to find an element again, on this page or on a later version of it, in the terms of
// Playwright's locators. A recording keeps them, and exported scripts and replays use them.
//
// Each kind matches as Playwright's locator of that name does with `exact`: the whole text, with
// the same case and collapsed white space. Text and labels include hidden text. Roles and names
// omit content that is hidden from assistive technology.

import { learnLabels, forgetLabels } from "../accessibility/labels.js";
import { nameOf } from "../accessibility/names.js";
import { roleOf } from "../accessibility/names_and_roles.js";
import { TRANSPARENT } from "../accessibility/role_sets.js";
import { controlWith, identified } from "../dom/element_ids.js";
import {
  all, attribute, boundingRect, closest, contains, data, firstChild, getRootNode, hasAttribute, isElement, isText,
  labelledByElements, localName, nextSibling, openRoot, parentNode,
} from "../dom/natives.js";
import { openRoots, shadowRoot } from "../dom/shadow_roots.js";
import { MAX_NAME } from "../dom/text.js";
import { isHidden, NEVER } from "../dom/visibility.js";

// The walker's own roles, which are not ARIA roles.
const OWN_ROLES = new Set("iframe canvas video audio embed object comment".split(" "));
const WITH_LABELS = new Set("button meter output progress select textarea input".split(" "));
const WITHOUT_TEXT = new Set(["script", "style", "noscript", "head"]);
const MAX_TOLD = 80;
const LONGEST_NAME = 200;
const GENERATED = /:r\w*:|«r\w*»|_r_\w*_|\d{4}|[0-9a-f]{8}/;

// Returns the candidate locators for an element, in order of preference, each with whether it
// matches only this element.
export function locators(id, x = null, y = null) {
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

// The position of a point in an element: from the element's corner, and from the corner inside its
// border.
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

// Whether a locator matches only this element. A button's text may be in an inner element, where a
// click has the same effect, but a drag may not.
function findsOnly(element, candidate) {
  const [found, other] = located(candidate);
  if (!found || other) return { unique: false };
  if (found === element) return { unique: true };
  return candidate.by === "text" && contains(element, found) ? { unique: true, inside: true } : { unique: false };
}

// Yields the elements that a locator matches. The caller has collected the labels.
export function* located(locator) {
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

// Yields the matches of a selector in the document and all shadow roots. The part after " >>> "
// matches in the shadow root of each match.
export function* inRoots(css) {
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

// Whether Playwright and the walker compute the same role for the element.
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

// Returns the text of a tree on one line, or null if it is long.
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

// Returns a selector that matches only the element, from the document through the shadow roots.
function cssThrough(element) {
  const css = cssOf(element);
  const root = getRootNode(element);
  if (root === document || [...inRoots(css)].length === 1) return css;
  return cssThrough(root.host) + INTO_ROOT + css;
}

// Returns a selector that matches only the element in its document or shadow root.
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
