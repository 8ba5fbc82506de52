// Runs in every document of the agent's tabs before the page's own scripts. Chromium answers some
// requests of pages in windows that nobody sees and that take all input. So this script announces
// passkeys and file pickers as prompts, and keeps the page waiting until they are answered. It
// declines what nobody can answer here: screens, wallets, devices. It removes its binding at once.
(() => {
  const tell = window.__BINDING__;
  if (!tell) return;
  delete window.__BINDING__;

  // After a reconnect, this script runs again. The first one then announces its prompts again.
  if (!dispatchEvent(new CustomEvent("__EVENT__", { cancelable: true }))) return;

  const { apply } = Reflect;
  const { parse, stringify } = JSON;
  const { create, defineProperty, getOwnPropertyDescriptor } = Object;
  const { origin, Promise, DOMException, Proxy, Uint8Array, btoa, location, navigator } = window;
  const { fromCharCode } = String;
  const { slice } = String.prototype;
  const { addEventListener } = EventTarget.prototype;
  const { preventDefault, stopImmediatePropagation } = Event.prototype;
  const detailOf = getOwnPropertyDescriptor(CustomEvent.prototype, "detail").get;

  const cut = (text) => typeof text === "string" ? apply(slice, text, [0, 120]) : "";
  const note = (text, why = "nobody can choose one here") =>
    tell(stringify({ __proto__: null, kind: "declined", origin, text: `${text}: ${why}` }));

  // Use a proxy, so that length, name and toString stay those of the native function.
  const wrap = (owner, name, handle) => {
    const described = owner && getOwnPropertyDescriptor(owner, name);
    if (typeof described?.value !== "function") return;
    const handler = { __proto__: null, apply: handle };
    defineProperty(owner, name, { ...described, value: new Proxy(described.value, handler) });
  };

  const MOST = 5; // prompts of one document
  const waiting = create(null); // each prompt's report and function that takes the answer
  let open = 0;
  let last = 0;

  // Announces a prompt, and returns its number with a promise of the answer: "" to cancel it. The
  // answers are strings, because the page can give objects a "then".
  const ask = (type, facts) => {
    const number = ++last;
    const answer = new Promise((resolve) => {
      if (open >= MOST) {
        note(type === "passkey" ? "a passkey" : "files", `${MOST} prompts of this document wait already`);
        return resolve("");
      }
      open++;
      const report = stringify({ __proto__: null, kind: "opened", number, type, origin, ...facts });
      waiting[number] = { __proto__: null, resolve, report };
      tell(report);
    });
    return { __proto__: null, number, answer };
  };
  const end = (number, error = "") => {
    if (!waiting[number]) return;
    delete waiting[number];
    open--;
    tell(stringify({ __proto__: null, kind: "ended", number, error }));
  };
  // The browser itself refuses a passkey for another site, or in a frame without the permission.
  const isAllowed = (site, name) => {
    const { hostname } = location;
    const isOwn = hostname === site || hostname.endsWith(`.${site}`);
    const feature = `publickey-credentials-${name}`;
    return isOwn && !/^[\d.]+$|:/.test(hostname) && (document.featurePolicy?.allowsFeature(feature) ?? true);
  };

  // Passkeys. The call continues when the browser has an authenticator for it.
  const idsOf = (list) => {
    const ids = [];
    for (let at = 0; at < list?.length && at < 50; at++) {
      const id = list[at].id;
      ids[at] = btoa(apply(fromCharCode, null, new Uint8Array(id.buffer ?? id)));
    }
    return ids;
  };
  const holdPasskey = async (target, self, args, key, site) => {
    const [{ signal }] = args;
    const { number, answer } = ask("passkey", {
      __proto__: null, new: Boolean(key.user), site: cut(site), user: cut(key.user?.name),
      ids: idsOf(key.allowCredentials), attachment: cut(key.authenticatorSelection?.authenticatorAttachment),
    });
    if (signal) apply(addEventListener, signal, ["abort", () => waiting[number]?.resolve("aborted")]);
    const choice = signal?.aborted ? "aborted" : await answer;
    if (choice === "" || choice === "aborted") {
      end(number);
      if (choice) throw signal.reason;
      throw new DOMException("The operation either timed out or was not allowed. See: " +
        "https://www.w3.org/TR/webauthn-2/#sctn-privacy-considerations-client.", "NotAllowedError");
    }
    try {
      const credential = await apply(target, self, args);
      end(number);
      return credential;
    } catch (error) {
      end(number, cut(error?.name));
      throw error;
    }
  };
  const refuse = (text, name, message) => {
    note(text);
    return new Promise((_, reject) => reject(new DOMException(message, name)));
  };
  const holdCredential = (target, self, args) => {
    const options = args[0];
    if (options?.digital) {
      return refuse("a wallet's credential", "NotAllowedError", "The request was declined.");
    }
    const isSilent = options?.mediation === "conditional" || options?.mediation === "silent";
    if (!options?.publicKey || isSilent) return apply(target, self, args);
    const key = options.publicKey;
    const site = key.rpId ?? key.rp?.id ?? location.hostname;
    if (!isAllowed(site, key.user ? "create" : "get")) return apply(target, self, args);
    return holdPasskey(target, self, args, key, site);
  };
  if (__OURS__) {
    wrap(globalThis.CredentialsContainer?.prototype, "get", holdCredential);
    wrap(globalThis.CredentialsContainer?.prototype, "create", holdCredential);
  }
  if (__UNSEEN__) {
    const devices = [
      ["MediaDevices", "getDisplayMedia", "the screen", "NotAllowedError", "Permission denied"],
      ["USB", "requestDevice", "a USB device", "NotFoundError",
        "Failed to execute 'requestDevice' on 'USB': No device selected."],
      ["Serial", "requestPort", "a serial port", "NotFoundError",
        "Failed to execute 'requestPort' on 'Serial': No port selected by the user."],
      ["PresentationRequest", "start", "a second screen", "NotAllowedError", "Dialog closed."],
    ];
    for (const [type, name, text, error, message] of devices) {
      wrap(globalThis[type]?.prototype, name, () => refuse(text, error, message));
    }
    wrap(globalThis.HID?.prototype, "requestDevice", () => {
      note("an input device");
      return new Promise((resolve) => resolve([]));
    });
  }

  // File pickers. The files arrive in a drop, because only a drop brings handles.
  let dropping = 0;
  let handles = [];
  const dragged = (event) => {
    if (!dropping || !event.isTrusted) return;
    apply(preventDefault, event, []);
    apply(stopImmediatePropagation, event, []);
    event.dataTransfer.dropEffect = "copy";
    if (event.type !== "drop") return;
    const { items } = event.dataTransfer;
    handles = [];
    for (let at = 0; at < items.length; at++) handles[at] = items[at].getAsFileSystemHandle();
    waiting[dropping]?.resolve("dropped");
    dropping = 0;
  };
  for (const type of ["dragenter", "dragover", "drop"]) {
    apply(addEventListener, window, [type, dragged, true]);
  }
  // A file of the page's own file system is the only one that a page may write without a question.
  // When the page has written it, it is downloaded.
  const newFile = async (name) => {
    const root = await navigator.storage.getDirectory();
    const folder = await root.getDirectoryHandle(`picked-${last}-${performance.now()}`, { create: true });
    const handle = await folder.getFileHandle(name, { create: true });
    let timer = 0;
    const save = () => { // a page may write many times
      clearTimeout(timer);
      timer = setTimeout(download, 100);
    };
    const download = async () => {
      const link = document.createElement("a");
      link.href = URL.createObjectURL(await handle.getFile());
      link.download = name;
      link.click();
    };
    await new FileSystemObserver(save).observe(handle);
    return handle;
  };
  const holdPicker = async (target, self, args, type) => {
    const options = args[0] ?? {};
    const accept = [];
    for (const one of options.types ?? []) for (const mime in one.accept) accept.push(...one.accept[mime]);
    const name = cut(options.suggestedName) || `untitled${type === "save" ? accept[0] ?? "" : ""}`;
    const { number, answer } = ask(type, {
      __proto__: null, multiple: Boolean(options.multiple), name, accept: cut(accept.join(", ")),
    });
    try {
      if (await answer === "") {
        throw new DOMException(
          `Failed to execute '${target.name}' on 'Window': The user aborted a request.`, "AbortError");
      }
      if (type === "save") return await newFile(name);
      const picked = [];
      for (let at = 0; at < handles.length; at++) picked[at] = await handles[at];
      return type === "directory" ? picked[0] : picked;
    } finally {
      end(number);
    }
  };
  const pickers = { showOpenFilePicker: "open", showDirectoryPicker: "directory", showSaveFilePicker: "save" };
  for (const name in pickers) {
    wrap(window, name, (target, self, args) =>
      window === window.top && navigator.userActivation.isActive
        ? holdPicker(target, self, args, pickers[name]) : apply(target, self, args));
  }

  // Only a script in another world can send an answer, because no page knows the event's name.
  apply(addEventListener, window, ["__EVENT__", (event) => {
    apply(stopImmediatePropagation, event, []);
    const detail = apply(detailOf, event, []);
    if (detail === null) {
      apply(preventDefault, event, []);
      for (const number in waiting) tell(waiting[number].report);
      return;
    }
    const { number, choice } = parse(detail);
    if (choice === "drop") dropping = number;
    else waiting[number]?.resolve(choice);
  }, true]);
})();
