// The boxes that clip an element.

import { flatParent } from "../dom/flat_tree.js";
import { bodyOf, isElement, rootOf } from "../dom/natives.js";
import { isTiny } from "./boxes.js";

export const isCutToNothing = (element) =>
  isTiny(element) && getComputedStyle(element).overflow !== "visible";

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
