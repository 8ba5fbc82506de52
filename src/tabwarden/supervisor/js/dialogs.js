// Runs in every document before the page's own scripts: alert, confirm and prompt stop in a
// debugger pause that the supervisor answers, and look to the page as the native ones do.
(() => {
  const { apply } = Reflect;
  const { stringify } = JSON;
  const { defineProperty, getOwnPropertyDescriptor } = Object;
  const eventNow = getOwnPropertyDescriptor(window, "event").get;

  // Set by the supervisor on a pause. A pause that ends unanswered (a navigation, a lost
  // connection) must not fall through to a native dialog in a dying document.
  let armed = false;

  const ask = (type, message, initial) => {
    const request = stringify({ __proto__: null, type, message, initial });
    let answer = null;
    armed = false;
    debugger;
    return answer ?? { __proto__: null, accept: false, native: !armed };
  };

  // In these the browser shows no dialog: the native function knows.
  const isLeaving = () => {
    const event = apply(eventNow, window, []);
    const type = event?.type;
    return type === "beforeunload" || type === "pagehide" || type === "unload";
  };

  const text = (args, index) => (args[index] === undefined ? "" : `${args[index]}`);

  const values = {
    alert: () => undefined,
    confirm: (answer) => answer.accept,
    prompt: (answer) => (answer.accept ? answer.text : null),
  };

  const requests = {
    alert: (args) => ask("alert", args.length ? `${args[0]}` : "", ""),
    confirm: (args) => ask("confirm", text(args, 0), ""),
    prompt: (args) => ask("prompt", text(args, 0), text(args, 1)),
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
        if (foreign || typeof args[0] === "symbol" || typeof args[1] === "symbol" || isLeaving()) {
          return apply(target, self, args);
        }
        const answer = requests[type](args);
        return answer.native ? apply(target, self, args) : values[type](answer);
      },
    };
    defineProperty(window, type, { ...described, value: new Proxy(native, handler) });
  }
})();
