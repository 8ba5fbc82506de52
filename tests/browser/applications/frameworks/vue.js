import { createApp, h, Teleport } from "vue";
createApp({ render: () => h("div", [h("h1", "Posts"), h("p", "Ann wrote"), h("ul", rows.map((row) =>
  h("li", [h("b", row + ": "), h("span", { onClick: act(row) }, row)]))),
  h(Teleport, { to: aside }, h("div", { onClick: act("Aside") }, "Aside"))]) }).mount(app);
createApp({ render: () => h("div", h("em", { onClick: act("Inside") }, "Inside")) }).mount(inner);
