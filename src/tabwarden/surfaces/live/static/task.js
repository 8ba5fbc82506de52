// One task: its page, its tabs, its waiting questions, and the panels.

import { attribute, h, icon, keyed, text, toast } from "./dom.js";
import { InputCapture } from "./input.js";
import { moodOf, nowWords } from "./overview.js";
import { Console, Downloads, Outline, Requests, Timeline } from "./panels.js";
import { Picture } from "./picture.js";
import { messageField, Questions } from "./questions.js";
import { address, noConnection } from "./words.js";

const BOXES_MS = 500;

export class TaskView {
  constructor(app, task) {
    Object.assign(this, { app, task, tab: null });
    this.picture = new Picture(task, "The page");
    this.picture.onresize = () => this.#layout();
    this.marks = h("div", { class: "marks", "aria-hidden": "true" });
    this.box = h("div", { class: "box", hidden: true }, (this.tag = h("span", {})));
    this.spot = h("div", { class: "spot", hidden: true });
    this.marks.append(this.box, this.spot);
    this.pageStatus = h("p", { class: "page-status" });
    this.stage = h("div", { class: "stage" }, this.picture.canvas, this.marks, this.pageStatus);
    this.input = new InputCapture(this.stage, this.picture, (events) => this.#send({ type: "input", tab_id: this.shownTab, events }), () => this.#control("here"));
    this.input.onleave = () => this.control.focus();
    this.tabs = h("div", { class: "tabs", role: "tablist", "aria-label": "Browser tabs" });
    this.address = h("p", { class: "address" });
    this.rate = h("p", { class: "rate" });
    this.now = h("p", { class: "nowline" });
    this.control = h("button", { type: "button", class: "primary control", onclick: () => this.#toggleControl() }, icon("hand"), (this.controlWords = h("span", {})));
    this.holder = h("p", { class: "holder" });
    this.message = messageField(task, { hidden: true });
    this.refuse = h("button", { type: "button", hidden: true, onclick: () => this.#giveBack("refused") }, "I can't do it");
    this.bar = h("div", { class: "bar" }, this.now, this.holder, this.message, this.refuse, this.control);
    this.questions = new Questions(app);
    this.panels = [new Timeline(this), new Outline(this), new Console(), new Requests(), new Downloads()];
    this.outline = this.panels[1];
    this.side = this.#side();
    this.node = h(
      "div",
      { class: "task" },
      h("section", { class: "browser", "aria-label": "The page" }, h("div", { class: "chrome" }, this.tabs, h("div", { class: "bar2" }, this.address, this.rate)), this.stage, this.bar),
      h("section", { class: "side", "aria-label": "Activity" }, this.questions.node, this.side),
    );
    this.#pointers();
    this.resized = new ResizeObserver(() => this.#layout());
    this.resized.observe(this.stage);
    this.timer = setInterval(() => this.tick(), 500);
    this.again();
  }

  end() {
    this.app.watch(this.task, { pictures: "" });
    clearInterval(this.timer);
    this.resized.disconnect();
    this.picture.end();
    this.input.end();
  }

  // Tells the server what to send.
  again() {
    this.app.watch(this.task, { pictures: "large", tab_id: this.tab, parts: ["calls", this.open.name] });
  }

  get shownTab() {
    return this.tab ?? this.task.state?.active_tab_id ?? null;
  }

  #send(message) {
    this.app.connection.send({ task: this.task.name, ...message });
  }

  // -- panels ----------------------------------------------------------------------------------

  #side() {
    this.buttons = this.panels.map((panel) =>
      h("button", { type: "button", role: "tab", id: `tab-${panel.name}`, "aria-controls": `panel-${panel.name}`, onclick: () => this.show(panel) }, panel.label, (panel.badge = h("span", { class: "badge", hidden: true }))),
    );
    const list = h("div", { class: "panels", role: "tablist", "aria-label": "Panels", onkeydown: (event) => stepTabs(event, this.buttons) }, ...this.buttons);
    for (const panel of this.panels) {
      panel.place = h("div", { class: "panel", role: "tabpanel", id: `panel-${panel.name}`, "aria-labelledby": `tab-${panel.name}`, tabIndex: 0 }, panel.node);
    }
    this.show(this.panels[0], false);
    return h("div", { class: "sheet" }, list, ...this.panels.map((panel) => panel.place));
  }

  show(panel, tell = true) {
    this.open = panel;
    for (const [at, one] of this.panels.entries()) {
      one.place.hidden = one !== panel;
      attribute(this.buttons[at], "aria-selected", String(one === panel));
      this.buttons[at].tabIndex = one === panel ? 0 : -1;
    }
    if (!tell) return;
    this.again();
    panel.update(this.task);
  }

  // -- state -----------------------------------------------------------------------------------

  update() {
    const { task } = this;
    const { state } = task;
    if (!state) return;
    if (this.tab && !state.tabs.some((tab) => tab.tab_id === this.tab)) {
      this.tab = null;
      this.again();
    }
    keyed(this.tabs, state.tabs, (tab) => tab.tab_id, (tab) => new TabButton(this, tab));
    const tab = state.tabs.find((one) => one.tab_id === this.shownTab);
    text(this.address, tab?.url ?? "");
    attribute(this.picture.canvas, "aria-label", `Live image of ${tab?.title || address(tab?.url) || "the page"}`);
    this.questions.update(task.waits.map((wait) => ({ task, wait })));
    this.#holders(state);
    this.open.update(task);
    const { lost } = this.app.store;
    const pageStatus = lost ? `${noConnection(lost)}.` : state.health === "gone" ? "The browser is gone." : tab?.status === "crashed" ? "The page crashed." : state.health === "reconnecting" ? "Reconnecting …" : "";
    text(this.pageStatus, pageStatus);
    this.pageStatus.hidden = !pageStatus;
    attribute(this.node, "data-mood", moodOf(task));
    this.#badge("downloads", state.downloads.filter((one) => one.status === "in_progress").length);
    document.title = `${task.waits.length ? `(${task.waits.length}) ` : ""}${task.short}${state.title ? `: ${state.title}` : ""} · Tabwarden`;
    this.tick();
  }

  #badge(name, number) {
    const { badge } = this.panels.find((panel) => panel.name === name);
    badge.hidden = !number;
    text(badge, String(number));
  }

  #holders({ holder, handoffs }) {
    const { app, task } = this;
    const mine = Boolean(holder?.is_viewer);
    const mayAct = app.mayAct(task);
    const broken = moodOf(task) === "broken";
    // Without control, the agent's question has the button, if it asks.
    this.control.hidden = !mayAct || (!mine && (Boolean(holder) || handoffs.length > 0));
    this.control.disabled = this.refuse.disabled = broken;
    text(this.controlWords, !mine ? "Take control" : handoffs.length ? "Done, give control back" : "Give control back");
    this.refuse.hidden = !mine || !handoffs.length;
    this.message.hidden = !mine;
    if (document.activeElement !== this.message) this.message.value = task.draft;
    const has = mine ? "You have control, and the agent is waiting. The page receives your mouse and keys. Press Escape twice to leave it." : holder ? `${holder.name} has control. The agent is waiting.` : "";
    text(this.holder, has || (mayAct ? "" : "Your link only allows watching."));
    this.holder.hidden = !this.holder.textContent;
    attribute(this.node, "data-control", mine ? "mine" : holder ? "other" : null);
    this.input.set(mine && !broken);
  }

  #toggleControl() {
    if (this.task.state.holder?.is_viewer) this.#giveBack("done");
    else this.#control("take");
  }

  // Ends this person's control, and with it the agent's questions.
  #giveBack(outcome) {
    const { task } = this;
    const ends = task.state.handoffs.map((one) => one.id);
    for (const id of ends) task.settling.add(id);
    this.#control("release", { message: task.draft, outcome }, (refused) => {
      if (!refused) task.draft = "";
      else for (const id of ends) task.settling.delete(id);
    });
  }

  #control(what, more = {}, then = () => {}) {
    if (what === "here") return this.#send({ type: "control", what });
    this.app.ask({ type: "control", task: this.task.name, what, ...more }, (refused) => {
      if (refused) toast(refused.message, "bad");
      then(refused);
    });
    return undefined;
  }

  tick() {
    const { state } = this.task;
    if (!state) return;
    text(this.now, nowWords(this.app.store, state));
    const { rate, lag } = this.picture;
    text(this.rate, rate >= 1 ? `${Math.round(rate)} pictures/s · ${Math.round(lag)} ms` : "no changes");
    for (const part of this.questions.node.keyed?.values() ?? []) part.tick();
    if (this.open instanceof Timeline) this.open.tick();
  }

  // -- elements under the pointer ----------------------------------------------------------------

  #pointers() {
    const { stage } = this;
    stage.addEventListener("pointermove", (event) => {
      if (this.input.on) return;
      this.#wantBoxes();
      const { left, top, width, height } = this.picture.canvas.getBoundingClientRect();
      const { width: across, height: down } = this.picture.page;
      const x = ((event.clientX - left) / width) * across;
      const y = ((event.clientY - top) / height) * down;
      this.light(smallestAt(this.task.boxes, x, y), "page");
    });
    stage.addEventListener("pointerleave", () => this.light(null, "page"));
  }

  #wantBoxes() {
    const now = performance.now();
    if (now - (this.askedAt ?? -Infinity) < BOXES_MS || !this.shownTab) return;
    this.askedAt = now;
    this.#send({ type: "boxes", tab_id: this.shownTab });
  }

  // Highlights an element in the page and its line in the outline. `from`: the pointer's place.
  light(ref, from, node = null) {
    if (from === "outline" && ref) this.#wantBoxes();
    this.lit = ref;
    this.outline.mark(ref, from === "page", node);
    this.#layout();
  }

  // Shows where a call pressed the mouse.
  point(call) {
    this.pressed = call?.point && call.tab_id === this.shownTab ? call.point : null;
    this.#layout();
  }

  #layout() {
    const { width, height } = this.picture.page;
    const canvas = this.picture.canvas;
    const scaleX = canvas.clientWidth / width;
    const scaleY = canvas.clientHeight / height;
    Object.assign(this.marks.style, { left: `${canvas.offsetLeft}px`, top: `${canvas.offsetTop}px`, width: `${canvas.clientWidth}px`, height: `${canvas.clientHeight}px` });
    const box = this.lit && this.task.boxes[this.lit];
    this.box.hidden = !box;
    if (box) {
      const [x, y, w, t] = box;
      Object.assign(this.box.style, { left: `${x * scaleX}px`, top: `${y * scaleY}px`, width: `${w * scaleX}px`, height: `${t * scaleY}px` });
      text(this.tag, this.lit);
      this.tag.classList.toggle("below", y * scaleY < 22);
    }
    this.spot.hidden = !this.pressed;
    if (this.pressed) Object.assign(this.spot.style, { left: `${this.pressed[0] * scaleX}px`, top: `${this.pressed[1] * scaleY}px` });
  }
}

