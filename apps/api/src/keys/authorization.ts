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
