import type { IncomingMessage } from "node:http";
import proxyAddress from "@fastify/proxy-addr";
import type { Config } from "../config.js";

/** Says where requests come from: their sockets, or what trusted proxies say of them (TRUST_PROXY). */
export class ClientAddress {
  readonly #isTrusted: ((address: string, hop: number) => boolean) | undefined;

  constructor(trusted: Config["TRUST_PROXY"]) {
    if (trusted === true) {
      this.#isTrusted = () => true;
    } else if (trusted !== false) {
      this.#isTrusted = proxyAddress.compile(trusted);
    }
  }

  /** The address of the client; not always an IP address, since proxies may send anything. */
  of(request: IncomingMessage): string {
    return this.#isTrusted === undefined
      ? (request.socket.remoteAddress ?? "")
      : proxyAddress(request, this.#isTrusted);
  }

  /** `https` if a trusted proxy says so, otherwise `http`, which is all that is spoken here. */
  schemeOf({ socket, headers: { "x-forwarded-proto": forwarded } }: IncomingMessage): "http" | "https" {
    const isFromProxy = this.#isTrusted?.(socket.remoteAddress ?? "", 0) === true;
    return isFromProxy && typeof forwarded === "string" && forwarded.split(",").at(-1)?.trim() === "https"
      ? "https"
      : "http";
  }
}
