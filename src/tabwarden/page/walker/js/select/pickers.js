// Pickers: list the options of a select, a list box or a combobox, and choose in a select.

import { kindOf } from "../accessibility/field_kinds.js";
import { contentText } from "../accessibility/name_content.js";
import { nameOf } from "../accessibility/names.js";
import { roleOf } from "../accessibility/roles.js";
import { isDisabled, shownAs, valueOf } from "../accessibility/states.js";
import { identified, identify } from "../dom/element_ids.js";
import { flatParent } from "../dom/flat_tree.js";
import { attribute, focusElement, isElement, localName, matches } from "../dom/natives.js";
import { cutTo, MAX_NAME, squash } from "../dom/text.js";
import { isShown } from "../geometry/boxes.js";
import { MAX_SCROLLS, offeredIn, saidBeside, scrollOn } from "./drawn_options.js";
import { listsOf, ownLists, seenClosed } from "./list_boxes.js";

const MAX_OFFERED = 1000;
const BEFORE_SCROLLS_MS = 300;

// Returns the picker that the element is, or is a part of.
export function pickerOf(named) {
  const start = localName(named) === "label" && named.control ? named.control : named;
  for (let at = start; at && isElement(at); at = flatParent(at)) {
    const tag = localName(at);
    if (tag === "select") return { element: at, kind: "select" };
    if (tag === "input" && at.list) return { element: at, kind: "suggestions" };
    const role = roleOf(at, tag);
    if (role === "listbox") return { element: at, kind: "list" };
    if (role === "combobox" || attribute(at, "aria-haspopup") === "listbox") {
      return { element: at, kind: "popup" };
    }
  }
  return null;
}

// Describes an element's picker, with the picker's id. Returns null if there is no picker.
export function picker(id) {
  const named = identified(id);
  const found = named && pickerOf(named);
  if (!found) return named ? null : { kind: "gone" };
  const { element, kind } = found;
  const expanded = attribute(element, "aria-expanded") === "true";
  if (kind === "popup" && !expanded) seenClosed(element);
  const role = roleOf(element, localName(element));
  return {
    kind,
    id: identify(element),
    role,
    name: cutTo(nameOf(element, localName(element), role), MAX_NAME),
    editable: kindOf(element) === "typed" && element.readOnly !== true,
    multiple: kind === "select" ? element.multiple : isMultiple(element, ownLists(element)),
    expanded,
  };
}

const isMultiple = (element, lists) =>
  [element, ...lists].some((one) => attribute(one, "aria-multiselectable") === "true");

const optionsOf = ({ element, kind }, lists = []) =>
  kind === "select" || kind === "suggestions"
    ? [...(element.options ?? element.list.options)].map((option) => ({
        option,
        label: squash(shownAs(option)),
        value: option.value,
        selected: option.selected,
        disabled: option.disabled || matches(option, ":disabled"),
      }))
    : lists
        .flatMap(offeredIn)
        .filter(isShown)
        .map((option) => ({
          option,
          label: squash(nameOf(option, localName(option), "option")),
          value: attribute(option, "data-value") ?? attribute(option, "value") ?? "",
          selected: attribute(option, "aria-selected") === "true",
          disabled: isDisabled(option),
        }));

// Finds an option for each wanted text: an exact match, else the only match in any case.
const matched = (options, wanted, by) =>
  wanted.map((text) => {
    const plain = by === "label" ? squash(text) : text;
    const same = options.filter((one) => one[by] === plain);
    if (same.length) return same.find((one) => !one.disabled) ?? same[0];
    const alike = options.filter((one) => one[by].toLowerCase() === plain.toLowerCase());
    return alike.length === 1 ? alike[0] : null;
  });

const offered = (options, by) => options.slice(0, MAX_OFFERED).map((one) => cutTo(one[by], 200));

function refusal(options, found, wanted, by) {
  const missing = found.indexOf(null);
  if (missing >= 0) return { reason: "missing", what: wanted[missing], options: offered(options, by) };
  const disabled = found.findIndex((one) => one.disabled);
  if (disabled >= 0) return { reason: "disabled", what: wanted[disabled] };
  return null;
}

