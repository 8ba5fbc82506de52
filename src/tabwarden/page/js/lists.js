// Which list boxes a combobox means. One that names none means what comes up when it is opened: what
// is shown all the time may be another's.

const LISTS = "[role=listbox]";
const COMBOBOXES = "[role=combobox], [aria-haspopup=listbox]";

// To a combobox the list boxes that were shown when it was last seen closed.
const shownBefore = new WeakMap();
const seenClosed = (element) => shownBefore.set(element, new Set(listsAround(element)));

// In its own tree, and in those that this stands in.
const around = (element, selector) => {
  const found = [];
  for (let root = getRootNode(element); ; root = getRootNode(root.host)) {
    found.push(...all(root, selector));
    if (!root.host) return found;
  }
};

const listsAround = (element) => around(element, LISTS).filter(isShown);

// The list boxes of a widget: itself, those it names, those in it, those labelled as it is.
const ownLists = (element) => {
  if (roleOf(element, localName(element)) === "listbox") return [element];
  const own = [...namedBy(element), ...all(element, LISTS)].filter(isShown);
  return own.length ? own : listsAround(element).filter((list) => isLabelledAs(list, element));
};

const namedBy = (element) => {
  const root = getRootNode(element);
  const ids = `${attribute(element, "aria-controls") ?? ""} ${attribute(element, "aria-owns") ?? ""}`;
  return [...new Set(ids.split(/\s+/).filter(Boolean))]
    .map((id) => (root === document ? elementById(id) : root.getElementById?.(id)))
    .filter(Boolean);
};

const isLabelledAs = (list, element) => {
  const labels = labelledByElements(list);
  const own = [element, ...labelledByElements(element), ...(element.labels ?? [])];
  return labels.length > 0 && labels.every((label) => own.includes(label));
};

const isOthers = (list, element) =>
  around(element, COMBOBOXES).some(
    (other) =>
      !isInside(other, element) &&
      !isInside(element, other) &&
      (namedBy(other).some((one) => isInside(list, one)) || isLabelledAs(list, other)),
  );

// Its own, else what came up since it was closed, the nearest first. Only when nothing did in time,
// or it was open from the start, it is the nearest of those that no other combobox has.
const listsOf = (element, isLast = true) => {
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
};

// How far two boxes are from each other, edge to edge.
const awayFrom = (one, other) => {
  const [a, b] = [boundingRect(one), boundingRect(other)];
  const across = Math.max(0, a.left - b.right, b.left - a.right);
  const down = Math.max(0, a.top - b.bottom, b.top - a.bottom);
  return Math.hypot(across, down);
};
