// Elements that may have a closed shadow root, which nothing here can tell: custom elements, those
// that are drawn though there is nothing in them, and those whose children have no place. They are
// noticed on a walk; each is asked about once, and again when it has become something else.

const MAX_SUSPECTS = 500;
const MAX_EMPTY = 200; // of those that are not custom elements; more are asked about on the next walk
const HOSTS = new Set(
  "article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span".split(" "),
);
const suspectedAs = new WeakMap();
let suspected = null; // a list while a walk is under way
let empty = 0;

// The same without a walk, for who looks for something in the whole document.
const suspectAll = () => {
  suspected = [];
  empty = 0;
  boxesLeft = MAX_BOXES;
  try {
    suspectIn(document);
  } finally {
    asking = suspected;
    suspected = null;
  }
  return asking.length;
};
const MAX_BOXES = 1000;
let boxesLeft = 0;

const suspectIn = (root) => {
  for (const element of all(root, "*")) {
    const inner = shadowRoot(element);
    if (inner) {
      suspectIn(inner);
      continue;
    }
    const tag = localName(element);
    const custom = tag.includes("-");
    if (!custom && (!HOSTS.has(tag) || (firstChild(element) && !isPlaceless(firstElementChild(element))))) continue;
    if (--boxesLeft < 0) return;
    suspect(element, tag);
  }
};

const isPlaceless = (child) =>
  child !== null && !checkVisibility(child) && getComputedStyle(child).display === "";

const suspect = (element, tag = localName(element)) => {
  const custom = tag.includes("-");
  if (suspected.length >= MAX_SUSPECTS || !(custom || HOSTS.has(tag))) return;
  const { width, height } = boundingRect(element);
  if (!custom && !(width && height)) return;
  const seen = `${custom && matches(element, ":defined")} ${width} ${height}`;
  if (suspectedAs.get(element) === seen) return;
  if (!custom && ++empty > MAX_EMPTY) return;
  suspectedAs.set(element, seen);
  suspected.push(element);
};
