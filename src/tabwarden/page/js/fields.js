// Fields that text goes into.

const TYPED = new Set(["text", "search", "url", "tel", "email", "password", "number"]);
const PICKED = new Set(["date", "time", "month", "week", "datetime-local", "color", "range"]);

const kindOf = (element) => {
  const tag = localName(element);
  if (tag === "textarea") return "typed";
  if (tag === "input") return TYPED.has(element.type) ? "typed" : PICKED.has(element.type) ? "picked" : "";
  return element.isContentEditable || element.editContext ? "typed" : "";
};

// Editors that draw their text themselves (code editors, terminals) only catch what is typed: in an edit
// context, or in a textarea too small to be seen. They follow its caret, so that is left alone, and of
// their text it holds a part, if any.
const isCatcher = (field) => {
  if (field.editContext) return true;
  if (localName(field) !== "textarea") return false;
  for (let at = field; at; at = clipperOf(at, getComputedStyle(at))) {
    if (at === field ? isTiny(at) : isCutToNothing(at)) return true;
  }
  return false;
};

// The field meant: the element, what a label labels, or the only field in it.
const fieldOf = (element) => {
  if (kindOf(element)) return element;
  if (localName(element) === "label" && element.control) return element.control;
  const fields = [...all(element, "input, textarea, [contenteditable]")].filter(kindOf);
  return fields.length === 1 ? fields[0] : element;
};

const NO_TEXT = "it takes no text";

// Focus a field, its caret at the end or all of it selected; says how text gets in:
// "typed" (insert it), "keyed" (key by key: it takes less than that, and the page may move on to the
// next field by itself), "picked" (use `pick`), or "" with the reason. What the page gave the focus on
// to takes the text instead, and is told as `elsewhere`. `isAll`: it will hold nothing else.
// `isCatcher`: its caret stays where it is, and nothing is selected.
const focus = (id, { select, length }) => {
  const named = identified(id);
  if (!named) return { kind: "", reason: "gone" };
  const field = fieldOf(named);
  if (isDisabled(field)) return { kind: "", reason: "it is disabled" };
  if (field.readOnly === true) return { kind: "", reason: "it is read-only" };
  if (!checkVisibility(field, RENDERED)) return { kind: "", reason: "it is hidden" };
  const stray = takeFocus(field);
  if (stray && !stray.isGivenOn) return refusedFocus(field, stray.now);
  const kind = kindOf(field);
  if (kind === "picked") return { kind, isUnsure: isUnsure() };
  const into = stray || !kind ? focusedNow() : field;
  if (!into || kindOf(into) !== "typed") return stray ? refusedFocus(field, stray.now) : { kind: "", reason: NO_TEXT };
  const catches = isCatcher(into);
  const isAll = select || (into.value ?? textContent(into)) === "";
  if (!catches) select ? selectAll(into) : caretToEnd(into);
  const room = into.maxLength >= 0 ? into.maxLength - (select ? 0 : into.value.length) : Infinity;
  return {
    kind: length > room ? "keyed" : "typed",
    isAll,
    isCatcher: catches,
    isUnsure: isUnsure(),
    elsewhere: stray && elsewhereOf(field),
  };
};

const selectAll = (field) => {
  if (typeof field.select === "function") field.select();
  else getSelection().selectAllChildren(field);
};

const caretToEnd = (field) => {
  // Works in every kind of field, those too that have no setSelectionRange (email, number).
  getSelection().modify("move", "forward", "documentboundary");
};

// Set what has a picker and takes no text; false when the value has the wrong form.
const pick = (id, value) => {
  const named = identified(id);
  const field = named && fieldOf(named);
  if (!field) return null;
  const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set;
  const before = field.value;
  set.call(field, value);
  // What has the wrong form comes out empty, or as the default.
  const taken = field.type === "range"
    ? value.trim() !== "" && !Number.isNaN(Number(value))
    : field.type === "color"
      ? field.value === value.toLowerCase()
      : value === "" || field.value !== "";
  if (!taken) {
    set.call(field, before);
    return { taken, value: before };
  }
  for (const kind of ["input", "change"]) {
    field.dispatchEvent(new Event(kind, { bubbles: true, composed: kind === "input" }));
  }
  return { taken, value: field.value, ...invalidOf(field) };
};

// What the browser has against a field's value, in its own words or the page's.
const invalidOf = (field) =>
  field.willValidate === true && field.validity.valid === false
    ? { invalid: cutTo(squash(field.validationMessage), 200) }
    : {};

const read = (id) => {
  const named = identified(id);
  if (!named) return null;
  const field = fieldOf(named);
  const tag = localName(field);
  const value = valueOf(field, tag, roleOf(field, tag), (key) => attribute(field, `aria-${key}`));
  return { value, ...invalidOf(field), elsewhere: elsewhereOf(field) };
};
