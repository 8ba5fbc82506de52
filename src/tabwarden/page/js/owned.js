// What aria-owns moves elsewhere. Whoever owns must be read itself, and read but once: markup may
// not hide an element by giving it to nobody, to itself, or to two that own each other.

const ownership = () => {
  const ownedBy = new Map();
  for (const owner of all(document, "[aria-owns]")) {
    if (LEAVES.has(localName(owner)) || isHidden(owner) || closest(owner, "[inert]")) continue;
    for (const owned of ownedElements(owner)) {
      if (!ownedBy.has(owned) && !standsIn(owner, owned, ownedBy)) ownedBy.set(owned, owner);
    }
  }
  return ownedBy;
};

const standsIn = (owner, owned, ownedBy) => {
  for (let at = owner; at; at = ownedBy.get(at) ?? flatParent(at)) if (at === owned) return true;
  return false;
};
