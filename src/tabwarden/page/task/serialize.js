// Turns any JavaScript value into JSON within a limit, and describes what JSON can't represent. It
// is called with the value: (value, maxChars) -> the text of {value, note}, or the object itself if
// the page has changed how JSON works.
(function serialize(value, maxChars) {
  const notes = new Set();
  const ancestors = [];
  let room = maxChars;

  const special = (kind, text) => {
    room -= 24 + kind.length; // count what is sent, not what was there
    return { $type: kind, value: text };
  };

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
      const value = plain(object[key]);
      if (key !== "__proto__") out[key] = value;
      else Object.defineProperty(out, key, { value, enumerable: true });
    }
    return out;
  };

  // Browser objects (a DOMRect, a URL) keep fields in the prototype. Their toJSON returns them.
  const told = (object) => {
    if (typeof object.toJSON !== "function" || Object.keys(object).length > 0) return null;
    try {
      const said = object.toJSON();
      return said === object || said === undefined ? null : { said };
    } catch {
      return null;
    }
  };

  // A same-site frame has its own classes, so their instances are recognized by tag.
  const isA = (name, object) => tag(object) === name && typeof object[Symbol.iterator] === "function";
  const tag = (object) => Object.prototype.toString.call(object).slice(8, -1);
  const isNode = (object) => {
    if (typeof Node !== "function") return false;
    if (object instanceof Node) return true;
    try {
      return Boolean(Object.getOwnPropertyDescriptor(Node.prototype, "nodeType").get.call(object));
    } catch {
      return false;
    }
  };
  const isWindow = (object) => {
    try {
      return object === globalThis || (object.window === object && object.self === object);
    } catch {
      return false;
    }
  };
  const place = (view) => {
    try {
      return String(view.location.href);
    } catch {
      return ""; // another site's window
    }
  };

  // A proxy of an array may hide its iterator.
  const listed = (array) => typeof array[Symbol.iterator] === "function"
    ? array
    : Array.from({ length: Math.min(array.length, 1000000) }, (_, at) => array[at]);

  const inside = (object) => {
    const proto = Object.getPrototypeOf(object);
    if (proto === Object.prototype && object !== globalThis) return members(object);
    if (Array.isArray(object)) return each(listed(object), 1000000);
    if (isWindow(object)) return special("window", place(object));
    const kind = tag(object);
    if (object instanceof Date || kind === "Date") {
      return special("date", isNaN(object) ? "Invalid Date" : object.toISOString());
    }
    if (object instanceof RegExp || kind === "RegExp") return special("regexp", String(object));
    if (object instanceof Error || kind === "Error" || kind === "DOMException") {
      return special("error", text(String(object.stack || object)));
    }
    if (object instanceof Map || isA("Map", object)) return special("map", each(object, 10000));
    if (object instanceof Set || isA("Set", object)) return special("set", each(object, 10000));
    if (isNode(object)) return node(object);
    if (ArrayBuffer.isView(object) && kind !== "DataView") return each(object, 100000);
    const own = told(object);
    return own === null ? members(object) : plain(own.said);
  };

  // A getter, a proxy or another site's object may refuse to be read.
  const reasonOf = (error) => {
    try {
      return text(String(error));
    } catch {
      return null;
    }
  };

  const plain = (item) => {
    room -= 2;
    switch (typeof item) {
      case "string":
        return text(item);
      case "boolean":
        return item;
      case "number":
        room -= String(item).length - 1;
        return Number.isFinite(item) && !Object.is(item, -0)
          ? item
          : special("number", Object.is(item, -0) ? "-0" : String(item));
      case "bigint":
        return special("bigint", text(String(item)));
      case "undefined": // document.all has this type too
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
    try {
      return inside(item);
    } catch (error) {
      return special("unreadable", reasonOf(error));
    } finally {
      ancestors.pop();
    }
  };

  const whole = { value: plain(value), note: [...notes].join("; ") };
  // Old libraries add a toJSON to arrays and strings. Its text would be wrong here.
  const changed = [Object, Array, String, Number, Boolean].some((made) => "toJSON" in made.prototype);
  const said = changed ? undefined : JSON.stringify(whole);
  return typeof said === "string" ? said : whole;
})
