// Names by the accessible name computation (accname 1.2, with HTML-AAM's native rules).

const NAMED_BY_CONTENT = new Set(
  (
    "button link heading checkbox radio option menuitem menuitemcheckbox menuitemradio tab switch " +
    "treeitem tooltip columnheader rowheader cell gridcell row"
  ).split(" "),
);

// Rows and cells have names from content, but the outline shows that content inside them.
const SHOWS_CONTENT = new Set("columnheader rowheader cell gridcell row treeitem".split(" "));

// Where the last name came from: "author" (ARIA), "native", "content", "title", "placeholder", "".
let nameFrom = "";
// What is being named: reached again by a reference to itself, it says its name, not its value.
let namedNow = null;

const named = (text, from) => {
  namedNow = null;
  nameFrom = text ? from : "";
  return text;
};

const nameOf = (element, tag, role) => {
  namedNow = element;
  beginName();
  let name;
  const has = isTelling(element, tag);
  if (has) {
    if ((name = authorName(element))) return named(name, "author");
    const label = attribute(element, "aria-label");
    if (label && (name = squash(label))) return named(name, "author");
  }
  if ((name = squash(nativeName(element, tag)))) return named(name, "native");
  if (SHOWS_CONTENT.has(role) && suspected !== null) {
    if (firstChild(element)) return named("", "content"); // nobody asks on a walk
  } else if (NAMED_BY_CONTENT.has(role) && !SAYS_NOTHING.has(tag)) {
    if ((name = squash(contentText(element, tag, null)))) return named(name, "content");
  }
  return has && (name = squash(lastResort(element, tag))) ? named(name, nameFrom) : named("", "");
};

// What is only there to be acted on is called what its author says, else what stands in it.
const nameOfNothing = (element, tag) => {
  namedNow = element;
  beginName();
  if (!isTelling(element, tag)) return named("", "");
  const said = authorName(element) || squash(attribute(element, "aria-label") ?? "");
  return named(said || squash(drawnTitle(element)), "author");
};

const authorName = (element) =>
  hasAttribute(element, "aria-labelledby") ? squash(referenced(labelledByElements(element))) : "";

const descriptionOf = (element) => {
  let text;
  beginName();
  if (hasAttribute(element, "aria-describedby")) {
    if ((text = squash(referenced(describedByElements(element))))) return text;
  }
  const own = attribute(element, "aria-description");
  if (own && (text = squash(own))) return text;
  const title = nameFrom === "title" ? null : attribute(element, "title");
  return title ? squash(title) : "";
};

// The names that HTML gives by itself.
const nativeName = (element, tag) => {
  switch (tag) {
    case "input":
      return labelText(element).trim() || inputName(element);
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
    case "details":
      return isOwnSummary(element) ? "Details" : "";
    case "table":
      return childText(element, "caption");
    case "option":
    case "optgroup":
      return attribute(element, "label") ?? "";
    default:
      return tag.includes("-") ? labelText(element) : drawnTitle(element);
  }
};

// Each part of a drawing is named by its own title.
const drawnTitle = (element) =>
  firstElementChild(element) !== null && isDrawing(element) ? childText(element, "title") : "";

const inputName = (element) => {
  switch (element.type) {
    case "button":
      return element.value;
    case "submit":
      return element.value || "Submit";
    case "reset":
      return element.value || "Reset";
    case "image":
      return attribute(element, "alt") ?? "";
    case "file":
      return attribute(element, "title") || "Choose File";
    default:
      return "";
  }
};

const childText = (element, wanted) => {
  for (let child = firstChild(element); child; child = nextSibling(child)) {
    if (isElement(child) && localName(child) === wanted) {
      return wanted === "title" ? textContent(child) : nestedText(child, isHidden(child) ? HIDDEN : CONTENT);
    }
  }
  return "";
};
