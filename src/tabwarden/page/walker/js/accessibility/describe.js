// Describes an element in a few words, for replies.

import { nameOf } from "./names.js";
import { contentText, roleOf } from "./names_and_roles.js";
import { TRANSPARENT } from "./role_sets.js";
import { identify, idOf } from "../dom/element_ids.js";
import { localName } from "../dom/natives.js";
import { cutTo, squash } from "../dom/text.js";

export const withId = (element) => ({ ...describe(element), id: identify(element) });

const SHORT = 100;

export function shortName(element) {
  const tag = localName(element);
  return cutTo(nameOf(element, tag, roleOf(element, tag)), SHORT);
}

export function describe(element) {
  const tag = localName(element);
  const role = roleOf(element, tag);
  const name = cutTo(nameOf(element, tag, role) || squash(contentText(element, tag, null)), SHORT);
  return { tag, role: TRANSPARENT.has(role) ? "" : role, name, id: idOf.get(element) ?? 0 };
}
