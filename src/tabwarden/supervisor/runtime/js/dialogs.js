// Runs in every document before the page's own scripts. It replaces alert, confirm and prompt: each
// call waits in a debugger pause, else in a synchronous request that the supervisor answers, else in
// the native function. To the page, the replacements look like the native functions.
(() => {
  const PAUSES = __PAUSES__;
  const URL_OF_REQUESTS = __URL__;
  const KEY = __KEY__;
  const WORD = __WORD__;

  const { apply, construct } = Reflect;
  const { parse, stringify } = JSON;
  const { defineProperty, getOwnPropertyDescriptor } = Object;
  const getter = (owner, name) => getOwnPropertyDescriptor(owner, name).get;
  const eventNow = getter(window, "event");
  const typeOf = getter(Event.prototype, "type");
  const isTrusted = getter(new Event(""), "isTrusted");
  const frameElementOf = getter(window, "frameElement");
  const parentOf = getter(window, "parent");
  const attribute = Element.prototype.getAttribute;
  const { toLowerCase, split, slice, toWellFormed, includes: hasText } = String.prototype;
  const { includes } = Array.prototype;
  const Requester = XMLHttpRequest;
  const { open, send } = Requester.prototype;
  const responseText = getter(Requester.prototype, "responseText");
  const { document, performance } = window;
  const { get: cookiesOf, set: setCookie } = getOwnPropertyDescriptor(Document.prototype, "cookie");
  const { now } = Performance.prototype;
  const { origin: ownOrigin, location } = window;
  const { protocol } = location;
  const addressOf = getter(location, "href");

  // Set by the supervisor on a pause. A pause that ends unanswered (a navigation, a lost
  // connection) must not fall through to a native dialog in a dying document.
  let armed = false;

  const NATIVE = { __proto__: null, native: true };
  const LOST = { __proto__: null };
  const REFUSED = { __proto__: null, native: false, accept: false, text: "" };

  const HELD_MS = 200;
  const PATIENCE_MS = 10000;

  const pause = (request) => {
    let answer = null;
    armed = false;
    if (PAUSES) debugger;
    return answer ?? (armed ? LOST : null);
  };

  // An opaque origin under a normal URL means that an iframe around the document is sandboxed, or
  // the document itself, by a response header that scripts can't read.
  const isOpaque = ownOrigin === "null" && protocol !== "data:" && protocol !== "file:";

  // During a request the supervisor can't ask the page about its sandbox. If there may be one, use
  // the native function, which knows.
  const mayBeSandboxed = () => {
    if (isOpaque) return true;
    for (let around = window; ; around = apply(parentOf, around, [])) {
      const element = apply(frameElementOf, around, []);
      if (element === null) return apply(parentOf, around, []) !== around;
      const sandbox = apply(attribute, element, ["sandbox"]);
      if (sandbox === null) continue;
      const words = apply(split, apply(toLowerCase, sandbox, []), [" "]);
      if (!apply(includes, words, ["allow-modals"])) return true;
    }
  };

  // Send one request; null if it failed.
  const requestOnce = (request) => {
    try {
      const waiting = construct(Requester, []);
      apply(open, waiting, ["POST", URL_OF_REQUESTS, false]);
      apply(send, waiting, [request]);
      const told = parse(apply(responseText, waiting, []));
      if (told.key !== KEY) return NATIVE;
      const { native, accept, text } = told;
      return { __proto__: null, native, accept, text };
    } catch {
      return null; // the page's policy blocked it, or nobody answered
    }
  };

  // The supervisor's message to a page that it can't reach otherwise: a cookie with a secret name,
  // deleted at once. Other pages of the origin may read it, so it never contains the key.
  const wordFromCookie = () => {
    const cookies = apply(cookiesOf, document, []);
    const told = (one) => apply(hasText, cookies, [`${WORD}=${one}`]);
    const word = told("native") ? "native" : told("refused") ? "refused" : "";
    const gone = `${WORD}=; max-age=0; path=/`;
    if (word) apply(setCookie, document, [gone]);
    // In a cross-site frame.
    if (word) apply(setCookie, document, [`${gone}; secure; samesite=none; partitioned`]);
    return word;
  };

  // The dialog's pause or request broke off. Either the document is being replaced, and a native
  // dialog would block it: then the supervisor says "refused". Or the supervisor lost its
  // connection, and says "native" after the reconnect.
  const waitForWord = () => {
    const until = apply(now, performance, []) + PATIENCE_MS;
    try {
      while (apply(now, performance, []) < until) {
        const word = wordFromCookie();
        if (word) return word === "native" ? NATIVE : REFUSED;
      }
    } catch { /* a document without cookies */ }
    return REFUSED;
  };

  const requestAnswer = (request) => {
    if (mayBeSandboxed()) return NATIVE;
    const began = apply(now, performance, []);
    const answer = requestOnce(request);
    if (answer !== null) return answer;
    const wasHeld = apply(now, performance, []) - began > HELD_MS;
    return wasHeld ? waitForWord() : NATIVE;
  };

  const ask = (type, message, initial) => {
    const url = apply(addressOf, location, []);
    const about = { url, type, message, initial, opaque: isOpaque };
    const request = stringify({ __proto__: null, key: KEY, ...about });
    const answer = pause(request);
    if (answer === LOST) return waitForWord();
    return answer ?? requestAnswer(request);
  };

  // The browser refuses dialogs of a document that is being unloaded, but Chromium 156 shows some of
  // them, and nothing can answer those (decision 0010). Our own listener would detect this reliably,
  // but a page with a pagehide listener is not closed at once with its tab.
  const leavingEvents = ["beforeunload", "pagehide", "unload"];
  const isLeaving = () => {
    // A parent document may call this one's functions, and gets its unload events first.
    for (let around = window; ; around = apply(parentOf, around, [])) {
      const event = apply(eventNow, around, []);
      if (event && apply(isTrusted, event, [])) {
        if (apply(includes, leavingEvents, [apply(typeOf, event, [])])) return true;
      }
      if (apply(frameElementOf, around, []) === null) return false;
    }
  };

  // The browser shows a lone surrogate as U+FFFD, and JSON readers reject it.
  const written = (value) => {
    const whole = `${value}`;
    return toWellFormed ? apply(toWellFormed, whole, []) : whole;
  };

  // Reading past an array's length would return values from a prototype that the page controls.
  const at = (args, index) => (index < args.length ? args[index] : undefined);

  const text = (args, index) => {
    const value = at(args, index);
    return value === undefined ? "" : written(value);
  };

  // Cut a text to the length that the browser itself shows.
  const LONGEST = 10240;
  const shown = (whole) =>
    whole.length > LONGEST ? `${written(apply(slice, whole, [0, LONGEST]))}…` : whole;

  const values = {
    alert: () => undefined,
    confirm: (answer) => answer.accept,
    prompt: (answer, initial) => {
      if (!answer.accept) return null;
      return answer.text === shown(initial) ? initial : answer.text;
    },
  };

  const texts = {
    alert: (args) => [args.length ? written(args[0]) : "", ""],
    confirm: (args) => [text(args, 0), ""],
    prompt: (args) => [text(args, 0), text(args, 1)],
  };

  for (const type of ["alert", "confirm", "prompt"]) {
    const described = getOwnPropertyDescriptor(window, type);
    if (!described) continue;
    const native = described.value;
    const handler = {
      __proto__: null,
      apply(target, self, args) {
        const foreign = self !== undefined && self !== null && self !== window;
        // A wrong receiver or a symbol throws natively, before anything is shown.
        const throws = typeof at(args, 0) === "symbol" || typeof at(args, 1) === "symbol";
        if (foreign || throws) return apply(target, self, args);
        const { 0: message, 1: initial } = texts[type](args);
        const answer = isLeaving() ? REFUSED : ask(type, shown(message), shown(initial));
        return answer.native ? apply(target, self, args) : values[type](answer, initial);
      },
    };
    defineProperty(window, type, { ...described, value: new Proxy(native, handler) });
  }
})();
