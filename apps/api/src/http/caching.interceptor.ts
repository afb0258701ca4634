import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from "@nestjs/common";
import type { FastifyReply, FastifyRequest } from "fastify";
import { map, type Observable } from "rxjs";
import { Catalog } from "../catalog/catalog.js";
import { Representation } from "../catalog/snapshot.js";
import { unavailable } from "../wire/api-error.js";
import { ageHeaders, catalogHeaders } from "../wire/catalog-headers.js";
import { exchangeOf } from "../wire/exchange.js";
import { headerPairs, JSON_TYPE } from "../wire/response-headers.js";
import { addVary, bodyUnlessKnown, prepareCached, TaggedBody } from "./caching.js";
import { CatalogAccessRule } from "./catalog-access-rule.js";

/** Sends a handler's catalog response or tagged body with caching headers, or a 304 without a body. */
@Injectable()
export class CachingInterceptor implements NestInterceptor {
  constructor(
    private readonly catalog: Catalog,
    private readonly rule: CatalogAccessRule,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    return next.handle().pipe(
      map((result: unknown) => {
        if (result instanceof Representation) {
          return this.#sendCatalog(request, reply, result);
        }
        if (result instanceof TaggedBody) {
          const caching = { maxAgeSeconds: 0, isPrivate: this.rule.isKeyRequired };
          return prepareCached(request, reply, result, caching);
        }
        return result;
      }),
    );
  }

  /** @throws ApiError unavailable if an image list is older than an hour and couldn't be reloaded. */
  #sendCatalog(request: FastifyRequest, reply: FastifyReply, representation: Representation): Buffer | undefined {
    if (!this.catalog.mayServe(representation)) {
      throw unavailable("The image list is older than an hour and cannot be reloaded at the moment.");
    }
    const headers = [
      ...catalogHeaders(representation, this.rule.isKeyRequired),
      ...ageHeaders(representation, this.catalog),
    ];
    for (const [name, value] of headerPairs(headers)) {
      if (name === "Vary") {
        addVary(reply, value);
      } else {
        reply.header(name, value);
      }
    }
    const exchange = exchangeOf(request.raw);
    exchange?.wire.remember(exchange, representation);
    return bodyUnlessKnown(request, reply, representation, JSON_TYPE);
  }
}
