import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { extname } from "node:path";
import { Readable } from "node:stream";
import { promisify } from "node:util";
import { brotliCompress, brotliDecompress, constants, gzip } from "node:zlib";
import type { FastifyReply } from "fastify";
import { preferredEncoding, type Encoding } from "../wire/accepted.js";
import { contentTag, hasTag } from "../wire/entity-tag.js";
import { cacheControl, JSON_TYPE } from "../wire/response-headers.js";

// Bodies with an entity tag. Handlers return them to be sent with caching headers, or as a 304. Those of the page and large
// ones that stay the same for long are compressed; the others are left to a proxy.

/** Media types of files, by the end of their names. */
const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".png": "image/png",
};

/** The media type of a file. @throws RangeError if files of this kind have none here. */
export function mediaTypeOf(name: string): string {
  const type = TYPES[extname(name)];
  if (type === undefined) {
    throw new RangeError(`${name} has no known media type.`);
  }
  return type;
}

/** What a request gets of a content. */
export interface Variant {
  /** Strong entity tag. */
  etag: string;
  encoding: Encoding;
  body: () => Buffer | Readable | Promise<Buffer>;
  /** Waits until the body may be sent. */
  turn?: (response: ServerResponse) => Promise<void>;
}

/** A body with an entity tag, in one or more variants. */
export abstract class Content {
  abstract readonly type: string;
  /** Names of the request headers that decide on the variant. */
  abstract readonly vary: string | undefined;
  abstract variantFor(headers: IncomingHttpHeaders): Variant;
}

/** A body in one variant. */
export class TaggedBody extends Content {
  readonly vary = undefined;

  private constructor(
    private readonly etag: string,
    private readonly body: () => Buffer | Readable,
    readonly type: string = JSON_TYPE,
  ) {
    super();
  }

  static of(text: string, type?: string): TaggedBody {
    const body = Buffer.from(text);
    return new TaggedBody(contentTag(body), () => body, type);
  }

  static ofJson(value: unknown): TaggedBody {
    return TaggedBody.of(JSON.stringify(value));
  }

  /** JSON whose pieces other responses share: however long it is, callers that don't read it take no memory. */
  static ofPieces(etag: string, pieces: readonly (string | Uint8Array)[]): TaggedBody {
    return new TaggedBody(etag, () => Readable.from(pieces, { objectMode: false }));
  }

  variantFor(): Variant {
    return { etag: this.etag, encoding: "identity", body: this.body };
  }
}

/**
 * A body that is sent in the encoding that the client prefers. Each encoding has its own entity tag. Compressed bodies are
 * made when they are first requested, and kept.
 */
export class EncodedContent extends Content {
  readonly vary = "Accept-Encoding";
  readonly #compressed = new Map<Encoding, Promise<Buffer>>();

  /** @param etag Strong entity tag of the uncompressed body. */
  constructor(
    private readonly etag: string,
    private readonly make: (encoding: Encoding) => Promise<Buffer>,
    readonly type: string = JSON_TYPE,
  ) {
    super();
  }

  /** @param isQuick whether it is made for one request. */
  static of(plain: Buffer, type?: string, isQuick = false): EncodedContent {
    const quality = isQuick ? QUICK_QUALITY : undefined;
    return new EncodedContent(contentTag(plain), (encoding) => compress(plain, encoding, quality), type);
  }

  variantFor({ "accept-encoding": accepted }: IncomingHttpHeaders): Variant {
    const encoding = preferredEncoding(accepted?.toString());
    const etag = encoding === "identity" ? this.etag : this.etag.replace(/"$/, `-${encoding}"`);
    return { etag, encoding, body: () => this.bodyAs(encoding) };
  }

  bodyAs(encoding: Encoding): Promise<Buffer> {
    const known = this.#compressed.get(encoding);
    if (known !== undefined) {
      return known;
    }
    const body = this.make(encoding);
    if (encoding !== "identity") {
      this.#compressed.set(encoding, body);
      // A failure isn't kept.
      body.catch(() => this.#compressed.delete(encoding));
    }
    return body;
  }
}

/** How caches may store a response, and what a page may load. */
export interface Caching {
  /** Seconds a cache may reuse the response without revalidation; by default it must always revalidate. */
  maxAgeSeconds?: number;
  /** Whether the response is only for callers with a key. */
  isPrivate?: boolean;
  /** Whether its URL never gets another content. */
  isImmutable?: boolean;
  /** Content security policy of a page. */
  policy?: string | undefined;
}

/** Sends a content with caching headers; as a 304 without a body if the caller has it already (If-None-Match). */
export async function sendContent(
  reply: FastifyReply,
  content: Content,
  { maxAgeSeconds = 0, isPrivate = false, isImmutable = false, policy }: Caching = {},
): Promise<FastifyReply> {
  const { headers } = reply.request;
  const { etag, encoding, body, turn } = content.variantFor(headers);
  addVary(reply, content.vary);
  const control = `${cacheControl(isPrivate, maxAgeSeconds)}${isImmutable ? ", immutable" : ""}`;
  reply.headers({ ETag: etag, "Cache-Control": control });
  if (hasTag(headers, etag)) {
    return reply.code(304).send();
  }
  await turn?.(reply.raw);
  reply.headers({
    ...(encoding !== "identity" && { "Content-Encoding": encoding }),
    ...(policy !== undefined && { "Content-Security-Policy": policy }),
  });
  return reply.type(content.type).send(await body());
}

/** Redirects. Locations are relative, so that a proxy can serve the service under a path prefix. */
export function redirect(reply: FastifyReply, location: string): FastifyReply {
  return reply.code(302).headers({ Location: location, "Cache-Control": "no-cache" }).send();
}

export function addVary(reply: FastifyReply, names: string | undefined): void {
  if (names !== undefined) {
    reply.header("Vary", [reply.getHeader("Vary"), names].filter((known) => known !== undefined).join(", "));
  }
}

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

export const decompressBrotli: (body: Buffer) => Promise<Buffer> = promisify(brotliDecompress);

/** Bytes up to which a body is compressed a seventh smaller, in a tenth of a second: the page's list of 5,000 offers. */
const MAX_SMALL_LENGTH = 2 ** 18;
const SMALL_QUALITY = 10;

/** Quality of Brotli for larger bodies, for which a client would wait a second: a twentieth of that time. */
const LARGE_QUALITY = 5;

/** Quality of both encodings for a body that is sent once: a sixth larger, in a thirtieth of the time. */
const QUICK_QUALITY = 4;

/** Compresses a body, in a thread of its own. */
export async function compress(
  body: Buffer,
  encoding: Encoding,
  quality = body.length <= MAX_SMALL_LENGTH ? SMALL_QUALITY : LARGE_QUALITY,
): Promise<Buffer> {
  switch (encoding) {
    case "br":
      return compressBrotli(body, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: quality,
          [constants.BROTLI_PARAM_LGWIN]: 22,
          [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
        },
      });
    case "gzip":
      return compressGzip(body, { level: Math.min(quality, constants.Z_BEST_COMPRESSION) });
    case "identity":
      return body;
  }
}
