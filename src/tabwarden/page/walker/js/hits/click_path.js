// Determines whether a click on the hit element reaches another element, and whether a child
// handles the click: a "Delete" button in a row, a nested item, a link in a label.

import { ACTED_ON, isClickable } from "../accessibility/clickable.js";
import { roleOf } from "../accessibility/names_and_roles.js";
import { INTERACTIVE } from "../accessibility/role_sets.js";
import { ancestors, flatParent, holdsFrame, isInside } from "../dom/flat_tree.js";
import { all, hasAttribute, isElement, localName, textContent } from "../dom/natives.js";
import { isTelling } from "../dom/semantic_attributes.js";
import { squash } from "../dom/text.js";
import { isTiny } from "../geometry/boxes.js";
import { isCutToNothing } from "../geometry/clipping.js";

// The hit element is inside the other element, or in its label.
export const reaches = (hit, element) => wayTo(hit, element) !== null;

// Returns the path from the hit element to the element, or null. `taker` is a child on the path
// that handles clicks itself. The search runs only if the element is clicked as a unit (`whole`).
export function wayTo(hit, element, whole = false) {
  let taker = null;
  let labelled = false;
  for (let at = hit; at; at = flatParent(at)) {
    if (at === element) return { taker: taker && isWrapped(taker, element) ? null : taker };
    if (!isElement(at)) continue;
    const tag = localName(at);
    if (tag === "label" && !labelled) {
      if (at.control === element) return { taker };
      labelled = true;
    }
    if (whole && taker === null && takesClicks(at, tag)) taker = at;
  }
  return isDrawnOver(element, hit) ? { taker: null } : null;
}

// A combobox may draw its choice over its input, and a slider its thumb. A press there reaches the
// widget too.
const MAX_WRAPPED = 2;
const DRAWN_OVER = new Set(["combobox", "slider"]);

function* drawnAround(element) {
  if (localName(element) !== "input" || !DRAWN_OVER.has(roleOf(element, "input"))) return;
  for (const at of ancestors(element, MAX_WRAPPED)) {
    if ([...all(at, ACTED_ON)].some((one) => one !== element)) return;
    yield at;
  }
}

function isDrawnOver(element, hit) {
  const isTinyInput = isTiny(element) || isCutToNothing(flatParent(element));
  for (const at of drawnAround(element)) if ((at !== hit || isTinyInput) && isInside(hit, at)) return true;
  return false;
}

// Returns the element that is drawn for an invisible input.
export function drawnFor(element) {
  const isSeen = (one) => !isTiny(one) && !isCutToNothing(one);
  if (isSeen(element) && isSeen(flatParent(element))) return [];
  return [...drawnAround(element)].filter(isSeen).slice(0, 1);
}

// Clicks on their parts count as clicks on them.
const OF_PARTS = new Set("combobox spinbutton textbox searchbox listbox slider scrollbar".split(" "));

export function isClickedAsOne(element) {
  const tag = localName(element);
  const role = roleOf(element, tag);
  return !OF_PARTS.has(role) && (INTERACTIVE.has(role) || isClickable(element, tag));
}

function takesClicks(element, tag) {
  if (tag === "label") return element.control !== null;
  if (holdsFrame(element, tag)) return true;
  return INTERACTIVE.has(roleOf(element, tag)) ||
    (isTelling(element, tag) && hasAttribute(element, "onclick"));
}

// Whether a control only wraps another: <li role="menuitem"><a href="...">Home</a></li>.
const isWrapped = (inner, outer) => squash(textContent(inner)) === squash(textContent(outer));
