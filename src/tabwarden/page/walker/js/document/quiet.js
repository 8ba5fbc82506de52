// Waits until a document stops changing.

// Resolves when nothing has changed for `idle` milliseconds, or when the time is up.
export async function quiet(idle, milliseconds) {
  return new Promise((done) => {
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
}
