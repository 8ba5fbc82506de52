// Tells whether a field holds a secret, so that no recording shows what goes into it.

import { attribute, localName } from "../dom/natives.js";

export function isSecret(field) {
  if (localName(field) === "input" && field.type === "password") return true;
  if (SECRET_FIELDS.test(attribute(field, "autocomplete") ?? "")) return true;
  // A page may show any field's text as dots.
  return (getComputedStyle(field).webkitTextSecurity ?? "none") !== "none";
}
const SECRET_FIELDS = /\b(current-password|new-password|one-time-code|cc-number|cc-csc)\b/i;
