// Waiting for what a document shows: looked at often, but never more than a tenth of the time.

const LOOK_MS = 50;

const isSelector = (selector) => {
  try {
    new DocumentFragment().querySelector(selector);
    return true;
  } catch {
    return false;
  }
};

// Whether a text can be read here as the snapshot has it, or an element is there and shown: its
// id, role and name.
const present = (kind, what) => {
  if (innerWidth === 0 || innerHeight === 0) return null; // a frame that is not shown
  return kind === "text" ? shows(what) : shownMatch(what);
};

const shows = (text) => {
  const wanted = squash(text).toLowerCase();
  const has = (some) => typeof some === "string" && some.toLowerCase().includes(wanted);
  const body = bodyOf(document);
  if (body && has(squash(body.innerText ?? ""))) return {};
  const { names, states } = outlineOf();
  return names.some(has) || states.some((state) => has(state?.value)) ? {} : null;
};

const shownMatch = (selector) => {
  for (const root of openRoots()) {
    for (const element of all(root, selector)) {
      if (isShown(element)) return { ...describe(element), id: identify(element) };
    }
  }
  return null;
};

// The document, then every open shadow root in it.
function* openRoots(root = document) {
  yield root;
  for (const element of all(root, "*")) {
    const inner = shadowRoot(element);
    if (inner) yield* openRoots(inner);
  }
}

// What is present, or absent, awaited for some milliseconds; null when it did not come to that.
const awaited = async (kind, what, gone, milliseconds) => {
  const until = performance.now() + milliseconds;
  for (;;) {
    const began = performance.now();
    const found = present(kind, what);
    if (gone ? !found : found) return found ?? {};
    const now = performance.now();
    if (now >= until) return null;
    await new Promise((later) => setTimeout(later, Math.max(LOOK_MS, 10 * (now - began))));
  }
};
