// The elements that were drawn when the last snapshot read the document; unknown without a
// snapshot.

let shown = null;
let readWhole = new WeakSet(); // elements whose whole content was read at once
let roots = [];
export let shownAt = 0; // when the snapshot began

export function beginShown() {
  shown = new WeakSet();
  shownAt = performance.now();
  readWhole = new WeakSet();
  roots = [];
}

export const noteShown = (element) => shown.add(element);
export const noteRead = (element) => readWhole.add(element);

const MAX_ROOTS = 100;
export function noteRoot(root) {
  if (roots.length < MAX_ROOTS) roots.push(new WeakRef(root));
}

// The shadow roots that the snapshot read.
export const shadowRootsShown = () => roots.map((root) => root.deref()).filter(Boolean);

export const knowsShown = () => shown !== null;
export const wasShown = (element) => shown !== null && shown.has(element);
export const wasRead = (element) => readWhole.has(element);

// Records that an element has appeared or disappeared since the snapshot.
export function nowShown(element, isShown) {
  if (shown === null) return;
  if (isShown) shown.add(element);
  else shown.delete(element);
}
