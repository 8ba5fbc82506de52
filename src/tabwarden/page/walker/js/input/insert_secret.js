// Inserts a secret from the configuration in the focused field of this document.

import { kindOf } from "../accessibility/field_kinds.js";
import { focusedNow } from "../document/active_element.js";
import { identified } from "../dom/element_ids.js";
import { holdSecret } from "../dom/secret_fields.js";

export const origin = () => self.origin;

// Inserts text as an input method would. The fields that receive the text show dots from now on,
// and no result contains their values. If the text is longer than the field allows, it is inserted
// character by character, because the page may move the focus to the next field. Returns whether
// all of the text was inserted.
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
