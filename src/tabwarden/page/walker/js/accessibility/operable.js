// Elements that people can focus, edit or operate, regardless of role.

import { isSummary } from "../dom/flat_tree.js";
import { attribute, designModeOf, hasAttribute, localName, matches } from "../dom/natives.js";

export function isEditingHost(element) {
  const editable = attribute(element, "contenteditable");
  if (editable === null) return localName(element) === "body" && isDesigned();
  return editable.toLowerCase() !== "false" && element.isContentEditable;
}

// Whether a script has made the whole document editable.
export const isDesigned = () => designModeOf(document) === "on";

const FOCUSABLE = new Set("button select textarea input iframe".split(" "));

export const isFocusable = (element, tag) =>
  hasAttribute(element, "tabindex") || isEditingHost(element) ||
  (FOCUSABLE.has(tag) && !matches(element, ":disabled")) ||
  ((tag === "a" || tag === "area") && isLink(element)) ||
  ((tag === "audio" || tag === "video") && hasAttribute(element, "controls")) ||
  (tag === "summary" && isSummary(element));

// Users can operate these elements, regardless of role.
export const isControl = (element, tag) =>
  CONTROLS.has(tag) || ((tag === "a" || tag === "area") && isLink(element)) ||
  (tag === "summary" && isSummary(element));
const CONTROLS = new Set("button select textarea input".split(" "));

export const isLink = (element) => hasAttribute(element, "href") || hasAttribute(element, "xlink:href");
