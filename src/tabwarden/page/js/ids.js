// Local ids: an element keeps its number while it lives, and no number is given twice.

const idOf = new WeakMap();
const elementOf = new Map();
const forgotten = new FinalizationRegistry((id) => elementOf.delete(id));
let lastId = 0;

const identify = (element) => {
  let id = idOf.get(element);
  if (id === undefined) {
    id = ++lastId;
    idOf.set(element, id);
    elementOf.set(id, new WeakRef(element));
    forgotten.register(element, id);
    watchAbove(element);
  }
  return id;
};

// The element of an id, if it still stands in the document.
const identified = (id) => {
  const element = elementOf.get(id)?.deref();
  return element && isConnected(element) && getRootNode(element, { composed: true }) === document
    ? element
    : null;
};
