// Encodes a walk as columns for the wire. 20,000 records of five fields each would take twice the
// bytes and six times as long to parse. Roles become indexes into a table. Most states are empty or
// only a link's URL. Rising numbers are sent as differences.
//
// Names and URLs follow, one per line. The browser encodes the string as JSON once more, which
// would escape every quote around them.

import { kindNow } from "../document/kind.js";
import { titleNow } from "../document/title.js";

export function inColumns({ depths, roles, names, ids, states, cut, view, layers }, suspects, carousels = 0) {
  const places = new Map();
  const stated = { at: [], states: [] };
  const linked = [];
  const urls = [];
  const role = roles.map((one) => {
    const known = places.get(one);
    if (known !== undefined) return known;
    places.set(one, places.size);
    return places.size - 1;
  });
  for (let at = 0; at < states.length; at++) {
    const state = states[at];
    if (state === null) continue;
    if (isUrlAlone(state)) {
      linked.push(at);
      urls.push(state.url);
    } else {
      stated.at.push(at);
      stated.states.push(state);
    }
  }
  const lines = names.concat(urls);
  const areLines = lines.every(isOneLine);
  const head = JSON.stringify({
    depths, roles: [...places.keys()], role, ids: inSteps(ids), linked: inSteps(linked), stated, cut,
    view, layers, suspects, carousels, count: document.getElementsByTagName("*").length, title: titleNow(), kind: kindNow(), lines: areLines ? null : lines,
  });
  return areLines ? `${head}\n${lines.join("\n")}` : head;
}

const isOneLine = (text) => !text.includes("\n");

// Replaces each number by its difference from the one before. 0 stays 0.
function inSteps(numbers) {
  let last = 0;
  return numbers.map((number) => {
    if (!number) return 0;
    const step = number - last;
    last = number;
    return step;
  });
}

// Does the same for a few records of [depth, role, name, id].
export function recordsInColumns(records, cut) {
  const column = (at, missing) => records.map((record) => record[at] ?? missing);
  const outline = {
    depths: column(0, 0), roles: column(1, ""), names: column(2, ""), ids: column(3, 0),
    states: column(4, null), cut, view: [], layers: null,
  };
  return inColumns(outline, 0);
}

function isUrlAlone(state) {
  for (const key in state) if (key !== "url") return false;
  return true;
}
