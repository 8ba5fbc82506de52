// A walk through a document, and the modules' caches during the walk.

const learned = [];
export let walking = false;

// Registers a module's cache: `begin` sets it up for a walk, and `end` clears it.
export function duringWalk(begin, end) {
  learned.push({ begin, end });
}

export function walk(read) {
  walking = true;
  for (const { begin } of learned) begin();
  try {
    return read();
  } finally {
    walking = false;
    for (const { end } of learned) end();
  }
}
