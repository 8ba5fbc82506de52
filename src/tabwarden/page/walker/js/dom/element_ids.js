// Local ids: an element keeps its number for its lifetime, and numbers are never reused.

import { watchAbove } from "./mutations.js";
import { getRootNode, isConnected } from "./natives.js";

export const idOf = new WeakMap();
export const elementOf = new Map();
const forgotten = new FinalizationRegistry((id) => {
  elementOf.delete(id);
  controls.delete(id);
});
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

// Controls that the browser draws for an element, such as a carousel's buttons. To most functions,
// a control's id means its element.
const controls = new Map();
const controlIds = new WeakMap(); // for each element: its controls' ids by their node ids
export const controlWith = (id) => controls.get(id) ?? null;

// Gives a control its id, and returns the control.
export function controlId(element, control) {
  if (!controlIds.has(element)) controlIds.set(element, new Map());
  const ids = controlIds.get(element);
  let id = ids.get(control.node);
  if (id === undefined) {
    id = ++lastId;
    ids.set(control.node, id);
    elementOf.set(id, new WeakRef(element));
    forgotten.register(element, id);
  }
  const known = { ...control, id };
  controls.set(id, known);
  return known;
}

// Returns the element with an id if it is still in the document.
export function identified(id) {
  const element = elementOf.get(id)?.deref();
  return element && isConnected(element) && getRootNode(element, { composed: true }) === document
    ? element
    : null;
}
