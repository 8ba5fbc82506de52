// What the content of an element says (accname 1.2, steps 2A to 2I for what is nested).

const INLINE_TAGS = new Set(
  (
    "a abbr b bdi bdo cite code data del dfn em font i ins kbd label mark q s samp small span " +
    "strong sub sup time u var wbr slot tt"
  ).split(" "),
);
const REPLACED = new Set(
  "img svg input select textarea button meter progress canvas iframe frame video audio object".split(" "),
);

const MAX_GATHERED = 4 * MAX_NAME;
// Elements that are read for one name, at the most: references may lead in circles, or fan out.
const MAX_STEPS = 2000;

// How an element is reached: as content; by aria-labelledby, where further such references aren't
// followed; or from something hidden that was named as the source, where all that is hidden counts.
const CONTENT = { follows: true, hidden: false };
const REFERENCED = { follows: false, hidden: false };
const HIDDEN = { follows: false, hidden: true };
const HIDDEN_LABEL = { follows: true, hidden: true };

// What was read for a name once is not read for it again as content, only where it is named itself.
const consulted = new Set();
const within = new Set();

let steps = 0;

const beginName = () => {
  steps = 0;
  if (consulted.size) consulted.clear(); // to clear a set allocates a table, even if it is empty
  if (within.size) within.clear(); // a walk may have been stopped in the middle
};

const referenced = (elements) => {
  let text = "";
  for (const one of elements) {
    const before = [...consulted];
    consulted.clear();
    text += ` ${nestedText(one, isHidden(one) ? HIDDEN : REFERENCED)}`;
    for (const other of before) consulted.add(other);
  }
  return text;
};

const isHidden = (element) =>
  showing(element) !== SHOWN || closest(element, "[aria-hidden=true]") !== null;

const contentText = (element, tag, except, how = CONTENT, own = true) => {
  const draws = mayHaveDrawn(element);
  const owns = isTelling(element, tag) && hasAttribute(element, "aria-owns");
  if (own && !draws && !owns) {
    const alone = textAlone(element, tag);
    if (alone) {
      lastAlone = element;
      return alone;
    }
  }
  let text = draws ? drawnBy(element, "::before") : "";
  for (const child of flatChildren(element, tag)) {
    if (text.length > MAX_GATHERED) break;
    if (isText(child)) text += own ? data(child) : "";
    else if (isElement(child) && child !== except) text += pieceOf(child, except, how);
  }
  if (owns) {
    for (const owned of ownedElements(element)) text += ` ${pieceOf(owned, except, how)}`;
  }
  return draws ? text + drawnBy(element, "::after") : text;
};

// What was named last by a text that is all there is in it.
let lastAlone = null;

// What is drawn in an element, if that is text alone; "" where it is not. The text's own node is left
// alone: to look at one makes an object for it.
const textAlone = (element, tag) =>
  firstElementChild(element) === null && tag !== "slot" && tag !== "details" &&
  shadowRoot(element) === null
    ? textContent(element)
    : "";

// A child's part in the text around it; blocks stand apart from what is beside them.
const pieceOf = (element, except, how) => {
  const tag = localName(element);
  if (tag === "br") return " ";
  if (NEVER.has(tag) || consulted.has(element)) return "";
  let shown = SHOWN;
  if (!how.hidden) {
    if (hasAttributes(element) && hasAttribute(element, "inert")) return "";
    if (isHiddenFromAll(element, tag)) return "";
    shown = showing(element);
    if (shown === GONE) return "";
  }
  const inline = !REPLACED.has(tag) && getComputedStyle(element).display === "inline";
  if (!inline && !how.hidden && getComputedStyle(element).contentVisibility === "hidden") return "";
  const text = shown === SHOWN
    ? nestedText(element, how, except)
    : contentText(element, tag, except, how, false);
  if (!text) return "";
  return inline ? text : ` ${text} `;
};

const nestedText = (element, how, except = null) => {
  if (within.has(element) || ++steps > MAX_STEPS) return "";
  consulted.add(element);
  within.add(element);
  const text = saidBy(element, localName(element), how, except);
  within.delete(element);
  return text;
};

const saidBy = (element, tag, how, except) => {
  const has = hasAttributes(element);
  if (how.follows && has && hasAttribute(element, "aria-labelledby")) {
    const text = referenced(labelledByElements(element));
    if (text.trim()) return text;
  }
  if (NEVER.has(tag)) return "";
  const value = element === namedNow ? null : embeddedValue(element, tag);
  if (value) return value;
  const label = has && attribute(element, "aria-label");
  if (label && label.trim()) return label;
  const native = has && isMadeNothing(element, tag) ? "" : nativeName(element, tag);
  if (native.trim()) return native;
  if (value === null && !SAYS_NOTHING.has(tag)) {
    const text = contentText(element, tag, except, how);
    if (text.trim()) return text;
  }
  return has ? lastResort(element, tag) : "";
};

const isMadeNothing = (element, tag) =>
  hasAttribute(element, "role") && roleOf(element, tag) === "none";

// The tooltip, or the hint in an empty field. In a name, an image that is mere decoration has none.
const lastResort = (element, tag) => {
  if (tag === "img" && element !== namedNow && attribute(element, "alt") === "") return "";
  const title = attribute(element, "title") ?? attribute(element, "xlink:title");
  if (title && title.trim()) return (nameFrom = "title"), title;
  if (tag === "input" && element.type === "image") return (nameFrom = "native"), "Submit";
  nameFrom = "placeholder";
  return hintOf(element, tag);
};

const HINTED = new Set("text search url tel email password number".split(" "));
const hintOf = (element, tag) => {
  const hints = tag === "textarea" || (tag === "input" && HINTED.has(element.type));
  const hint = hints ? attribute(element, "placeholder") : "";
  return hint || attribute(element, "aria-placeholder") || "";
};

const SAYS_NOTHING = new Set("input textarea select iframe frame video audio canvas object".split(" "));

// A control inside a label or a button speaks with its value: null for what is no such control.
const embeddedValue = (element, tag) => {
  if (tag === "select" && !hasAttribute(element, "role")) return [...element.selectedOptions].map(shownAs).join(" ");
  if (tag === "textarea") return element.value;
  if (!hasAttributes(element)) return tag === "input" ? element.value : null;
  const role = tag === "input" || hasAttribute(element, "role") ? roleOf(element, tag) : "";
  switch (role) {
    case "textbox":
    case "searchbox":
      if (tag !== "input") return textContent(element);
      return element.type === "password" ? "" : element.value;
    case "slider":
    case "spinbutton":
    case "scrollbar": {
      const words = attribute(element, "aria-valuetext") || attribute(element, "aria-valuenow");
      return words || (tag === "input" ? element.value : null);
    }
    case "combobox":
      return tag === "input" ? element.value : chosenText(element) || null;
    case "listbox":
      return chosenText(element);
    default:
      return null;
  }
};

const chosenText = (element) => {
  const chosen = localName(element) === "select"
    ? element.selectedOptions
    : all(element, "[role=option][aria-selected=true]");
  return [...chosen].map((one) => contentText(one, localName(one), null)).join(" ");
};
