// Finds elements that aria-owns moves. The owner must be readable and is read only once. So markup
// can't hide an element by assigning it to a hidden owner, to itself, or in a cycle.

import { flatParent, LEAVES } from "../dom/flat_tree.js";
import { all, closest, localName, ownedElements } from "../dom/natives.js";
import { isHidden } from "../dom/visibility.js";

export function ownership() {
  const ownedBy = new Map();
  for (const owner of all(document, "[aria-owns]")) {
    if (LEAVES.has(localName(owner)) || isHidden(owner) || closest(owner, "[inert]")) continue;
    for (const owned of ownedElements(owner)) {
      if (!ownedBy.has(owned) && !standsIn(owner, owned, ownedBy)) ownedBy.set(owned, owner);
    }
  }
  return ownedBy;
}

function standsIn(owner, owned, ownedBy) {
  for (let at = owner; at; at = ownedBy.get(at) ?? flatParent(at)) if (at === owned) return true;
  return false;
}
