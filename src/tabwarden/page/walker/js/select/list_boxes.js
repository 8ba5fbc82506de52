// Finds the list boxes of a combobox. If the combobox references no list, its list is one that
// appears when it opens. A list that is always visible may belong to another widget.

import { roleOf } from "../accessibility/names_and_roles.js";
import { isInside } from "../dom/flat_tree.js";
import {
  all, attribute, boundingRect, elementById, getRootNode, labelledByElements, localName,
} from "../dom/natives.js";
import { isShown } from "../geometry/boxes.js";

const LISTS = "[role=listbox]";
const COMBOBOXES = "[role=combobox], [aria-haspopup=listbox]";

// For each combobox, the list boxes that were visible when it was last seen closed.
const shownBefore = new WeakMap();
export const seenClosed = (element) => shownBefore.set(element, new Set(listsAround(element)));

// Searches the element's tree, and the trees that contain it.
function around(element, selector) {
  const found = [];
  for (let root = getRootNode(element); ; root = getRootNode(root.host)) {
    found.push(...all(root, selector));
    if (!root.host) return found;
  }
}

const listsAround = (element) => around(element, LISTS).filter(isShown);

// Returns a widget's list boxes: the widget itself, or the lists that it references, contains or
// shares a label with.
export function ownLists(element) {
  if (roleOf(element, localName(element)) === "listbox") return [element];
  const own = [...namedBy(element), ...all(element, LISTS)].filter(isShown);
  return own.length ? own : listsAround(element).filter((list) => isLabelledAs(list, element));
}

function namedBy(element) {
  const root = getRootNode(element);
  const ids = `${attribute(element, "aria-controls") ?? ""} ${attribute(element, "aria-owns") ?? ""}`;
  return [...new Set(ids.split(/\s+/).filter(Boolean))]
    .map((id) => (root === document ? elementById(id) : root.getElementById?.(id)))
    .filter(Boolean);
}

function isLabelledAs(list, element) {
  const labels = labelledByElements(list);
  const own = [element, ...labelledByElements(element), ...(element.labels ?? [])];
  return labels.length > 0 && labels.every((label) => own.includes(label));
}

const isOthers = (list, element) =>
  around(element, COMBOBOXES).some(
    (other) =>
      !isInside(other, element) &&
      !isInside(element, other) &&
      (namedBy(other).some((one) => isInside(list, one)) || isLabelledAs(list, other)),
  );

// Returns a widget's list boxes, otherwise lists that are new since it was closed, nearest first.
// If no list appeared in time, or the widget was open from the start, returns the nearest list that
// no other combobox has.
export function listsOf(element, isLast = true) {
  const own = ownLists(element);
  if (own.length) return own;
  const before = shownBefore.get(element);
  const free = listsAround(element)
    .filter((list) => !isOthers(list, element))
    .map((list) => ({ list, away: awayFrom(list, element) }))
    .sort((a, b) => a.away - b.away)
    .map(({ list }) => list);
  const came = before ? free.filter((list) => !before.has(list)) : [];
  return came.length ? came : free.slice(0, isLast || !before ? 1 : 0);
}

// Returns the distance between the edges of two boxes.
function awayFrom(one, other) {
  const [a, b] = [boundingRect(one), boundingRect(other)];
  const across = Math.max(0, a.left - b.right, b.left - a.right);
  const down = Math.max(0, a.top - b.bottom, b.top - a.bottom);
  return Math.hypot(across, down);
}
