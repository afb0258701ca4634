import type { IncomingMessage } from "node:http";
import proxyAddress from "@fastify/proxy-addr";
import type { Config } from "../config.js";

const FORWARDING_HEADERS = [
  "x-forwarded-for",
  "forwarded",
  "via",
  "x-real-ip",
  "x-forwarded-proto",
  "x-forwarded-host",
] as const;

/** Determines clients' addresses: from sockets, or from headers of trusted proxies (TRUST_PROXY). */
export class ClientAddress {
  readonly #isTrusted: ((address: string, hop: number) => boolean) | undefined;

  constructor(trusted: Config["TRUST_PROXY"]) {
    if (trusted === true) {
      this.#isTrusted = () => true;
    } else if (trusted !== false) {
      const isTrusted = proxyAddress.compile(trusted);
      this.#isTrusted = (address, hop) => isTrusted(bareAddress(address), hop);
    }
  }

  /** The client's address. Not always an IP address, since proxies may send anything. */
  of(request: IncomingMessage): string {
    return bareAddress(
      this.#isTrusted === undefined ? (request.socket.remoteAddress ?? "") : proxyAddress(request, this.#isTrusted),
    );
  }

  /** `https` if a trusted proxy says so, otherwise `http`, because the service itself has no TLS. */
  schemeOf({ socket, headers: { "x-forwarded-proto": forwarded } }: IncomingMessage): "http" | "https" {
    const isFromProxy = this.#isTrusted?.(socket.remoteAddress ?? "", 0) === true;
    return isFromProxy && typeof forwarded === "string" && forwarded.split(",").at(-1)?.trim() === "https"
      ? "https"
      : "http";
  }
}

/** Whether the caller is a process of the same machine, and not a proxy's client. */
export function isLocal({ socket, headers }: IncomingMessage): boolean {
  const address = bareAddress(socket.remoteAddress ?? "");
  return (
    (address === "::1" || address.startsWith("127.")) && FORWARDING_HEADERS.every((name) => headers[name] === undefined)
  );
}

/**
 * An address without its port, as some proxies send it (`192.0.2.7:4711`, `[2001:db8::1]:4711`); IPv4 addresses that are
 * mapped to IPv6 (`::ffff:192.0.2.7`) as IPv4. Any other text stays.
 */
export function bareAddress(text: string): string {
  if (!text.includes(":")) {
    return text;
  }
  const [, inBrackets, beforePort] =
    /^(?:\[([0-9a-f:.]+)\](?::\d{1,5})?|(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5})$/i.exec(text) ?? [];
  return (inBrackets ?? beforePort ?? text).replace(/^::ffff:(?=\d{1,3}(?:\.\d{1,3}){3}$)/i, "");
}
