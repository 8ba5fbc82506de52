// Mutations: elements that were added or removed near elements with ids since the last snapshot.
//
// Only the ancestors of such elements are observed, each for its own children. So a page that
// changes a text a million times causes no records. The records keep removed elements alive for
// comparison, so their number is limited and the next snapshot clears them.

import { isElement, method, nodeType, parentNode } from "./natives.js";

const MAX_RECORDS = 1_000;
const MAX_WEIGHT = 20_000; // removed elements

const observed = new WeakSet();
let records = [];
let weight = 0;
let clock = 0;
// The start of the records, and whether they are complete since then.
let since = { lastId: 0, url: location.href, complete: true };

export const queryAll = method(Element.prototype, "querySelectorAll");

export function parentOf(node) {
  const parent = parentNode(node);
  return parent || nodeType(node) !== 11 ? parent : node.host ?? null;
}

export function topOf(node) {
  let top = node;
  for (let at = parentOf(top); at; at = parentOf(top)) top = at;
  return top;
}

export const stands = (node) => topOf(node) === document;

function keep(seen) {
  for (const { target, addedNodes, removedNodes } of seen) {
    const came = [...addedNodes].filter(isElement);
    const went = [...removedNodes].filter(isElement);
    if (!came.length && !went.length) continue;
    const weighs = went.reduce((sum, root) => sum + 1 + queryAll(root, "*").length, 0);
    records.push({ time: ++clock, target, came, went, weighs });
    weight += weighs;
  }
  while (records.length > 1 && (records.length > MAX_RECORDS || weight > MAX_WEIGHT)) {
    weight -= records.shift().weighs;
    since.complete = false;
  }
}

const watcher = new MutationObserver(keep);

export function watchAbove(element) {
  for (let at = parentOf(element); at && !observed.has(at); at = parentOf(at)) {
    observed.add(at);
    watcher.observe(at, { childList: true });
  }
}

// Starts new records after a snapshot, because refs refer to the snapshot's elements. `lastId` is
// the newest id at that time.
export function sinceNow(lastId) {
  watcher.takeRecords();
  records = [];
  weight = 0;
  since = { lastId, url: location.href, complete: true };
}

// Returns the trees that were added or removed since the last snapshot, by their roots, with the
// time and place of each, and the newest id at that snapshot. A removed tree has the time at which
// it was added, or null if the snapshot showed it. Trees that only moved are omitted. Returns null
// after too many changes, or if the page's URL changed.
export function comings() {
  keep(watcher.takeRecords());
  if (!since.complete || location.href !== since.url) return null;
  const first = new Map();
  const went = new Map();
  for (const { time, target, came, went: gone } of records) {
    for (const root of gone) {
      if (!first.has(root)) first.set(root, null);
      went.set(root, { time, target, came: first.get(root) });
    }
    for (const root of came) if (!first.has(root)) first.set(root, time);
  }
  for (const root of went.keys()) if (topOf(root) !== root) went.delete(root);
  const came = new Map();
  for (const [root, time] of first) if (time !== null && stands(root)) came.set(root, time);
  return { went, came, lastId: since.lastId };
}
