// What covers an element, as something that can be named, and what could be done about it.

const MOST_BUTTONS = 5;
const MOST_SEARCHED = 2000;
const SAYS_WHAT = new Set("dialog alertdialog alert banner menu listbox tooltip status iframe".split(" "));

const coverJson = (hit, element) => {
  const cover = coverOf(hit, element);
  const buttons = isInside(element, cover) ? [] : buttonsIn(cover).map(withId);
  return { ...withId(cover), buttons };
};

const withId = (element) => ({ ...describe(element), id: identify(element) });

// Not the word that was hit, but the whole that is in the way: the dialog or banner that it stands
// in, else the largest part that floats over the page and does not hold the element too.
const coverOf = (hit, element) => {
  let floating = null;
  for (let at = hit; at && isElement(at) && !isInside(element, at); at = flatParent(at)) {
    if (SAYS_WHAT.has(roleOf(at, localName(at)))) return at;
    if (getComputedStyle(at).position !== "static") floating = at;
  }
  return floating ?? hit;
};

// What in it can be clicked, as a banner's "Accept" or a dialog's "Close".
const buttonsIn = (cover) => {
  const found = [];
  let searched = 0;
  const search = (element) => {
    const tag = localName(element);
    if (["button", "link"].includes(roleOf(element, tag)) && showing(element) === SHOWN) {
      found.push(element);
      return;
    }
    for (const child of flatChildren(element, tag)) {
      if (found.length >= MOST_BUTTONS || ++searched > MOST_SEARCHED) return;
      if (isElement(child)) search(child);
    }
  };
  search(cover);
  return found;
};
