// How an element relates to the text around it: attached to the text, separate, or repeated in the
// text.

import { controlNamedBy } from "../accessibility/labels.js";
import { roleOf } from "../accessibility/names_and_roles.js";
import { TRANSPARENT } from "../accessibility/role_sets.js";
import { checkVisibility, data, hasAttribute, localName, nextSibling, nodeType } from "../dom/natives.js";
import { RENDERED } from "../dom/visibility.js";

// Whether there is no space between an element and the text before or after it.
export function isGlued(element, run) {
  if (run && !isSpace(run.at(-1))) return true;
  const next = nextSibling(element);
  return next !== null && !(nodeType(next) === 3 && isSpace(data(next)[0]));
}

const isSpace = (text) => text === " " || text === "\n" || text === "\t";

// Whether an inline tag is drawn as a block, as in a row of boxes. A floating letter is a part of
// its word.
export function standsAlone(element) {
  const style = getComputedStyle(element);
  return !FLOWING.test(style.display) && style.float === "none";
}

const FLOWING = /^(inline|contents|ruby)/;

// Whether a label's text is already its control's name. It is not if the control has another name,
// is hidden, or is a custom element without a role.
export function isSaidByControl(label) {
  const control = controlNamedBy(label);
  return (
    control !== null &&
    !(localName(control).includes("-") && TRANSPARENT.has(roleOf(control, localName(control)))) &&
    checkVisibility(control, RENDERED) &&
    !hasAttribute(control, "aria-label") &&
    !hasAttribute(control, "aria-labelledby")
  );
}
