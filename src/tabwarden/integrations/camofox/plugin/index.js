// Tabwarden's plugin for Camofox's server: dialogs that a client answers, frames, and scripts in
// a frame. README.md has the routes.

import { Clicks } from "./clicks.js";
import { Dialogs } from "./dialogs.js";
import { Feed } from "./feed.js";
import { Requests } from "./requests.js";
import { addRoutes } from "./routes.js";
import { Tabs } from "./tabs.js";

export function register(app, ctx) {
  const { events, config, sessions, normalizeUserId } = ctx;
  const feed = new Feed();
  const tabs = new Tabs(sessions, feed);
  const clicks = new Clicks();
  const requests = new Requests(config.handlerTimeoutMs);
  const dialogs = new Dialogs({ feed, tabs, clicks, requests, timeoutMs: config.handlerTimeoutMs });
  feed.onForgotten = (userId) => dialogs.dismissAll(userId);

  events.on("session:created", ({ userId, context }) => {
    // The context receives a dialog before its page, which has the server's own listener.
    context.on("dialog", (dialog) => dialogs.opened(dialog, userId));
    context.on("page", (page) => {
      clicks.watch(page);
      tabs.watchPopups(page);
      dialogs.watch(page);
    });
  });
  events.on("tab:created", ({ userId, tabId, page }) =>
    tabs.opened({ userId: normalizeUserId(userId), tabId, page }));
  for (const name of ["tab:destroyed", "tab:recycled", "tab:reaped"]) {
    events.on(name, ({ tabId, reason }) => tabs.closed(tabId, reason ?? name.slice("tab:".length)));
  }
  events.on("session:destroyed", ({ userId, reason }) => tabs.allClosed(userId, reason));
  events.on("server:shutdown", () => feed.close());

  addRoutes(app, { feed, tabs, dialogs, normalizeUserId });
}
