// Names, by the accessible name computation (accname 1.2, with the native rules of HTML-AAM).

import {
  authorName, beginName, contentText, drawnTitle, lastResort, named, nameFrom, nativeName, referenced,
  SAYS_NOTHING,
} from "./names_and_roles.js";
import { attribute, describedByElements, firstChild, hasAttribute } from "../dom/natives.js";
import { isTelling } from "../dom/semantic_attributes.js";
import { squash } from "../dom/text.js";
import { walking } from "../dom/walk.js";

export const NAMED_BY_CONTENT = new Set(
  (
    "button link heading checkbox radio option menuitem menuitemcheckbox menuitemradio tab switch " +
    "treeitem tooltip columnheader rowheader cell gridcell row"
  ).split(" "),
);

// Rows and cells get their names from content, but the outline shows that content inside them.
export const SHOWS_CONTENT = new Set("columnheader rowheader cell gridcell row treeitem".split(" "));

export function nameOf(element, tag, role) {
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
    if (firstChild(element)) return named("", "content"); // a walk does not use this name
  } else if (NAMED_BY_CONTENT.has(role) && !SAYS_NOTHING.has(tag)) {
    if ((name = squash(contentText(element, tag, null)))) return named(name, "content");
  }
  return has && (name = squash(lastResort(element, tag))) ? named(name, nameFrom) : named("", "");
}

// Names an element that is only actionable: by its author's name, otherwise by its drawn title.
export function nameOfNothing(element, tag) {
  beginName(element);
  if (!isTelling(element, tag)) return named("", "");
  const label = authorName(element) || squash(attribute(element, "aria-label") ?? "");
  return named(label || squash(drawnTitle(element)), "author");
}

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
