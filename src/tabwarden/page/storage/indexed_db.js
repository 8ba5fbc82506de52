// The IndexedDB of an origin, in the form of Playwright's storageState. A key or value that is not
// plain JSON is `keyEncoded` or `valueEncoded`, in Playwright's encoding.
(() => {
  const MOST = 16e6; // characters of JSON for each origin
  const BLOCKED_MS = 2000; // a page that has the old version open must close it first

  const ARRAYS = {
    i8: Int8Array,
    ui8: Uint8Array,
    ui8c: Uint8ClampedArray,
    i16: Int16Array,
    ui16: Uint16Array,
    i32: Int32Array,
    ui32: Uint32Array,
    f32: Float32Array,
    f64: Float64Array,
    bi64: BigInt64Array,
    bui64: BigUint64Array,
  };

  const base64 = (bytes) => {
    let text = "";
    for (let at = 0; at < bytes.length; at += 32768)
      text += String.fromCharCode(...bytes.subarray(at, at + 32768));
    return btoa(text);
  };
  const bytesOf = (text) => Uint8Array.from(atob(text), (char) => char.charCodeAt(0));

  class NotPlain extends Error {}

  const isPlain = (value) =>
    value === null ||
    ["string", "boolean"].includes(typeof value) ||
    (typeof value === "number" && Number.isFinite(value) && !Object.is(value, -0)) ||
    (Array.isArray(value) && Array.from(value).every(isPlain)) ||
    (Object.getPrototypeOf(value ?? 0) === Object.prototype && Object.values(value).every(isPlain));

  const isTree = (value) => {
    try {
      JSON.stringify(value); // throws if it contains itself
      return isPlain(value);
    } catch {
      return false;
    }
  };

  const encode = (value, seen = new Map()) => {
    if (value === undefined) return { v: "undefined" };
    if (value === null) return { v: "null" };
    if (typeof value === "bigint") return { bi: String(value) };
    if (typeof value === "number" && (!Number.isFinite(value) || Object.is(value, -0)))
      return { v: Object.is(value, -0) ? "-0" : String(value) };
    if (typeof value !== "object") return value;
    if (value instanceof Date) return { d: isNaN(value) ? String(value) : value.toJSON() };
    if (value instanceof RegExp) return { r: { p: value.source, f: value.flags } };
    if (value instanceof Error)
      return { e: { n: value.name, m: value.message, s: value.stack ?? "" } };
    if (value instanceof ArrayBuffer) return { ab: { b: base64(new Uint8Array(value)) } };
    for (const [k, type] of Object.entries(ARRAYS)) {
      if (value instanceof type) {
        const { buffer, byteOffset, byteLength } = value;
        return { ta: { b: base64(new Uint8Array(buffer, byteOffset, byteLength)), k } };
      }
    }
    if (seen.has(value)) return { ref: seen.get(value) };
    const id = seen.size + 1;
    seen.set(value, id);
    if (Array.isArray(value)) return { a: Array.from(value, (one) => encode(one, seen)), id };
    const pair = ([k, v]) => ({ k: encode(k, seen), v: encode(v, seen) });
    if (value instanceof Map) return { m: [...value].map(pair), id };
    if (value instanceof Set) return { s: [...value].map((one) => encode(one, seen)), id };
    if (Object.getPrototypeOf(value) !== Object.prototype)
      throw new NotPlain(value.constructor?.name ?? "object"); // CryptoKey, Blob, File
    return { o: Object.entries(value).map(([k, v]) => ({ k, v: encode(v, seen) })), id };
  };

  const NAMED = { undefined, null: null, NaN: NaN, Infinity: Infinity, "-Infinity": -Infinity, "-0": -0 };

  const decode = (told, seen = new Map()) => {
    if (typeof told !== "object" || told === null) return told;
    if ("ref" in told) return seen.get(told.ref);
    if ("v" in told) return NAMED[told.v];
    if ("d" in told) return new Date(told.d ?? NaN); // Playwright writes null for an invalid date
    if ("u" in told) return told.u;
    if ("bi" in told) return BigInt(told.bi);
    if ("r" in told) return new RegExp(told.r.p, told.r.f);
    if ("e" in told) return Object.assign(new Error(told.e.m), { name: told.e.n, stack: told.e.s });
    if ("ab" in told) return bytesOf(told.ab.b).buffer;
    if ("ta" in told) return new ARRAYS[told.ta.k](bytesOf(told.ta.b).buffer);
    const kept = (value) => (seen.set(told.id, value), value);
    if ("a" in told) {
      const list = kept([]);
      for (const one of told.a) list.push(decode(one, seen));
      return list;
    }
    if ("m" in told) {
      const map = kept(new Map());
      for (const { k, v } of told.m) map.set(decode(k, seen), decode(v, seen));
      return map;
    }
    if ("s" in told) {
      const set = kept(new Set());
      for (const one of told.s) set.add(decode(one, seen));
      return set;
    }
    const object = kept({});
    for (const { k, v } of told.o ?? []) if (k !== "__proto__") object[k] = decode(v, seen);
    return object;
  };

  const put = (record, name, value) => {
    if (isTree(value)) record[name] = value;
    else record[`${name}Encoded`] = encode(value);
  };
  const taken = (record, name) =>
    `${name}Encoded` in record ? decode(record[`${name}Encoded`]) : record[name];

  const done = (request) =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  const paths = ({ keyPath }) =>
    Array.isArray(keyPath) ? { keyPathArray: [...keyPath] } : keyPath === null ? {} : { keyPath };

  const opened = (name, version, upgrade) =>
    new Promise((resolve, reject) => {
      const request = indexedDB.open(name, version);
      request.onupgradeneeded = () => upgrade(request);
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
      request.onblocked = () =>
        setTimeout(() => {
          request.onsuccess = () => request.result.close();
          reject(new DOMException("another page has it open", "BlockedError"));
        }, BLOCKED_MS);
    });

  const readStore = async (store, size) => {
    const [keys, values] = await Promise.all([done(store.getAllKeys()), done(store.getAll())]);
    const records = [];
    let lost = 0;
    keys.forEach((key, at) => {
      const record = {};
      try {
        if (store.keyPath === null) put(record, "key", key);
        put(record, "value", values[at]);
      } catch (error) {
        if (!(error instanceof NotPlain)) throw error;
        lost++;
        return;
      }
      size.left -= JSON.stringify(record).length;
      if (size.left < 0) throw new DOMException("the database is too large", "QuotaExceededError");
      records.push(record);
    });
    const indexes = [...store.indexNames].map((name) => {
      const index = store.index(name);
      return { name, ...paths(index), multiEntry: index.multiEntry, unique: index.unique };
    });
    const about = { name: store.name, autoIncrement: store.autoIncrement, ...paths(store) };
    return [{ ...about, records, indexes }, lost];
  };

  const readOne = async (name, version, size) => {
    // If it was deleted meanwhile, opening it must not create it.
    const db = await opened(name, undefined, (request) => request.transaction.abort());
    try {
      const names = [...db.objectStoreNames];
      if (!names.length) return [{ name, version, stores: [] }, 0];
      const stores = db.transaction(names, "readonly");
      const told = await Promise.all(names.map((one) => readStore(stores.objectStore(one), size)));
      const lost = told.reduce((sum, [, n]) => sum + n, 0);
      return [{ name, version: db.version, stores: told.map(([store]) => store) }, lost];
    } finally {
      db.close();
    }
  };

  const writeOne = async ({ name, version, stores }) => {
    const there = (await indexedDB.databases()).find((one) => one.name === name);
    const db = await opened(name, Math.max(version, there?.version ?? 0), ({ result }) => {
      for (const one of stores) {
        if (result.objectStoreNames.contains(one.name)) continue;
        const keyPath = one.keyPathArray ?? one.keyPath ?? null;
        const store = result.createObjectStore(one.name, { autoIncrement: one.autoIncrement, keyPath });
        for (const { name, keyPath, keyPathArray, unique, multiEntry } of one.indexes ?? [])
          store.createIndex(name, keyPathArray ?? keyPath, { unique, multiEntry });
      }
    });
    try {
      const wanted = stores.filter((one) => db.objectStoreNames.contains(one.name));
      const names = wanted.map((one) => one.name);
      if (!names.length) return;
      const change = db.transaction(names, "readwrite");
      const over = new Promise((resolve, reject) => {
        change.oncomplete = resolve;
        change.onabort = () => reject(change.error ?? new DOMException("", "AbortError"));
      });
      for (const one of wanted) {
        const store = change.objectStore(one.name);
        for (const record of one.records ?? []) {
          const key = "key" in record || "keyEncoded" in record ? [taken(record, "key")] : [];
          store.put(taken(record, "value"), ...key);
        }
      }
      await over;
    } finally {
      db.close();
    }
  };

  return {
    // {databases, lost: records that JSON can't hold, failed: {name: reason}}
    read: async () => {
      const size = { left: MOST };
      const databases = [];
      const failed = {};
      let lost = 0;
      for (const { name, version } of await indexedDB.databases()) {
        try {
          const [database, missing] = await readOne(name, version, size);
          databases.push(database);
          lost += missing;
        } catch (error) {
          failed[name] = error.name;
        }
      }
      return { origin: location.origin, databases, lost, failed };
    },
    // {failed: {name: reason}}
    write: async (databases) => {
      const failed = {};
      for (const one of databases) {
        try {
          await writeOne(one);
        } catch (error) {
          failed[one.name] = error.name;
        }
      }
      return { origin: location.origin, failed };
    },
  };
})()
