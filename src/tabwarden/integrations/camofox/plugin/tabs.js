// The server's tabs that their user may see, and their frames.

const REASON_COMES_WITHIN_MS = 200; // the server reports why it closed a tab shortly after the page has closed

export class Tabs {
  #sessions;
  #feed;
  #known = new Map(); // tabId -> { userId, page }
  #openers = new WeakMap(); // popup -> the page that opened it
  #frameIds = new WeakMap();
  #lastFrame = 0;

  constructor(sessions, feed) {
    this.#sessions = sessions;
    this.#feed = feed;
  }

  // The page of this user's tab, or undefined.
  page(userId, tabId) {
    for (const [id, page] of this.#of(userId)) {
      if (id === tabId) return page;
    }
    return undefined;
  }

  // The id of the tab that shows this page, or null: the server also opens its own pages.
  id(userId, page) {
    for (const [id, found] of this.#of(userId)) {
      if (found === page) return id;
    }
    return null;
  }

  // The page, its opener, and so on: a dialog in the page can block them all.
  withOpeners(page) {
    const pages = [];
    for (let next = page; next; next = this.#openers.get(next)) pages.push(next);
    return pages;
  }

  watchPopups(page) {
    page.on("popup", (popup) => this.#openers.set(popup, page));
  }

  opened({ userId, tabId, page }) {
    if (this.#known.has(tabId)) return;
    this.#known.set(tabId, { userId, page });
    const opener = this.#openers.get(page);
    this.#feed.add(userId, {
      event: "tab_opened",
      tabId,
      url: page.url(),
      openerTabId: opener ? this.id(userId, opener) : null,
    });
    page.once("close", () => setTimeout(() => this.closed(tabId, "closed"), REASON_COMES_WITHIN_MS));
  }

  closed(tabId, reason) {
    const tab = this.#known.get(tabId);
    if (!tab) return;
    this.#known.delete(tabId);
    this.#feed.add(tab.userId, { event: "tab_closed", tabId, reason });
  }

  allClosed(userId, reason) {
    for (const [tabId, tab] of this.#known) {
      if (tab.userId === userId) this.closed(tabId, reason);
    }
  }

  frames(page) {
    return page.frames().map((frame) => ({
      frameId: this.frameId(frame),
      parentFrameId: frame.parentFrame() ? this.frameId(frame.parentFrame()) : null,
      url: frame.url(),
      name: frame.name(),
    }));
  }

  frame(page, frameId) {
    return page.frames().find((frame) => this.frameId(frame) === frameId);
  }

  frameId(frame) {
    if (!this.#frameIds.has(frame)) this.#frameIds.set(frame, `f-${++this.#lastFrame}`);
    return this.#frameIds.get(frame);
  }

  *#of(userId) {
    for (const group of this.#sessions.get(userId)?.tabGroups.values() ?? []) {
      for (const [id, state] of group) yield [id, state.page];
    }
  }
}
