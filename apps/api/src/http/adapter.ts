import type { IncomingMessage, RequestListener, Server } from "node:http";
import { VersioningType, type VersioningOptions } from "@nestjs/common";
import { FastifyAdapter } from "@nestjs/platform-fastify";
import { present } from "@gpu-offers/domain";
import type { FastifyInstance, FastifyReply } from "fastify";
import { Representation } from "../catalog/snapshot.js";
import { exchangeOf } from "../wire/exchange.js";
import { MAX_URL_LENGTH } from "../wire/framing.js";
import { createWireServer } from "../wire/server.js";
import type { Wire } from "../wire/wire.js";
import { Content, sendContent } from "./content.js";
import { addHooks, rejectBadUrl } from "./route-hooks.js";
import { QueryParameters } from "./query-parameters.js";

/** Versions of controllers are in the path: `/api/v1`. */
export const VERSIONING: VersioningOptions = { type: VersioningType.URI, prefix: "api/v" };

/** Maximum bytes of a request to the agents' tools, the only ones with a body. Each connection can buffer as many. */
export const MAX_BODY_BYTES = 16_384;

/** Nest's server: Fastify behind the wire. */
export class WireAdapter extends FastifyAdapter {
  readonly #front: Front;

  constructor() {
    const front: Front = {};
    const wire = (): Wire => present(front.wire);
    super({
      logger: false,
      // No route needs Express middleware.
      skipMiddie: true,
      // The wire passes HEAD as GET.
      exposeHeadRoutes: false,
      serverFactory: (next: RequestListener) => {
        const server = createWireServer();
        front.first ??= { server, next };
        // A host name with two addresses has two servers.
        front.wire?.attach(server, next);
        return server;
      },
      clientErrorHandler: (error, socket) => front.wire?.rejectSocket(socket, error),
      genReqId: (request: IncomingMessage) => exchangeOf(request).id,
      requestIdHeader: false,
      bodyLimit: MAX_BODY_BYTES,
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
      frameworkErrors: (_error: unknown, _request: unknown, reply: FastifyReply) => rejectBadUrl(reply, wire()),
    });
    this.#front = front;
    const server = this.getInstance<FastifyInstance>();
    server.decorateRequest("accountId", undefined);
    addHooks(server, wire);
  }

  putBehind(wire: Wire): void {
    const { server, next } = present(this.#front.first);
    this.#front.wire = wire;
    wire.attach(server, next);
  }

  /** Sends the result of a handler. Nest awaits it. */
  override reply(...parameters: Parameters<FastifyAdapter["reply"]>): ReturnType<FastifyAdapter["reply"]> {
    const [response, body] = parameters as [FastifyReply, unknown];
    const wire = present(this.#front.wire);
    if (body instanceof Representation) {
      wire.sendCatalog(exchangeOf(response.request.raw), body);
      return response.hijack();
    }
    return body instanceof Content
      ? (sendContent(response, body, { isPrivate: wire.isKeyRequired }) as never)
      : super.reply(...parameters);
  }
}

/** What is in front of Fastify: its first server with what handles requests behind the wire, and the wire, once it is made. */
interface Front {
  first?: { server: Server; next: RequestListener };
  wire?: Wire;
}

function noCompiler(): never {
  throw new Error("A route has a Fastify schema. Use a zod schema in the parameters pipe instead.");
}
