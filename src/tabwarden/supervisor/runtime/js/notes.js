// Runs in every document before the page's own scripts. It reports to the supervisor when a page
// prints or asks for a permission. It removes its binding from the page at once.
(() => {
  const tell = window.__BINDING__;
  if (!tell) return;
  delete window.__BINDING__;

  const { apply } = Reflect;
  const { stringify } = JSON;
  const { defineProperty, getOwnPropertyDescriptor } = Object;
  const { origin } = window;
  const { dispatchEvent } = EventTarget.prototype;
  const { addEventListener } = EventTarget.prototype;
  const { then } = Promise.prototype;
  const stateOf = globalThis.PermissionStatus &&
    getOwnPropertyDescriptor(PermissionStatus.prototype, "state").get;
  const query = globalThis.Permissions?.prototype.query;
  const { permissions } = navigator;

  // Limit the reports of a page that prints endlessly.
  const { now } = Performance.prototype;
  const { performance } = window;
  let left = 0;
  let since = -Infinity;
  const note = (kind, text) => {
    const at = apply(now, performance, []);
    if (at - since > 1000) [left, since] = [50, at];
    if (left-- > 0) tell(stringify({ __proto__: null, kind, origin, text }));
  };

  // Use a proxy, so that length, name and toString stay those of the native function.
  const wrap = (owner, name, before) => {
    const described = owner && getOwnPropertyDescriptor(owner, name);
    if (typeof described?.value !== "function") return;
    const handler = {
      __proto__: null,
      apply(target, self, args) {
        try {
          if (before(args) === false) return undefined;
        } catch { /* a failed report must not break the page's call */ }
        return apply(target, self, args);
      },
    };
    defineProperty(owner, name, { ...described, value: new Proxy(described.value, handler) });
  };

  const asks = (...names) => () => {
    for (const name of names) {
      if (!query || !permissions) {
        note("permission", name);
        continue;
      }
      const told = (status) => {
        const say = () => note("permission", `${name}: ${apply(stateOf, status, [])}`);
        say();
        apply(addEventListener, status, ["change", say]);
      };
      const asked = apply(query, permissions, [{ __proto__: null, name }]);
      apply(then, asked, [told, () => note("permission", name)]);
    }
  };

  const wantsMedia = (args) => {
    const { video, audio } = args[0] ?? {};
    if (video) asks("camera")();
    if (audio) asks("microphone")();
  };

  // Each of these opens a window of the browser that we can't see.
  const wantsCredential = (name) => ([options]) => {
    if (!options || /^(conditional|silent)$/.test(options.mediation)) return;
    for (const kind of ["publicKey", "password", "digital"]) {
      if (options[kind]) note("credentials", `navigator.credentials.${name}: ${kind}`);
    }
  };

  // An element such as <geolocation> asks when a person clicks it.
  const targetOf = getOwnPropertyDescriptor(Event.prototype, "target").get;
  const named = { __proto__: null, geolocation: ["geolocation"], camera: ["camera"], microphone: ["microphone"],
    usermedia: ["camera", "microphone"] };
  const localName = getOwnPropertyDescriptor(Element.prototype, "localName").get;
  const wasAsked = (event) => {
    try {
      if (event.isTrusted) asks(...named[apply(localName, apply(targetOf, event, []), [])] ?? [])();
    } catch { /* a failed report must not break the page's event */ }
  };
  for (const kind of ["promptaction", "promptdismiss"]) {
    apply(addEventListener, window, [kind, wasAsked, true]);
  }

  // In a browser with a window, printing opens a dialog that nobody can answer.
  wrap(window, "print", () => {
    note("print", "");
    apply(dispatchEvent, window, [new Event("beforeprint")]);
    apply(dispatchEvent, window, [new Event("afterprint")]);
    return false;
  });
  if (!__OURS__) { // otherwise prompts.js announces them
    wrap(globalThis.CredentialsContainer?.prototype, "get", wantsCredential("get"));
    wrap(globalThis.CredentialsContainer?.prototype, "create", wantsCredential("create"));
  }
  if (!__UNSEEN__) wrap(globalThis.MediaDevices?.prototype, "getDisplayMedia", asks("display-capture"));
  wrap(globalThis.Geolocation?.prototype, "getCurrentPosition", asks("geolocation"));
  wrap(globalThis.Geolocation?.prototype, "watchPosition", asks("geolocation"));
  wrap(globalThis.Notification, "requestPermission", asks("notifications"));
  wrap(globalThis.MediaDevices?.prototype, "getUserMedia", wantsMedia);
  wrap(globalThis.Clipboard?.prototype, "read", asks("clipboard-read"));
  wrap(globalThis.Clipboard?.prototype, "readText", asks("clipboard-read"));
  wrap(globalThis.Navigator?.prototype, "requestMIDIAccess", asks("midi"));
  wrap(window, "queryLocalFonts", asks("local-fonts"));
  wrap(window, "getScreenDetails", asks("window-management"));
  wrap(globalThis.IdleDetector, "requestPermission", asks("idle-detection"));
  wrap(globalThis.StorageManager?.prototype, "persist", asks("persistent-storage"));
})();
