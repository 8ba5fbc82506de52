// The boxes that clip an element, and the remaining part of the element.

import { flatParent } from "../dom/flat_tree.js";
import { all, bodyOf, hasAttributes, isElement, localName, offsetHeight, offsetWidth, rootOf } from "../dom/natives.js";
import { GONE, showing } from "../dom/visibility.js";
import { EMPTY, isShown, isTiny, paddingBox } from "./boxes.js";

export const isCutToNothing = (element) =>
  isTiny(element) && getComputedStyle(element).overflow !== "visible";

// Whether an element is folded: a box without height or width that cuts off all its content. A box
// without both is hidden on purpose, such as text for screen readers.
const FLAT = 3;
// Only these tags are measured. A walk would take twice as long if it measured all.
const PANELS = new Set("div section article aside nav ul ol menu dl dd form fieldset main header footer".split(" "));
export function isFolded(element, tag = localName(element)) {
  if (!(PANELS.has(tag) || tag.includes("-")) || !hasAttributes(element) || !(element instanceof HTMLElement)) return false;
  const isFlat = offsetHeight(element) < FLAT;
  if (isFlat === offsetWidth(element) < FLAT) return false;
  const style = getComputedStyle(element);
  if ((isFlat ? style.overflowY : style.overflowX) === "visible") return false;
  if ((isFlat ? element.clientHeight : element.clientWidth) > 0) return false;
  return style.position !== "static" || ![...all(element, "*")].some(isLifted);
}

const isLifted = (element) => /^(absolute|fixed)$/.test(getComputedStyle(element).position);

// Whether an element is drawn, and no folded box around it cuts it off.
export const isOpenToView = (element) => isShown(element) && foldAround(element) === null;

function foldAround(element) {
  for (let at = flatParent(element); at && isElement(at); at = flatParent(at)) if (isFolded(at)) return at;
  return null;
}

// Returns the next ancestor that can clip an element. A positioned element escapes the boxes
// between it and its containing block. The document itself clips nothing, because a screenshot may
// show more than the viewport.
export function clipperOf(element, style) {
  const fixed = style.position === "fixed";
  for (let at = flatParent(element); at && isElement(at); at = flatParent(at)) {
    if (at === rootOf(document) || (at === bodyOf(document) && !isBodyScrolled())) return null;
    const around = getComputedStyle(at);
    if (around.display === "contents" || around.display === "inline") continue;
    const holds = around.transform !== "none" || around.filter !== "none";
    if (fixed && !holds) continue;
    if (style.position === "absolute" && around.position === "static" && !holds) continue;
    return at;
  }
  return null;
}

// The body's overflow applies to the viewport unless the root element has its own.
const isBodyScrolled = () => getComputedStyle(rootOf(document)).overflow !== "visible";

// Returns the part of an element's box that the boxes around it don't hide.
export function seenOf(element, whole) {
  let seen = showing(element) === GONE ? EMPTY : whole;
  let style = getComputedStyle(element);
  for (let at = clipperOf(element, style); at; at = clipperOf(at, style)) {
    style = getComputedStyle(at);
    if (style.overflow !== "visible" || style.contain === "paint") {
      seen = intersection(seen, paddingBox(at));
    }
  }
  return seen;
}

const intersection = (one, other) => ({
  left: Math.max(one.left, other.left),
  top: Math.max(one.top, other.top),
  right: Math.min(one.right, other.right),
  bottom: Math.min(one.bottom, other.bottom),
});
