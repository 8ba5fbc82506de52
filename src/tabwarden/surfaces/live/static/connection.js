// The connection to the server: opening a link, one WebSocket, and reconnecting.

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const KEY = "tabwarden-live-key";
const EXPIRED = 4401;
const SILENT_MS = 15_000; // the server says every 5 seconds that it is there

export class Connection {
  // `on` has: message(object), picture(about, bytes), state("open" | "closed" | "expired")
  constructor(on) {
    this.on = on;
    this.pause = 300;
    this.heardAt = 0;
    setInterval(() => this.#look(), 1000);
  }

  async start() {
    const token = /^#([\w-]{20,})$/.exec(location.hash)?.[1];
    if (token) {
      history.replaceState(null, "", location.pathname + "#/");
      if (!(await this.enter(token)) && !localStorage.getItem(KEY)) return this.on.state("expired");
    }
    this.connect();
  }

  async enter(token) {
    const answer = await fetch("/live/enter", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ token }),
    }).catch(() => null);
    if (!answer?.ok) return false;
    const { key } = await answer.json();
    localStorage.setItem(KEY, key);
    return true;
  }

  connect() {
    const key = localStorage.getItem(KEY);
    if (!key) return this.on.state("expired");
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/live/socket`);
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    this.heardAt = performance.now();
    socket.onopen = () => {
      socket.send(JSON.stringify({ type: "hello", key }));
      this.pause = 300;
      this.on.state("open");
    };
    socket.onmessage = ({ data }) => {
      this.heardAt = performance.now();
      if (typeof data === "string") return this.on.message(JSON.parse(data));
      const length = new DataView(data).getUint32(0);
      const about = JSON.parse(decoder.decode(new Uint8Array(data, 4, length)));
      this.on.picture(about, new Uint8Array(data, 4 + length));
    };
    socket.onclose = ({ code }) => {
      this.socket = null;
      if (code === EXPIRED) {
        localStorage.removeItem(KEY);
        return this.on.state("expired");
      }
      this.#again();
    };
  }

  #again() {
    this.on.state("closed");
    setTimeout(() => this.connect(), this.pause);
    this.pause = Math.min(5000, this.pause * 1.7);
  }

  // Closes a silent connection, because its server hangs or the network is down.
  #look() {
    const { socket } = this;
    if (!socket || performance.now() - this.heardAt < SILENT_MS) return;
    socket.onclose = socket.onmessage = socket.onopen = this.socket = null;
    socket.close();
    this.#again();
  }

  send(message) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  sendBytes(about, bytes) {
    if (this.socket?.readyState !== WebSocket.OPEN) return;
    const head = encoder.encode(JSON.stringify(about));
    const whole = new Uint8Array(4 + head.length + bytes.length);
    new DataView(whole.buffer).setUint32(0, head.length);
    whole.set(head, 4);
    whole.set(bytes, 4 + head.length);
    this.socket.send(whole);
  }

  // Waits until the connection has room for the next part of a file.
  async room() {
    while (this.socket?.readyState === WebSocket.OPEN && this.socket.bufferedAmount > 1 << 20) {
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
  }
}
