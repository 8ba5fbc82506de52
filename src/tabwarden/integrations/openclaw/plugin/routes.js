// Which request to `tabwarden serve` serves each action of the tool.

const ACT = [
  "kind", "actions", "stopOnError", "targetId", "ref", "doubleClick", "button", "modifiers", "x", "y",
  "text", "submit", "slowly", "key", "delayMs", "startRef", "endRef", "values", "fields", "width",
  "height", "timeMs", "textGone", "selector", "url", "loadState", "fn", "timeoutMs",
];

const pick = (params, ...names) => {
  const found = {};
  for (const name of names) if (params[name] !== undefined && params[name] !== null) found[name] = params[name];
  return found;
};
const get = (path, fields) => ({ method: "GET", path, fields });
const post = (path, fields) => ({ method: "POST", path, fields });
const seconds = ["targetId", "timeoutMs"];

function actFields(params) {
  return { ...pick(params, ...ACT), ...(params.request ?? {}) };
}

function tabPath(params) {
  return `/tabs/${encodeURIComponent(params.targetId)}`;
}

const ROUTES = {
  doctor: (p) => get("/doctor", pick(p, "timeoutMs")),
  status: () => get("/"),
  start: (p) => post("/start", pick(p, "timeoutMs")),
  stop: () => post("/stop"),
  profiles: () => get("/profiles"),
  tabs: () => get("/tabs"),
  open: (p) => post("/tabs/open", { url: p.targetUrl ?? p.url, ...pick(p, "label", "timeoutMs") }),
  focus: (p) => post("/tabs/focus", pick(p, ...seconds)),
  close: (p) => p.targetId
    ? { method: "DELETE", path: tabPath(p), fields: pick(p, "timeoutMs") }
    : post("/act", { kind: "close" }),
  snapshot: (p) => get("/snapshot", {
    ref: p.ref ?? (p.selector ? `css=${p.selector}` : undefined), ...pick(p, "maxChars", ...seconds),
  }),
  screenshot: (p) => post("/screenshot", pick(p, "fullPage", "ref", "element", "type", "labels", ...seconds)),
  navigate: (p) => post("/navigate", { url: p.targetUrl ?? p.url, snapshot: "full", ...pick(p, ...seconds) }),
  console: (p) => get("/console", pick(p, "level", "clear", ...seconds)),
  requests: (p) => get("/requests", pick(p, "filter", "limit", ...seconds)),
  errors: (p) => get("/errors", pick(p, "clear", ...seconds)),
  text: (p) => get("/scrape", { format: "text", ...pick(p, "selector", "maxChars", ...seconds) }),
  pdf: (p) => post("/pdf", pick(p, "path", ...seconds)),
  download: (p) => post("/download", { url: p.ref ? undefined : p.targetUrl ?? p.url, ...pick(p, "ref", "path", ...seconds) }),
  waitfordownload: (p) => post("/wait/download", pick(p, "path", ...seconds)),
  upload: (p) => post("/hooks/file-chooser", pick(p, "paths", "ref", "inputRef", "element", ...seconds)),
  dialog: (p) => post("/hooks/dialog", pick(p, "accept", "promptText", "dialogId", ...seconds)),
  act: (p) => post("/act", actFields(p)),
  importprofile: (p) => post("/profiles/import", pick(p, "into", "browser", "systemProfile", "domains", "timeoutMs")),
};

const EMULATED = [
  ["device", "/set/device", "name"],
  ["colorScheme", "/set/media", "colorScheme"],
  ["timezoneId", "/set/timezone", "timezoneId"],
  ["locale", "/set/locale", "locale"],
];

export const ACTION_NAMES = [...Object.keys(ROUTES), "emulate"];

/** Return the requests for a call, in order; [] if no request serves the action. */
export function requestsOf(params) {
  if (params.action === "emulate") {
    return EMULATED.filter(([field]) => params[field])
      .map(([field, path, name]) => post(path, { [name]: params[field] }));
  }
  const route = ROUTES[params.action];
  return route ? [route(params)] : [];
}
