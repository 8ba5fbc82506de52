// Visibility: what is drawn. `checkVisibility` mostly answers this without a style object.

import { suspect } from "./closed_root_suspects.js";
import { flatParent } from "./flat_tree.js";
import { imageOf, isArea } from "./image_maps.js";
import {
  activeElementOf, attribute, bodyOf, checkVisibility, closest, contains, hasAttribute, isElement, parentNode,
} from "./natives.js";
import { isTelling } from "./semantic_attributes.js";
import { shadowRoot } from "./shadow_roots.js";
import { walking } from "./walk.js";

export const SHOWN = 0;
export const INVISIBLE = 1; // visibility: hidden, but its children may be visible
export const GONE = 2; // neither it nor its content is drawn
export const RENDERED = { visibilityProperty: true };

export function showing(element) {
  if (checkVisibility(element, RENDERED)) return SHOWN;
  if (isArea(element)) return imageOf(element) ? showing(imageOf(element)) : GONE;
  const style = getComputedStyle(element);
  if (style.display === "none") return GONE;
  if (style.display === "") {
    // An element without a style is in no slot of an (open or closed) shadow root.
    const parent = parentNode(element);
    if (walking && parent && isElement(parent) && !shadowRoot(parent)) suspect(parent);
    return GONE;
  }
  // The element has no box, but its children have boxes, unless an ancestor is not drawn.
  if (style.display === "contents") {
    const parent = flatParent(element);
    if (parent && isElement(parent) && showing(parent) === GONE) return GONE;
    return style.visibility === "visible" ? SHOWN : INVISIBLE;
  }
  if (style.visibility !== "visible") return isCutOff(element) ? GONE : INVISIBLE;
  return GONE; // content-visibility: hidden, as in a closed <details>
}

// Whether an element is hidden for a reason other than its own visibility.
const isCutOff = (element) => !checkVisibility(element);

// Elements whose content is never drawn as page content.
export const NEVER = new Set([
  "script", "style", "template", "noscript", "head", "meta", "link", "title", "base", "param",
  "source", "track", "datalist", "defs", "symbol", "metadata", "desc", "clippath", "mask",
]);

export const isHiddenFromAll = (element, tag) =>
  (NEVER.has(tag) && !(tag === "noscript" && checkVisibility(element))) ||
  (isTelling(element, tag) &&
    (isAriaHidden(element, tag) || attribute(element, "hidden") === "until-found"));

// Whether an element is not drawn, or is hidden from assistive technology.
export const isHidden = (element) =>
  showing(element) !== SHOWN || closest(element, "[aria-hidden=true]") !== null;

// Whether an element is inert, by the attribute or by CSS.
export function isInert(element) {
  for (let at = element; at && isElement(at); at = flatParent(at)) if (hasAttribute(at, "inert")) return true;
  return getComputedStyle(element).interactivity === "inert";
}

// Browsers ignore aria-hidden on the whole page and around the focus, where it is an error.
function isAriaHidden(element, tag) {
  if (attribute(element, "aria-hidden") !== "true") return false;
  if (tag === "body" || tag === "html") return false;
  const focused = activeElementOf(document);
  return !(focused && focused !== bodyOf(document) && contains(element, focused));
}
