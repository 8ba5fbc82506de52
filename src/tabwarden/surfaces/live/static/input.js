// Captures a person's input: mouse, wheel, touch, keyboard, paste and input methods, for the page.

const LEAVE_MS = 500;
const BUTTONS = ["left", "middle", "right", "back", "forward"];
const HERE_MS = 10_000;

// Sends a person's input on the image. `send(events)` sends a list of events.
export class InputCapture {
  constructor(stage, picture, send, here) {
    Object.assign(this, { stage, picture, send });
    this.on = false;
    this.lastEscape = 0;
    this.waiting = [];
    this.last = null;
    this.clicks = 0;
    // An invisible field receives the keys, so that input methods and phones' keyboards work.
    this.field = document.createElement("textarea");
    Object.assign(this.field, { className: "keys", spellcheck: false, autocapitalize: "off", autocomplete: "off" });
    this.field.setAttribute("aria-label", "Keys for the page. Press Escape twice to leave it.");
    this.field.setAttribute("autocorrect", "off");
    this.field.disabled = true;
    stage.append(this.field);
    this.#listen();
    this.timer = setInterval(() => this.on && document.hasFocus() && this.moved && ((this.moved = false), here()), HERE_MS);
  }

  end() {
    clearInterval(this.timer);
  }

  set(on) {
    if (this.on === on) return;
    this.on = on;
    this.field.disabled = !on;
    if (on) this.field.focus({ preventScroll: true });
  }

  #put(event) {
    this.moved = true;
    const before = this.waiting.at(-1);
    if (event.kind === "mouse" && event.type === "move" && before?.kind === "mouse" && before.type === "move") this.waiting.pop();
    if (event.kind === "wheel" && before?.kind === "wheel") {
      event.dx += before.dx;
      event.dy += before.dy;
      this.waiting.pop();
    }
    this.waiting.push(event);
    if (event.type === "move" || event.kind === "wheel") this.#soon();
    else this.#flush();
  }

  #soon() {
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => this.#flush());
  }

  #flush() {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    const events = this.waiting;
    this.waiting = [];
    if (events.length) this.send(events);
  }

  #at({ clientX, clientY }) {
    const { left, top, width, height } = this.picture.canvas.getBoundingClientRect();
    const page = this.picture.page;
    const inside = (value, most) => Math.round(Math.min(most - 1, Math.max(0, value)) * 10) / 10;
    return { x: inside(((clientX - left) / width) * page.width, page.width), y: inside(((clientY - top) / height) * page.height, page.height) };
  }

  #listen() {
    const { canvas } = this.picture;
    const on = (target, names, act, options) => {
      for (const name of names.split(" ")) target.addEventListener(name, (event) => this.on && act(event), options);
    };
    on(canvas, "pointerdown pointermove pointerup pointercancel", (event) => this.#pointer(event));
    on(canvas, "wheel", (event) => this.#wheel(event), { passive: false });
    on(canvas, "contextmenu touchstart touchmove", (event) => event.preventDefault(), { passive: false });
    on(this.field, "keydown keyup", (event) => this.#key(event));
    on(this.field, "paste", (event) => {
      event.preventDefault();
      const text = event.clipboardData?.getData("text/plain");
      if (text) this.#put({ kind: "paste", text });
    });
    on(this.field, "compositionupdate", ({ data }) => this.#put({ kind: "compose", text: data, start: data.length, end: data.length }));
    on(this.field, "compositionend", ({ data }) => {
      this.#put(data ? { kind: "paste", text: data } : { kind: "compose", text: "" });
      this.field.value = "";
    });
    on(this.field, "input", (event) => {
      if (event.isComposing) return;
      // Text that a phone's keyboard entered without key events.
      if (this.field.value && event.inputType?.startsWith("insert") && !event.inputType.includes("Composition")) this.#put({ kind: "paste", text: this.field.value });
      if (event.inputType === "deleteContentBackward") for (const type of ["down", "up"]) this.#put({ kind: "key", type, key: "Backspace", code: "Backspace", key_code: 8 });
      this.field.value = "";
    });
  }

  #pointer(event) {
    event.preventDefault();
    const { canvas } = this.picture;
    const { x, y } = this.#at(event);
    const kinds = { pointerdown: "down", pointermove: "move", pointerup: "up", pointercancel: "up" };
    const type = kinds[event.type];
    if (type === "down") {
      this.field.focus({ preventScroll: true });
      canvas.setPointerCapture(event.pointerId);
    }
    const modifiers = bits(event);
    if (event.pointerType === "touch") {
      const touch = { down: "start", move: "move", up: event.type === "pointercancel" ? "cancel" : "end" }[type];
      this.#put({ kind: "touch", type: touch, points: touch === "start" || touch === "move" ? [{ x, y, id: 0 }] : [], modifiers });
      return;
    }
    if (type === "down") this.#count(event, x, y);
    const button = type === "move" ? "none" : (BUTTONS[event.button] ?? "left");
    this.#put({ kind: "mouse", type, x, y, button, buttons: event.buttons & 31, clicks: type === "move" ? 0 : this.clicks, modifiers });
  }

  #count(event, x, y) {
    const again = this.last && event.timeStamp - this.last.at < 450 && Math.hypot(x - this.last.x, y - this.last.y) < 5 && event.button === this.last.button;
    this.clicks = again ? Math.min(3, this.clicks + 1) : 1;
    this.last = { at: event.timeStamp, x, y, button: event.button };
  }

  #wheel(event) {
    event.preventDefault();
    const unit = [1, 16, 400][event.deltaMode] ?? 1;
    this.#put({ kind: "wheel", ...this.#at(event), dx: event.deltaX * unit, dy: event.deltaY * unit, modifiers: bits(event) });
  }

  #key(event) {
    if (event.isComposing || event.keyCode === 229 || event.key === "Unidentified" || event.key === "Process") return;
    const paste = (event.ctrlKey || event.metaKey) && event.code === "KeyV";
    if (paste) return; // the paste event has the text
    event.preventDefault();
    if (event.key === "Escape" && event.type === "keydown") {
      if (event.timeStamp - this.lastEscape < LEAVE_MS) return this.onleave?.();
      this.lastEscape = event.timeStamp;
    }
    this.#put({
      kind: "key",
      type: event.type === "keydown" ? "down" : "up",
      key: event.key,
      code: event.code,
      key_code: event.keyCode & 255,
      location: event.location,
      repeat: event.repeat,
      modifiers: bits(event),
    });
  }
}

const bits = (event) => (event.altKey ? 1 : 0) + (event.ctrlKey ? 2 : 0) + (event.metaKey ? 4 : 0) + (event.shiftKey ? 8 : 0);
