// The waiting questions, each with a form to answer it.

import { attribute, h, icon, keyed, text, toast } from "./dom.js";
import { byItself, clock, ending, hostOf, question, site, size, wholeSpan } from "./words.js";

const CHUNK = 200_000;
const LARGEST = 100_000_000; // as in files.py
let asked = 0;

export class Questions {
  // `where`: whether each question names its task.
  constructor(app, { where = false } = {}) {
    this.app = app;
    this.where = where;
    this.node = h("div", { class: "questions" });
  }

  // `waits`: [{ task, wait }]
  update(waits) {
    this.node.hidden = waits.length === 0;
    keyed(this.node, waits, ({ task, wait }) => `${task.name} ${wait.id}`, ({ task, wait }) => new Question(this.app, task, wait, this.where));
  }
}

class Question {
  constructor(app, task, wait, where) {
    Object.assign(this, { app, task, wait });
    this.number = `q${(asked += 1)}`;
    this.sent = false;
    this.time = h("span", { class: "time" });
    this.problem = h("p", { class: "problem", role: "alert", hidden: true });
    this.words = h("p", { class: "words", id: this.number });
    const who = this.who();
    this.node = h(
      "section",
      { class: `question ${wait.kind}`, "aria-labelledby": this.number },
      h(
        "header",
        {},
        icon(wait.kind === "handoff" ? "hand" : "bell"),
        where && h("a", { class: "place", href: `#/task/${encodeURIComponent(task.name)}` }, task.short),
        h("span", { class: "who" }, who),
        this.time,
      ),
      this.words,
      app.mayAct(task) ? this.form() : h("p", { class: "aside" }, "Your link only allows watching, so you can't answer."),
      (this.mine = h("p", { class: "aside", hidden: true }, "You have control. Give it back when you are done.")),
      this.problem,
    );
  }

  who() {
    const { wait, task } = this;
    const tab = task.state?.tabs.find((one) => one.tab_id === wait.tab_id);
    const asks = hostOf(wait.origin ?? "") || site(wait.url ?? tab?.url ?? task.state?.url);
    if (wait.kind === "handoff") return `The agent is asking for a person${asks ? ` on ${asks}` : ""}`;
    return `${asks || "A page without an address"} asks`;
  }

  update({ wait }) {
    this.wait = wait;
    const { holder } = this.task.state ?? {};
    text(this.words, question(wait));
    if (this.take) {
      // The person who has control ends it with the button below the page.
      this.take.hidden = Boolean(holder);
      this.controls.hidden = Boolean(holder?.is_viewer);
      this.mine.hidden = !holder?.is_viewer;
      this.message.value = this.task.draft;
    }
    if (this.controls) this.controls.inert = Boolean(this.app.store.lost);
    this.tick();
  }

  tick() {
    const { kind, since, ends_at: end } = this.wait;
    const now = this.app.store.now();
    const comes = end && !(kind === "handoff" && this.task.state?.holder);
    text(this.time, [`since ${clock(since)}`, `waiting ${wholeSpan(Math.max(1, now - since))}`, comes && byItself(this.wait, end - now)].filter(Boolean).join(" · "));
  }

  form() {
    const { wait } = this;
    const part = { dialog: dialogForm, auth: authForm, files: filesForm, choose: chooseForm, permission: permissionForm, handoff: handoffForm }[wait.kind];
    const form = h("form", { onsubmit: (event) => event.preventDefault() });
    form.append(...part(this, wait).flat().filter(Boolean));
    this.controls = form;
    return form;
  }

  // Sends an answer. The question stays until the page has received the answer.
  answer(about) {
    if (this.sent) return;
    this.busy(true);
    this.task.settling.add(this.wait.id);
    this.app.ask({ type: "answer", task: this.task.name, kind: this.wait.kind, id: this.wait.id, ...about }, (refused) => {
      if (!refused) {
        if (this.message) this.task.draft = "";
        return;
      }
      this.task.settling.delete(this.wait.id);
      this.busy(false);
      this.problem.hidden = false;
      text(this.problem, `${refused.message} ${refused.hint ?? ""}`.trim());
    });
  }

  busy(is) {
    this.sent = is;
    for (const control of this.controls.elements) control.disabled = is;
    attribute(this.node, "aria-busy", is ? "true" : null);
  }

  end() {
    if (this.task.settling.has(this.wait.id) || !this.app.mayAct(this.task)) return;
    toast(ending(this.task.state?.ended.find((one) => one.id === this.wait.id)));
  }
}

