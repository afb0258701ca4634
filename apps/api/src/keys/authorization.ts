import type { IncomingMessage } from "node:http";
import { hashApiKey, isApiKey } from "../store/api-key.js";

const BEARER = /^Bearer +(\S+) *$/i;

/** The credentials of a request. */
export type Authorized = Pick<IncomingMessage, "headers" | "rawHeaders">;

/**
 * The hash of the API key in `Authorization: Bearer <key>`. Undefined without a key, or if its form or checksum is
 * invalid. Two Authorization headers count as none: a proxy in front of the service might use the other one.
 */
export function keyHashOf(request: Authorized): string | undefined {
  return new RecentKey().hashOf(request);
}

/** The key of a connection's last request, with its hash: clients repeat their key. */
export class RecentKey {
  #authorization: string | undefined;
  #hash: string | undefined;

  /** See {@link keyHashOf}. */
  hashOf({ headers: { authorization }, rawHeaders }: Authorized): string | undefined {
    if (authorization === undefined || countAuthorizations(rawHeaders) > 1) {
      return undefined;
    }
    if (authorization !== this.#authorization) {
      const key = BEARER.exec(authorization)?.[1];
      this.#hash = key !== undefined && isApiKey(key) ? hashApiKey(key) : undefined;
      this.#authorization = authorization;
    }
    return this.#hash;
  }
}

function countAuthorizations(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === "authorization".length && name.toLowerCase() === "authorization") {
      count++;
    }
  }
  return count;
}
