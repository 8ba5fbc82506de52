// Which elements have attributes that tell what they are, how they are called or what state they
// are in. Most have none but a class or the like: one question on a walk instead of a dozen.

// All that is asked of elements of every kind; what only fields, images or cells are asked is not.
const TELLING = new Set(
  (
    "role hidden inert onclick tabindex contenteditable title alt placeholder type popovertarget " +
    "xlink:href xlink:title open draggable"
  ).split(" "),
);
const tells = (name) => TELLING.has(name) || name.startsWith("aria-");

// Of the element that was asked about last on this walk.
let tellingOf = null;
let tellingIs = false;

const isTelling = (element, tag) => {
  if (element === tellingOf) return tellingIs;
  // A custom element may be disabled by more than its attributes.
  const is = hasAttributes(element) && (tag.includes("-") || attributeNames(element).some(tells));
  if (suspected !== null) {
    tellingOf = element;
    tellingIs = is;
  }
  return is;
};
