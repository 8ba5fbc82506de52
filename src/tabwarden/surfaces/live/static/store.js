// The page's data: all servers' tasks, each with its last image, calls and panels.

export class Store {
  constructor() {
    this.servers = new Map(); // id -> { title, tasks, read_only, name }
    this.tasks = new Map(); // full name -> Task
    this.ahead = 0; // how far the server's clock is ahead of ours, in seconds
    this.lost = null; // since when there is no connection
    this.gone = new Map(); // full name -> when and why a task went away
    this.listeners = new Set();
    this.drawing = false;
  }

  changed() {
    if (this.drawing) return;
    this.drawing = true;
    requestAnimationFrame(() => {
      this.drawing = false;
      for (const listener of this.listeners) listener();
    });
  }

  now() {
    return Date.now() / 1000 + this.ahead;
  }

  heard(message) {
    if (message.now) this.ahead = message.now - Date.now() / 1000;
    const { type } = message;
    if (type === "tasks") this.#listed(message);
    const task = this.tasks.get(message.task);
    if (task) task.heard(message);
    this.changed();
  }

  #listed(message) {
    const silent = message.gone ? (this.servers.get(message.server)?.title ?? "") : null;
    if (message.gone) this.servers.delete(message.server);
    else this.servers.set(message.server, message);
    for (const name of message.tasks) {
      if (!this.tasks.has(name)) this.tasks.set(name, new Task(name, message.server, this));
    }
    for (const [name, task] of this.tasks) {
      if (task.server !== message.server || message.tasks.includes(name)) continue;
      this.tasks.delete(name);
      this.gone.set(name, { at: this.now(), silent });
    }
  }

  // The tasks that people should look at first come first.
  sorted() {
    const rank = (task) => (task.waits.length ? 0 : task.state?.doing ? 1 : 2);
    return [...this.tasks.values()]
      .filter((task) => task.state)
      .sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name));
  }

  home() {
    return [...this.servers.values()][0];
  }
}

export class Task {
  constructor(name, server, store) {
    this.name = name;
    this.server = server;
    this.store = store;
    this.draft = ""; // what this person writes to the agent
    this.settling = new Set(); // the questions that this person answers
    this.state = null;
    this.calls = new Map();
    this.full = new Map(); // calls with their results
    this.outline = null;
    this.console = [];
    this.requests = new Map();
    this.boxes = {};
    this.picture = null; // { about, bitmap }
    this.onpicture = new Set();
  }

  get short() {
    return this.name.slice(this.name.indexOf(".") + 1);
  }

  // The page's and the agent's questions that are waiting for a person.
  get waits() {
    if (!this.state) return [];
    const asked = this.state.handoffs.map((one) => ({ ...one, kind: "handoff", since: one.asked_at }));
    return [...asked, ...this.state.waits];
  }

  heard(message) {
    switch (message.type) {
      case "task":
        this.state = message;
        break;
      case "calls":
        for (const call of message.calls) this.calls.set(call.number, call);
        break;
      case "call":
        this.full.set(message.number, message);
        break;
      case "outline":
        this.outline = message;
        break;
      case "console":
        this.console = message.tab_id === this.consoleTab ? [...this.console, ...message.lines].slice(-500) : message.lines;
        this.consoleTab = message.tab_id;
        break;
      case "requests":
        if (message.tab_id !== this.requestsTab) this.requests = new Map();
        this.requestsTab = message.tab_id;
        for (const one of message.requests) this.requests.set(one.number, one);
        break;
      case "boxes":
        this.boxes = message.boxes;
        break;
    }
  }

  show(about, bitmap) {
    this.picture?.bitmap.close();
    this.picture = { about, bitmap };
    for (const listener of this.onpicture) listener(this.picture);
  }
}
