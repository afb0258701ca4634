import type { IncomingMessage } from "node:http";
import { hashApiKey, isApiKey } from "../store/api-key.js";

const BEARER = /^Bearer +(\S+) *$/i;

/** The credentials of a request. */
export type Authorized = Pick<IncomingMessage, "headers" | "rawHeaders">;

/**
 * The hash of the API key in `Authorization: Bearer <key>`. Undefined without a key, or if its form or checksum is
 * invalid. Two Authorization headers count as none: a proxy in front of the service might use the other one.
 */
export function keyHashOf({ headers: { authorization }, rawHeaders }: Authorized): string | undefined {
  if (authorization === undefined || countAuthorizations(rawHeaders) > 1) {
    return undefined;
  }
  const key = BEARER.exec(authorization)?.[1];
  return key !== undefined && isApiKey(key) ? hashApiKey(key) : undefined;
}

/** {@link keyHashOf} for the requests of one connection. Clients repeat their key, so the last hash is kept. */
export class KeyHash {
  #authorization: string | undefined;
  #hash: string | undefined;

  /** The hash of a request's key; undefined if it has none. */
  of(request: Authorized): string | undefined {
    const { authorization } = request.headers;
    if (authorization === undefined || countAuthorizations(request.rawHeaders) > 1) {
      return undefined;
    }
    if (authorization !== this.#authorization) {
      this.#hash = keyHashOf(request);
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
