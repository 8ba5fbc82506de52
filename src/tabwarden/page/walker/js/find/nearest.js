// Finds elements that the agent may have meant with a stale ref.

import { cutTo } from "../dom/text.js";
import { outlineOf } from "../outline/outline.js";

const MAX_NEAR = 200;

export function tally(texts) {
  const counts = new Map();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

// Returns elements with the same role, elements with the same name first, each with the text beside
// it.
export function near(outline, role, name) {
  const found = [];
  outline.ids.forEach((id, at) => {
    if (id && outline.roles[at] === role) found.push({ id, name: outline.names[at], at });
  });
  found.sort((a, b) => (b.name === name) - (a.name === name) || a.at - b.at);
  const nearest = found.slice(0, MAX_NEAR).map(({ id, name: called, at }) => ({
    id, name: called, beside: outline.states[at]?.near ?? wordsBeside(outline, at), at,
  }));
  const counts = tally(nearest.map(sayingOf));
  for (const one of nearest) {
    if (counts.get(sayingOf(one)) > 1) one.beside = wordsAround(outline, one.at) || one.beside;
  }
  return { near: nearest.map(({ at: _, ...one }) => one) };
}

const sayingOf = (one) => `${one.name}\n${one.beside}`;

export const nearest = (role, name) => near(outlineOf(), role, name);

function wordsBeside({ depths, names }, at) {
  const parent = holderOf(depths, at);
  const words = [];
  if (parent >= 0 && names[parent]) words.push(names[parent]);
  for (let i = parent + 1; i < depths.length && depths[i] >= depths[at] && words.length < 3; i++) {
    if (i !== at && depths[i] === depths[at] && names[i]) words.push(names[i]);
  }
  return cutTo(words.join(", "), 80);
}

// Returns the text that distinguishes one of several similar elements, such as the text of its
// table row. The text is in the highest ancestor without another such element.
function wordsAround({ depths, roles, names }, at) {
  const isTwin = (one) => one !== at && roles[one] === roles[at] && names[one] === names[at];
  let words = [];
  for (let top = at; top >= 0; ) {
    top = holderOf(depths, top);
    const found = top >= 0 && names[top] ? [names[top]] : [];
    for (let i = top + 1; i < depths.length && (top < 0 || depths[i] > depths[top]); i++) {
      if (isTwin(i)) return cutTo(words.join(", "), 80);
      if (i !== at && names[i] && found.length < 3) found.push(names[i]);
    }
    words = found;
  }
  return cutTo(words.join(", "), 80);
}

function holderOf(depths, at) {
  let holder = at;
  while (holder >= 0 && depths[holder] >= depths[at]) holder -= 1;
  return holder;
}
