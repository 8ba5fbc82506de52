// The routes. The server's access-key middleware runs before a plugin's routes and guards them.

const VERSION = 1;
const WAITS_AT_MOST_MS = 25_000;
const ANSWERS_WITHIN_MS = 10_000; // the default timeout for a script
const TIMEOUT = Symbol("timeout");

export function addRoutes(app, { feed, tabs, dialogs, normalizeUserId }) {
  const userOf = (given) => normalizeUserId(text(given, "userId"));

  function pageOf(userId, tabId) {
    const page = tabs.page(userOf(userId), tabId);
    if (!page) throw failure(404, "Tab not found");
    return page;
  }

  app.get("/tabwarden", (_request, response) => {
    response.json({ plugin: "tabwarden", version: VERSION });
  });

  app.get("/tabwarden/events", handled(async ({ query }, response) => {
    const userId = userOf(query.userId);
    const after = whole(query.after ?? "0", "after");
    const waitMs = Math.min(whole(query.waitMs ?? "0", "waitMs"), WAITS_AT_MOST_MS);
    const leaving = new AbortController();
    response.on("close", () => leaving.abort());
    const pending = () => dialogs.pending(userId);
    response.json(await feed.poll(userId, after, waitMs, { pending, abandoned: leaving.signal }));
  }));

  app.delete("/tabwarden/events", handled(async ({ query }, response) => {
    feed.leave(userOf(query.userId));
    response.json({ ok: true });
  }));

  app.post("/tabwarden/dialogs/:id", handled(async ({ params, body }, response) => {
    const userId = userOf(body?.userId);
    const { accept, promptText } = body;
    if (typeof accept !== "boolean") throw failure(400, "accept must be true or false");
    if (promptText !== undefined) text(promptText, "promptText", { empty: true });
    const outcome = await dialogs.answer(params.id, userId, accept, promptText);
    if (outcome === "forbidden") throw failure(403, "Another user's dialog");
    if (outcome === "gone") throw failure(404, "Dialog not found: it was answered or closed");
    response.json({ ok: true });
  }));

  app.get("/tabwarden/tabs/:tabId/frames", handled(async ({ params, query }, response) => {
    response.json({ frames: tabs.frames(pageOf(query.userId, params.tabId)) });
  }));

  app.post("/tabwarden/tabs/:tabId/evaluate", handled(async ({ params, body }, response) => {
    const page = pageOf(body?.userId, params.tabId);
    const { frameId, timeoutMs = ANSWERS_WITHIN_MS } = body;
    const expression = text(body.expression, "expression");
    const frame = frameId === undefined ? page.mainFrame() : tabs.frame(page, frameId);
    if (!frame) throw failure(404, "Frame not found");
    try {
      const result = await within(frame.evaluate(expression), whole(timeoutMs, "timeoutMs"));
      if (result === TIMEOUT) throw failure(408, "timeout");
      response.json({ ok: true, result: result ?? null });
    } catch (error) {
      if (error.status) throw error;
      response.json({ ok: false, error: error.message });
    }
  }));
}

// A route whose failures are JSON with their status; an exception from the browser is 500.
function handled(route) {
  return async (request, response) => {
    try {
      await route(request, response);
    } catch (error) {
      if (!response.headersSent) {
        response.status(error.status ?? 500).json({ ok: false, error: error.message });
      }
    }
  };
}

function failure(status, message) {
  return Object.assign(new Error(message), { status });
}

function text(value, name, { empty = false } = {}) {
  if (typeof value !== "string" || (!empty && value === "")) {
    throw failure(400, `${name} must be ${empty ? "a string" : "a non-empty string"}`);
  }
  return value;
}

function whole(value, name) {
  const number = Number(value);
  if (value === "" || !Number.isSafeInteger(number) || number < 0) {
    throw failure(400, `${name} must be an integer of at least 0`);
  }
  return number;
}

// The result of the work, or TIMEOUT; the work itself can't be stopped.
async function within(work, timeoutMs) {
  let timer;
  const late = new Promise((resolve) => { timer = setTimeout(resolve, timeoutMs, TIMEOUT); });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
