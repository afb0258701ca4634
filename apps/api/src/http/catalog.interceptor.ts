import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from "@nestjs/common";
import type { FastifyReply, FastifyRequest } from "fastify";
import { map, type Observable } from "rxjs";
import { Catalog } from "../catalog/catalog.js";
import { Representation } from "../catalog/snapshot.js";
import { ApiError } from "../wire/api-error.js";
import { ageHeaders, catalogHeaders } from "../wire/catalog-headers.js";
import { namesTag } from "../wire/entity-tag.js";
import { exchangeOf } from "../wire/exchange.js";
import { SECURITY_HEADERS } from "../wire/response-headers.js";
import { CatalogAccessRule } from "./catalog-access-rule.js";

/** Sends a handler's catalog response with entity tag and caching headers, or a 304 without a body. */
@Injectable()
export class CatalogInterceptor implements NestInterceptor {
  constructor(
    private readonly catalog: Catalog,
    private readonly rule: CatalogAccessRule,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    return next
      .handle()
      .pipe(
        map((result: unknown) =>
          result instanceof Representation ? this.#send(http.getRequest(), http.getResponse(), result) : result,
        ),
      );
  }

  /** @throws ApiError unavailable if an image list is older than an hour and couldn't be reloaded. */
  #send(request: FastifyRequest, reply: FastifyReply, representation: Representation): Buffer | undefined {
    if (!this.catalog.mayServe(representation)) {
      const message = "The image list is older than an hour and cannot be reloaded at the moment.";
      throw new ApiError("unavailable", message, [], { "Retry-After": "5" });
    }
    const headers = [
      ...catalogHeaders(representation, this.rule.isKeyRequired),
      ...ageHeaders(representation, this.catalog),
    ];
    for (let index = 0; index < headers.length; index += 2) {
      reply.header(headers[index] ?? "", headers[index + 1]);
    }
    const exchange = exchangeOf(request.raw);
    exchange?.remember(exchange, representation);
    const known = request.headers["if-none-match"];
    if (known !== undefined && namesTag(known, representation.snapshot.etag)) {
      for (const name of Object.keys(SECURITY_HEADERS)) {
        reply.raw.removeHeader(name);
      }
      reply.code(304);
      return undefined;
    }
    reply.type("application/json; charset=utf-8");
    return representation.body;
  }
}
