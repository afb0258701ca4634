import type { IncomingMessage, RequestListener } from "node:http";
import { FastifyAdapter } from "@nestjs/platform-fastify";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { exchangeOf } from "../wire/exchange.js";
import { MAX_URL_LENGTH } from "../wire/framing.js";
import { requestIdOf } from "../wire/request-id.js";
import type { Routes } from "../wire/routes.js";
import type { Wire } from "../wire/wire.js";
import { sendError, toApiError } from "./error.filter.js";
import { QueryParameters } from "./query-parameters.js";

/** Maximum bytes of a request body. Only agents' requests have one, and theirs are small. */
const MAX_BODY_BYTES = 65_536;

/** Dependencies of Nest's server. */
export interface AdapterParts {
  routes: Routes;
  wire: Wire;
}

/** Creates Nest's server. Requests reach it through the wire, which has checked framing, path, method and rate. */
export function createAdapter({ routes, wire }: AdapterParts): FastifyAdapter {
  const adapter = new FastifyAdapter({
    logger: false,
    // No route needs Express middleware.
    skipMiddie: true,
    serverFactory: (next: RequestListener) => wire.createServer(next),
    clientErrorHandler: (error, socket) => wire.rejectSocket(socket, error),
    genReqId: (request: IncomingMessage) => exchangeOf(request)?.id ?? requestIdOf(request),
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
    frameworkErrors: (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
      sendError(reply, toApiError(error), request.id);
    },
  });
  const server = adapter.getInstance<FastifyInstance>();
  server.decorateRequest("accountId", undefined);
  routes.watch(server);
  return adapter;
}

function noCompiler(): never {
  throw new Error("A route has a Fastify schema. Use a zod schema in the parameters pipe instead.");
}
