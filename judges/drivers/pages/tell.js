// What each page uses to report to its server. A POST is never answered from the cache.
const tell = (...what) =>
  fetch("/told/" + what.map(encodeURIComponent).join("/"), { method: "POST", keepalive: true });
addEventListener("pageshow", () =>
  fetch("/told/shown" + location.pathname, { method: "POST", keepalive: true }));
