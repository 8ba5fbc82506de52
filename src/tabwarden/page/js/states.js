// States and values of an element, as an agent needs them. Only what is so is said.

const CHECKABLE = new Set("checkbox radio switch menuitemcheckbox menuitemradio".split(" "));
const MAX_VALUE = 500;
const MAX_URL = 150;
const MAX_OPTIONS = 20;
const MASK = "••••••••";

const statesOf = (element, tag, role, name, disabledAbove) => {
  const states = {};
  const has = hasAttributes(element);
  const aria = (key) => (has ? attribute(element, `aria-${key}`) : null);

  const checked = checkedOf(element, tag, role, aria);
  if (checked !== null) states.checked = checked;
  if (disabledAbove || isDisabled(element, tag)) states.disabled = true;
  if (role === "heading") states.level = Number(aria("level")) || Number(tag[1]) || 2;
  if (tag === "summary") states.expanded = parentNode(element)?.open === true;
  if (!has) return states;

  const expanded = aria("expanded");
  if (expanded === "true" || expanded === "false") states.expanded = expanded === "true";
  if (aria("selected") === "true") states.selected = true;
  const pressed = aria("pressed");
  if (pressed !== null) states.pressed = pressed === "mixed" ? "mixed" : pressed === "true";
  const popup = aria("haspopup");
  if (popup && popup !== "false") states.haspopup = popup === "true" ? "menu" : popup;
  const current = aria("current");
  if (current && current !== "false") states.current = current;
  if (aria("required") === "true" || element.required === true) states.required = true;
  if (aria("readonly") === "true" || (element.readOnly === true && tag !== "form")) {
    states.readonly = true;
  }
  const invalid = aria("invalid");
  if ((invalid && invalid !== "false") || (element.willValidate && matches(element, ":user-invalid"))) {
    states.invalid = true;
  }
  if (tag === "a" || tag === "area") states.url = linkUrl(element);
  if (tag === "dialog" && matches(element, ":modal")) states.modal = true;
  if (tag === "input" && element.type !== "text" && INPUT_ROLES[element.type] === undefined) {
    states.type = element.type;
  }
  if (tag === "input" && (element.type === "file" || element.type === "color")) {
    states.type = element.type;
  }
  const value = valueOf(element, tag, role, aria);
  if (value) states.value = cutTo(value.toWellFormed(), MAX_VALUE);
  if (tag === "input" || tag === "textarea") {
    const placeholder = attribute(element, "placeholder");
    if (placeholder && !value && nameFrom !== "placeholder") {
      states.placeholder = cutTo(squash(placeholder), MAX_VALUE);
    }
  }
  const description = descriptionOf(element);
  if (description && description !== name) states.description = cutTo(description, MAX_VALUE);
  if (tag === "select") addOptions(states, element);
  return states;
};

const checkedOf = (element, tag, role, aria) => {
  if (tag === "input" && (element.type === "checkbox" || element.type === "radio")) {
    return element.indeterminate && element.type === "checkbox" ? "mixed" : element.checked;
  }
  if (!CHECKABLE.has(role)) return null;
  const checked = aria("checked");
  return checked === "mixed" ? "mixed" : checked === "true";
};

const DISABLEABLE = new Set("button input select textarea option optgroup fieldset".split(" "));
const isDisabled = (element, tag = localName(element)) =>
  (DISABLEABLE.has(tag) && matches(element, ":disabled")) ||
  (hasAttributes(element) &&
    (attribute(element, "aria-disabled") === "true" ||
      // A form-associated custom element is disabled as a native one is.
      (tag.includes("-") && matches(element, ":disabled"))));

const valueOf = (element, tag, role, aria) => {
  if (tag === "input") {
    const type = element.type;
    if (type === "password") return element.value ? MASK : "";
    if (type === "file") return [...element.files].map((file) => file.name).join(", ");
    if (INPUT_ROLES[type] === "button" && type !== "color") return "";
    if (type === "checkbox" || type === "radio") return "";
    return element.value;
  }
  if (tag === "textarea") return element.value;
  if (tag === "select") return [...element.selectedOptions].map((one) => one.label).join(", ");
  if (tag === "meter" || tag === "progress") {
    return element.position === -1 ? "" : String(element.value);
  }
  const words = aria("valuetext") ?? aria("valuenow");
  if (words) return words;
  if (role === "textbox" || role === "searchbox" || role === "combobox") {
    return isEditingHost(element) ? squash(textContent(element).slice(0, 4 * MAX_VALUE)) : "";
  }
  return "";
};

const addOptions = (states, element) => {
  const options = [...element.options].filter((one) => !one.hidden);
  states.options = options.slice(0, MAX_OPTIONS).map((one) => cutTo(squash(one.label), 80));
  if (options.length > MAX_OPTIONS) states.options_more = options.length - MAX_OPTIONS;
};

// What is written as a path or a fragment is short already, and resolving URLs is slow.
const linkUrl = (element) => {
  const written = attribute(element, "href") ?? "";
  const isShort = written[0] === "#" || (written[0] === "/" && written[1] !== "/");
  return isShort ? cutTo(written.toWellFormed(), MAX_URL) : shortUrl(element.href);
};

// A link within the site by its path, and none longer than tells where it goes.
const shortUrl = (href) => {
  const text = String(href?.baseVal ?? href ?? "");
  const own = `${location.origin}/`;
  return cutTo((text.startsWith(own) ? text.slice(own.length - 1) : text).toWellFormed(), MAX_URL);
};
