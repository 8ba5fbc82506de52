// Maps controls to their labels. A walk collects the labels once for each root, because
// `element.labels` searches the tree each time.

import { all, attribute } from "../dom/natives.js";
import { rootAround } from "../dom/shadow_roots.js";

let labelsOf = new Map();

export function forgetLabels() {
  labelsOf = new Map();
}

export function learnLabels(root) {
  if (labelsOf.has(root)) return;
  labelsOf.set(root, null);
  for (const label of all(root, "label")) {
    const control = label.control;
    if (!control) continue;
    const known = labelsOf.get(control);
    if (known) known.push(label);
    else labelsOf.set(control, [label]);
  }
}

export function labelsFor(element) {
  const root = rootAround(element);
  if (labelsOf.size && labelsOf.has(root)) return labelsOf.get(element) ?? [];
  if (element.labels) return element.labels;
  // A form-associated custom element exposes its labels only to its own scripts.
  return [...all(root, "label")].filter((label) => label.control === element);
}

// Returns the control that shows a label's text as its name. A widget can be drawn in place of a
// control that is hidden from assistive technology, as select2 does.
export function controlNamedBy(label) {
  const { control } = label;
  return control && attribute(control, "aria-hidden") !== "true" ? control : null;
}

// Returns an option's label, or its text if the label is empty.
export const shownAs = (option) => option.label || option.text;
