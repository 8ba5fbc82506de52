// The states and values of an element that an agent needs. States that are off are omitted.

import { shownAs } from "./labels.js";
import { descriptionOf } from "./names.js";
import { nameFrom } from "./names_and_roles.js";
import { isEditingHost } from "./operable.js";
import { INPUT_ROLES } from "./role_sets.js";
import { isOwnSummary } from "../dom/flat_tree.js";
import {
  all, attribute, attributeNames, closest, firstElementChild, firstOf, hasAttribute, hasAttributes,
  isElement, localName, matches, parentNode, textContent,
} from "../dom/natives.js";
import { holdsSecret } from "../dom/secret_fields.js";
import { isTelling } from "../dom/semantic_attributes.js";
import { isInDocument } from "../dom/shadow_roots.js";
import { cutTo, squash } from "../dom/text.js";
import { duringWalk } from "../dom/walk.js";

export const CHECKABLE = new Set("checkbox radio switch menuitemcheckbox menuitemradio".split(" "));
// Items in a tree of checkboxes. Items without aria-checked can't be checked.
const MAY_BE_CHECKED = new Set(["option", "treeitem"]);
const SORTED = new Set("ascending descending other".split(" "));
const MAX_VALUE = 500;
const END_OF_VALUE = 150; // a longer value shows its start and its end
const MAX_URL = 150;
const MAX_OPTIONS = 20;
const MASK = "••••••••";

const SELECTABLE = new Set("option tab row gridcell columnheader rowheader treeitem".split(" "));
const POPUPS = new Set("menu listbox tree grid dialog".split(" "));
const CURRENT = new Set("page step location date time".split(" "));
const MULTIPLE = new Set("listbox grid tree treegrid tablist".split(" "));
const LEVELLED = new Set("heading treeitem listitem row".split(" "));
// The default orientation of each role.
const LIES = {
  scrollbar: "vertical", listbox: "vertical", tree: "vertical", menu: "vertical",
  slider: "horizontal", tablist: "horizontal", toolbar: "horizontal", menubar: "horizontal",
  separator: "horizontal",
};
const ARIA_TRUE = { true: true, false: false };

export function statesOf(element, tag, role, name, disabledAbove) {
  const states = {};
  const has = hasAttributes(element);
  const telling = has && isTelling(element, tag);
  const aria = telling && attributeNames(element).some(isAria)
    ? (key) => attribute(element, `aria-${key}`)
    : saysNothing;

  const checked = checkedOf(element, tag, role, aria);
  if (checked !== null) states.checked = checked;
  if (disabledAbove ? !isEnabledAnyway(element, tag) : isDisabled(element, tag)) states.disabled = true;
  if (role === "heading") states.level = levelSaid(aria) || Number(tag[1]) || 2;
  if (tag === "summary" && role === "button") states.expanded = parentNode(element).open;
  else if (tag === "details" && isOwnSummary(element)) states.expanded = false;
  if (!telling && !HOLDS_VALUE.has(tag) && tag !== "body") {
    if (tag === "a" || tag === "area") states.url = linkUrl(element);
    if (has && isUserInvalid(element, tag)) states.invalid = true;
    return states;
  }

  addAria(states, element, tag, role, aria);
  addLimits(states, element, tag, role, aria);
  if (tag === "a" || tag === "area") states.url = linkUrl(element);
  if (tag === "input" && SAYS_TYPE.has(element.type)) states.type = element.type;
  const value = valueOf(element, tag, role, aria);
  if (value) states.value = element === shownWhole ? value.toWellFormed() : shortValue(value);
  if (tag === "input" || tag === "textarea") {
    const placeholder = attribute(element, "placeholder");
    if (placeholder && !value && nameFrom !== "placeholder") {
      states.placeholder = cutTo(squash(placeholder), MAX_VALUE);
    }
  }
  if (role === "textbox" && isMultiline(element, tag, aria)) states.multiline = true;
  if (role !== "textbox" && isEditingHost(element)) states.editable = true;
  if (attribute(element, "draggable") === "true") states.draggable = true;
  const description = descriptionOf(element);
  if (description && description !== name) states.description = cutTo(description, MAX_VALUE);
  if (tag === "select") addOptions(states, element);
  return states;
}

// The element whose value is never shortened.
let shownWhole = null;
export const showWhole = (element) => (shownWhole = element);

function shortValue(value) {
  if (value.length <= MAX_VALUE) return value.toWellFormed();
  const start = cutTo(value, MAX_VALUE - END_OF_VALUE).slice(0, -1);
  const left = value.length - start.length - END_OF_VALUE;
  return `${start}… (${left} more characters) …${value.slice(-END_OF_VALUE)}`.toWellFormed();
}

const isMultiline = (element, tag, aria) =>
  tag === "textarea" || (tag !== "input" && (aria("multiline") ?? "true") === "true" && isEditingHost(element));

// Most elements have no ARIA attributes: this is one check instead of twelve.
const isAria = (name) => name.startsWith("aria-");
const saysNothing = () => null;

