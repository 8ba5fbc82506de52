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

const labelsFor = (element) =>
  (labelsOf.size && labelsOf.has(rootAround(element)) ? labelsOf.get(element) : element.labels) ?? [];

const labelText = (element) => {
  let text = "";
  for (const label of labelsFor(element)) {
    text += ` ${nestedText(label, isHidden(label) ? HIDDEN_LABEL : CONTENT, element)}`;
  }
  return text;
};
