// Local ids: an element keeps its number for its lifetime, and numbers are never reused.

import { watchAbove } from "./mutations.js";
import { getRootNode, isConnected } from "./natives.js";

export const idOf = new WeakMap();
export const elementOf = new Map();
const forgotten = new FinalizationRegistry((id) => elementOf.delete(id));
export let lastId = 0;

export function identify(element) {
  let id = idOf.get(element);
  if (id === undefined) {
    id = ++lastId;
    idOf.set(element, id);
    elementOf.set(id, new WeakRef(element));
    forgotten.register(element, id);
    watchAbove(element);
  }
  return id;
}

// Returns the element with an id if it is still in the document.
export function identified(id) {
  const element = elementOf.get(id)?.deref();
  return element && isConnected(element) && getRootNode(element, { composed: true }) === document
    ? element
    : null;
}