// These elements have a value even without attributes.
const HOLDS_VALUE = new Set("input textarea select progress meter".split(" "));

// A plain text field does not list its type.
const SAYS_TYPE = new Set(
  "email tel url password date time month week datetime-local file color".split(" "),
);

function addAria(states, element, tag, role, aria) {
  const expanded = ARIA_TRUE[aria("expanded")] ?? opensPopover(element, tag) ?? dropsDown(element, tag);
  if (expanded !== undefined) states.expanded = expanded;
  if (SELECTABLE.has(role) && aria("selected") === "true") states.selected = true;
  const pressed = role === "button" ? aria("pressed") : null;
  if (pressed === "mixed") states.pressed = "mixed";
  else if (pressed in ARIA_TRUE) states.pressed = ARIA_TRUE[pressed];
  const popup = aria("haspopup");
  if (popup === "true" || POPUPS.has(popup)) states.haspopup = popup === "true" ? "menu" : popup;
  const current = aria("current");
  if (current && current !== "false") states.current = CURRENT.has(current) ? current : "true";
  if (aria("busy") === "true") states.busy = true;
  if ((role === "columnheader" || role === "rowheader") && SORTED.has(aria("sort"))) {
    states.sort = aria("sort");
  }
  if (isRequired(element, tag, aria)) states.required = true;
  if (isReadOnly(element, tag, aria)) states.readonly = true;
  const invalid = aria("invalid");
  if ((invalid && invalid !== "false") || isUserInvalid(element, tag)) {
    states.invalid = invalid === "grammar" || invalid === "spelling" ? invalid : true;
  }
  if ((tag === "dialog" && matches(element, ":modal")) ||
      ((role === "dialog" || role === "alertdialog") && aria("modal") === "true")) {
    states.modal = true;
  }
  if (role !== "heading" && LEVELLED.has(role) && levelSaid(aria)) states.level = levelSaid(aria);
}

const isUserInvalid = (element, tag) =>
  DISABLEABLE.has(tag) && element.willValidate && matches(element, ":user-invalid");

function levelSaid(aria) {
  const level = Number(aria("level"));
  return Number.isInteger(level) && level > 0 ? level : 0;
}

// Returns whether a button's popover, such as a menu, is open.
function opensPopover(element, tag) {
  if (tag !== "button" && tag !== "input") return undefined;
  const popover = hasAttribute(element, "popovertarget") ? element.popoverTargetElement
    : POPS.test(attribute(element, "command") ?? "") ? element.commandForElement : null;
  return popover ? matches(popover, ":popover-open") : undefined;
}

const POPS = /^(show|hide|toggle)-popover$/i;

// An open select lists this state. A closed select does not.
const dropsDown = (element, tag) => (tag === "select" && isDroppedDown(element) ? true : undefined);
export const isDroppedDown = (select) => TELLS_OPEN && matches(select, ":open");
const TELLS_OPEN = CSS.supports("selector(:open)");

function addLimits(states, element, tag, role, aria) {
  if (MULTIPLE.has(role) && (aria("multiselectable") === "true" || (tag === "select" && element.multiple))) {
    states.multiselectable = true;
  }
  const lies = aria("orientation");
  if ((lies === "vertical" || lies === "horizontal") && LIES[role] && lies !== LIES[role]) {
    states.orientation = lies;
  }
  if (role !== "slider" && role !== "spinbutton" && role !== "scrollbar") return;
  const native = tag === "input";
  const min = native ? element.min : aria("valuemin");
  const max = native ? element.max : aria("valuemax");
  if (min) states.min = cutTo(squash(min), 40);
  if (max) states.max = cutTo(squash(max), 40);
}

const CHECKED_NATIVELY = new Set(["checkbox", "radio"]);

export function checkedOf(element, tag, role, aria) {
  if (tag === "input" && CHECKED_NATIVELY.has(element.type) && CHECKABLE.has(role)) {
    return element.indeterminate && element.type === "checkbox" && role !== "switch"
      ? "mixed"
      : element.checked;
  }
  if (!CHECKABLE.has(role)) return MAY_BE_CHECKED.has(role) ? checkedIfSaid(aria("checked")) : null;
  const checked = aria("checked");
  const half = role === "checkbox" || role === "menuitemcheckbox";
  return checked === "mixed" ? (half ? "mixed" : false) : checked === "true";
}

const checkedIfSaid = (checked) => (checked === "mixed" ? checked : ARIA_TRUE[checked] ?? null);

const REQUIRABLE = new Set(["input", "textarea", "select"]);
const isRequired = (element, tag, aria) =>
  (REQUIRABLE.has(tag) && matches(element, ":required")) || aria("required") === "true";

const NEVER_READONLY = new Set("checkbox radio range color file button submit reset image".split(" "));
const isReadOnly = (element, tag, aria) =>
  (((tag === "input" && !NEVER_READONLY.has(element.type)) || tag === "textarea") &&
    element.readOnly === true) ||
  aria("readonly") === "true";

