// Functions for the empty page that stands in for an origin. On failure, each returns the error's
// name.
({
  read: () => {
    try {
      const found = [];
      for (let at = 0; at < localStorage.length; at++) {
        const name = localStorage.key(at);
        found.push({ name, value: localStorage.getItem(name) });
      }
      return { origin: location.origin, items: found.sort((a, b) => (a.name < b.name ? -1 : 1)) };
    } catch (error) {
      return { error: error.name };
    }
  },
  store: (items) => {
    try {
      for (const { name, value } of items) localStorage.setItem(name, value);
      return { origin: location.origin };
    } catch (error) {
      return { error: error.name };
    }
  },
  paste: () =>
    navigator.clipboard.readText().then(
      (text) => ({ text }),
      (error) => ({ error: error.name }),
    ),
  copy: (text) =>
    navigator.clipboard.writeText(text).then(
      () => ({ text }),
      (error) => ({ error: error.name }),
    ),
})
