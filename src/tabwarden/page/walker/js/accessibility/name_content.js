// The text of an element's content (accname 1.2, steps 2A to 2I for nested content).

import { drawnBy, mayHaveDrawn } from "./generated_text.js";
import { lastResort, namedNow, nativeName } from "./names.js";
import { roleOf } from "./roles.js";
import { isTelling } from "./semantic_attributes.js";
import { shownAs } from "./states.js";
import { flatChildren, shadowRoot } from "../dom/flat_tree.js";
import {
  all, attribute, closest, data, firstElementChild, hasAttribute, hasAttributes, isElement, isText,
  labelledByElements, localName, ownedElements, textContent,
} from "../dom/natives.js";
import { holdsSecret } from "../dom/secret_fields.js";
import { MAX_NAME } from "../dom/text.js";
import { GONE, isHiddenFromAll, NEVER, showing, SHOWN } from "../dom/visibility.js";

export const INLINE_TAGS = new Set(
  (
    "a abbr b bdi bdo cite code data del dfn em font i ins kbd label mark q s samp small span " +
    "strong sub sup time u var wbr slot tt"
  ).split(" "),
);
const REPLACED = new Set(
  "img svg input select textarea button meter progress canvas iframe frame video audio object".split(" "),
);

const MAX_GATHERED = 4 * MAX_NAME;
// The most elements to read for one name, because references may form cycles or fan out.
const MAX_STEPS = 2000;

// How an element is reached: as content; by aria-labelledby, whose further references are not
// followed; or from a hidden source, where hidden content counts.
export const CONTENT = { follows: true, hidden: false };
const REFERENCED = { follows: false, hidden: false };
export const HIDDEN = { follows: false, hidden: true };
export const HIDDEN_LABEL = { follows: true, hidden: true };

// Elements already read for this name. Only a reference to them reads them again.
const consulted = new Set();
const within = new Set();

let steps = 0;

export function beginName() {
  steps = 0;
  if (consulted.size) consulted.clear(); // clearing an empty set would allocate a table
  if (within.size) within.clear(); // the last walk may have been stopped in the middle
}

export function referenced(elements) {
  let text = "";
  for (const one of elements) {
    const before = [...consulted];
    consulted.clear();
    text += ` ${nestedText(one, isHidden(one) ? HIDDEN : REFERENCED)}`;
    for (const other of before) consulted.add(other);
  }
  return text;
}

// Whether a name already includes an element's text. A name reads an element only once.
export const isConsulted = (element) => consulted.has(element);

export const isHidden = (element) =>
  showing(element) !== SHOWN || closest(element, "[aria-hidden=true]") !== null;

export function contentText(element, tag, except, how = CONTENT, own = true) {
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

// The last element whose name is a single text, its only content.
export let lastAlone = null;

// Returns an element's content if it is text alone; else "". Does not touch the text node, because
// that would create an object for it.
const textAlone = (element, tag) =>
  firstElementChild(element) === null && tag !== "slot" && tag !== "details" &&
  shadowRoot(element) === null
    ? textContent(element)
    : "";

// Returns a child's part of the text. Blocks are separated by spaces.
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

export function nestedText(element, how, except = null) {
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

export const SAYS_NOTHING = new Set("input textarea select iframe frame video audio canvas object".split(" "));

// A control inside a label or a button contributes its value. Returns null for other elements.
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
    case "menu": // it opens on a click, like a list of options
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
