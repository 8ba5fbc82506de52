// Labels by their controls. A walk collects them once for each root, because `element.labels`
// searches the tree each time.

import { CONTENT, HIDDEN_LABEL, isConsulted, isHidden, nestedText } from "./name_content.js";
import { rootAround } from "../dom/flat_tree.js";
import { all, attribute } from "../dom/natives.js";

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

function labelsFor(element) {
  const root = rootAround(element);
  if (labelsOf.size && labelsOf.has(root)) return labelsOf.get(element) ?? [];
  if (element.labels) return element.labels;
  // A form-associated custom element gives its labels only to its own scripts.
  return [...all(root, "label")].filter((label) => label.control === element);
}

export function labelText(element) {
  let text = "";
  for (const label of labelsFor(element)) {
    if (isConsulted(label)) continue;
    text += ` ${nestedText(label, isHidden(label) ? HIDDEN_LABEL : CONTENT, element)}`;
  }
  return text;
}

// Returns the control that shows a label's text as its name. A widget can be drawn in place of a
// control that is hidden from assistive technology, as select2 does.
export function controlNamedBy(label) {
  const { control } = label;
  return control && attribute(control, "aria-hidden") !== "true" ? control : null;
}