// Returns the text that a suggestion (datalist) puts into its input.
export function suggestion(id, wanted, by) {
  const element = identified(id);
  if (!element?.list) return { reason: "gone" };
  const options = optionsOf({ element, kind: "suggestions" });
  const found = matched(options, wanted, by);
  return refusal(options, found, wanted, by) ?? { text: found[0].value };
}

// Selects options, and sends the page the same events as a person's choice.
export function choose(id, wanted, by) {
  const element = identified(id);
  if (!element) return { reason: "gone" };
  const options = optionsOf({ element, kind: "select" });
  const found = matched(options, wanted, by);
  const refused = refusal(options, found, wanted, by);
  if (refused) return refused;
  focusElement(element);
  const chosen = new Set(found.map((one) => one.option));
  const changes = options.filter((one) => one.selected !== chosen.has(one.option));
  for (const { option } of changes) option.selected = chosen.has(option);
  if (changes.length) {
    element.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
    element.dispatchEvent(new Event("change", { bubbles: true }));
  }
  return {
    selected: [...element.selectedOptions].map((one) => squash(shownAs(one))),
    asked: found.map((one) => one.label),
    isHidden: !isShown(element),
  };
}

// Waits up to some milliseconds for a widget's options, and returns those to click so that the
// wanted ones end up chosen. With `isFinal`, options from before the widget opened count if no
// others appear, and a scrolling list is searched to its end.
export async function toClick(id, wanted, by, milliseconds, isFinal) {
  const from = performance.now();
  const until = from + milliseconds;
  const seen = new Set();
  for (let scrolls = 0; ; ) {
    const element = identified(id);
    if (!element) return { reason: "gone" };
    const isLast = performance.now() >= until;
    const lists = listsOf(element, isLast && isFinal);
    const options = optionsOf(pickerOf(element), lists);
    const found = matched(options, wanted, by);
    for (const one of options) if (seen.size < MAX_OFFERED) seen.add(cutTo(one[by], 200));
    const refused = refusal(options, found, wanted, by);
    if (!refused) {
      const multiple = isMultiple(element, lists);
      const clicked = multiple
        ? options.filter((one) => one.selected !== found.includes(one))
        : found;
      const click = clicked.map(({ option, label }) => ({ id: identify(option), label }));
      lastOffered.set(element, offered(options, "label"));
      return { click, multiple, asked: found.map((one) => one.label) };
    }
    if (refused.reason === "disabled") return refused;
    const scrolled = isFinal && performance.now() >= from + BEFORE_SCROLLS_MS &&
      ++scrolls < MAX_SCROLLS && scrollOn(options.at(-1)?.option, scrolls === 1);
    if (isLast && !scrolled) return { ...refused, options: [...seen] };
    await new Promise((later) => setTimeout(later, 30));
  }
}

const lastOffered = new WeakMap();

// Waits up to some milliseconds until a widget shows what was chosen. Returns what it shows.
export async function chosen(id, asked, milliseconds) {
  const until = performance.now() + milliseconds;
  for (;;) {
    const element = identified(id);
    if (!element) return null;
    const shown = shownChoice(element);
    const isAsked = showsAll(shown, asked, lastOffered.get(element) ?? []);
    if (isAsked || performance.now() >= until) return { shown, isAsked };
    await new Promise((later) => setTimeout(later, 30));
  }
}

function shownChoice(element) {
  const options = optionsOf(pickerOf(element), ownLists(element));
  const marked = options.filter((one) => one.selected);
  if (marked.length) return marked.map((one) => one.label);
  const tag = localName(element);
  const said = valueOf(element, tag, roleOf(element, tag), (key) => attribute(element, `aria-${key}`));
  const shown = said || squash(contentText(element, tag, null));
  return [shown || (tag === "input" ? saidBeside(element) : "")].filter(Boolean);
}

// The widget may show other words too, but not the name of another option.
function showsAll(shown, asked, offers) {
  const low = (text) => text.toLowerCase();
  const others = new Set(offers.filter((one) => !asked.includes(one)).map(low));
  const words = shown.map(low).filter((text) => !others.has(text));
  return asked.map(low).every((label) => words.some((text) => text.includes(label)));
}
