// A walk as it goes over the wire: columns, since 20,000 records of five fields each take twice the
// bytes, and six times as long to read. Roles are few: each record has its place in a table of them. Most
// states are none, or a link's URL alone.

const inColumns = ({ depths, roles, names, ids, states, cut, view }, suspects) => {
  const places = new Map();
  const stated = { at: [], states: [] };
  const linked = { at: [], urls: [] };
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
      linked.at.push(at);
      linked.urls.push(state.url);
    } else {
      stated.at.push(at);
      stated.states.push(state);
    }
  }
  return JSON.stringify({
    depths, roles: [...places.keys()], role, names, ids, stated, linked, cut, view, suspects,
    title: titleNow(),
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
