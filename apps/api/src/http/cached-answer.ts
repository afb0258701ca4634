import type { FastifyReply, FastifyRequest } from "fastify";

/** How an answer may be held by caches. */
export interface Caching {
  /** Strong entity tag of the answer. */
  etag: string;
  /** Seconds that a cache may use the answer without asking again; 0: it may keep it, but asks each time. */
  maxAgeSeconds: number;
  /** Seconds of those that have passed already. */
  ageSeconds?: number;
  /** True when the answer is only for callers with a key. */
  isPrivate: boolean;
  /** Media type of the answer; JSON unless it says otherwise. */
  type?: string;
}

const JSON_TYPE = "application/json; charset=utf-8";

/** Answers with the caching headers and the body, or with 304 when the caller has it already (If-None-Match). */
export function answerCached(
  request: FastifyRequest,
  reply: FastifyReply,
  caching: Caching,
  makeBody: () => Buffer,
): void {
  const { etag, maxAgeSeconds, ageSeconds, isPrivate, type = JSON_TYPE } = caching;
  const scope = isPrivate ? "private" : "public";
  reply.header("ETag", etag);
  reply.header("Cache-Control", maxAgeSeconds === 0 ? `${scope}, no-cache` : `${scope}, max-age=${maxAgeSeconds}`);
  if (ageSeconds !== undefined) {
    reply.header("Age", ageSeconds);
  }
  const known = request.headers["if-none-match"];
  if (known !== undefined && namesTag(known, etag)) {
    answerNotModified(request, reply);
    return;
  }
  void reply.type(type).send(makeBody());
}

function answerNotModified(request: FastifyRequest, reply: FastifyReply): void {
  if (request.method === "HEAD") {
    // Fastify would add a Content-Length of 0, which GET's 304 does not have and which is not the answer's.
    reply.hijack();
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (value !== undefined) {
        reply.raw.setHeader(name, value);
      }
    }
    reply.raw.statusCode = 304;
    reply.raw.end();
    return;
  }
  void reply.code(304).send();
}

/** Whether an If-None-Match header names the tag; compared weakly, as RFC 9110 (13.1.2) says. */
function namesTag(header: string, etag: string): boolean {
  return (
    header.trim() === "*" ||
    header.split(",").some((item) => {
      const tag = item.trim();
      return tag === etag || (tag.startsWith("W/") && tag.slice(2) === etag);
    })
  );
}
