// Whether a click on what is hit arrives at an element, and whether something in it takes the click:
// a row's "Delete", an item's own items, a link in a label.

// It arrives: what is hit is inside, or in a label of it.
const reaches = (hit, element) => wayTo(hit, element) !== null;

// The way from there to the element; null where there is none. `taker` is what on it takes a click
// for itself, asked for where the element is `whole`, that is clicked as one.
const wayTo = (hit, element, whole = false) => {
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
};

// A combobox's field may lie under what is chosen in it: a press there opens it as one on the field does.
const MAX_WRAPPED = 2;
const isDrawnOver = (element, hit) => {
  if (localName(element) !== "input" || roleOf(element, "input") !== "combobox") return false;
  for (const at of ancestors(element, MAX_WRAPPED)) {
    if ([...all(at, ACTED_ON)].some((one) => one !== element)) return false;
    if (at !== hit && isInside(hit, at)) return true;
  }
  return false;
};

// These are one with the fields and the options in them.
const OF_PARTS = new Set("combobox spinbutton textbox searchbox listbox slider scrollbar".split(" "));

const isClickedAsOne = (element) => {
  const tag = localName(element);
  const role = roleOf(element, tag);
  return !OF_PARTS.has(role) && (INTERACTIVE.has(role) || isClickable(element, tag));
};

const takesClicks = (element, tag) => {
  if (tag === "label") return element.control !== null;
  if (holdsFrame(element, tag)) return true;
  return INTERACTIVE.has(roleOf(element, tag)) ||
    (isTelling(element, tag) && hasAttribute(element, "onclick"));
};

// A control around a control, with nothing more to it: <li role="menuitem"><a href="...">Home</a></li>.
const isWrapped = (inner, outer) => squash(textContent(inner)) === squash(textContent(outer));
