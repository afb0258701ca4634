import type { IncomingMessage } from "node:http";
import { hashApiKey, isApiKey } from "@gpu-offers/store/api-key.store";

const BEARER = /^Bearer +(\S+) *$/i;

/** The credentials of a request. */
type Authorized = Pick<IncomingMessage, "headers" | "rawHeaders">;

/** The key of a connection's last request, with its hash: clients repeat their key. */
export class RecentKey {
  #authorization: string | undefined;
  #hash: string | undefined;

  /**
   * The hash of the API key in `Authorization: Bearer <key>`. Undefined without a key, or if its form or checksum is
   * invalid. Two Authorization headers count as none: a proxy in front of the service might use the other one.
   */
  hashOf({ headers: { authorization }, rawHeaders }: Authorized): string | undefined {
    if (authorization === undefined || countHeader(rawHeaders, "authorization") > 1) {
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

/** How often a header occurs; `name` in lower case. Node merges or drops repeated headers, except in `rawHeaders`. */
export function countHeader(rawHeaders: readonly string[], name: string): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const given = rawHeaders[index];
    if (given?.length === name.length && given.toLowerCase() === name) {
      count++;
    }
  }
  return count;
}
