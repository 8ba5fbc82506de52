// One connection to a server. Before it gets the token, a server on this machine must prove that it
// knows the token, because any program could be listening. surfaces/guard/tokens.py describes the proof.

import { createHash, createHmac, randomBytes } from "node:crypto";
import { once } from "node:events";
import http from "node:http";
import net from "node:net";
import tls from "node:tls";

const PROOF_MS = 10_000;
const LONGEST_PROOF = 1_000;

export class Connection {
  /** Connect to a URL's server. Reject if nothing responds there, or the signal aborts. */
  static async to(url, signal) {
    const isTls = url.protocol === "https:";
    const host = url.hostname.replace(/^\[|\]$/g, "");
    const where = { host, port: Number(url.port) || (isTls ? 443 : 80) };
    const socket = isTls
      ? tls.connect({ ...where, servername: net.isIP(host) ? "" : host })
      : net.connect(where);
    try {
      await once(socket, isTls ? "secureConnect" : "connect", { signal });
    } catch (error) {
      socket.destroy();
      throw error;
    }
    return new Connection(url, socket);
  }

  constructor(url, socket) {
    this.host = url.host;
    this.socket = socket;
    this.agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    let isUsed = false;
    this.agent.createConnection = (options, created) => {
      if (isUsed) return created(new Error("the server closed the connection"));
      isUsed = true;
      return socket;
    };
  }

  close() {
    this.agent.destroy();
    this.socket.destroy();
  }

  /** Whether the connection has no TLS and ends on this machine, where any user can listen. */
  get isHere() {
    const { encrypted, localAddress, remoteAddress } = this.socket;
    return !encrypted && (localAddress === remoteAddress || /^(127\.|::1$)/.test(remoteAddress));
  }

  /** Send a request. Return its status and the text of its answer. */
  async send({ method, path, headers = {}, body, signal, longest = Infinity }) {
    const request = http.request({
      agent: this.agent, method, path, signal, headers: { Host: this.host, ...headers },
    });
    request.on("error", () => {}); // once the answer has started, reading it fails instead
    request.end(body);
    const [response] = await once(request, "response");
    let text = "";
    for await (const chunk of response.setEncoding("utf8")) {
      text += chunk;
      if (text.length > longest) throw new Error("the server's answer is too long");
    }
    return { status: response.statusCode, text };
  }

  /** Request the server's proof. Return whether it is valid; null if the server uses another token. */
  async hasProven(token, signal) {
    const key = createHash("sha256").update(token).digest("hex");
    const mac = (words) => createHmac("sha256", key).update(words).digest("hex");
    const nonce = randomBytes(32).toString("hex");
    const { remoteAddress, remotePort } = this.socket;
    const { status, text } = await this.send({
      method: "GET",
      path: `/proof?nonce=${nonce}&mac=${mac(`client ${nonce}`)}`,
      signal: AbortSignal.any([signal, AbortSignal.timeout(PROOF_MS)]),
      longest: LONGEST_PROOF,
    });
    if (status === 401 || status === 403) return null;
    return text === mac(`server ${nonce} ${remoteAddress} ${remotePort}`);
  }
}
