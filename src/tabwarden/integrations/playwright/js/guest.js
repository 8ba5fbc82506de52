// Runs in Playwright's own isolated world of a frame, which the page can't see. Playwright's XPath
// selectors call `document.evaluate` there. From now on, `//tabwarden[e12_MARK]` selects the element
// that Tabwarden stored under that name, and `//tabwarden[take3_MARK]` stores the element in which
// Playwright searches, so that Tabwarden can read it. In any other document, both expressions match nothing.
(() => {
  if (globalThis.__tabwarden) return;
  const kept = new Map();
  const evaluate = Document.prototype.evaluate;

  const isInside = (element, root) => {
    for (let at = element; at; at = at.parentNode ?? at.host) if (at === root) return true;
    return false;
  };

  Document.prototype.evaluate = function (expression, root, ...rest) {
    const name = /^\.?\/\/tabwarden\[(\w+)\]$/.exec(expression)?.[1];
    if (!name) return evaluate.call(this, expression, root, ...rest);
    const taking = name.startsWith("take");
    if (taking) kept.set(name, new WeakRef(root));
    const element = taking ? null : kept.get(name)?.deref();
    const found = element && isInside(element, root ?? this) ? [element] : [];
    return { iterateNext: () => found.shift() ?? null };
  };

  globalThis.__tabwarden = {
    keep: (name, element) => kept.set(name, new WeakRef(element)),
    take: (name) => {
      const element = kept.get(name)?.deref() ?? null;
      kept.delete(name);
      return element;
    },
  };
})();
