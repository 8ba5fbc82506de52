// Names by the accessible name computation (accname 1.2, with HTML-AAM's native rules).

const NAMED_BY_CONTENT = new Set(
  (
    "button link heading checkbox radio option menuitem menuitemcheckbox menuitemradio tab switch " +
    "treeitem tooltip columnheader rowheader cell gridcell row"
  ).split(" "),
);

// Rows and cells have names from content, but the outline shows that content inside them.
const SHOWS_CONTENT = new Set("columnheader rowheader cell gridcell row treeitem".split(" "));

const INLINE_TAGS = new Set(
  (
    "a abbr b bdi bdo cite code data del dfn em font i ins kbd label mark q s samp small span " +
    "strong sub sup time u var wbr slot tt"
  ).split(" "),
);

const MAX_GATHERED = 4 * MAX_NAME;

// Labels by what they label, found once a snapshot: `element.labels` walks the document each time.
let labelsOf = new Map();
const learnLabels = (root) => {
  for (const label of all(root, "label")) {
    const control = label.control;
    if (!control) continue;
    const known = labelsOf.get(control);
    if (known) known.push(label);
    else labelsOf.set(control, [label]);
  }
};

// Where the last name came from: "author" (ARIA), "native", "content", "title", "placeholder", "".
let nameFrom = "";

const named = (text, from) => {
  nameFrom = text ? from : "";
  return text;
};

const nameOf = (element, tag, role) => {
  let name;
  if (hasAttributes(element)) {
    if (hasAttribute(element, "aria-labelledby")) {
      if ((name = squash(referenced(element)))) return named(name, "author");
    }
    const label = attribute(element, "aria-label");
    if (label && (name = squash(label))) return named(name, "author");
  }
  if ((name = squash(nativeName(element, tag)))) return named(name, "native");
  if (NAMED_BY_CONTENT.has(role)) {
    if ((name = squash(contentText(element, tag, null)))) return named(name, "content");
    if ((name = squash(drawnText(element)))) return named(name, "content");
  }
  const title = hasAttributes(element) && attribute(element, "title");
  if (title && (name = squash(title))) return named(name, "title");
  if (tag === "input" || tag === "textarea") {
    const placeholder = attribute(element, "placeholder") || attribute(element, "aria-placeholder");
    if (placeholder && (name = squash(placeholder))) return named(name, "placeholder");
  }
  return named("", "");
};

const descriptionOf = (element) => {
  const by = hasAttribute(element, "aria-describedby") && describedByElements(element);
  if (by) return squash(by.map((one) => nestedText(one, REFERENCED)).join(" "));
  const own = attribute(element, "aria-description");
  if (own) return squash(own);
  const title = nameFrom === "title" ? null : attribute(element, "title");
  return title ? squash(title) : "";
};

const referenced = (element) =>
  labelledByElements(element).map((one) => nestedText(one, REFERENCED)).join(" ");

// The names that HTML gives by itself.
const nativeName = (element, tag) => {
  switch (tag) {
    case "input":
      return inputName(element) || labelText(element);
    case "textarea":
    case "select":
    case "meter":
    case "progress":
    case "output":
    case "button":
      return labelText(element);
    case "img":
    case "area":
      return attribute(element, "alt") ?? "";
    case "fieldset":
      return childText(element, "legend");
    case "figure":
      return childText(element, "figcaption");
    case "table":
      return childText(element, "caption");
    case "svg":
      return childText(element, "title");
    case "iframe":
    case "frame":
      return "";
    case "optgroup":
      return attribute(element, "label") ?? "";
    default:
      return "";
  }
};

const inputName = (element) => {
  const type = element.type;
  if (type === "button" || type === "submit" || type === "reset") {
    const value = element.value;
    return labelText(element) || value || { submit: "Submit", reset: "Reset" }[type] || "";
  }
  if (type === "image") {
    return labelText(element) || attribute(element, "alt") || attribute(element, "title") || "Submit";
  }
  if (type === "file") return labelText(element) || attribute(element, "title") || "Choose file";
  return "";
};

const labelText = (element) => {
  const labels = labelsOf.get(element);
  if (!labels) return "";
  return labels.map((label) => nestedText(label, CONTENT, element)).join(" ");
};

const childText = (element, wanted) => {
  for (let child = firstChild(element); child; child = nextSibling(child)) {
    if (isElement(child) && localName(child) === wanted) {
      return wanted === "title" ? textContent(child) : contentText(child, wanted, null);
    }
  }
  return "";
};

// How an element is reached: as part of content, or because aria-labelledby names it, where even
// what is hidden counts and further references aren't followed.
const CONTENT = null;
const REFERENCED = { referenced: true };

const contentText = (element, tag, except, how = CONTENT) => {
  const only = firstChild(element);
  if (only && isText(only) && !nextSibling(only) && !shadowRoot(element)) return data(only);
  let text = "";
  for (const child of flatChildren(element, tag)) {
    if (text.length > MAX_GATHERED) break;
    if (isText(child)) text += data(child);
    else if (isElement(child) && child !== except) text += pieceOf(child, except, how);
  }
  if (hasAttribute(element, "aria-owns")) {
    for (const owned of ownedElements(element)) text += ` ${nestedText(owned, how)}`;
  }
  return text;
};

// A child's part in the text around it; blocks stand apart from what is beside them.
const pieceOf = (element, except, how) => {
  const tag = localName(element);
  if (tag === "br") return " ";
  if (!how) {
    if (isHiddenFromAll(element, tag)) return "";
    const shown = showing(element);
    if (shown === GONE) return "";
    if (shown === INVISIBLE && !firstChild(element)) return "";
  } else if (NEVER.has(tag)) {
    return "";
  }
  const text = nestedText(element, how, except);
  if (!text) return "";
  const inline = INLINE_TAGS.has(tag) && getComputedStyle(element).display === "inline";
  return inline ? text : ` ${text} `;
};

const nestedText = (element, how, except = null) => {
  const tag = localName(element);
  if (hasAttributes(element)) {
    if (how !== REFERENCED && hasAttribute(element, "aria-labelledby")) {
      const text = referenced(element);
      if (text.trim()) return text;
    }
    const label = attribute(element, "aria-label");
    if (label && label.trim()) return label;
  }
  if (NEVER.has(tag) || tag === "iframe") return "";
  if (tag === "input" || tag === "textarea" || tag === "select") return embeddedValue(element, tag);
  const native = nativeName(element, tag);
  if (native.trim()) return native;
  const text = contentText(element, tag, except, how);
  return text.trim() ? text : (hasAttributes(element) && attribute(element, "title")) || "";
};

// A control inside a label or a button speaks with its value.
const embeddedValue = (element, tag) => {
  if (tag === "select") return [...element.selectedOptions].map((one) => one.label).join(" ");
  if (tag === "textarea") return element.value;
  const role = INPUT_ROLES[element.type] ?? "textbox";
  if (element.type === "password" || element.type === "hidden") return "";
  if (role === "button") return inputName(element) || element.value;
  return role === "checkbox" || role === "radio" ? "" : element.value;
};

// Text that the style sheet draws names an element that has no other.
const drawnText = (element) => {
  let text = "";
  for (const pseudo of ["::before", "::after"]) {
    const content = getComputedStyle(element, pseudo).content;
    for (const [, piece] of content.matchAll(/"((?:[^"\\]|\\.)*)"/g)) text += piece;
  }
  // Icon fonts draw from the private use area: no words.
  return text.replace(/[\ue000-\uf8ff]/g, "");
};
