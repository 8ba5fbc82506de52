// Modal dialogs, which make the rest of the page inert.

import { flatParent } from "../dom/flat_tree.js";
import { all, boundingRect, isConnected, matches } from "../dom/natives.js";
import { isInDocument } from "../dom/shadow_roots.js";
import { hitAt } from "./hit_test.js";

// Returns the modal dialog on top.
export function modalOnTop() {
  nestedModals = nestedModals.filter((one) => isConnected(one) && matches(one, ":modal"));
  const open = [...all(document, ":modal"), ...nestedModals];
  if (open.length < 2) return open[0] ?? null;
  return (
    open.find((modal) => {
      const { x, y, width, height } = boundingRect(modal);
      const hit = hitAt(x + width / 2, y + height / 2, modal);
      return hit && modalAround(hit, open) === modal;
    }) ?? open.at(-1)
  );
}

function modalAround(element, modals) {
  for (let at = element; at; at = flatParent(at)) if (modals.includes(at)) return at;
  return null;
}

// Modal dialogs in shadow trees, which a document query can't find. A walk records them.
export let nestedModals = [];

export function noteModal(dialog) {
  if (!isInDocument(dialog) && matches(dialog, ":modal") && !nestedModals.includes(dialog)) {
    nestedModals.push(dialog);
  }
}
