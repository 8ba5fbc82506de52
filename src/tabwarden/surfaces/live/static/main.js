// Starts the page: the connection, the store, and the view for the page's address.

import { Connection } from "./connection.js";
import { command, h, text, toast } from "./dom.js";
import { Overview } from "./overview.js";
import { arrived } from "./picture.js";
import { Store } from "./store.js";
import { TaskView } from "./task.js";
import { clock, noConnection } from "./words.js";

class App {
  constructor() {
    this.store = new Store();
    this.asked = new Map();
    this.wishes = new Map(); // what each task's view wants, to ask again after a reconnect
    this.place = document.getElementById("content");
    this.line = document.getElementById("line");
    this.crumb = document.getElementById("crumb");
    this.only = document.getElementById("only");
    this.connection = new Connection({
      message: (message) => this.heard(message),
      picture: (about, bytes) => arrived(this.store, this.connection, about, bytes),
      state: (state) => this.connected(state),
    });
    this.store.listeners.add(() => this.draw());
    addEventListener("hashchange", () => this.route());
    document.addEventListener("visibilitychange", () => this.rewatch());
  }

  start() {
    this.connection.start();
  }

  // -- the server ------------------------------------------------------------------------------

  connected(state) {
    if (state === "closed") this.store.lost ??= this.store.now();
    text(this.line, state === "closed" ? `${noConnection(this.store.lost)}. Reconnecting …` : "");
    document.body.dataset.line = state;
    if (state === "expired") this.expired();
    if (state === "open") this.rewatch();
    this.store.changed();
  }

  heard(message) {
    this.store.lost = null;
    if (message.type === "done" || message.type === "refused") {
      const then = this.asked.get(message.asked);
      this.asked.delete(message.asked);
      if (then) then(message.type === "refused" ? message : null);
      else if (message.type === "refused") toast(message.message, "bad");
      return;
    }
    this.store.heard(message);
    if (message.type === "tasks") this.rewatch(message.tasks);
  }

  // Sends a request; `then(refused)` gets null when it is done.
  ask(message, then) {
    const asked = `${Date.now()}-${Math.random()}`;
    this.asked.set(asked, then);
    this.connection.send({ ...message, asked });
  }

  take(task) {
    location.hash = `#/task/${encodeURIComponent(task.name)}`;
    this.ask({ type: "control", task: task.name, what: "take" }, (refused) => refused && toast(refused.message, "bad"));
  }

  watch(task, wish) {
    if (wish.pictures || wish.parts) this.wishes.set(task.name, wish);
    else this.wishes.delete(task.name);
    this.#tell(task.name, wish);
  }

  #tell(name, wish) {
    this.connection.send({ type: "watch", task: name, ...wish, ...(document.hidden ? { pictures: "" } : {}) });
  }

  rewatch(names = null) {
    for (const [name, wish] of this.wishes) if (!names || names.includes(name)) this.#tell(name, wish);
  }

  mayAct(task) {
    return !(this.store.servers.get(task.server)?.read_only ?? true);
  }

  // -- views -----------------------------------------------------------------------------------

  route() {
    this.name = decodeURIComponent(/^#\/task\/(.+)$/.exec(location.hash)?.[1] ?? "");
    this.draw();
    if (this.routed) this.place.focus({ preventScroll: true });
    this.routed = true;
  }

  draw() {
    if (document.body.dataset.line === "expired" || this.name === undefined) return;
    const home = this.store.home();
    if (!home) return;
    // A link for one task has no overview.
    if (home.one && !this.name && home.tasks.length) {
      history.replaceState(null, "", `#/task/${encodeURIComponent(home.tasks[0])}`);
      this.name = home.tasks[0];
    }
    const task = this.name ? this.store.tasks.get(this.name) : null;
    if (this.name && !task) return this.ended();
    if (!this.view || this.view.task !== (task ?? undefined)) {
      this.view?.end();
      this.view = task ? new TaskView(this, task) : new Overview(this);
      this.place.replaceChildren(this.view.node);
      scrollTo(0, 0);
    }
    this.only.hidden = !home.read_only;
    text(this.crumb, task ? task.short : "");
    this.crumb.hidden = !task;
    this.view.update();
  }

  ended() {
    this.view?.end();
    this.view = null;
    this.crumb.hidden = true;
    const { at, silent } = this.store.gone.get(this.name) ?? {};
    const words = silent !== null && silent !== undefined ? `Its server (${silent}) has not answered since ${clock(at)}.` : at && `Its browser closed at ${clock(at)}.`;
    this.place.replaceChildren(
      h("div", { class: "empty" }, h("h2", {}, silent ? "This task can't be shown" : "This task has ended"), words && h("p", {}, words), h("p", {}, h("a", { href: "#/" }, "See all tasks"))),
    );
  }

  expired() {
    this.view?.end?.();
    this.view = null;
    this.place.replaceChildren(
      h(
        "div",
        { class: "empty" },
        h("h1", {}, "You need a new link"),
        h("p", {}, "Each link works once, for five minutes. Run this in a terminal:"),
        command("tabwarden live"),
      ),
    );
  }
}

const app = new App();
app.route();
app.start();
