// A walk as it goes over the wire: columns, since 20,000 records of five fields each take twice the
// bytes, and six times as long to read. Roles are few: each record has its place in a table of them.
// Most states are none, or a link's URL alone. Numbers that rise are told by their steps.
//
// Names and URLs follow the rest, each on a line of its own: on its way a string is written as JSON
// once more, which would escape each quote around them.

const inColumns = ({ depths, roles, names, ids, states, cut, view }, suspects) => {
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
  const told = lines.every(isOneLine);
  const head = JSON.stringify({
    depths, roles: [...places.keys()], role, ids: inSteps(ids), linked: inSteps(linked), stated, cut,
    view, suspects, title: titleNow(), lines: told ? null : lines,
  });
  return told ? `${head}\n${lines.join("\n")}` : head;
};

const isOneLine = (text) => !text.includes("\n");

// Each number by how far it is from the one before; 0 stays 0.
const inSteps = (numbers) => {
  let last = 0;
  return numbers.map((number) => {
    if (!number) return 0;
    const step = number - last;
    last = number;
    return step;
  });
};

// The same for a few records of [depth, role, name, id].
const recordsInColumns = (records, cut) => {
  const column = (at, missing) => records.map((record) => record[at] ?? missing);
  const outline = {
    depths: column(0, 0), roles: column(1, ""), names: column(2, ""), ids: column(3, 0),
    states: column(4, null), cut, view: [],
  };
  return inColumns(outline, 0);
};

// As long as a browser shows it.
const MAX_TITLE = 4096;
const titleNow = () => titleOf(document).slice(0, MAX_TITLE).toWellFormed();

const isUrlAlone = (state) => {
  for (const key in state) if (key !== "url") return false;
  return true;
};
