import type { IncomingMessage, RequestListener, Server } from "node:http";
import { FastifyAdapter } from "@nestjs/platform-fastify";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { exchangeOf } from "../wire/exchange.js";
import { MAX_URL_LENGTH } from "../wire/framing.js";
import { requestIdOf } from "../wire/request-id.js";
import { Routes } from "../wire/routes.js";
import { createWireServer } from "../wire/server.js";
import type { NestServer, Wire } from "../wire/wire.js";
import { sendError, toApiError } from "./error.filter.js";
import { QueryParameters } from "./query-parameters.js";

/** Nest's server. Requests reach it through the wire, which has checked framing, path, method and rate. */
export class WireAdapter extends FastifyAdapter implements NestServer {
  /** The paths of the service, as they are registered. */
  readonly routes = new Routes();
  readonly #front: Front;

  /** @param maxBodyBytes maximum bytes of a request body. */
  constructor(maxBodyBytes: number) {
    const front: Front = {};
    super({
      logger: false,
      // No route needs Express middleware.
      skipMiddie: true,
      serverFactory: (next: RequestListener) => {
        front.next = next;
        return (front.server = createWireServer());
      },
      clientErrorHandler: (error, socket) => front.wire?.rejectSocket(socket, error),
      genReqId: (request: IncomingMessage) => exchangeOf(request)?.id ?? requestIdOf(request),
      requestIdHeader: false,
      bodyLimit: maxBodyBytes,
      routerOptions: {
        caseSensitive: true,
        ignoreTrailingSlash: false,
        ignoreDuplicateSlashes: false,
        // An overlong id is an unknown offer: 404, not 414.
        maxParamLength: MAX_URL_LENGTH,
        querystringParser: (text: string) => new QueryParameters(text) as never,
      },
      // Schemas are zod schemas, so Fastify's own compilers are not installed (pnpm-workspace.yaml).
      schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
      frameworkErrors: (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
        sendError(reply, toApiError(error), request.id);
      },
    });
    this.#front = front;
    const server = this.getInstance<FastifyInstance>();
    server.decorateRequest("accountId", undefined);
    this.routes.watch(server);
  }

  /** Puts the wire in front of Nest's server. */
  putInFront(wire: Wire): void {
    const { server, next } = this.#front;
    if (server === undefined || next === undefined) {
      throw new Error("Nest's server was not created by its factory.");
    }
    this.#front.wire = wire;
    wire.attach(server, next);
  }
}

/** What is in front of Nest's server. */
interface Front {
  server?: Server;
  /** Passes a request to Nest. */
  next?: RequestListener;
  wire?: Wire;
}

function noCompiler(): never {
  throw new Error("A route has a Fastify schema. Use a zod schema in the parameters pipe instead.");
}
