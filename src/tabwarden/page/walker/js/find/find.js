// Finds elements without a snapshot: by text, role and name, CSS or XPath.

import { carousels, collectParts } from "../accessibility/carousels.js";
import { forgetLabels, learnLabels } from "../accessibility/labels.js";
import { NAMED_BY_CONTENT, nameOf } from "../accessibility/names.js";
import { contentText, roleOf } from "../accessibility/names_and_roles.js";
import { nearOf } from "../accessibility/near.js";
import { INTERACTIVE, LANDMARKS, TRANSPARENT } from "../accessibility/role_sets.js";
import { kindNow } from "../document/kind.js";
import { identified, identify } from "../dom/element_ids.js";
import { flatParent } from "../dom/flat_tree.js";
import {
  all, closest, data, firstChild, isElement, isText, localName, method, nextSibling, rootOf, textContent,
} from "../dom/natives.js";
import { openRoots } from "../dom/shadow_roots.js";
import { cutTo, holding, MAX_NAME, squash } from "../dom/text.js";
import { NEVER } from "../dom/visibility.js";
import { inRoots, located } from "./locators.js";
import { isOpenToView } from "../geometry/clipping.js";
import { drawnOf } from "../geometry/drawn_checks.js";

const WORDED = "[aria-label], [aria-labelledby], [alt], [title], [placeholder], input, textarea, select";
const ORDERED = 7; // XPathResult.ORDERED_NODE_SNAPSHOT_TYPE

// Returns the matches, up to a maximum, and how many there are in total.
export function findElements(query, most) {
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
  // Visible elements come first, because they are the likely targets if not all are returned. Among
  // these, elements that the page hides from assistive technology come last, because they may be
  // copies of others.
  const rank = ({ element, visible }) => visible * 2 + (closest(element, "[aria-hidden=true], [inert]") === null);
  matches.sort((a, b) => rank(b) - rank(a));
  const elements = matches.slice(0, most).map(({ element, control, visible }) => ({
    ...(control ? calledControl(control) : called(element)), visible, untilFound: !visible && closest(element, "[hidden=until-found]") !== null,
  }));
  forgetLabels();
  return { elements, total: matches.length, visible: matches.filter((one) => one.visible).length, kind: kindNow() };
}

// Describes an element for Python.
export function described(element) {
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

// Returns the controls of carousels that match a search by text, or by role and name.
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
    new DocumentFragment().querySelector(css.replaceAll(" >>> ", " ")); // throws if the selector is invalid
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

  // Yields the innermost elements that contain the text or have it as their name. For an element
  // inside a link or a button, yields the link or button.
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

// Returns an element's name, or the label beside the element.
const labelFor = (element, tag, role) => nameOf(element, tag, role) || nearOf(element, tag, role);

// A page may give a field a different name than the visible label, as Pikaday does.
const isLabelled = (element, has) => [...(element.labels ?? [])].some((label) => has(textContent(label)));

export function* innermost(top, has) {
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

// Returns the text of an element without its scripts and styles.
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
