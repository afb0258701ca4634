import { isIP } from "node:net";
import rateLimit from "@fastify/rate-limit";
import type { NestFastifyApplication } from "@nestjs/platform-fastify";
import type { FastifyRequest } from "fastify";
import type { KeyRing } from "../accounts/key-ring.js";
import { ApiError } from "./api-error.js";

/** Milliseconds over which requests are counted. */
const WINDOW_MS = 60_000;

/** Callers that are counted at once; the one that was silent longest makes room. */
const COUNTED_CALLERS = 20_000;

/**
 * Limits the requests of each caller to the interface. A caller is a key that was found good before,
 * otherwise an address: keys that somebody made up share the count of the address they come from.
 */
export async function limitRates(app: NestFastifyApplication, perMinute: number, keys: KeyRing): Promise<void> {
  await app.register(rateLimit, {
    max: perMinute,
    timeWindow: WINDOW_MS,
    cache: COUNTED_CALLERS,
    enableDraftSpec: true,
    keyGenerator: (request) => keys.findKnown(bearerOf(request)) ?? networkOf(request.ip),
    allowList: (request) => !request.url.startsWith("/api/"),
    errorResponseBuilder: (_request, { ttl }) =>
      new ApiError("rate_limited", `More than ${perMinute} requests a minute. Wait ${Math.ceil(ttl / 1000)} seconds.`),
  });
}

/**
 * The key that a request sends, whatever it is worth; undefined when there is none. Two Authorization
 * headers count as none: a proxy before us might go by the other one.
 */
export function bearerOf({ raw }: FastifyRequest): string | undefined {
  const [header = "", ...others] = raw.headersDistinct["authorization"] ?? [];
  return others.length > 0 ? undefined : /^Bearer +(\S+) *$/i.exec(header)?.[1];
}

/**
 * An IPv4 address, or the /64 of an IPv6 one: that is what a single subscriber is given. Texts of a proxy that are no
 * address are one caller together, since whoever may choose them could choose a new one each time.
 */
export function networkOf(address: string): string {
  if (isIP(address) === 0) {
    return "no address";
  }
  if (isIP(address) === 4 || address.startsWith("::ffff:")) {
    return address;
  }
  const [head = "", tail] = address.split("::");
  const groups = head === "" ? [] : head.split(":");
  const last = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = Array.from({ length: Math.max(0, 8 - groups.length - last.length) }, () => "0");
  return `${[...groups, ...(tail === undefined ? [] : zeros), ...last].slice(0, 4).join(":")}::/64`;
}
