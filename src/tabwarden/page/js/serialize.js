// Turns any JavaScript value into JSON that says what JSON can't carry, within a bound.
// Called as a function with the value as its argument: (value, maxChars) -> {json, note}.
(function serialize(value, maxChars) {
  const notes = new Set();
  const ancestors = [];
  let room = maxChars;

  const special = (kind, text) => ({ $type: kind, value: text });

  const text = (string) => {
    if (string.length <= room) {
      room -= string.length;
      return string;
    }
    notes.add(`a string of ${string.length} characters was cut`);
    const kept = string.slice(0, Math.max(0, room));
    room = 0;
    return kept + "…";
  };

  const node = (element) => {
    const html = element.nodeType === 1 ? element.cloneNode(false).outerHTML : element.nodeValue;
    return special(element.nodeName.toLowerCase(), text(String(html ?? "").slice(0, 500)));
  };

  const each = (items, limit) => {
    const out = [];
    for (const item of items) {
      if (room <= 0 || out.length >= limit) {
        notes.add("a collection was cut");
        break;
      }
      out.push(plain(item));
    }
    return out;
  };

  const members = (object) => {
    const out = {};
    for (const key of Object.keys(object)) {
      if (room <= 0) {
        notes.add("an object was cut");
        break;
      }
      room -= key.length + 4;
      out[key] = plain(object[key]);
    }
    return out;
  };

  const inside = (object) => {
    if (object instanceof Date) {
      return special("date", isNaN(object) ? "Invalid Date" : object.toISOString());
    }
    if (object instanceof RegExp) return special("regexp", String(object));
    if (object instanceof Error) return special("error", text(String(object.stack || object)));
    if (object instanceof Map) return special("map", each(object, 10000));
    if (object instanceof Set) return special("set", each(object, 10000));
    if (typeof Node === "function" && object instanceof Node) return node(object);
    if (object === globalThis) return special("window", String(location.href));
    if (ArrayBuffer.isView(object) && !(object instanceof DataView)) {
      return each(object, 100000);
    }
    if (Array.isArray(object)) return each(object, 1000000);
    return members(object);
  };

  const plain = (item) => {
    room -= 2;
    switch (typeof item) {
      case "string":
        return text(item);
      case "boolean":
        return item;
      case "number":
        return Number.isFinite(item) && !Object.is(item, -0)
          ? item
          : special("number", Object.is(item, -0) ? "-0" : String(item));
      case "bigint":
        return special("bigint", text(String(item)));
      case "undefined":
        return special("undefined", null);
      case "symbol":
        return special("symbol", String(item));
      case "function":
        return special("function", text((item.name || "anonymous").slice(0, 200)));
    }
    if (item === null) return null;
    if (ancestors.includes(item)) return special("circular", null);
    if (ancestors.length >= 100) {
      notes.add("nesting deeper than 100 was cut");
      return special("deep", null);
    }
    ancestors.push(item);
    const out = inside(item);
    ancestors.pop();
    return out;
  };

  return JSON.stringify({ value: plain(value), note: [...notes].join("; ") });
})
