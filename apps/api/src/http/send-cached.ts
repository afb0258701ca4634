import type { FastifyReply, FastifyRequest } from "fastify";
import { namesTag } from "../wire/entity-tag.js";

/** How caches may store a response. */
export interface Caching {
  /** Strong entity tag of the response. */
  etag: string;
  /** Seconds a cache may reuse the response without revalidation; 0 if it must always revalidate. */
  maxAgeSeconds: number;
  /** Whether the response is only for callers with a key. */
  isPrivate: boolean;
  /** Media type of the response; JSON by default. */
  type?: string;
}

const JSON_TYPE = "application/json; charset=utf-8";

/** Sends the caching headers and the body, or 304 if the caller has the response already (If-None-Match). */
export function sendCached(
  request: FastifyRequest,
  reply: FastifyReply,
  { etag, maxAgeSeconds, isPrivate, type = JSON_TYPE }: Caching,
  makeBody: () => Buffer,
): void {
  const scope = isPrivate ? "private" : "public";
  reply.header("ETag", etag);
  reply.header("Cache-Control", maxAgeSeconds === 0 ? `${scope}, no-cache` : `${scope}, max-age=${maxAgeSeconds}`);
  const known = request.headers["if-none-match"];
  if (known !== undefined && namesTag(known, etag)) {
    void reply.code(304).send();
    return;
  }
  void reply.type(type).send(makeBody());
}
