// What has the focus, and when the page has come to rest: what is asked after an action.

// The innermost element, through shadow roots; the body where nothing has it.
const focusedNow = () => {
  let element = activeElementOf(document);
  while (element && shadowRoot(element)?.activeElement) element = shadowRoot(element).activeElement;
  return element;
};

const activeNow = () => {
  const element = focusedNow();
  if (!element || element === bodyOf(document)) return { element: null, descendant: null };
  const descendant = activeDescendantOf(element);
  // A list that closed may leave its last option named.
  const isShown = descendant !== null && checkVisibility(descendant, RENDERED);
  return { element, descendant: isShown ? descendant : null };
};

// Of an open select an option has the focus; in the outline that stands in the select.
const activeInOutline = () => {
  const active = activeNow();
  const { element } = active;
  if (!element || localName(element) !== "option") return active;
  return { ...active, element: closest(element, "select") ?? element };
};

const focusNow = () => {
  const { element, descendant } = activeNow();
  const meant = descendant ?? element;
  return meant ? { ...describe(meant), id: identify(meant) } : null;
};

const pageNow = () => ({ focus: focusNow(), title: titleNow() });

// Resolves when nothing in the document has changed for so long, or when the time is over.
const quiet = (idle, milliseconds) =>
  new Promise((done) => {
    let timer = 0;
    const end = (isQuiet) => {
      observer.disconnect();
      clearTimeout(timer);
      clearTimeout(limit);
      done(isQuiet);
    };
    const again = () => {
      clearTimeout(timer);
      timer = setTimeout(end, idle, true);
    };
    const observer = new MutationObserver(again);
    observer.observe(document, {
      subtree: true, childList: true, attributes: true, characterData: true,
    });
    const limit = setTimeout(end, milliseconds, false);
    again();
  });
