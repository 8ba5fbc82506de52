// Roles: from the role attribute (WAI-ARIA 1.2), else the native role (HTML-AAM).

import { PICKED } from "./field_kinds.js";
import { authorName } from "./names.js";
import { isTelling } from "./semantic_attributes.js";
import { flatParent, FRAMED, holdsFrame, showsOwn, summaryOf } from "../dom/flat_tree.js";
import {
  all, attribute, closest, designModeOf, hasAttribute, hasAttributes, isElement, localName, matches,
  parentNode,
} from "../dom/natives.js";

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

export const DIALOGS = new Set(["dialog", "alertdialog"]);

export const INTERACTIVE = new Set(
  (
    "button link textbox searchbox checkbox radio combobox listbox option menuitem " +
    "menuitemcheckbox menuitemradio tab switch slider spinbutton treeitem scrollbar"
  ).split(" "),
);

// Roles that add nothing to their content.
export const TRANSPARENT = new Set(
  (
    "generic none presentation paragraph rowgroup emphasis strong code caption deletion insertion " +
    "subscript superscript time mark suggestion document"
  ).split(" "),
);

export const INPUT_ROLES = {
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

const SECTIONING = "article, aside, main, nav, section, [role=article], [role=complementary], " +
  "[role=main], [role=navigation], [role=region]";

export function isEditingHost(element) {
  const editable = attribute(element, "contenteditable");
  if (editable === null) return localName(element) === "body" && isDesigned();
  return editable.toLowerCase() !== "false" && element.isContentEditable;
}

// Whether a script has made the whole document editable.
const isDesigned = () => designModeOf(document) === "on";

const FOCUSABLE = new Set("button select textarea input iframe".split(" "));

const isFocusable = (element, tag) =>
  hasAttribute(element, "tabindex") || isEditingHost(element) ||
  (FOCUSABLE.has(tag) && !matches(element, ":disabled")) ||
  ((tag === "a" || tag === "area") && isLink(element)) ||
  ((tag === "audio" || tag === "video") && hasAttribute(element, "controls")) ||
  (tag === "summary" && isSummary(element));

// Users can operate these, whatever role they have.
export const isControl = (element, tag) =>
  CONTROLS.has(tag) || ((tag === "a" || tag === "area") && isLink(element)) ||
  (tag === "summary" && isSummary(element));
const CONTROLS = new Set("button select textarea input".split(" "));

const isLink = (element) => hasAttribute(element, "href") || hasAttribute(element, "xlink:href");

function isSummary(element) {
  const parent = parentNode(element);
  return parent && isElement(parent) && localName(parent) === "details" &&
    summaryOf(parent) === element;
}

// If there is no summary, the browser draws one, and a click on it opens a closed <details>.
export const isOwnSummary = (details) => !details.open && summaryOf(details) === null;

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
  // Without a scope, a header in a row with data cells belongs to the row, else to the column.
  return row && isElement(row) && all(row, ":scope > td").length ? "rowheader" : "columnheader";
}

// Synonyms, and those roles for books (DPUB-ARIA) and graphics that an agent can use.
const ARIA_ALIASES = {
  image: "img", directory: "list", presentation: "none",
  "doc-backlink": "link", "doc-biblioref": "link", "doc-glossref": "link", "doc-noteref": "link",
  "doc-cover": "img", "graphics-symbol": "img", "graphics-object": "group",
};

// Roles that mean nothing without a name (ARIA 1.2).
const NEEDS_NAME = new Set(["region", "form"]);

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
