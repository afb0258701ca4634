import type { IncomingMessage } from "node:http";
import proxyAddress from "@fastify/proxy-addr";
import type { Config } from "../config.js";

/** Determines clients' addresses: from sockets, or from headers of trusted proxies (TRUST_PROXY). */
export class ClientAddress {
  readonly #isTrusted: ((address: string, hop: number) => boolean) | undefined;

  constructor(trusted: Config["TRUST_PROXY"]) {
    if (trusted === true) {
      this.#isTrusted = () => true;
    } else if (trusted !== false) {
      this.#isTrusted = proxyAddress.compile(trusted);
    }
  }

  /** The client's address. Not always an IP address, since proxies may send anything. */
  of(request: IncomingMessage): string {
    return this.#isTrusted === undefined
      ? (request.socket.remoteAddress ?? "")
      : proxyAddress(request, this.#isTrusted);
  }

  /** `https` if a trusted proxy says so, otherwise `http`, because the service itself has no TLS. */
  schemeOf({ socket, headers: { "x-forwarded-proto": forwarded } }: IncomingMessage): "http" | "https" {
    const isFromProxy = this.#isTrusted?.(socket.remoteAddress ?? "", 0) === true;
    return isFromProxy && typeof forwarded === "string" && forwarded.split(",").at(-1)?.trim() === "https"
      ? "https"
      : "http";
  }
}
