(() => {
  const [seed, episode] = location.search.slice(1).split("-").map(Number);
  const tell = (kind, what) => navigator.sendBeacon(
    "/told", JSON.stringify({episode, kind, ...what}));
  // What the mouse and the keyboard did, to find actions on a wrong element.
  let events = [];
  const words = (element) => [
    element.textContent, element.getAttribute("aria-label"), element.title, element.placeholder,
    element.value, element.alt, element.id, element.className && element.className.baseVal,
    typeof element.className === "string" ? element.className : "", element.name,
    ...[...(element.labels || [])].map((label) => label.textContent),
  ].filter(Boolean).map((one) => String(one).slice(0, 300)).join(" ");
  for (const type of ["mousedown", "input", "change"]) {
    addEventListener(type, (event) => {
      if (!event.isTrusted || !(event.target instanceof Element)) return;
      const said = [];
      for (let one = event.target, n = 0; one && one !== document.body && one.id !== "area"
        && one.id !== "wrap" && n < 4; one = one.parentElement, n++) said.push(words(one));
      events.push({type, at: Date.now() / 1000, tag: event.target.localName, said});
    }, true);
  }
  addEventListener("pagehide", () => tell("events", {events}));
  const hidden = document.createElement("style");
  hidden.textContent = "#reward-display,#click-canvas,#sync-task-cover{display:none!important}";
  document.head.append(hidden);
  const end = core.endEpisode;
  core.endEpisode = function () {
    const before = WOB_EPISODE_ID;
    const result = end.apply(this, arguments);
    if (WOB_EPISODE_ID !== before) {
      tell("end", {reward: WOB_RAW_REWARD_GLOBAL, reason: String(WOB_REWARD_REASON || "")});
    }
    return result;
  };
  addEventListener("load", () => {
    Math.seedrandom(seed);
    core.EPISODE_MAX_TIME = 1e6;
    core.startEpisodeReal();
    const goal = core.getUtterance();
    tell("start", {goal: goal.utterance || goal});
  });
})();
