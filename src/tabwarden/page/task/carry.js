// A function of the serializer (serialize.js) and its limit. It returns (value) -> value. JSON
// values pass unchanged. Any other value becomes the serializer's text, in a box. It also has
// `until`, which waits for a condition.
(function carrying(serialize, maxChars) {
  // A page may replace these later.
  const { requestAnimationFrame, setTimeout } = globalThis;
  const now = performance.now.bind(performance);

  // Waits up to some milliseconds until a check returns something true, and returns that in a box, or
  // null. It looks whenever the browser draws, but spends at most a tenth of the time on it. A tab in
  // the background does not draw.
  carry.until = async (check, milliseconds) => {
    const end = now() + milliseconds;
    for (;;) {
      const began = now();
      const value = await check();
      if (value) return { value };
      const ended = now();
      if (ended >= end) return null;
      const pause = Math.min(9 * (ended - began), end - ended);
      await new Promise((later) => {
        if (pause < 16) requestAnimationFrame(later);
        setTimeout(later, Math.max(pause, 50));
      });
    }
  };
  return carry;

  function carry(value) {
    switch (typeof value) {
      case "string":
        if (value.length <= maxChars) return value;
        break;
      case "object":
        if (value === null) return value;
        break;
      case "number":
      case "boolean":
      case "bigint":
        return value;
      case "undefined": // document.all has this type too, although it is an object
        return undefined;
    }
    return { $: serialize(value, maxChars) };
  }
})
