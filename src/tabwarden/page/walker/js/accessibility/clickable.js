// Elements that accept clicks, drags or the Tab key although their role does not show it.

import { roleOf } from "./names_and_roles.js";
import { INTERACTIVE } from "./role_sets.js";
import { isAroundListener, listensForClicks } from "../dom/click_listeners.js";
import { flatParent, LEAVES } from "../dom/flat_tree.js";
import {
  attribute, boundingRect, checkVisibility, closest, data, firstChild, firstOf, hasAttribute, isElement, isText,
  localName, nextSibling, parentNode, textContent,
} from "../dom/natives.js";
import { isTelling } from "../dom/semantic_attributes.js";
import { shadowRoot } from "../dom/shadow_roots.js";
import { RENDERED } from "../dom/visibility.js";
import { isTiny } from "../geometry/boxes.js";
import { canScroll } from "../geometry/scrolling.js";

// Whether an element is clickable despite its role: it has a handler, or the hand cursor starts at
// this element.
export function isClickable(element, tag) {
  if (tag === "body" || tag === "html" || LEAVES.has(tag) && tag !== "img" && tag !== "canvas") {
    return false;
  }
  if (isTelling(element, tag) && hasAttribute(element, "onclick")) return true;
  if (tag === "label" && element.control && !checkVisibility(element.control, RENDERED)) return true;
  if (getComputedStyle(element).cursor !== "pointer" || isFilled(element)) return false;
  return tag === "label" ? !element.control : !isOfLabel(element);
}

// Whether the hand cursor starts at this element. If the parent has the same cursor, the parent
// listens for the clicks.
export function startsHand(element) {
  const around = flatParent(element);
  return isElement(around) && getComputedStyle(around).cursor !== "pointer";
}

// Whether a single control fills most of an element, as in a custom element that draws a button.
function isFilled(element) {
  const root = shadowRoot(element);
  const control = (root && firstOf(root, ACTED_ON)) ?? firstOf(element, ACTED_ON);
  if (!control) return false;
  const [inner, outer] = [boundingRect(control), boundingRect(element)];
  return inner.width * inner.height > (outer.width * outer.height) / 2;
}

// The hand cursor on a label, and on everything inside the label, belongs to the label's control.
function isOfLabel(element) {
  const label = closest(element, "label");
  return label !== null && label.control !== null && getComputedStyle(label).cursor === "pointer";
}

// Whether an element listens for clicks and none of its content does. A container's listener is
// often for its content, as with React's root, so large containers don't count.
export function isInnermostListener(element, tag) {
  if (!listensForClicks(element) || isAroundListener(element) || CONTAINERS.has(tag)) return false;
  if (LEAVES.has(tag) && tag !== "img" && tag !== "canvas" || holdsControl(element)) return false;
  const { width, height } = boundingRect(element);
  return width * height > 0 && width * height < (innerWidth * innerHeight) / 2;
}

// Whether an element is an item in a container whose click listener can only be meant for its
// items: an item in a list, or one of several boxes with the same class.
export function isItemOfListener(element, tag) {
  const around = parentNode(element);
  if (!around || !listensForClicks(around) || isAroundListener(element) || holdsControl(element)) return false;
  return tag === "li" || isOneOfAKind(element, around);
}

function isOneOfAKind(element, around) {
  const kind = firstClass(element);
  if (!kind) return false;
  let count = 0;
  for (let at = firstChild(around); at; at = nextSibling(at)) {
    if (isText(at) && data(at).trim()) return false;
    if (!isElement(at)) continue;
    if (localName(at) !== localName(element) || firstClass(at) !== kind) return false;
    count++;
  }
  return count > 1;
}

const firstClass = (element) => (attribute(element, "class") ?? "").trim().split(/\s+/)[0];

// Whether an element in a control has its own click listener and is only a part of the control,
// such as the close button in a tab.
export function isPartOfControl(element, tag) {
  if (!listensForClicks(element) && !(isTelling(element, tag) && hasAttribute(element, "onclick"))) return false;
  if (isAroundListener(element) || holdsControl(element)) return false;
  let control = flatParent(element);
  while (control && !INTERACTIVE.has(roleOf(control, localName(control)))) control = flatParent(control);
  return control !== null && textContent(control).trim() !== textContent(element).trim();
}

const CONTAINERS = new Set("html body main form label ul ol dl table thead tbody tfoot menu fieldset".split(" "));

function holdsControl(element) {
  const root = shadowRoot(element);
  const inside = (root && firstOf(root, ACTED_ON)) ?? firstOf(element, ACTED_ON);
  return inside !== null && checkVisibility(inside, RENDERED);
}

export function isTabStop(element, tag) {
  const index = isTelling(element, tag) ? attribute(element, "tabindex") : null;
  return index !== null && Number(index) >= 0;
}

// Whether an element without an interactive role can be dragged, or is a custom widget.
export function isHandy(element, tag, within) {
  if (!isTelling(element, tag) || tag === "body" || tag === "html" || LEAVES.has(tag)) return false;
  if (attribute(element, "draggable") === "true") return true;
  return !within && isTabStop(element, tag) && isWidget(element, tag);
}

// Whether a tab stop is a widget. Some tab stops only scroll, catch the focus or wrap widgets.
function isWidget(element, tag) {
  if (hasAttribute(element, "aria-label") || hasAttribute(element, "aria-labelledby")) return true;
  if (tag === "label" && element.control) return false;
  if (isTiny(element)) return false;
  if (canScroll(element, true, false) || canScroll(element, false, false)) return false;
  return !holdsControl(element);
}

export const ACTED_ON = [
  "a[href], button, input, select, textarea, summary, iframe, [tabindex], [onclick], [draggable=true]",
  "[contenteditable]", ...[...INTERACTIVE].map((role) => `[role=${role}]`),
].join();
