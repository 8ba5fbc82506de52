// Form controls: which way a value gets into one, and the state of what is checked.

// "checked" (click it), "radio", "chosen" (see choices.js), "text" (type or pick), "file", or "".
const control = (id) => {
  const named = identified(id);
  if (!named) return { kind: "gone" };
  const element = controlOf(named);
  const tag = localName(element);
  const role = roleOf(element, tag);
  if (tag === "input" && element.type === "file") return { kind: "file" };
  if (CHECKABLE.has(role)) {
    return { kind: role.endsWith("radio") ? "radio" : "checked", checked: checkedNow(element) };
  }
  if (kindOf(fieldOf(element))) return { kind: "text" };
  return { kind: chooserOf(element) ? "chosen" : "" };
};

const controlOf = (named) => (localName(named) === "label" && named.control) || named;

const checkedNow = (element) => {
  const tag = localName(element);
  return checkedOf(element, tag, roleOf(element, tag), (key) => attribute(element, `aria-${key}`));
};

// Whether it is checked as wanted, awaited for some milliseconds: pages may draw it anew first.
const checkedAs = async (id, wanted, milliseconds) => {
  const until = performance.now() + milliseconds;
  for (;;) {
    const named = identified(id);
    if (!named) return null;
    if (checkedNow(controlOf(named)) === wanted) return true;
    if (performance.now() >= until) return false;
    await new Promise((later) => setTimeout(later, 20));
  }
};
