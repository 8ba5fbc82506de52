// Sends requests to `tabwarden serve`.

import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";

import { Connection } from "./connection.js";

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
  const bearer = await token(config);
  const headers = { Authorization: `Bearer ${bearer}` };
  if (method === "POST") headers["Content-Type"] = "application/json";
  const waits = Number(fields.timeoutMs) > 0 ? [AbortSignal.timeout(Number(fields.timeoutMs) + EXTRA_MS)] : [];
  const until = AbortSignal.any([...waits, ...(signal ? [signal] : [])]);
  let answer, connection;
  try {
    connection = await Connection.to(url, until);
    if (connection.isHere && !isConfigured(config)) await prove(connection, base, bearer, until);
    answer = await connection.send({
      method,
      path: url.pathname + url.search,
      headers,
      body: method === "POST" ? JSON.stringify(Object.fromEntries(given)) : undefined,
      signal: until,
    });
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof TabwardenError) throw error;
    throw new TabwardenError(
      "server_unreachable",
      `Tabwarden's server is not responding at ${base} (${error.cause?.name ?? error.code ?? error.message}). ` +
        "Start it: `tabwarden serve`.",
    );
  } finally {
    connection?.close();
  }
  let body;
  try {
    body = JSON.parse(answer.text);
  } catch {
    throw new TabwardenError(
      "not_tabwarden", `The server at ${base} is not Tabwarden's. Set the plugin's url.`,
    );
  }
  if (answer.status === 401) throw wrongToken(base);
  if (answer.status >= 300) {
    throw new TabwardenError(
      body.code ?? "error", inTool(body.error ?? `status ${answer.status}`), body.tabwarden?.data ?? {},
    );
  }
  for (const name of ["next", "note"]) if (body[name]) body[name] = inTool(body[name]);
  return body;
}

/** Whether the user has configured which token is for which address. */
function isConfigured(config) {
  const address = config.url || process.env.TABWARDEN_URL;
  return Boolean(address && !config.tokenFile && process.env.TABWARDEN_SERVER__TOKEN);
}

async function prove(connection, base, token, signal) {
  const proven = await connection.hasProven(token, signal);
  if (proven === null) throw wrongToken(base);
  if (proven) return;
  throw new TabwardenError(
    "not_tabwarden",
    `The program that listens at ${base} did not prove that it is this user's Tabwarden, so it ` +
      "did not get the token. Stop it and start `tabwarden serve`, or set the plugin's url to the address that " +
      "`tabwarden serve` prints.",
  );
}

function wrongToken(base) {
  return new TabwardenError(
    "wrong_token",
    `The server at ${base} uses another token. Set the plugin's tokenFile to the path that ` +
      "`tabwarden serve` prints. If the server belongs to another user, start `tabwarden serve` on another port " +
      "(--port) and set the plugin's url.",
  );
}

const ACTIONS = {
  "GET /snapshot": "snapshot", "GET /tabs": "tabs", "GET /requests": "requests",
  "GET /dialogs": "snapshot", "POST /act": "act", "POST /hooks/dialog": "dialog",
  "POST /hooks/file-chooser": "upload", "POST /navigate": "navigate", "POST /start": "start",
  "POST /stop": "stop", "POST /tabs/open": "open", "POST /screenshot": "screenshot",
  "POST /download": "download",
};

/** Rewrite the requests in a hint as the tool's actions. */
export function inTool(words) {
  const closed = words.replace(/\bDELETE \/tabs\/([\w-]+)/g, 'action="close" {"targetId": "$1"}');
  return closed.replace(/\b(GET|POST) (\/[a-z/-]+)/g, (request) =>
    ACTIONS[request] ? `action="${ACTIONS[request]}"` : request,
  );
}