const button = (words, about = {}) => h("button", { type: "button", ...about }, words);
const yes = (words, about = {}) => h("button", { type: "submit", class: "primary", ...about }, words);

function row(...children) {
  return h("div", { class: "row" }, ...children);
}

function dialogForm(question, wait) {
  if (wait.type === "alert") return [row(yes("OK", { onclick: () => question.answer({ accept: true }) }))];
  if (wait.type === "beforeunload") {
    return [row(yes("Leave", { onclick: () => question.answer({ accept: true }) }), button("Stay", { onclick: () => question.answer({ accept: false }) }))];
  }
  const field = wait.type === "prompt" ? h("input", { type: "text", value: wait.default, "aria-labelledby": question.number, autocomplete: "off" }) : null;
  const accept = () => question.answer({ accept: true, ...(field ? { text: field.value } : {}) });
  return [field, row(yes("OK", { onclick: accept }), button("Cancel", { onclick: () => question.answer({ accept: false }) }))];
}

function authForm(question, wait) {
  const name = h("input", { type: "text", autocomplete: "off", name: "user" });
  const password = h("input", { type: "password", autocomplete: "off", name: "password" });
  const send = () => question.answer({ username: name.value, password: password.value });
  return [
    wait.refused && h("p", { class: "problem" }, "The last password was wrong."),
    h("div", { class: "fields" }, h("label", {}, "User name", name), h("label", {}, "Password", password)),
    row(yes("Sign in", { onclick: send }), button("Cancel", { onclick: () => question.answer({ cancel: true }) })),
  ];
}

function filesForm(question, wait) {
  if (!wait.answerable) {
    return [h("p", { class: "aside" }, "Tabwarden can't give files to this file chooser. You can only cancel it."), row(button("Cancel", { onclick: () => question.answer({}) }))];
  }
  const input = h("input", { type: "file", multiple: wait.multiple, "aria-labelledby": question.number });
  const submit = yes("Send", { disabled: true });
  input.addEventListener("change", () => (submit.disabled = !input.files.length));
  submit.addEventListener("click", () => send(question, [...input.files]));
  return [input, row(submit, button("Cancel", { onclick: () => question.answer({}) }))];
}

async function send(question, files) {
  const { app, task } = question;
  const total = files.reduce((sum, file) => sum + file.size, 0);
  if (total > LARGEST) {
    question.problem.hidden = false;
    text(question.problem, `These files have ${size(total)}. Choose files with at most 100 MB in total.`);
    return;
  }
  const upload = `u${Date.now()}-${(asked += 1)}`;
  for (const control of question.controls.elements) control.disabled = true;
  for (const file of files) {
    app.connection.send({ type: "file", task: task.name, upload, name: file.name, id: question.wait.id });
    for (let at = 0; at < file.size; at += CHUNK) {
      await app.connection.room();
      const part = new Uint8Array(await file.slice(at, at + CHUNK).arrayBuffer());
      app.connection.sendBytes({ task: task.name, upload }, part);
    }
  }
  question.answer({ upload });
}

function chooseForm(question, wait) {
  const choices = Object.entries(wait.choices);
  const list = choices.map(([id, name], at) =>
    h("label", { class: "choice" }, h("input", { type: "radio", name: question.number, value: id, checked: at === 0 }), name || id),
  );
  const pick = () => question.answer({ choice: question.controls.querySelector("input:checked")?.value ?? null });
  return [
    choices.length ? h("div", { class: "choices" }, ...list) : h("p", { class: "aside" }, "There is nothing to choose yet."),
    row(choices.length > 0 && yes("Choose", { onclick: pick }), button("Cancel", { onclick: () => question.answer({ choice: null }) })),
  ];
}

function permissionForm(question, wait) {
  const give = (accept) => () => question.answer({ name: wait.name, origin: wait.origin, accept });
  return [row(yes("Allow", { onclick: give(true) }), button("Block", { onclick: give(false) }))];
}

function handoffForm(question) {
  const { app, task } = question;
  question.message = messageField(task);
  question.take = yes("Take control", { onclick: () => app.take(task) });
  const say = (accept) => () => question.answer({ accept, message: task.draft });
  return [question.message, row(question.take, button("Done", { onclick: say(true) }), button("Refuse", { onclick: say(false) }))];
}

// A field for a person's message to the agent. All fields for a task share one text.
export function messageField(task, about = {}) {
  return h("input", {
    type: "text",
    class: "message",
    placeholder: "A message for the agent (optional)",
    "aria-label": "A message for the agent",
    maxLength: 500,
    value: task.draft,
    oninput: ({ target }) => (task.draft = target.value),
    ...about,
  });
}
