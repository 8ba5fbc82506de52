// The events per user: a client requests the events after a number that it knows.

const LISTENS_FOR_MS = 60_000; // after its last poll
const LEAVES_WITHIN_MS = 500; // after its notice: another client of the user might be between two polls
const KEPT = 200; // events per user, for a client that is between two polls

export class Feed {
  #lines = new Map(); // by userId, only while somebody listens
  #closed = false;

  // Called with the userId of a client that has not polled for LISTENS_FOR_MS.
  onForgotten = () => {};

  isListening(userId) {
    return this.#lines.has(userId);
  }

  // Number an event and deliver it; return the event as clients see it, or null if nobody listens.
  add(userId, event) {
    const line = this.#lines.get(userId);
    if (!line) return null;
    const numbered = { n: ++line.last, ...event };
    line.events.push(numbered);
    if (line.events.length > KEPT) line.complete = line.events.shift().n;
    for (const wake of line.waiting) wake();
    return numbered;
  }

  // Wait up to `waitMs` for an event after number `after`. A new client, or a client that missed
  // events, gets the events in `pending()` at once.
  async poll(userId, after, waitMs, { pending, abandoned }) {
    const line = this.#join(userId);
    try {
      if (after < line.complete) return { next: line.last, events: pending() };
      if (after >= line.last && !this.#closed) await this.#wait(line, waitMs, abandoned);
      return { next: line.last, events: line.events.filter((event) => event.n > after) };
    } finally {
      this.#leave(userId, line);
    }
  }

  // A client has stopped listening.
  leave(userId) {
    const line = this.#lines.get(userId);
    if (!line) return;
    line.listensForMs = LEAVES_WITHIN_MS;
    if (line.polls === 0) this.#expire(userId, line);
  }

  // Answer every waiting poll.
  close() {
    this.#closed = true;
    for (const line of this.#lines.values()) {
      for (const wake of line.waiting) wake();
    }
  }

  #join(userId) {
    let line = this.#lines.get(userId);
    if (!line) {
      // Numbers start at the current time, so all numbers from before a restart are smaller.
      const now = Date.now();
      line = { last: now, complete: now, events: [], waiting: new Set(), polls: 0 };
      this.#lines.set(userId, line);
    }
    clearTimeout(line.expiry);
    line.listensForMs = LISTENS_FOR_MS;
    line.polls += 1;
    return line;
  }

  #leave(userId, line) {
    line.polls -= 1;
    if (line.polls === 0) this.#expire(userId, line);
  }

  #expire(userId, line) {
    clearTimeout(line.expiry);
    line.expiry = setTimeout(() => {
      this.#lines.delete(userId);
      this.onForgotten(userId);
    }, line.listensForMs);
    line.expiry.unref();
  }

  #wait(line, waitMs, abandoned) {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        line.waiting.delete(done);
        abandoned.removeEventListener("abort", done);
        resolve();
      };
      const timer = setTimeout(done, waitMs);
      line.waiting.add(done);
      abandoned.addEventListener("abort", done);
    });
  }
}