class TabButton {
  constructor(view, tab) {
    this.view = view;
    this.id = tab.tab_id;
    this.words = h("span", {});
    this.node = h("button", { type: "button", role: "tab", onclick: () => this.choose(), onkeydown: (event) => stepTabs(event, [...view.tabs.children]) }, this.words);
  }

  update(tab) {
    const active = this.view.task.state.active_tab_id === tab.tab_id;
    text(this.words, tab.title || address(tab.url) || "Empty page");
    attribute(this.node, "aria-selected", String(this.view.shownTab === tab.tab_id));
    attribute(this.node, "data-active", active ? "true" : null);
    attribute(this.node, "title", active ? `${tab.title} (the agent is working here)` : tab.title);
    this.node.tabIndex = this.view.shownTab === tab.tab_id ? 0 : -1;
  }

  // If the agent's active tab is shown, the view follows it. Another tab stays.
  choose() {
    this.view.tab = this.view.task.state.active_tab_id === this.id ? null : this.id;
    this.view.task.outline = null;
    this.view.task.boxes = {};
    this.view.again();
    this.view.update();
  }
}

function stepTabs(event, buttons) {
  const step = { ArrowRight: 1, ArrowLeft: -1, Home: -buttons.length, End: buttons.length }[event.key];
  if (!step) return;
  event.preventDefault();
  const at = buttons.indexOf(document.activeElement);
  const next = buttons[Math.abs(step) > 1 ? (step < 0 ? 0 : buttons.length - 1) : (at + step + buttons.length) % buttons.length];
  next.click();
  next.focus();
}

function smallestAt(boxes, x, y) {
  let best = null;
  let area = Infinity;
  for (const [ref, [left, top, width, height]] of Object.entries(boxes)) {
    if (x < left || y < top || x > left + width || y > top + height || width * height >= area) continue;
    best = ref;
    area = width * height;
  }
  return best;
}
