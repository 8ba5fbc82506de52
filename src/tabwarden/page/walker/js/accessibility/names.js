// Names, by the accessible name computation (accname 1.2, with the native rules of HTML-AAM).

import { labelText } from "./labels.js";
import {
  beginName, CONTENT, contentText, HIDDEN, isHidden, nestedText, referenced, SAYS_NOTHING,
} from "./name_content.js";
import { isOwnSummary } from "./roles.js";
import { isTelling } from "./semantic_attributes.js";
import {
  attribute, describedByElements, firstChild, firstElementChild, hasAttribute, isDrawing, isElement,
  labelledByElements, localName, nextSibling, textContent,
} from "../dom/natives.js";
import { squash } from "../dom/text.js";
import { walking } from "../dom/walk.js";

// Returns the tooltip, or the placeholder of an empty field. Decorative images inside names have
// none.
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

export const NAMED_BY_CONTENT = new Set(
  (
    "button link heading checkbox radio option menuitem menuitemcheckbox menuitemradio tab switch " +
    "treeitem tooltip columnheader rowheader cell gridcell row"
  ).split(" "),
);

// Rows and cells get their names from content, but the outline shows that content inside them.
export const SHOWS_CONTENT = new Set("columnheader rowheader cell gridcell row treeitem".split(" "));

// The source of the last name: "author" (ARIA), "native", "content", "title", "placeholder" or "".
export let nameFrom = "";
// The element being named. If it refers to itself, its name is used and not its value.
export let namedNow = null;

function named(text, from) {
  namedNow = null;
  nameFrom = text ? from : "";
  return text;
}

export function nameOf(element, tag, role) {
  namedNow = element;
  beginName();
  let name;
  const has = isTelling(element, tag);
  if (has) {
    if ((name = authorName(element))) return named(name, "author");
    const label = attribute(element, "aria-label");
    if (label && (name = squash(label))) return named(name, "author");
  }
  if ((name = squash(nativeName(element, tag)))) return named(name, "native");
  if (SHOWS_CONTENT.has(role) && walking) {
    if (firstChild(element)) return named("", "content"); // a walk does not need this name
  } else if (NAMED_BY_CONTENT.has(role) && !SAYS_NOTHING.has(tag)) {
    if ((name = squash(contentText(element, tag, null)))) return named(name, "content");
  }
  return has && (name = squash(lastResort(element, tag))) ? named(name, nameFrom) : named("", "");
}

// Names an element that is only actionable: by its author's name, else by its drawn title.
export function nameOfNothing(element, tag) {
  namedNow = element;
  beginName();
  if (!isTelling(element, tag)) return named("", "");
  const said = authorName(element) || squash(attribute(element, "aria-label") ?? "");
  return named(said || squash(drawnTitle(element)), "author");
}

export const authorName = (element) =>
  hasAttribute(element, "aria-labelledby") ? squash(referenced(labelledByElements(element))) : "";

export function descriptionOf(element) {
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
