// Facts about an element, to find out why a page behaves in some way.

import { describe } from "../accessibility/describe.js";
import { nameOf } from "../accessibility/names.js";
import { roleOf } from "../accessibility/names_and_roles.js";
import { isDisabled, statesOf } from "../accessibility/states.js";
import { identified } from "../dom/element_ids.js";
import { flatParent } from "../dom/flat_tree.js";
import { attribute, attributeNames, isElement, localName, textContent } from "../dom/natives.js";
import { holdsSecret, takesSecret } from "../dom/secret_fields.js";
import { cutTo, squash } from "../dom/text.js";
import { showing, SHOWN } from "../dom/visibility.js";
import { boxesOf, hasArea } from "../geometry/boxes.js";
import { seenOf } from "../geometry/clipping.js";
import { aimAt } from "../input/aim.js";

const MAX_ATTRIBUTES = 50;
const MAX_FACT = 500;
const MAX_FACT_TEXT = 200;
const HIDDEN_VALUE = "••••••••";

export function facts(id, styles) {
  const element = identified(id);
  if (!element) return null;
  const tag = localName(element);
  const { role } = describe(element);
  const name = nameOf(element, tag, roleOf(element, tag));
  const isSecret = holdsSecret(element) || takesSecret(element);
  const names = attributeNames(element);
  const computed = getComputedStyle(element);
  return {
    tag,
    role,
    name: cutTo(name, MAX_FACT),
    text: isSecret ? "" : cutTo(squash(textContent(element)), MAX_FACT_TEXT),
    attributes: Object.fromEntries(
      names.slice(0, MAX_ATTRIBUTES).map((key) => [
        cutTo(key, MAX_FACT),
        isSecret && key === "value" ? HIDDEN_VALUE : cutTo(attribute(element, key), MAX_FACT),
      ]),
    ),
    attributes_left_out: Math.max(0, names.length - MAX_ATTRIBUTES),
    states: statesOf(element, tag, role, name, isDisabled(element)),
    styles: Object.fromEntries(styles.map((key) => [key, cutTo(computed.getPropertyValue(key), MAX_FACT)])),
    ...visibilityOf(element),
  };
}

// Returns whether a person sees the element, the reason if not, and the element's cover.
function visibilityOf(element) {
  const hidden = whyHidden(element);
  if (hidden) return { visible: false, reason: hidden, by: null };
  const boxes = boxesOf(element).filter(hasArea);
  if (!boxes.length) return { visible: false, reason: "it has no size", by: null };
  const seen = seenOf(element, boxes[0]);
  if (!(seen.right > seen.left && seen.bottom > seen.top)) {
    return { visible: false, reason: "a box around it clips this part: scroll that box", by: null };
  }
  if (seen.bottom <= 0 || seen.right <= 0 || seen.top >= innerHeight || seen.left >= innerWidth) {
    return { visible: false, reason: "it is outside its frame's viewport: scroll to it", by: null };
  }
  const aimed = aimAt(element, [], null, true);
  if (aimed.reason === "obscured") return { visible: false, reason: "covered", by: aimed.by };
  return { visible: true, reason: aimed.reason === "mouse_proof" ? "mouse events pass through it" : "", by: null };
}

function whyHidden(element) {
  for (let at = element; at && isElement(at); at = flatParent(at)) {
    const { display, opacity, visibility, contentVisibility } = getComputedStyle(at);
    const whose = at === element ? "its own" : `${wordFor(at)} has`;
    if (display === "none") return `${whose} display: none`;
    if (opacity === "0") return `${whose} opacity: 0`;
    if (at !== element && contentVisibility === "hidden") return `${whose} content-visibility: hidden`;
    if (at === element && visibility !== "visible") return `its visibility: ${visibility}`;
  }
  return showing(element) === SHOWN || getComputedStyle(element).display === "contents" ? "" : "it is not drawn";
}

const wordFor = (element) => {
  const id = attribute(element, "id");
  return id ? `${localName(element)}#${cutTo(id, 40)}` : localName(element);
};
