async function audit({ top, most, only }) {
  if (axe._running) axe._running = false; // a dialog or a rescue ended the last run
  const rules = { "frame-tested": { enabled: false } }; // we test the frames
  const options = { iframes: false, preload: false, resultTypes: ["violations"], rules };
  if (only) options.runOnly = only;
  if (only?.type === "tag") {
    const known = new Set(axe.getRules().flatMap((rule) => rule.tags));
    const wrong = only.values.filter((tag) => !known.has(tag));
    if (wrong.length) return { error: `no rule has the tag ${wrong.join(", ")}` };
  }
  // Rules for the top document alone (its language, its title) do not apply in a frame.
  const context = { include: [document.documentElement], initiator: top, focusable: true };
  let done;
  try {
    done = await axe.finishRun([await axe.runPartial(context, options)], options);
  } catch (error) {
    if (only) return { error: String(error.message) };
    throw error;
  }
  const told = (node) => {
    const element = axe.utils.shadowSelect(node.target.at(-1)) ?? document.documentElement;
    const { id, role, name, tag } = __tabwarden.described(element);
    const why = [...node.any, ...node.all, ...node.none].map((one) => one.message).join(" ");
    return { id, role, name, tag, target: node.target.flat(9).join(" ").slice(0, 200), why: why.slice(0, 400) };
  };
  return {
    version: axe.version,
    incomplete: done.incomplete.map((rule) => rule.id),
    passes: done.passes.map((rule) => rule.id),
    violations: done.violations.map((rule) => ({
      id: rule.id,
      impact: rule.impact ?? "minor",
      help: rule.help,
      help_url: rule.helpUrl,
      tags: rule.tags,
      count: rule.nodes.length,
      nodes: rule.nodes.slice(0, most).map(told),
    })),
  };
}
