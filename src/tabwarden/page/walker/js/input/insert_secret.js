// Inserts a secret of the configuration in the focused field of this document.

import { kindOf } from "../accessibility/field_kinds.js";
import { focusedNow } from "../document/active_element.js";
import { identified } from "../dom/element_ids.js";
import { holdSecret } from "../dom/secret_fields.js";

export const origin = () => self.origin;

// Inserts a text as an input method would. The fields that get it show dots from now on, and no
// answer has their values. If the text is longer than the field allows, it goes in character by
// character, because the page may move on to the next field. Returns whether all of it went in.
export function insertSecret(id, text, replaces) {
  const named = identified(id);
  const into = focusedNow();
  if (!named || !into) return false;
  if (replaces && text === "") return document.execCommand("delete");
  const room = into.maxLength >= 0 ? into.maxLength - (replaces ? 0 : into.value.length) : Infinity;
  const parts = text.length > room ? [...text] : [text];
  return parts.every(insert);
}

function insert(part) {
  const into = focusedNow();
  if (!into || kindOf(into) !== "typed") return false;
  holdSecret(into);
  return document.execCommand("insertText", false, part);
}
