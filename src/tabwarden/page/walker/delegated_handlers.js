// Runs in the page's own world, because libraries store delegated click handlers as properties of
// elements. Returns `look`, which returns the elements that it has not returned before.
function () {
  const CLICKS = ["click", "dblclick", "mousedown", "mouseup", "pointerdown", "pointerup"];
  const NAMED = new RegExp(`^(\\$\\$|__)(${CLICKS.join("|")})$`);
  const returned = new WeakSet();
  const of = (kept, key) => Object.getOwnPropertyDescriptor(kept, key)?.value;

  function handled(element, key) {
    const kept = of(element, key);
    if (!kept || typeof key === "string" && NAMED.test(key)) return kept ? [element] : []; // Solid
    if (typeof kept !== "object") return [];
    if (CLICKS.some((type) => typeof of(kept, type) === "function")) return [element]; // Svelte
    const events = of(kept, "events"); // jQuery
    if (!events || typeof events !== "object") return [];
    const selectors = CLICKS.flatMap((type) => [...(of(events, type) ?? [])].map((one) => one.selector));
    return [...new Set(selectors)].flatMap((one) => (one ? selected(element, one) : []));
  }

  function selected(element, selector) {
    try {
      return [...element.querySelectorAll(selector)];
    } catch {
      return []; // a selector that only the library understands
    }
  }

  function lookIn(root, found) {
    for (const element of [root, ...root.querySelectorAll("*")]) {
      for (const key of Reflect.ownKeys(element)) {
        try {
          found.push(...handled(element, key));
        } catch {} // an object from another site
      }
      if (element.shadowRoot) lookIn(element.shadowRoot, found);
    }
    return found;
  }

  const look = () => {
    const all = [...new Set(lookIn(this, []))];
    const found = all.filter((element) => !returned.has(element)).slice(0, 1000);
    for (const element of found) returned.add(element);
    return found.length ? found : null;
  };
  const found = look();
  return found ? [look, ...found] : look;
}
