// The text of an element's content (accname 1.2, steps 2A to 2I for nested content), and its role
// (WAI-ARIA 1.2, HTML-AAM). Names and roles depend on each other: a section without a name is not a
// region, and the text of a control in a label depends on the control's role.

import { PICKED } from "./field_kinds.js";
import { drawnBy, mayHaveDrawn } from "./generated_text.js";
import { labelsFor, shownAs } from "./labels.js";
import { isDesigned, isEditingHost, isFocusable, isLink } from "./operable.js";
import { ARIA_ALIASES, INPUT_ROLES, NEEDS_NAME, ROLES, TAG_ROLES, TRANSPARENT } from "./role_sets.js";
import {
  flatChildren, flatParent, FRAMED, holdsFrame, isOwnSummary, isSummary, showsOwn,
} from "../dom/flat_tree.js";
import {
  all, attribute, closest, data, firstChild, firstElementChild, hasAttribute, hasAttributes, isDrawing,
  isElement, isText, labelledByElements, localName, nextSibling, ownedElements, parentNode, textContent,
} from "../dom/natives.js";
import { holdsSecret } from "../dom/secret_fields.js";
import { isTelling } from "../dom/semantic_attributes.js";
import { shadowRoot } from "../dom/shadow_roots.js";
import { MAX_NAME, squash } from "../dom/text.js";
import { GONE, isHidden, isHiddenFromAll, NEVER, showing, SHOWN } from "../dom/visibility.js";

const REPLACED = new Set(
  "img svg input select textarea button meter progress canvas iframe frame video audio object".split(" "),
);

const MAX_GATHERED = 4 * MAX_NAME;
// The maximum number of elements to read for one name, because references may form cycles or fan
// out.
const MAX_STEPS = 2000;

// How an element is reached: as content; by aria-labelledby, whose further references are not
// followed; or from a hidden source, where hidden content counts.
const CONTENT = { follows: true, hidden: false };
const REFERENCED = { follows: false, hidden: false };
const HIDDEN = { follows: false, hidden: true };
const HIDDEN_LABEL = { follows: true, hidden: true };

// Elements that were already read for this name. Only a reference reads an element again.
const consulted = new Set();
const within = new Set();

// The source of the last name: "author" (ARIA), "native", "content", "title", "placeholder" or "".
export let nameFrom = "";
// The element being named. If it refers to itself, its name is used and not its value.
let namedNow = null;

export function named(text, from) {
  namedNow = null;
  nameFrom = text ? from : "";
  return text;
}

let steps = 0;

// Begins an element's name, or with null its description.
export function beginName(element = null) {
  namedNow = element;
  steps = 0;
  if (consulted.size) consulted.clear(); // clearing an empty set would allocate a table
  if (within.size) within.clear(); // the last walk may have been interrupted
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

// Whether the current name already includes an element's text. An element is read only once for a
// name.
const isConsulted = (element) => consulted.has(element);

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

// The last element whose name is a single text node, its only content.
export let lastAlone = null;

// Returns an element's content if it is only text; otherwise "". Does not access the text node,
// because that would create an object for the node.
const textAlone = (element, tag) =>
  firstElementChild(element) === null && tag !== "slot" && tag !== "details" &&
  shadowRoot(element) === null
    ? textContent(element)
    : "";

// Returns a child's contribution to the text. Blocks are separated by spaces.
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
    case "menu": // the element opens on a click, like a list of options
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

export const authorName = (element) =>
  hasAttribute(element, "aria-labelledby") ? squash(referenced(labelledByElements(element))) : "";

// Returns the tooltip, or the placeholder of an empty field; "" for decorative images inside names.
export function lastResort(element, tag) {
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

// Returns the name that HTML itself defines.
export function nativeName(element, tag) {
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
    case "geolocation": // the browser draws the names of these; scripts can't read them
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

// Each part of an SVG drawing is named by its own title.
export const drawnTitle = (element) =>
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

// Roles: from the role attribute, otherwise the native role.

const SECTIONING = "article, aside, main, nav, section, [role=article], [role=complementary], " +
  "[role=main], [role=navigation], [role=region]";

export function hasNameAttribute(element) {
  if (!hasAttributes(element)) return false;
  return Boolean(attribute(element, "aria-label")?.trim() || attribute(element, "title")?.trim()) ||
    authorName(element) !== "";
}

// An element with any of these attributes is not merely decorative.
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

// An item has a role only inside a list. If the list's role is none, so is the item's.
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
  // Without a scope, a header in a row with data cells belongs to the row, otherwise to the column.
  return row && isElement(row) && all(row, ":scope > td").length ? "rowheader" : "columnheader";
}

export function roleOf(element, tag) {
  if (!isTelling(element, tag) || FRAMED.has(tag)) return nativeRole(element, tag);
  const given = attribute(element, "role");
  if (given) {
    for (const token of given.toLowerCase().split(/\s+/)) {
      const role = ARIA_ALIASES[token] ?? token;
      if (!ROLES.has(role)) continue;
      if (NEEDS_NAME.has(role) && !hasNameAttribute(element)) continue;
      // A focusable element can't have the role none (ARIA, presentational role conflict).
      if (role === "none" && isTold(element, tag)) break;
      return role;
    }
  }
  const native = nativeRole(element, tag);
  return TRANSPARENT.has(native) && native !== "document" && isEditingHost(element) ? "textbox" : native;
}
