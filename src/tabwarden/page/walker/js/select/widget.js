// A scripted list box or combobox: find the options to click, and read the displayed choice.

import { withId } from "../accessibility/describe.js";
import { kindOf } from "../accessibility/field_kinds.js";
import { contentText } from "../accessibility/names_and_roles.js";
import { focusedNow } from "../document/active_element.js";
import { identified, identify } from "../dom/element_ids.js";
import { activeDescendantOf, firstOf, localName } from "../dom/natives.js";
import { cutTo, squash } from "../dom/text.js";
import { MAX_SCROLLS, saidBeside, scrollOn } from "./drawn_options.js";
import { listsOf, ownLists } from "./list_boxes.js";
import { isMultiple, matched, MAX_OFFERED, offered, optionsOf, refusal } from "./options.js";
import { pickerOf } from "./pickers.js";
import { chipsLike, displays, fieldValue } from "./shown_choice.js";

const BEFORE_SCROLLS_MS = 300;

// Waits up to some milliseconds for a widget's options, and returns those to click so that the
// wanted ones end up chosen. `done` has the labels that were already clicked, because these options
// may be removed from the list. A widget that accepts text may list an option only after its label
// is typed: then this function returns after `typable` milliseconds, with the field to type into.
// Without `typable`, options from before the widget opened count if no others appear, and a
// scrolling list is searched to its end.
export async function toClick(id, wanted, by, done, milliseconds, typable) {
  const from = performance.now();
  const seen = new Set();
  const isDone = (text) => done.some((one) => one.toLowerCase() === squash(text).toLowerCase());
  for (let scrolls = 0; ; ) {
    const element = identified(id);
    if (!element) return { reason: "gone" };
    const into = typable ? fieldToType(element) : null;
    const isFinal = into === null;
    const isLast = performance.now() >= from + (isFinal ? milliseconds : typable);
    const lists = listsOf(element, isLast && isFinal);
    const options = optionsOf(pickerOf(element), lists);
    for (const one of options) if (seen.size < MAX_OFFERED) seen.add(cutTo(one[by], 200));
    const isShowing = displays(element, { typed: false });
    const left = wanted.filter((text) => !isDone(text));
    const found = matched(options, left, by);
    const needed = left.filter((text, index) => found[index] || !isShowing(text));
    const refused = refusal(options, matched(options, needed, by), needed, by);
    if (!refused) {
      const multiple = isMultiple(element, lists);
      const isChosen = (one) =>
        isMarked(element, one) && (isShowing(one.label) || one.option !== activeDescendantOf(element));
      const isWanted = (one) => found.includes(one) || isDone(one[by]);
      const clicked = multiple
        ? options.filter((one) => !isDone(one[by]) && isChosen(one) !== isWanted(one))
        : found.filter((one) => one && !(one.selected && isShowing(one.label)));
      const click = clicked.map((one) => ({ id: identify(one.option), label: one.label, key: one[by] }));
      lastOffered.set(element, offered(options, "label"));
      return { click, multiple, asked: matched(options, wanted, by).map((one, index) => one?.label ?? wanted[index]) };
    }
    if (refused.reason === "disabled") return refused;
    const scrolled = isFinal && performance.now() >= from + BEFORE_SCROLLS_MS &&
      ++scrolls < MAX_SCROLLS && scrollOn(options.at(-1)?.option, scrolls === 1);
    if (isLast && !scrolled) return { ...refused, options: [...seen], type: into && withId(into) };
    await new Promise((later) => setTimeout(later, 30));
  }
}

// Whether an option is marked as chosen. Some libraries (Choices.js) mark the option that has the
// keyboard focus. Then the hidden select that the widget replaces has the correct state.
function isMarked(element, { label, selected }) {
  const stands = firstOf(element, "select");
  const own = stands && [...stands.options].find((one) => squash(one.label) === label);
  return own ? own.selected : selected;
}

// Returns the field that filters the options: the widget itself, or the field that got the focus
// when the widget opened.
function fieldToType(element) {
  const field = [element, focusedNow()].find((one) => one && kindOf(one) === "typed");
  return !field || field.readOnly === true ? null : field;
}

const lastOffered = new WeakMap();

// Waits up to some milliseconds until a widget shows the choice. Returns the displayed labels.
export async function chosen(id, asked, milliseconds) {
  const until = performance.now() + milliseconds;
  for (;;) {
    const element = identified(id);
    if (!element) return null;
    const { shown, isAsked } = shownChoice(element, asked);
    if (isAsked || performance.now() >= until) return { shown, isAsked };
    await new Promise((later) => setTimeout(later, 30));
  }
}

function shownChoice(element, asked) {
  const low = (text) => text.toLowerCase();
  const marked = [
    ...new Set(optionsOf(pickerOf(element), ownLists(element)).filter((one) => one.selected).map((one) => one.label)),
  ];
  if (asked.length && marked.length >= asked.length && asked.every((label) => marked.includes(label))) {
    return { shown: marked, isAsked: true };
  }
  const offers = lastOffered.get(element) ?? [];
  const isShowing = displays(element, { typed: true });
  const chips = asked.flatMap((label) => (isShowing(label) ? chipsLike(element, label) : []));
  const known = [...new Set([...asked, ...offers])].filter(isShowing);
  const also = chips.map((one) => one.label).filter((label) => label && !known.map(low).includes(low(label)));
  const shown = [...known, ...new Set(also)];
  if (asked.length && asked.every(isShowing)) return { shown, isAsked: true };
  if (shown.length || marked.length) return { shown: shown.length ? shown : marked, isAsked: false };
  const texts = textShown(element);
  return { shown: texts, isAsked: isSaid(texts, asked, offers) };
}

function textShown(element) {
  const tag = localName(element);
  const shown = fieldValue(element) || squash(contentText(element, tag, null));
  return [shown || (tag === "input" ? saidBeside(element) : "")].filter(Boolean);
}

// The widget may also show other words, but not the name of another option.
function isSaid(shown, asked, offers) {
  const low = (text) => text.toLowerCase();
  const others = new Set(offers.filter((one) => !asked.includes(one)).map(low));
  const words = shown.map(low).filter((text) => !others.has(text));
  return asked.map(low).every((label) => words.some((text) => text.includes(label)));
}
