// What the rest of Tabwarden calls, in each frame's isolated world.

globalThis.__tabwarden = {
  snapshot: () => {
    const outline = outlineOf();
    sinceNow();
    return JSON.stringify(outline);
  },
  element: (id) => identified(id),
  aim,
  aimThrough,
  frameBox,
  revealedBox,
  drawn,
  mouseExpected,
  mouseCame,
  annotate,
  unannotate,
  clearTimers,
  focus,
  pick,
  read,
  viewport,
  under,
  wheelExpected,
  wheeled,
  dragExpected,
  dragSeen,
  chooser,
  choose,
  toClick,
  chosen,
  control,
  checkedAs,
  isSelector,
  present,
  awaited,
  heal,
  nearest,
  find: findElements,
};
