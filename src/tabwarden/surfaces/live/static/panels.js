// The panels beside a task's image: timeline, outline, console, requests, downloads.

import { attribute, h, keyed, text } from "./dom.js";
import { address, clock, did, doing, outcome, rescue, shortened, size, span } from "./words.js";

export class Timeline {
  name = "calls";
  label = "Timeline";

  constructor(view) {
    this.view = view;
    this.list = h("ol", { class: "timeline" });
    this.none = h("p", { class: "none" }, "The agent has done nothing yet.");
    this.node = h("div", {}, this.none, this.list);
  }

  update(task) {
    const calls = [...task.calls.values()].sort((a, b) => b.number - a.number);
    this.none.hidden = calls.length > 0;
    keyed(this.list, calls.slice(0, 300), (call) => call.number, (call) => new Row(this.view, call));
  }

  tick() {
    for (const row of this.list.keyed?.values() ?? []) row.tick();
  }
}

class Row {
  constructor(view, call) {
    Object.assign(this, { view, call });
    this.words = h("span", { class: "what" });
    this.by = h("span", { class: "by" });
    this.time = h("span", { class: "took" });
    this.more = h("p", { class: "more" });
    this.details = h("div", { class: "details", hidden: true });
    this.button = h("button", { type: "button", class: "entry", "aria-expanded": "false", onclick: () => this.toggle() }, this.words, this.by, this.time, this.more);
    this.node = h("li", {}, this.button, this.details);
    this.node.addEventListener("pointerenter", () => view.point(this.call));
    this.node.addEventListener("pointerleave", () => view.point(null));
    this.button.addEventListener("focus", () => view.point(this.call));
    this.button.addEventListener("blur", () => view.point(null));
  }

  update(call) {
    this.call = call;
    text(this.words, call.status === "running" ? doing(call) : did(call));
    text(this.by, call.by ? call.by : "");
    this.by.hidden = !call.by;
    attribute(this.node, "data-status", call.status);
    attribute(this.node, "data-nested", call.parent ? "true" : null);
    const failed = outcome(call);
    const said = call.action === "answer" ? [call.note] : call.by ? [call.effect, call.note] : [call.effect || call.note];
    const news = [failed, ...said].filter(Boolean).join(" · ");
    text(this.more, shortened(news, 220));
    this.more.hidden = !news;
    this.tick();
    if (!this.details.hidden) this.fill();
  }

  tick() {
    const { began, ended } = this.call;
    const { lost } = this.view.app.store;
    const took = (ended ?? lost ?? this.view.app.store.now()) - began;
    text(this.time, [clock(began), took > 0 && span(took * 1000)].filter(Boolean).join(" · "));
  }

  toggle() {
    const open = this.details.hidden;
    this.details.hidden = !open;
    attribute(this.button, "aria-expanded", String(open));
    if (!open) return;
    this.view.app.connection.send({ type: "call", task: this.view.task.name, number: this.call.number });
    this.fill();
  }

  fill() {
    const { call } = this;
    const full = this.view.task.full.get(call.number);
    const rows = [
      ["By", call.by],
      ["Page", call.url && address(call.url)],
      ...Object.entries(call.arguments).map(([name, value]) => [sentence(name), String(value)]),
      ["Error", call.status === "failed" ? call.message : ""],
      ["Next step", call.hint],
      ["Effect", call.effect],
      ["Note", call.note],
      ["What Tabwarden did", rescue(call.steps)],
    ].filter(([, value]) => value);
    const result = full?.result;
    this.details.replaceChildren(
      h("dl", {}, ...rows.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)])),
      ...(result ? [h("p", { class: "label" }, "Result"), h("pre", { tabIndex: 0 }, result)] : []),
    );
  }
}

const sentence = (name) => (name === "ref" ? "Element" : name[0].toUpperCase() + name.slice(1).replaceAll("_", " "));

export class Outline {
  name = "outline";
  label = "Outline";

