// Secret fields: recordings never contain their values, and agents can't read values that a person
// typed or that were filled in from the configuration.

import { attribute, isConnected, localName } from "./natives.js";

const SECRET_FIELDS = /\b(current-password|new-password|one-time-code|cc-number|cc-csc)\b/i;

// Whether text that is typed into a field is secret.
export function takesSecret(field) {
  if (localName(field) === "input" && field.type === "password") return true;
  if (SECRET_FIELDS.test(attribute(field, "autocomplete") ?? "")) return true;
  // A page may show any field's text as dots.
  return (getComputedStyle(field).webkitTextSecurity ?? "none") !== "none";
}

const typedByPerson = new Set();
const filledIn = new Set();

// Whether a field's value must not be read. A page may show a password's text later.
export const holdsSecret = (field) => field.type === "password" || typedByPerson.has(field) || filledIn.has(field);

// Remembers a secret field that a person types into. Returns whether it is one.
export function keepSecret(field) {
  for (const kept of typedByPerson) if (!isConnected(kept)) typedByPerson.delete(kept);
  if (takesSecret(field)) typedByPerson.add(field);
  return typedByPerson.has(field);
}

// Returns the values of the fields that a person typed secrets into.
export const secretsTyped = () => [...typedByPerson].map((field) => field.value);

// Remembers a field that receives a secret from the configuration, and permanently masks its text
// with dots.
export function holdSecret(field) {
  for (const kept of filledIn) if (!isConnected(kept)) filledIn.delete(kept);
  filledIn.add(field);
  drawDots(field);
}

const drawDots = (field) => field.style.setProperty(SECURITY, "disc", "important");

const SECURITY = "-webkit-text-security";
let masked = [];

// Draws the text of these fields as dots, until `unmask`.
export function mask() {
  unmask();
  for (const field of typedByPerson) {
    const { style } = field;
    masked.push([style, style.getPropertyValue(SECURITY), style.getPropertyPriority(SECURITY)]);
    drawDots(field);
  }
  for (const field of filledIn) drawDots(field);
}

export function unmask() {
  for (const [style, value, priority] of masked) style.setProperty(SECURITY, value, priority);
  masked = [];
}
