import { h, render } from "preact";
import { createPortal } from "preact/compat";
render(h("div", null, h("h1", null, "Posts"), h("p", null, "Ann wrote"), h("ul", null,
  rows.map((row) => h("li", null, h("b", null, row + ": "), h("span", { onClick: act(row) }, row)))),
  createPortal(h("div", { onClick: act("Aside") }, "Aside"), aside)), app);
render(h("div", null, h("em", { onClick: act("Inside") }, "Inside")), inner);
