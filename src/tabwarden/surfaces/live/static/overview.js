// All tasks at once: first those that need an answer, then working tasks, then idle tasks.

import { attribute, command, h, keyed, text } from "./dom.js";
import { Picture } from "./picture.js";
import { Questions } from "./questions.js";
import { address, clock, doing, noConnection, summary, wholeSpan } from "./words.js";

export class Overview {
  constructor(app) {
    this.app = app;
    this.questions = new Questions(app, { where: true });
    this.waiting = h("section", { class: "waiting", "aria-label": "Waiting for an answer" }, h("h2", {}, "Waiting for an answer"), this.questions.node);
    this.grid = h("ul", { class: "grid" });
    this.title = h("h1", {}, "Tasks");
    this.count = h("p", { class: "count" });
    this.empty = h(
      "div",
      { class: "empty" },
      h("h2", {}, "No task has an open browser"),
      h("p", {}, "This page shows each task as soon as its agent opens a browser. To try it, run this in a terminal:"),
      command("tabwarden open https://example.com"),
    );
    this.node = h("div", { class: "overview" }, h("div", { class: "head" }, this.title, this.count), this.waiting, this.grid, this.empty);
    this.seen = new IntersectionObserver((entries) => this.#shown(entries), { rootMargin: "120px" });
    this.timer = setInterval(() => this.tick(), 1000);
  }

  #shown(entries) {
    for (const { target, isIntersecting } of entries) target.card?.show(isIntersecting);
  }

  update() {
    const { store } = this.app;
    const tasks = store.sorted();
    const waits = tasks.flatMap((task) => task.waits.map((wait) => ({ task, wait })));
    waits.sort((a, b) => a.wait.since - b.wait.since);
    this.waiting.hidden = waits.length === 0;
    this.questions.update(waits);
    keyed(this.grid, tasks, (task) => task.name, (task) => new Card(this.app, task, this.seen));
    this.empty.hidden = tasks.length > 0;
    const busy = tasks.filter((task) => moodOf(task) === "working").length;
    text(this.count, !tasks.length ? "" : store.lost ? `as of ${clock(store.lost)}` : `${tasks.length} open, ${busy} working`);
    document.title = waits.length ? `(${waits.length}) Tabwarden` : "Tabwarden";
  }

  tick() {
    for (const part of this.grid.keyed?.values() ?? []) part.tick();
    for (const part of this.questions.node.keyed?.values() ?? []) part.tick();
  }

  end() {
    clearInterval(this.timer);
    this.seen.disconnect();
    for (const part of this.grid.keyed?.values() ?? []) part.end();
  }
}

class Card {
  constructor(app, task, seen) {
    Object.assign(this, { app, task, seen, visible: false });
    this.picture = new Picture(task, "");
    this.name = h("h3", {});
    this.title = h("p", { class: "title" });
    this.place = h("p", { class: "address" });
    this.now = h("p", { class: "now" });
    this.flag = h("span", { class: "flag" });
    this.link = h(
      "a",
      { class: "card", href: `#/task/${encodeURIComponent(task.name)}` },
      h("div", { class: "shot" }, this.picture.canvas, this.flag),
      h("div", { class: "about" }, this.name, this.title, this.place, this.now),
    );
    this.node = h("li", {}, this.link);
    this.node.card = this;
    seen.observe(this.node);
  }

  show(visible) {
    if (visible === this.visible) return;
    this.visible = visible;
    this.app.watch(this.task, { pictures: visible ? "small" : "" });
  }

  again() {
    if (this.visible) this.app.watch(this.task, { pictures: "small" });
  }

  update(task) {
    if (task !== this.task) {
      // the name is the same, but the browser is another
      this.picture.end();
      this.task = task;
      task.onpicture.add(this.picture.listener);
      this.again();
    }
    const { state } = task;
    text(this.title, state.title || address(state.url) || "Empty page");
    text(this.place, address(state.url));
    const several = this.app.store.servers.size > 1;
    text(this.name, several ? `${task.short} · ${this.app.store.servers.get(task.server)?.title ?? ""}` : task.short);
    const mood = moodOf(task);
    text(this.flag, MOODS[mood]);
    attribute(this.link, "data-mood", mood);
    this.tick();
  }

  tick() {
    const { state } = this.task;
    if (state) text(this.now, nowWords(this.app.store, state));
  }

  end() {
    this.show(false);
    this.seen.unobserve(this.node);
    this.picture.end();
  }
}

const MOODS = { waiting: "Needs an answer", person: "A person has control", working: "Working", resting: "", broken: "Not connected" };

export function moodOf(task) {
  const { state } = task;
  if (task.store.lost || state.health !== "live") return "broken";
  if (task.waits.length) return "waiting";
  if (state.holder) return "person";
  return state.doing ? "working" : "resting";
}

export function nowWords(store, state) {
  if (store.lost) return noConnection(store.lost);
  if (state.health === "reconnecting") return "Reconnecting to the browser …";
  if (state.health !== "live") return "The browser is gone.";
  if (state.doing) {
    const since = Math.max(0, store.now() - state.doing.began);
    return doing(state.doing) + (since > 1 ? ` · ${wholeSpan(since)}` : "");
  }
  if (!state.did) return "Nothing yet";
  const ago = Math.max(0, Math.round(store.now() - state.did.ended));
  return `${summary(state.did)}${ago >= 2 ? ` · ${wholeSpan(ago)} ago` : ""}`;
}
