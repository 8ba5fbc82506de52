// The options of a picker: their labels, and the options that match the wanted labels or values.

import { shownAs } from "../accessibility/labels.js";
import { nameOf } from "../accessibility/names.js";
import { isDisabled } from "../accessibility/states.js";
import { attribute, localName, matches, textContent } from "../dom/natives.js";
import { cutTo, squash } from "../dom/text.js";
import { isShown } from "../geometry/boxes.js";
import { offeredIn } from "./drawn_options.js";

export const MAX_OFFERED = 1000;

export const isMultiple = (element, lists) =>
  [element, ...lists].some((one) => attribute(one, "aria-multiselectable") === "true");

export const optionsOf = ({ element, kind }, lists = []) =>
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
          label: optionLabel(option),
          value: attribute(option, "data-value") ?? attribute(option, "value") ?? "",
          selected: attribute(option, "aria-selected") === "true",
          disabled: isDisabled(option),
        }));

// Returns an option's name, without a hint that generated content adds to it ("Press to select").
function optionLabel(option) {
  const name = squash(nameOf(option, localName(option), "option"));
  const text = squash(textContent(option));
  return text && name.startsWith(`${text} `) ? text : name;
}

// Finds an option for each wanted text: an exact match, otherwise the only match in any case. If no
// label matches, the text may be a value.
export const matched = (options, wanted, by) =>
  wanted.map((text) => optionWith(options, by, text) ?? (by === "label" ? optionWith(options, "value", text) : null));

function optionWith(options, key, text) {
  const plain = key === "label" ? squash(text) : text;
  const same = options.filter((one) => one[key] === plain);
  if (same.length) return same.find((one) => !one.disabled) ?? same[0];
  const alike = options.filter((one) => one[key].toLowerCase() === plain.toLowerCase());
  return alike.length === 1 ? alike[0] : null;
}

export const offered = (options, by) => options.slice(0, MAX_OFFERED).map((one) => cutTo(one[by], 200));

export function refusal(options, found, wanted, by) {
  const missing = found.indexOf(null);
  if (missing >= 0) return { reason: "missing", what: wanted[missing], options: offered(options, by) };
  const disabled = found.findIndex((one) => one.disabled);
  if (disabled >= 0) return { reason: "disabled", what: wanted[disabled] };
  const named = by === "label" ? found.filter(({ label }, at) => label.toLowerCase() === squash(wanted[at]).toLowerCase()) : [];
  for (const { label } of named) {
    const twins = options.filter((one) => one.label === label && !one.disabled);
    const values = [...new Set(offered(twins, "value"))];
    if (values.length > 1) return { reason: "several", what: label, values };
  }
  return null;
}