  constructor(view) {
    this.view = view;
    this.list = h("div", { class: "outline", role: "listbox", tabIndex: 0, "aria-label": "The page as the agent last read it" });
    this.none = h("p", { class: "none" }, "The agent has not read this page yet.");
    this.note = h("p", { class: "hint" });
    this.node = h("div", {}, this.none, this.note, this.list);
    this.lines = new Map(); // ref -> node
    this.list.addEventListener("pointerover", ({ target }) => view.light(target.closest("[data-ref]")?.dataset.ref ?? null, "outline"));
    this.list.addEventListener("pointerleave", () => view.light(null, "outline"));
    this.list.addEventListener("keydown", (event) => this.#step(event));
    this.list.addEventListener("blur", () => view.light(null, "outline"));
  }

  update(task) {
    const outline = task.outline;
    if (outline === this.shown) return;
    this.shown = outline;
    const lines = outline?.lines ?? [];
    this.none.hidden = lines.length > 0;
    const more = outline?.left_out ? ` ${outline.left_out} more lines are not shown here.` : "";
    text(this.note, `The page as the agent last read it.${more}`);
    this.note.hidden = lines.length === 0;
    this.lines.clear();
    this.at = -1;
    this.list.replaceChildren(...lines.map(([depth, words, refs], index) => this.#line(depth, words, refs, index)));
  }

  #line(depth, words, refs, index) {
    const node = h("div", { class: "line", role: "option", id: `line-${index}` }, words);
    node.style.setProperty("--depth", Math.min(depth, 14));
    if (refs.length) node.dataset.ref = refs[0];
    for (const ref of refs) this.lines.set(ref, node);
    return node;
  }

  #step(event) {
    const nodes = this.list.children;
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 15, PageUp: -15, Home: -Infinity, End: Infinity }[event.key];
    if (!step || !nodes.length) return;
    event.preventDefault();
    this.at = Math.min(nodes.length - 1, Math.max(0, (this.at ?? -1) + step));
    const node = nodes[this.at];
    attribute(this.list, "aria-activedescendant", node.id);
    node.scrollIntoView({ block: "nearest" });
    this.view.light(node.dataset.ref ?? null, "outline", node);
  }

  // Marks the line of an element; `follow` also scrolls to it.
  mark(ref, follow, node = null) {
    this.marked?.classList.remove("lit");
    this.marked = node ?? (ref ? this.lines.get(ref) : null);
    this.marked?.classList.add("lit");
    if (follow) this.marked?.scrollIntoView({ block: "nearest" });
  }
}

export class Console {
  name = "console";
  label = "Console";

  constructor() {
    this.list = h("ol", { class: "lines" });
    this.none = h("p", { class: "none" }, "The page has written nothing to its console.");
    this.node = h("div", {}, this.none, this.list);
  }

  update(task) {
    this.none.hidden = task.console.length > 0;
    keyed(this.list, [...task.console].reverse(), (one) => one.number, (one) => ({
      node: h(
        "li",
        { data: { level: one.level } },
        h("span", { class: "words" }, one.text),
        h("span", { class: "from" }, [one.url && shortened(address(one.url), 40), one.line !== null && one.url ? `line ${one.line}` : "", clock(one.at)].filter(Boolean).join(" · ")),
      ),
    }));
  }
}

export class Requests {
  name = "requests";
  label = "Requests";

  constructor() {
    this.list = h("ol", { class: "lines requests" });
    this.none = h("p", { class: "none" }, "No requests yet. New requests appear here.");
    this.node = h("div", {}, this.none, this.list);
  }

  update(task) {
    const all = [...task.requests.values()].sort((a, b) => b.number - a.number).slice(0, 300);
    this.none.hidden = all.length > 0;
    keyed(this.list, all, (one) => one.number, () => new Request());
  }
}

class Request {
  constructor() {
    this.words = h("span", { class: "words" });
    this.status = h("span", { class: "status" });
    this.from = h("span", { class: "from" });
    this.node = h("li", {}, this.status, this.words, this.from);
  }

  update(one) {
    const failed = Boolean(one.error) || one.status >= 400;
    attribute(this.node, "data-level", failed ? "error" : null);
    text(this.status, one.error ? "failed" : one.status ? String(one.status) : one.ended ? "done" : "…");
    text(this.words, one.url);
    text(this.from, [one.method, one.resource_type, span(one.duration_ms), size(one.size), one.error].filter(Boolean).join(" · "));
  }
}

export class Downloads {
  name = "downloads";
  label = "Downloads";

  constructor() {
    this.list = h("ol", { class: "lines" });
    this.none = h("p", { class: "none" }, "No files have been downloaded.");
    this.node = h("div", {}, this.none, this.list);
  }

  update(task) {
    const all = [...(task.state?.downloads ?? [])].reverse();
    this.none.hidden = all.length > 0;
    keyed(this.list, all, (one) => one.id, () => new Download());
  }
}

class Download {
  constructor() {
    this.words = h("span", { class: "words" });
    this.from = h("span", { class: "from" });
    this.bar = h("progress", { max: 1 });
    this.node = h("li", {}, this.words, this.bar, this.from);
  }

  update(one) {
    text(this.words, one.filename || one.suggested_filename);
    const going = one.status === "in_progress";
    this.bar.hidden = !going;
    if (going && one.size) this.bar.value = one.received_bytes / one.size;
    const status = { in_progress: "in progress", completed: "complete", canceled: "canceled", failed: "failed" }[one.status] ?? one.status;
    text(this.from, [status, size(one.received_bytes), one.reason, one.path].filter(Boolean).join(" · "));
    attribute(this.node, "data-level", going || one.status === "completed" ? null : "error");
  }
}
