import { browserTool } from "./tool.js";

export default {
  id: "tabwarden",
  name: "Tabwarden",
  description: "The tool browser, served by tabwarden serve.",
  register(api) {
    api.registerTool((context) => browserTool(api.pluginConfig ?? {}, context), { name: "browser" });
  },
};
