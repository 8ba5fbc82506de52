// The origin's web storage. A key may be named "getItem", so only the prototype's methods are used.

import { getter, method } from "../dom/natives.js";

const storageGet = method(Storage.prototype, "getItem");
const storageSet = method(Storage.prototype, "setItem");
const storageRemove = method(Storage.prototype, "removeItem");
const storageClear = method(Storage.prototype, "clear");
const storageKey = method(Storage.prototype, "key");
const storageLength = getter(Storage.prototype, "length");

function entriesOf(area) {
  const found = [];
  for (let at = 0; at < storageLength(area); at++) {
    const key = storageKey(area, at);
    found.push([key, storageGet(area, key)]);
  }
  return found.sort(([a], [b]) => (a < b ? -1 : 1));
}

// Reads or changes a storage. `kind` is local or session. On failure, returns the error's name:
// "SecurityError" if the document has no storage, "QuotaExceededError" if it is full.
export function stored(kind, mode, key, value) {
  try {
    const area = kind === "local" ? localStorage : sessionStorage;
    const origin = location.origin;
    if (mode === "set") {
      storageSet(area, key, value);
      return { origin };
    }
    if (mode === "delete") {
      const was = storageGet(area, key) !== null;
      storageRemove(area, key);
      return { origin, deleted: was ? 1 : 0 };
    }
    if (mode === "clear") {
      const deleted = storageLength(area);
      storageClear(area);
      return { origin, deleted };
    }
    const entries = key === null ? entriesOf(area) : [[key, storageGet(area, key)]];
    const there = entries.filter(([, text]) => text !== null);
    return { origin, items: there.map(([name, text]) => ({ name, value: text })) };
  } catch (error) {
    return { error: error.name };
  }
}
