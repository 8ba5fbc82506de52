// Labels by what they label. A walk learns them once for each root, since `element.labels` goes
// through the tree each time that it is asked.

let labelsOf = new Map();

const learnLabels = (root) => {
  if (labelsOf.has(root)) return;
  labelsOf.set(root, null);
  for (const label of all(root, "label")) {
    const control = label.control;
    if (!control) continue;
    const known = labelsOf.get(control);
    if (known) known.push(label);
    else labelsOf.set(control, [label]);
  }
};

const labelsFor = (element) => {
  const root = rootAround(element);
  if (labelsOf.size && labelsOf.has(root)) return labelsOf.get(element) ?? [];
  if (element.labels) return element.labels;
  // Only its own scripts may ask a form control of the page's own for them.
  return [...all(root, "label")].filter((label) => label.control === element);
};

const labelText = (element) => {
  let text = "";
  for (const label of labelsFor(element)) {
    text += ` ${nestedText(label, isHidden(label) ? HIDDEN_LABEL : CONTENT, element)}`;
  }
  return text;
};
