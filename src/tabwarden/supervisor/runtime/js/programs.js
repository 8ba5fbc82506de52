// Runs in every document of the agent's tabs before the page's own scripts. It prevents navigations
// to other programs (mailto:, tel:, zoommtg:), and reports them. It removes its binding at once.
(() => {
  const tell = window.__BINDING__;
  if (!tell) return;
  delete window.__BINDING__;
  if (!window.navigation) return;

  const { apply } = Reflect;
  const { stringify } = JSON;
  const { origin, open, URL } = window;
  const { slice } = String.prototype;
  const { preventDefault } = Event.prototype;
  const getter = (owner, name) => Object.getOwnPropertyDescriptor(owner.prototype, name).get;
  const destinationOf = getter(NavigateEvent, "destination");
  const urlOf = getter(NavigationDestination, "url");
  const protocolOf = getter(URL, "protocol");
  const allowed = { __proto__: null, __SCHEMES__ };

  // Reports a URL for another program, and tells whether it is one.
  const isRefused = (url) => {
    try {
      if (apply(slice, apply(protocolOf, new URL(url), []), [0, -1]) in allowed) return false;
    } catch {
      return false; // it is relative
    }
    tell(stringify({ __proto__: null, kind: "external", origin, text: apply(slice, url, [0, 1000]) }));
    return true;
  };
  const prevent = (event) => {
    if (isRefused(apply(urlOf, apply(destinationOf, event, []), []))) apply(preventDefault, event, []);
  };
  navigation.addEventListener("navigate", prevent, true);

  // A new window's first navigation has no such event.
  window.open = new Proxy(open, {
    __proto__: null,
    apply: (target, self, args) =>
      typeof args[0] === "string" && isRefused(args[0]) ? null : apply(target, self, args),
  });
})();
