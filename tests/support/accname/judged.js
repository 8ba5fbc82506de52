// What a test asks about single elements, as a module of the walker's.

import { descriptionOf, nameOf, SHOWS_CONTENT } from "./accessibility/names.js";
import { learnLabels } from "./accessibility/labels.js";
import { roleOf } from "./accessibility/names_and_roles.js";
import { statesOf } from "./accessibility/states.js";
import { suspects } from "./dom/closed_root_suspects.js";
import { identified } from "./dom/element_ids.js";
import { all, attribute, closest, getRootNode, hasAttribute, localName } from "./dom/natives.js";
import { shadowRoot } from "./dom/shadow_roots.js";
import { walk } from "./dom/walk.js";
import { outlineOf } from "./outline/outline.js";

function marked(root, found = []) {
  for (const element of all(root, "*")) {
    if (hasAttribute(element, "data-n")) found.push(element);
    const inner = shadowRoot(element);
    if (inner) marked(inner, found);
  }
  return found;
}

// As a snapshot asks (a walk), but for the names of rows and cells: those it leaves to their content.
export function judgedHere(walking) {
  const told = {};
  for (const element of marked(document)) {
    const tag = localName(element);
    const role = roleOf(element, tag);
    const name = walking && !SHOWS_CONTENT.has(role)
      ? walk(() => (learnLabels(getRootNode(element)), nameOf(element, tag, role)))
      : nameOf(element, tag, role);
    const within = closest(element, "[aria-disabled=true]");
    told[attribute(element, "data-n")] = {
      role,
      name,
      description: descriptionOf(element),
      states: statesOf(element, tag, role, name, within !== null),
    };
  }
  return told;
}

export function outlined() {
  const told = {};
  const { roles, names, ids, states } = walk(outlineOf);
  ids.forEach((id, at) => {
    const n = id ? attribute(identified(id), "data-n") : null;
    if (n !== null) told[n] = { role: roles[at], name: names[at], states: states[at] || {} };
  });
  return told;
}

// How many elements a walk suspects of having a closed shadow root.
export function suspected() {
  walk(outlineOf);
  return suspects.length;
}
