import h from "solid-js/h";
import { render } from "solid-js/web";
render(() => h("div", h("h1", "Posts"), h("p", "Ann wrote"), h("ul", rows.map((row) =>
  h("li", h("b", row + ": "), h("span", { onClick: act(row) }, row))))), app);
render(() => h("div", { onClick: act("Aside") }, "Aside"), aside);
render(() => h("em", { onClick: act("Inside") }, "Inside"), inner);
