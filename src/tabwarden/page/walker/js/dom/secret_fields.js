// Secret fields: password fields, and fields that were password fields when a person typed there.
// A page may show such a field's text later, but no agent reads it.

import { isConnected, localName } from "./natives.js";

const typedByPerson = new Set();

export const holdsSecret = (field) => field.type === "password" || typedByPerson.has(field);

// Remembers a password field that a person types into. Returns whether it is one.
export function keepSecret(field) {
  for (const kept of typedByPerson) if (!isConnected(kept)) typedByPerson.delete(kept);
  if (localName(field) === "input" && field.type === "password") typedByPerson.add(field);
  return typedByPerson.has(field);
}

// Returns what the fields hold that a person typed secrets into.
export const secretsTyped = () => [...typedByPerson].map((field) => field.value);

const SECURITY = "-webkit-text-security";
let veiled = [];

// Draws the text of these fields as dots, until `unveil`.
export function veil() {
  unveil();
  for (const field of typedByPerson) {
    const { style } = field;
    veiled.push([style, style.getPropertyValue(SECURITY), style.getPropertyPriority(SECURITY)]);
    style.setProperty(SECURITY, "disc", "important");
  }
}

export function unveil() {
  for (const [style, value, priority] of veiled) style.setProperty(SECURITY, value, priority);
  veiled = [];
}
