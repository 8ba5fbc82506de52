// The end of the walker's sources when a test asks about single elements.

const marked = (root, found = []) => {
  for (const element of all(root, "*")) {
    if (hasAttribute(element, "data-n")) found.push(element);
    const inner = shadowRoot(element);
    if (inner) marked(inner, found);
  }
  return found;
};

// As a snapshot asks (a walk), but for the names of rows and cells: those it leaves to their content.
const judgedHere = (walking) => {
  const told = {};
  for (const element of marked(document)) {
    const tag = localName(element);
    const role = roleOf(element, tag);
    const name = walking && !SHOWS_CONTENT.has(role)
      ? walk(() => (learnLabels(getRootNode(element)), nameOf(element, tag, role)))
      : nameOf(element, tag, role);
    const within = closest(element, "[aria-disabled=true]");
    told[attribute(element, "data-n")] = {
      role,
      name,
      description: descriptionOf(element),
      states: statesOf(element, tag, role, name, within !== null),
    };
  }
  return told;
};

const outlined = () => {
  const told = {};
  const { roles, names, ids, states } = walk(outlineOf);
  ids.forEach((id, at) => {
    const n = id ? attribute(identified(id), "data-n") : null;
    if (n !== null) told[n] = { role: roles[at], name: names[at], states: states[at] || {} };
  });
  return told;
};
