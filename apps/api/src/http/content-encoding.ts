import { promisify } from "node:util";
import { brotliCompress, brotliDecompress, constants, gzip } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";
import { preferredEncoding, type Encoding } from "../wire/accepted.js";
import { addVary, bodyUnlessKnown, type Caching, type TaggedBody } from "./caching.js";
import { cacheControl } from "../wire/catalog-headers.js";

// Compressed responses: those of the page, and large ones that stay the same for long. Other responses are left to a proxy.

/** A body that is sent in the encoding that the client prefers. */
export interface EncodedContent {
  /** Strong entity tag of the uncompressed body. */
  etag: string;
  bodyAs: (encoding: Encoding) => Buffer | Promise<Buffer>;
}

/** Prepares a response with caching headers; returns the body, or undefined for a 304. Each encoding has its own entity tag. */
export async function prepareEncoded(
  request: FastifyRequest,
  reply: FastifyReply,
  content: EncodedContent,
  { maxAgeSeconds, isPrivate, isImmutable = false, type }: Required<Pick<Caching, "type">> & Caching,
): Promise<Buffer | undefined> {
  const encoding = preferredEncoding(request.headers["accept-encoding"]?.toString());
  const etag = encoding === "identity" ? content.etag : content.etag.replace(/"$/, `-${encoding}"`);
  addVary(reply, "Accept-Encoding");
  reply.headers({
    ETag: etag,
    "Cache-Control": `${cacheControl(isPrivate, maxAgeSeconds)}${isImmutable ? ", immutable" : ""}`,
  });
  // Only its presence matters before it is known that the body is sent
  if (bodyUnlessKnown(request, reply, { body: Buffer.alloc(0), etag }, type) === undefined) {
    return undefined;
  }
  if (encoding !== "identity") {
    reply.header("Content-Encoding", encoding);
  }
  return content.bodyAs(encoding);
}

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** Decompresses a Brotli body. */
export const decompressBrotli: (body: Buffer) => Promise<Buffer> = promisify(brotliDecompress);

/** Bytes up to which a body is compressed a seventh smaller, in a tenth of a second: the page's list of 5,000 offers. */
const MAX_SMALL_LENGTH = 2 ** 18;
const SMALL_QUALITY = 10;

/** Quality of Brotli for larger bodies, for which a client would wait a second: a twentieth of that time. */
const LARGE_QUALITY = 5;

/** Compresses a body, in a thread of its own. */
export async function compress(body: Buffer, encoding: Encoding): Promise<Buffer> {
  switch (encoding) {
    case "br":
      return compressBrotli(body, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: body.length <= MAX_SMALL_LENGTH ? SMALL_QUALITY : LARGE_QUALITY,
          [constants.BROTLI_PARAM_LGWIN]: 22,
          [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
        },
      });
    case "gzip":
      return compressGzip(body);
    case "identity":
      return body;
  }
}

/** A body with its compressed forms, which are made when first requested, and kept. */
export class EncodedBody implements EncodedContent {
  readonly etag: string;
  readonly #plain: Buffer;
  readonly #compressed = new Map<Encoding, Promise<Buffer>>();

  constructor({ body, etag }: TaggedBody) {
    this.#plain = body;
    this.etag = etag;
  }

  bodyAs(encoding: Encoding): Promise<Buffer> {
    let body = this.#compressed.get(encoding);
    if (body === undefined) {
      body = compress(this.#plain, encoding);
      this.#compressed.set(encoding, body);
    }
    return body;
  }
}
