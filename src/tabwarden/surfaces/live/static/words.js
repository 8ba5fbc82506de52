// The page's texts. They are for people, so they contain no protocol terms.

const ACTS = {
  goto: ["Opening", "Opened", (a) => address(a.url)],
  back: ["Going back", "Went back"],
  forward: ["Going forward", "Went forward"],
  reload: ["Reloading the page", "Reloaded the page"],
  snapshot: ["Reading the page", "Read the page"],
  screenshot: ["Taking a screenshot", "Took a screenshot"],
  scrape: ["Reading the text", "Read the text"],
  find: ["Looking for", "Looked for", (a) => quoted(a.text ?? a.name ?? a.css ?? a.xpath ?? a.role)],
  click: ["Clicking", "Clicked", thing],
  hover: ["Pointing at", "Pointed at", thing],
  type: ["Typing", "Typed", (a, call) => `${quoted(a.text)}${inThing(call)}`],
  press: ["Pressing", "Pressed", (a) => a.key ?? ""],
  scroll: ["Scrolling", "Scrolled", (a) => a.direction ?? ""],
  drag: ["Dragging", "Dragged", thing],
  mouse: ["Using the mouse", "Used the mouse"],
  touch: ["Touching the page", "Touched the page", thing],
  drop: ["Dropping", "Dropped", (a) => list(a.filenames)],
  check: ["Checking", "Checked", thing],
  uncheck: ["Unchecking", "Unchecked", thing],
  focus: ["Going to", "Went to", thing],
  inspect: ["Inspecting", "Inspected", thing],
  select: ["Choosing", "Chose", (a, call) => `${quoted(a.labels ?? a.values)}${inThing(call)}`],
  fill_form: ["Filling a form", "Filled a form"],
  batch: ["Doing several steps", "Did several steps"],
  highlight: ["Marking an element", "Marked an element"],
  resize: ["Changing the window's size", "Changed the window's size"],
  wait: ["Waiting", "Waited", (a) => (a.text ? `for ${quoted(a.text)}` : "")],
  evaluate: ["Running a script", "Ran a script"],
  cdp: ["Sending a browser command", "Sent a browser command", (a) => a.method ?? ""],
  cookies: ["Using cookies", "Used cookies"],
  storage: ["Using the page's storage", "Used the page's storage"],
  storage_state: ["Reading cookies and storage", "Read cookies and storage"],
  save_storage_state: ["Saving cookies and storage", "Saved cookies and storage"],
  load_storage_state: ["Loading cookies and storage", "Loaded cookies and storage"],
  init_script: ["Setting scripts for later pages", "Set scripts for later pages"],
  page_tool: ["Using a tool from the page", "Used a tool from the page"],
  emulate: ["Changing the device", "Changed the device"],
  network: ["Reading the requests", "Read the requests"],
  audit: ["Checking the page's accessibility", "Checked the page's accessibility"],
  coverage: ["Measuring which code is used", "Measured which code is used"],
  memory: ["Measuring the page's memory", "Measured the page's memory"],
  performance: ["Measuring the page's performance", "Measured the page's performance"],
  route: ["Setting up routes for requests", "Set up routes for requests"],
  console: ["Reading the console", "Read the console"],
  clipboard: ["Using the clipboard", "Used the clipboard"],
  dialog: ["Answering a dialog", "Answered a dialog", (a) => `with ${a.prompt_text !== undefined ? quoted(a.prompt_text) : a.action === "dismiss" ? "Cancel" : "OK"}`],
  upload: ["Choosing files", "Chose files", (a) => list(a.filenames)],
  trace: ["Saving a trace", "Saved a trace"],
  download: ["Downloading", "Downloaded", (a) => address(a.url)],
  pdf: ["Making a PDF", "Made a PDF"],
  auth: ["Answering a password prompt", "Answered a password prompt"],
  choose: ["Choosing", "Chose", (a) => quoted(a.choice)],
  permission: ["Setting a permission", "Set a permission", (a) => a.name ?? ""],
  tabs: ["Working with tabs", "Worked with tabs", (a) => TAB_WORDS[a.mode] ?? ""],
  handoff: ["Asking for a person", "Asked for a person", (a) => quoted(a.reason)],
  control: ["Having control", "Had control", (a) => CONTROL_ENDS[a.ended] ?? ""],
  answer: ["The agent's question", "The agent's question", (a) => `${quoted(a.reason)}: ${OUTCOMES[a.outcome] ?? a.outcome}`],
};
const CONTROL_ENDS = { idle: "until no more input came", operator: "until the operator took it back", closed: "until the browser closed" };
const OUTCOMES = {
  done: "done",
  refused: "refused",
  idle: "ended, because no more input came",
  operator: "ended by the operator",
  nobody: "nobody came",
  closed: "the browser closed",
};
const STOPPED = ["cancelled", "stopped"];
const TAB_WORDS = { open: "(opened one)", close: "(closed one)", switch: "(switched)", list: "" };
const ROLES = { textbox: "field", searchbox: "field", combobox: "list", img: "image", generic: "element", spinbutton: "field" };

