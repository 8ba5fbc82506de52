// Focuses any element, not only a field that is typed into.

import { isDisabled } from "../accessibility/states.js";
import { identified } from "../dom/element_ids.js";
import { localName } from "../dom/natives.js";
import { showing, SHOWN } from "../dom/visibility.js";
import { refusedFocus, takeFocus } from "./take_focus.js";

// Returns the reason why the element does not get the focus; "" if it has the focus.
export function giveFocus(id) {
  const named = identified(id);
  if (!named) return { reason: "gone" };
  const element = (localName(named) === "label" && named.control) || named;
  if (isDisabled(element)) return { reason: "disabled" };
  if (showing(element) !== SHOWN) return { reason: "hidden" };
  const lost = takeFocus(element);
  if (!lost) return { reason: "" };
  const refused = refusedFocus(element, lost.now);
  return refused.reason === "no_text" ? { ...refused, reason: "no_focus" } : refused;
}
