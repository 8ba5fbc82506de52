// The open requests for each tab and their start times: the server destroys a tab if a request
// takes longer than its HANDLER_TIMEOUT_MS.

import { subscribe } from "node:diagnostics_channel";

const TAB = /^\/tabs\/([^/?]+)/;

export class Requests {
  #timeoutMs;
  #open = []; // { tabId, startedAt, response }

  constructor(timeoutMs) {
    this.#timeoutMs = timeoutMs;
    // The server's routes run before a plugin's, so our middleware never sees their requests.
    subscribe("http.server.request.start", ({ request, response }) => {
      const tabId = TAB.exec(request.url)?.[1];
      if (tabId) this.#open = [...this.#unanswered(), { tabId, startedAt: Date.now(), response }];
    });
  }

  // When the oldest of a tab's open requests started; now, if there is none.
  oldest(tabId) {
    const open = this.#unanswered().filter((request) => request.tabId === tabId);
    return Math.min(Date.now(), ...open.map((request) => request.startedAt));
  }

  // A client's disconnection does not stop the server's work: only the server's answer ends it.
  #unanswered() {
    const since = Date.now() - this.#timeoutMs;
    return this.#open.filter(
      ({ startedAt, response }) => !response.writableEnded && startedAt > since);
  }
}
