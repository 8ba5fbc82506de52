// Sends requests to `tabwarden serve`.

import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";

const ADDRESS = "http://127.0.0.1:8414";
const TOKEN_FILE = join(
  process.env.XDG_STATE_HOME || join(homedir(), ".local", "state"), "tabwarden", "server.token",
);
const EXTRA_MS = 5_000;

export class TabwardenError extends Error {
  constructor(code, message, data = {}) {
    super(message);
    this.name = "TabwardenError";
    this.code = code;
    this.data = data;
  }
}

async function token(config) {
  if (!config.tokenFile && process.env.TABWARDEN_SERVER__TOKEN) {
    return process.env.TABWARDEN_SERVER__TOKEN;
  }
  const file = config.tokenFile || TOKEN_FILE;
  try {
    return (await readFile(file, "utf8")).trim();
  } catch {
    throw new TabwardenError(
      "no_token",
      `The file with Tabwarden's token can't be read: ${file}. Start \`tabwarden serve\`; it prints ` +
        "the file's path, which belongs in plugins.entries.tabwarden.config.tokenFile.",
    );
  }
}

/** Send a request for a task. Return the answer's JSON; throw TabwardenError if it failed. */
export async function ask(config, task, { method, path, fields = {} }, signal) {
  const base = config.url || process.env.TABWARDEN_URL || ADDRESS;
  const url = new URL(path, base);
  url.searchParams.set("task", task);
  const given = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  if (method !== "POST") given.forEach(([name, value]) => url.searchParams.set(name, value));
  const headers = { Authorization: `Bearer ${await token(config)}` };
  if (method === "POST") headers["Content-Type"] = "application/json";
  const waits = Number(fields.timeoutMs) > 0 ? [AbortSignal.timeout(Number(fields.timeoutMs) + EXTRA_MS)] : [];
  let response;
  try {
    response = await fetch(url, {
      method,
      headers,
      body: method === "POST" ? JSON.stringify(Object.fromEntries(given)) : undefined,
      signal: AbortSignal.any([...waits, ...(signal ? [signal] : [])]),
    });
  } catch (error) {
    signal?.throwIfAborted();
    throw new TabwardenError(
      "server_unreachable",
      `Tabwarden's server does not answer at ${base} (${error.cause?.code ?? error.name}). ` +
        "Start it: `tabwarden serve`.",
    );
  }
  let body;
  try {
    body = await response.json();
  } catch {
    throw new TabwardenError(
      "not_tabwarden", `What answers at ${base} is not Tabwarden's server. Set the plugin's url.`,
    );
  }
  if (response.status === 401) {
    throw new TabwardenError(
      "wrong_token",
      "Tabwarden's server refused the token. Set the plugin's tokenFile to the path that " +
        "`tabwarden serve` prints.",
    );
  }
  if (!response.ok) {
    throw new TabwardenError(
      body.code ?? "error", inTool(body.error ?? response.statusText), body.tabwarden?.data ?? {},
    );
  }
  for (const name of ["next", "note"]) if (body[name]) body[name] = inTool(body[name]);
  return body;
}

const ACTIONS = {
  "GET /snapshot": "snapshot", "GET /tabs": "tabs", "GET /requests": "requests",
  "GET /dialogs": "snapshot", "POST /act": "act", "POST /hooks/dialog": "dialog",
  "POST /hooks/file-chooser": "upload", "POST /navigate": "navigate", "POST /start": "start",
  "POST /stop": "stop", "POST /tabs/open": "open", "POST /screenshot": "screenshot",
  "POST /download": "download",
};

/** Write the requests that a hint names as actions of the tool. */
export function inTool(words) {
  const closed = words.replace(/\bDELETE \/tabs\/([\w-]+)/g, 'action="close" {"targetId": "$1"}');
  return closed.replace(/\b(GET|POST) (\/[a-z/-]+)/g, (request) =>
    ACTIONS[request] ? `action="${ACTIONS[request]}"` : request,
  );
}