const DISABLEABLE = new Set("button input select textarea option optgroup fieldset".split(" "));
export const isDisabled = (element, tag = localName(element)) =>
  (DISABLEABLE.has(tag) && isDisabledControl(element, tag)) ||
  (isTelling(element, tag) &&
    (attribute(element, "aria-disabled") === "true" ||
      // A form-associated custom element can be disabled like a native control.
      (tag.includes("-") && matches(element, ":disabled"))));

// If the document has no disabled fieldset, a control's own attribute decides.
let disables = true;
duringWalk(
  () => (disables = all(document, "fieldset[disabled]").length > 0),
  () => (disables = true),
);
const isDisabledControl = (element, tag) =>
  disables || tag === "option" || !isInDocument(element)
    ? matches(element, ":disabled")
    : hasAttribute(element, "disabled");

// Everything inside an element with aria-disabled is disabled. A disabled fieldset disables only
// form controls, and no control in its legend.
function isEnabledAnyway(element, tag) {
  if (isDisabled(element, tag)) return false;
  const within = closest(element, "fieldset:disabled, [aria-disabled=true]");
  return within !== null && localName(within) === "fieldset" &&
    attribute(within, "aria-disabled") !== "true";
}

const RANGES = new Set("slider spinbutton scrollbar progressbar meter separator".split(" "));

export function valueOf(element, tag, role, aria) {
  if (tag === "input") {
    const type = element.type;
    const words = aria("valuetext");
    if (words && (type === "range" || type === "number")) return words;
    if (holdsSecret(element)) return element.value ? MASK : "";
    if (type === "file") return [...element.files].map((file) => file.name).join(", ");
    if (INPUT_ROLES[type] === "button" && type !== "color") return "";
    if (type === "checkbox" || type === "radio") return "";
    return element.value;
  }
  if (tag === "textarea") return element.value;
  if (tag === "select") return [...element.selectedOptions].map(shownAs).join(", ");
  if (tag === "meter" || tag === "progress") {
    return element.position === -1 ? "" : String(element.value);
  }
  const words = RANGES.has(role) ? aria("valuetext") || aria("valuenow") : "";
  if (words) return words;
  if (role === "textbox" || role === "searchbox" || role === "combobox") {
    if (!isEditingHost(element)) return "";
    // `innerText` skips scripts in an editable body, and separates lines.
    const plain = textContent(element);
    const text = firstElementChild(element) || plain.includes("\n") ? element.innerText : plain.trim();
    return inLines(text.slice(0, MAX_READ_VALUE));
  }
  return "";
}

const MAX_READ_VALUE = 100_000;
const inLines = (text) =>
  text.replace(/(\S)[^\S\n]+/g, "$1 ").replace(/\s*\n/g, "\n").replace(/^\n|\s+$/g, "").toWellFormed();

function addOptions(states, element) {
  const options = [...element.options].filter((one) => !one.hidden);
  const listed = options.slice(0, MAX_OPTIONS);
  const isPlain = firstOf(element, "optgroup, option:disabled, option > *") === null;
  states.options = listed.map((one) => cutTo(squash(isPlain ? one.label || one.text : shownAs(one)), 80));
  if (options.length > MAX_OPTIONS) states.options_more = options.length - MAX_OPTIONS;
  if (isPlain) return;
  const disabled = [...listed.keys()].filter((at) => matches(listed[at], ":disabled"));
  if (disabled.length) states.options_disabled = disabled;
  const groups = groupsOf(listed);
  if (groups.length) states.option_groups = groups;
}

// Returns the groups that begin in a list of options: [index, name], with "" where a group ends.
function groupsOf(options) {
  const groups = [];
  let last = null;
  options.forEach((option, at) => {
    const parent = parentNode(option);
    const group = isElement(parent) && localName(parent) === "optgroup" ? parent : null;
    if (group !== last) groups.push([at, group ? groupName(group) : ""]);
    last = group;
  });
  return groups;
}

function groupName(group) {
  const legend = firstOf(group, "legend");
  return cutTo(squash(attribute(group, "label") || (legend ? textContent(legend) : "")), 80);
}

// Returns a link's URL. A path or a fragment is short already, and resolving URLs is slow.
function linkUrl(element) {
  const written = attribute(element, "href") ?? attribute(element, "xlink:href") ?? "";
  const isShort = written[0] === "#" || (written[0] === "/" && written[1] !== "/");
  return isShort ? cutTo(written.toWellFormed(), MAX_URL) : shortUrl(element.href);
}

// Returns a URL without its user name and password. A link inherits the page's credentials.
export const withoutLogin = (url) => url.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i, "$1");

// Shortens a link within the site to its path, and any link to a maximum length.
export function shortUrl(href) {
  const text = withoutLogin(String(href?.baseVal ?? href ?? ""));
  const own = `${location.origin}/`;
  return cutTo((text.startsWith(own) ? text.slice(own.length - 1) : text).toWellFormed(), MAX_URL);
}
