// Options where they are drawn. A list box may be there for screen readers alone, cut off to nothing,
// while others stand beside it for the eye; and a long list may draw only what is in view.

const MAX_AROUND = 6;
const MAX_SCROLLS = 60;

// What stands around an element, from within, as far as its widget may reach.
const ancestors = function* (element, most = MAX_AROUND) {
  let at = element && flatParent(element);
  for (let n = 0; at && at !== bodyOf(document) && n < most; at = flatParent(at), n++) yield at;
};

// Those of a list box: if it can't be seen, what is marked like options near it, where anything is.
const offeredIn = (list) => {
  const own = [...all(list, "[role=option]")];
  if (!isCutToNothing(list)) return own;
  for (const at of ancestors(list)) {
    const drawn = [...all(at, "[aria-selected]")].filter((one) => !isInside(one, list));
    if (drawn.length) return drawn;
  }
  return own;
};

const isCutToNothing = (element) =>
  isTiny(element) && getComputedStyle(element).overflow !== "visible";

// Bring what comes next into view, as the wheel does, or what comes first; whether there was any.
const scrollOn = (option, toStart) => {
  for (const at of ancestors(option)) {
    if (at.scrollHeight - at.clientHeight < 1 || getComputedStyle(at).overflowY === "visible") continue;
    const before = at.scrollTop;
    at.scrollTop = toStart ? 0 : before + 0.8 * at.clientHeight;
    if (at.scrollTop !== before) return true;
  }
  return false;
};

// What stands beside a field in its widget, for those that draw there what is chosen.
const saidBeside = (field) => {
  for (const at of ancestors(field)) {
    if ([...all(at, "input, select, textarea, button")].some((one) => one !== field)) return "";
    const said = squash(contentText(at, localName(at), field));
    if (said) return said;
  }
  return "";
};
