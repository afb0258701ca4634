import { IMAGE_LIST_LIFETIME_SECONDS } from "@gpu-offers/domain";
import type { FastifyReply, FastifyRequest } from "fastify";
import { ApiError, errorOfStatus } from "../http/api-error.js";
import { answerCached } from "../http/cached-answer.js";
import type { Catalog } from "./catalog.js";
import type { Snapshot } from "./snapshot.js";

/** Injection token of {@link CatalogAnswers}. */
export const CATALOG_ANSWERS = Symbol("CatalogAnswers");

/** How the catalog's operations answer: from one snapshot, with its entity tag and its caching rule. */
export class CatalogAnswers {
  constructor(
    private readonly catalog: Catalog,
    private readonly isPrivate: boolean,
  ) {}

  /**
   * The snapshot to answer one request from.
   * @throws ApiError unavailable while no catalog was loaded.
   */
  snapshot(): Snapshot {
    const { snapshot } = this.catalog;
    if (snapshot === undefined) {
      throw errorOfStatus(503);
    }
    return snapshot;
  }

  /** Answers with what may be kept, but is asked for again each time: a price must not be an old one. */
  send(request: FastifyRequest, reply: FastifyReply, { etag }: Snapshot, makeBody: () => Buffer): void {
    answerCached(request, reply, { etag, maxAgeSeconds: 0, isPrivate: this.isPrivate }, makeBody);
  }

  /**
   * Answers with what is held for an hour from its load (interface.md 8).
   * @throws ApiError unavailable when the hour is over and the database could not be asked again.
   */
  sendForAnHour(request: FastifyRequest, reply: FastifyReply, { etag }: Snapshot, makeBody: () => Buffer): void {
    const ageSeconds = this.catalog.ageSeconds ?? 0;
    if (ageSeconds >= IMAGE_LIST_LIFETIME_SECONDS) {
      throw new ApiError("unavailable", "The image list is older than an hour and cannot be read again now.", [], {
        "Retry-After": "5",
      });
    }
    const caching = { etag, maxAgeSeconds: IMAGE_LIST_LIFETIME_SECONDS, ageSeconds, isPrivate: this.isPrivate };
    answerCached(request, reply, caching, makeBody);
  }
}
