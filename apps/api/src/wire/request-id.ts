import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { redactKeys } from "../keys/redact-keys.js";

const SANE = /^[A-Za-z0-9._:/+=-]{1,128}$/;

/** The caller's X-Request-Id if valid (up to 128 plain characters, no API key), otherwise a new UUID. */
export function requestIdOf(request: Pick<IncomingMessage, "headers">): string {
  const given = request.headers["x-request-id"];
  return typeof given === "string" && SANE.test(given) && redactKeys(given) === given ? given : randomUUID();
}