export const doing = (call) => phrase(call, 0);
export const did = (call) => (call.status === "failed" ? `${doing(call)} failed` : phrase(call, STOPPED.includes(call.status) || !call.ended ? 0 : 1));

function phrase(call, tense) {
  const [now, then, about] = ACTS[call.action] ?? [call.action, call.action];
  const rest = about ? about(call.arguments ?? {}, call) : "";
  return [tense ? then : now, rest].filter(Boolean).join(" ");
}

function thing(args, call) {
  const { element } = call;
  if (element) return `${ROLES[element.role] ?? element.role} ${element.name ? quoted(element.name) : ""}`.trim();
  if (args.x !== undefined) return `at ${Math.round(args.x)}, ${Math.round(args.y)}`;
  return args.ref ?? "";
}

const inThing = (call) => (call.element ? ` in ${thing({}, call)}` : "");
const list = (names) => (Array.isArray(names) ? names.join(", ") : String(names ?? "").replace(/^\[|\]$|'/g, ""));

export function quoted(words) {
  if (words === undefined || words === null || words === "") return "";
  const plain = String(words);
  return plain.includes("(secret)") ? "masked text" : `“${shortened(plain, 60)}”`;
}

export const shortened = (words, most) => (words.length > most ? `${words.slice(0, most - 1)}…` : words);

// The part of a URL that tells people where they are.
export function address(url) {
  if (!url) return "";
  try {
    const { protocol, host, pathname } = new URL(url);
    if (protocol === "data:") return "a page without an address";
    if (url === "about:blank") return "an empty page";
    if (!host) return shortened(url, 80);
    return shortened(host.replace(/^www\./, "") + (pathname === "/" ? "" : decoded(pathname)), 80);
  } catch {
    return shortened(url, 80);
  }
}

function decoded(path) {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

// The site of a URL; "" if it has none.
export function site(url) {
  try {
    return new URL(url).host;
  } catch {
    return "";
  }
}

const FAILED = {
  budget_exceeded: "Took too long",
  cancelled: "Was stopped",
  dialog_pending: "A dialog was in the way",
  target_crashed: "The page crashed",
  browser_gone: "The browser is gone",
  stale_ref: "The element is gone",
  unknown_ref: "There is no such element",
  not_interactable: "The element can't be used",
  obscured: "Something covers the element",
  page_unreachable: "The page did not open",
  capacity: "A limit of the server was reached",
  denied: "Not allowed",
  invalid_argument: "The agent's request was invalid",
  held_by_person: "A person had control",
  js_error: "The script failed",
  no_dialog: "No dialog was open",
  ambiguous_dialog: "Several dialogs were open",
  frame_not_found: "There is no such frame",
  not_oopif: "The frame has no session of its own",
  bad_certificate: "The site's certificate is not trusted",
  endpoint_unreachable: "No browser answered",
  page_differs: "The page differs from the recorded page",
  not_open: "No browser is open",
  already_open: "A browser is open already",
  disabled: "Switched off in the configuration",
  not_supported: "This browser can't do that",
  launch_failed: "The browser did not start",
  internal_error: "Internal error in Tabwarden",
};

export function outcome(call) {
  if (call.status === "running") return "";
  if (call.status === "failed") return FAILED[call.code] ?? "Did not work";
  if (call.status === "interrupted") return call.message.replace(/^i/, "I") || "Interrupted";
  if (STOPPED.includes(call.status)) return "Was stopped";
  return "";
}

// One line about a call that has ended: "Clicking button “Buy” failed: Something covers the element".
export function summary(call) {
  const end = outcome(call);
  if (call.by) return [`${call.by}: ${did(call)}`, end].filter(Boolean).join(" · ");
  return end ? `${did(call)}${call.status === "failed" ? ":" : " ·"} ${end}` : did(call);
}

const FREED = [
  [/^(Page.navigate|Target.createTarget)/, "Tabwarden reloaded the page."],
  [/^Target.closeTarget/, "Tabwarden closed the tab."],
  [/^kill/, "Tabwarden ended a process of the browser."],
  [/^(Runtime.terminateExecution|Emulation|timers)/, "Tabwarden stopped the page's scripts."],
  [/^Page.stopLoading/, "Tabwarden stopped loading the page."],
];

// What Tabwarden did to make the page responsive again: the strongest of its steps.
export const rescue = (steps) => FREED.find(([step]) => steps.some((one) => step.test(one)))?.[1] ?? "";

export function span(ms) {
  if (ms === null || ms === undefined) return "";
  if (ms < 950) return `${Math.max(1, Math.round(ms / 10) * 10)} ms`;
  const s = ms / 1000;
  if (s < 9.95) return `${s.toFixed(1)} s`;
  if (s < 60) return `${Math.round(s)} s`;
  if (s < 3600) return `${Math.floor(s / 60)} min ${Math.round(s % 60)} s`;
  return `${Math.floor(s / 3600)} h ${Math.floor((s % 3600) / 60)} min`;
}

// For durations that grow while people watch: whole seconds only.
export const wholeSpan = (seconds) => (seconds < 60 ? `${Math.max(0, Math.round(seconds))} s` : span(Math.round(seconds) * 1000));

export const clock = (at) => new Date(at * 1000).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });

export const noConnection = (since) => `No connection to the server since ${clock(since)}`;

export function size(bytes) {
  if (bytes === null || bytes === undefined) return "";
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1e6) return `${(bytes / 1000).toFixed(1)} kB`;
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

const PERMISSIONS = {
  geolocation: "know your location",
  notifications: "show notifications",
  camera: "use the camera",
  microphone: "use the microphone",
  "clipboard-read": "read the clipboard",
  midi: "use MIDI devices",
};

export const permission = (name) => PERMISSIONS[name] ?? `use ${name}`;

export function question(wait) {
  switch (wait.kind) {
    case "dialog":
      if (wait.type === "beforeunload") return "Leave this page? Changes may be lost.";
      return wait.message || (wait.type === "prompt" ? "The page is asking for text." : "The page shows an empty message.");
    case "auth":
      return `${hostOf(wait.origin)} is asking for a user name and a password.`;
    case "files":
      return wait.multiple ? "The page is asking for files." : "The page is asking for a file.";
    case "choose":
      return "The page wants to use a device.";
    case "permission":
      return `${hostOf(wait.origin)} wants to ${permission(wait.name)}.`;
    case "handoff":
      return wait.reason;
    default:
      return "The page is waiting for an answer.";
  }
}

// What happens to a question that nobody answers within `seconds`.
export function byItself(wait, seconds) {
  const left = wholeSpan(Math.max(0, seconds));
  switch (wait.kind) {
    case "handoff":
      return `in ${left}, the agent is told that nobody came`;
    case "permission":
      return `closes in ${left}, and the permission stays blocked`;
    case "dialog":
      return `in ${left}, it closes by itself with “${{ alert: "OK", beforeunload: "Stay" }[wait.type] ?? "Cancel"}”`;
    default:
      return `in ${left}, it closes by itself with “Cancel”`;
  }
}

// How a question ended that this viewer did not answer. `end`: how it ended, from the server.
export function ending(end) {
  const who = { person: "Somebody else", agent: "The agent" }[end?.by] ?? end?.by;
  if (!end) return "The question has ended.";
  if (end.kind === "handoff") return end.by ? `${who} answered the agent: ${OUTCOMES[end.outcome]}.` : `The agent's question has ended: ${OUTCOMES[end.outcome]}.`;
  if (end.accepted === null || end.by === "remote") return "The page closed its question.";
  const said = end.accepted ? "OK" : "Cancel";
  return ["watchdog", "auto_policy"].includes(end.by) ? `The question closed by itself with “${said}”.` : `${who} answered with “${said}”.`;
}

export const hostOf = (origin) => origin.replace(/^https?:\/\//, "");
