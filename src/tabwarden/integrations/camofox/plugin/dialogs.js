// Dialogs that stay open until a client answers them, or until shortly before the server's timeout.

import { randomUUID } from "node:crypto";

const MARGIN_MS = 5_000; // before the server's own deadline, to let the blocked request end
const MARGIN_SHARE = 0.25; // of a deadline that is shorter than usual

export class Dialogs {
  #feed;
  #tabs;
  #clicks;
  #requests;
  #patienceMs;
  #open = new Map(); // dialogId -> { userId, page, dialog, dismiss, event, timer }

  constructor({ feed, tabs, clicks, requests, timeoutMs }) {
    this.#feed = feed;
    this.#tabs = tabs;
    this.#clicks = clicks;
    this.#requests = requests;
    this.#patienceMs = timeoutMs - Math.min(MARGIN_MS, timeoutMs * MARGIN_SHARE);
  }

  // A dialog opened in this user's page: keep it open if a client listens and may see the page.
  opened(dialog, userId) {
    const page = dialog.page();
    const tabId = page && this.#tabs.id(userId, page);
    if (!tabId || !this.#feed.isListening(userId)) {
      leave(dialog, page);
      return;
    }
    const dismiss = dialog.dismiss.bind(dialog);
    dialog.dismiss = async () => {}; // the server's own listener runs next, and would dismiss it
    this.#tabs.opened({ userId, tabId, page });
    this.#keep({ userId, tabId, page, dialog, dismiss });
    for (const blocked of this.#tabs.withOpeners(page)) this.#clicks.end(blocked);
  }

  // The dialog ends without an answer when its page goes away.
  watch(page) {
    const gone = () => this.#endWhere((kept) => kept.page === page, "gone");
    page.on("close", gone);
    page.on("crash", gone);
    page.on("framenavigated", (frame) => {
      if (frame === page.mainFrame()) gone();
    });
  }

  pending(userId) {
    return [...this.#open.values()].filter((kept) => kept.userId === userId).map((kept) => kept.event);
  }

  // "answered", "gone" or "forbidden".
  async answer(dialogId, userId, accept, promptText) {
    const kept = this.#open.get(dialogId);
    if (!kept) return "gone";
    if (kept.userId !== userId) return "forbidden";
    this.#open.delete(dialogId);
    clearTimeout(kept.timer);
    try {
      await (accept ? kept.dialog.accept(promptText) : kept.dismiss());
    } catch {
      this.#tell(kept, false, "gone");
      return "gone";
    }
    this.#tell(kept, accept, "client");
    return "answered";
  }

  // No client is listening for this user any more.
  dismissAll(userId) {
    this.#endWhere((kept) => kept.userId === userId, "timeout");
  }

  #keep(kept) {
    const { userId, tabId, page, dialog } = kept;
    const openedAt = Date.now();
    const blocked = this.#tabs.withOpeners(page).map((each) => this.#tabs.id(userId, each));
    const since = Math.min(...blocked.filter(Boolean).map((id) => this.#requests.oldest(id)));
    const left = Math.max(0, since + this.#patienceMs - openedAt);
    const id = `d-${randomUUID()}`;
    const frames = page.frames();
    kept.event = this.#feed.add(userId, {
      event: "dialog_opened",
      tabId,
      dialog: {
        id,
        type: dialog.type(),
        message: dialog.message(),
        defaultValue: dialog.defaultValue(),
        // Playwright does not report which frame opened the dialog.
        frameId: frames.length === 1 ? this.#tabs.frameId(frames[0]) : null,
        url: page.url(),
        openedAt,
        openForMs: left,
      },
    });
    kept.timer = setTimeout(() => this.#endWhere((other) => other === kept, "timeout"), left);
    this.#open.set(id, kept);
  }

  #endWhere(matches, by) {
    for (const [id, kept] of this.#open) {
      if (!matches(kept)) continue;
      this.#open.delete(id);
      clearTimeout(kept.timer);
      if (by === "timeout") kept.dismiss().catch(() => {});
      this.#tell(kept, false, by);
    }
  }

  #tell({ userId, event }, accepted, by) {
    const { tabId, dialog } = event;
    this.#feed.add(userId, { event: "dialog_closed", tabId, id: dialog.id, accepted, by });
  }
}

// Without this plugin, the page's own listeners answer, or Playwright does if it has none.
function leave(dialog, page) {
  if (page?.listenerCount("dialog")) return;
  const answer = dialog.type() === "beforeunload" ? dialog.accept() : dialog.dismiss();
  answer.catch(() => {});
}
