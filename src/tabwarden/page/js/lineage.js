// Lineage: what came and went, since the last snapshot, where elements with ids stand.
//
// Only the ancestors of such elements are watched, each for its own children: a page that writes a
// text a million times costs nothing here. The records keep what went (an element's likeness can
// be told as long as it is there), so they are few, and forgotten with the next snapshot.

const { watchAbove, sinceNow, comings, parentOf, topOf, stands, queryAll } = (() => {
  const MAX_RECORDS = 1_000;
  const MAX_WEIGHT = 20_000; // elements that went

  const heard = new WeakSet();
  let records = [];
  let weight = 0;
  let clock = 0;
  // The records are complete from here on.
  let since = { id: 0, url: location.href, complete: true };

  const queryAll = method(Element.prototype, "querySelectorAll");
  const parentOf = (node) => {
    const parent = parentNode(node);
    return parent || nodeType(node) !== 11 ? parent : node.host ?? null;
  };
  const topOf = (node) => {
    let top = node;
    for (let at = parentOf(top); at; at = parentOf(top)) top = at;
    return top;
  };
  const stands = (node) => topOf(node) === document;

  const keep = (seen) => {
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
  };

  const watcher = new MutationObserver(keep);

  const watchAbove = (element) => {
    for (let at = parentOf(element); at && !heard.has(at); at = parentOf(at)) {
      heard.add(at);
      watcher.observe(at, { childList: true });
    }
  };

  // A snapshot was taken: what it shows is what refs are known by.
  const sinceNow = () => {
    watcher.takeRecords();
    records = [];
    weight = 0;
    since = { id: lastId, url: location.href, complete: true };
  };

  // All that went for good and all that came new since the last snapshot, as the roots of what was
  // taken out or put in, with the time and the place of each. What was only moved is neither. Null
  // when too much happened, or the page's address is another.
  const comings = () => {
    keep(watcher.takeRecords());
    if (!since.complete || location.href !== since.url) return null;
    const first = new Map();
    const went = new Map();
    for (const { time, target, came, went: gone } of records) {
      for (const root of gone) {
        if (!first.has(root)) first.set(root, null);
        went.set(root, { time, target });
      }
      for (const root of came) if (!first.has(root)) first.set(root, time);
    }
    for (const root of went.keys()) if (topOf(root) !== root) went.delete(root);
    const came = new Map();
    for (const [root, time] of first) if (time !== null && stands(root)) came.set(root, time);
    return { went, came, isNew: (element) => idOf.get(element) > since.id };
  };

  return { watchAbove, sinceNow, comings, parentOf, topOf, stands, queryAll };
})();
