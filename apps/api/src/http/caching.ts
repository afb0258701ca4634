import type { FastifyReply, FastifyRequest } from "fastify";
import { cacheControl } from "../wire/catalog-headers.js";
import { contentTag, hasTag } from "../wire/entity-tag.js";
import { JSON_TYPE, SECURITY_HEADERS } from "../wire/response-headers.js";

/** A body with its strong entity tag. Handlers return it to be sent with caching headers, or as a 304. */
export class TaggedBody {
  readonly etag: string;

  constructor(readonly body: Buffer) {
    this.etag = contentTag(body);
  }

  /** A value as JSON. */
  static ofJson(value: unknown): TaggedBody {
    return new TaggedBody(Buffer.from(JSON.stringify(value)));
  }
}

/** How caches may store a response. */
export interface Caching {
  /** Seconds a cache may reuse the response without revalidation; 0 if it must always revalidate. */
  maxAgeSeconds: number;
  /** Whether the response is only for callers with a key. */
  isPrivate: boolean;
  /** Whether its URL never gets another content. */
  isImmutable?: boolean;
  /** Media type of the response; JSON by default. */
  type?: string;
}

/** Sets the caching headers of a body, and returns what to send: see {@link bodyUnlessKnown}. */
export function prepareCached(
  request: FastifyRequest,
  reply: FastifyReply,
  tagged: TaggedBody,
  { maxAgeSeconds, isPrivate, type = JSON_TYPE }: Caching,
): Buffer | undefined {
  reply.headers({ ETag: tagged.etag, "Cache-Control": cacheControl(isPrivate, maxAgeSeconds) });
  return bodyUnlessKnown(request, reply, tagged, type);
}

/** Adds names to the Vary header, which CORS may have set already. */
export function addVary(reply: FastifyReply, names: string): void {
  reply.header("Vary", [reply.getHeader("Vary"), names].filter((known) => known !== undefined).join(", "));
}

/** The body, with its media type; undefined, with status 304, if the caller has it already (If-None-Match). */
export function bodyUnlessKnown(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, etag }: Pick<TaggedBody, "body" | "etag">,
  type: string,
): Buffer | undefined {
  if (!hasTag(request.headers, etag)) {
    reply.type(type);
    return body;
  }
  // As those of the wire (see headersOfNotModified).
  for (const name of Object.keys(SECURITY_HEADERS)) {
    reply.raw.removeHeader(name);
  }
  reply.code(304);
  return undefined;
}
