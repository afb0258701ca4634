import { Injectable, type OnModuleInit } from "@nestjs/common";
import { HttpAdapterHost } from "@nestjs/core";
import { listOffersQuerySchema } from "@gpu-offers/domain";
import type { FastifyInstance } from "fastify";
import { Catalog } from "../catalog/catalog.js";
import type { Representation } from "../catalog/snapshot.js";
import { QueryParameters } from "../http/query-parameters.js";
import { exchangeOf } from "../wire/exchange.js";
import { Wire } from "../wire/wire.js";

const ROUTE = "/api/v1/offers";

/**
 * Sends lists of offers before Nest, whose guards, pipes and handlers take a third as long as the list (decision 15).
 * Everything else is left to the controller: invalid queries, unknown callers, and requests before the first catalog.
 */
@Injectable()
export class OfferListHook implements OnModuleInit {
  constructor(
    private readonly catalog: Catalog,
    private readonly wire: Wire,
    private readonly host: HttpAdapterHost,
  ) {}

  onModuleInit(): void {
    const server = this.host.httpAdapter.getInstance<FastifyInstance>();
    server.addHook("onRequest", ({ raw, query }, reply, done) => {
      const exchange = exchangeOf(raw);
      const isList = exchange.route === ROUTE && raw.method === "GET" && this.wire.mayReadCatalog(exchange);
      const list = isList && query instanceof QueryParameters ? this.#find(query) : undefined;
      if (list === undefined) {
        done();
      } else {
        reply.hijack();
        this.wire.sendCatalog(exchange, list);
      }
    });
  }

  #find(query: QueryParameters): Representation | undefined {
    const { values, problems } = query.read();
    const { success, data } = listOffersQuerySchema.safeParse(values);
    return success && problems.length === 0 ? this.catalog.snapshot?.listOffers(data) : undefined;
  }
}
