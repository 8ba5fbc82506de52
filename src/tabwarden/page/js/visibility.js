// What is drawn. `checkVisibility` answers for almost every element without a style object.

const SHOWN = 0;
const INVISIBLE = 1; // visibility: hidden, yet what is inside may be visible
const GONE = 2; // nothing of it or in it is drawn
const RENDERED = { visibilityProperty: true };

const showing = (element) => {
  if (checkVisibility(element, RENDERED)) return SHOWN;
  if (isArea(element)) return imageOf(element) ? showing(imageOf(element)) : GONE;
  const style = getComputedStyle(element);
  if (style.display === "none") return GONE;
  if (style.display === "") {
    // Without a style it has a place in no slot: of an open shadow root, or of a closed one.
    const parent = parentNode(element);
    if (suspected !== null && parent && isElement(parent) && !shadowRoot(parent)) suspect(parent);
    return GONE;
  }
  // No box of its own, but its children have theirs, unless an ancestor has none for them.
  if (style.display === "contents") {
    const parent = flatParent(element);
    if (parent && isElement(parent) && showing(parent) === GONE) return GONE;
    return style.visibility === "visible" ? SHOWN : INVISIBLE;
  }
  if (style.visibility !== "visible") return isCutOff(element) ? GONE : INVISIBLE;
  return GONE; // content-visibility: hidden, as in a closed <details>
};

// Not drawn for another reason than its own visibility.
const isCutOff = (element) => !checkVisibility(element);

// Elements whose content is never drawn as page content.
const NEVER = new Set([
  "script", "style", "template", "noscript", "head", "meta", "link", "title", "base", "param",
  "source", "track", "datalist", "defs", "symbol", "metadata", "desc", "clippath", "mask",
]);

const isHiddenFromAll = (element, tag) =>
  (NEVER.has(tag) && !(tag === "noscript" && checkVisibility(element))) ||
  (isTelling(element, tag) &&
    (isAriaHidden(element, tag) || attribute(element, "hidden") === "until-found"));

// Browsers ignore aria-hidden on the whole page, and on what holds the focus: a mistake, either way.
const isAriaHidden = (element, tag) => {
  if (attribute(element, "aria-hidden") !== "true") return false;
  if (tag === "body" || tag === "html") return false;
  const focused = activeElementOf(document);
  return !(focused && focused !== bodyOf(document) && contains(element, focused));
};

// The modal dialog that makes all else inert: of several, the one that is on top.
const modalOnTop = () => {
  nestedModals = nestedModals.filter((one) => isConnected(one) && matches(one, ":modal"));
  const open = [...all(document, ":modal"), ...nestedModals];
  if (open.length < 2) return open[0] ?? null;
  return (
    open.find((modal) => {
      const { x, y, width, height } = boundingRect(modal);
      const hit = hitAt(x + width / 2, y + height / 2, modal);
      return hit && modalAround(hit, open) === modal;
    }) ?? open.at(-1)
  );
};

const modalAround = (element, modals) => {
  for (let at = element; at; at = flatParent(at)) if (modals.includes(at)) return at;
  return null;
};

// The document can't be asked for those in shadow trees: a walk notes what it comes by.
let nestedModals = [];
const noteModal = (dialog) => {
  if (!isInDocument(dialog) && matches(dialog, ":modal") && !nestedModals.includes(dialog)) {
    nestedModals.push(dialog);
  }
};
