// What the rest of Tabwarden calls, in each frame's isolated world.

globalThis.__tabwarden = {
  snapshot: () => JSON.stringify(outlineOf()),
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
  focus,
  pick,
  read,
};
