import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ApiError, errorOfStatus, methodNotAllowed } from "../wire/api-error.js";
import { FORMER_NAMES, isDeprecated } from "../wire/deprecation.js";
import { exchangeOf, type Exchange } from "../wire/exchange.js";
import { addTurn } from "../wire/loop-turns.js";
import { headerPairs } from "../wire/response-headers.js";
import type { Wire } from "../wire/wire.js";
import { sendError } from "./error.filter.js";
import { QueryParameters } from "./query-parameters.js";

// What all routes have in common, as hooks of Fastify: which paths and methods exist, the rate limit, the turn of a
// handler, and the headers of every response.

declare module "fastify" {
  interface FastifyContextConfig {
    /** Value of the Allow header, in routes for the methods that a path does not have. */
    allow?: string;
  }
}

/** The methods that Fastify sees (see {@link Wire}). */
const METHODS = ["GET", "POST", "OPTIONS"] as const;

/** Adds the hooks. Call it before any route is registered. */
export function addHooks(server: FastifyInstance, wire: () => Wire): void {
  server.addHook("onRoute", ({ url, method, config }) => {
    if (config?.allow === undefined) {
      // Every path has one operation.
      const allow = method === "GET" ? "GET, HEAD, OPTIONS" : `OPTIONS, ${String(method)}`;
      const others = METHODS.filter((other) => other !== method);
      server.route({ method: others, url, config: { allow }, handler: () => undefined });
    }
  });
  server.addHook("onRequest", (request, reply, done) => {
    const exchange = exchangeOf(request.raw);
    // Fastify makes an object of them for each look.
    const { routeOptions } = request;
    const rejection = rejectionOf(request.is404, routeOptions, exchange, wire());
    const { allow } = routeOptions.config;
    if (rejection !== undefined) {
      sendError(reply, rejection, request.id);
    } else if (allow !== undefined) {
      void reply.code(204).header("Allow", allow).send();
    } else {
      if (isDeprecated(exchange.route) && request.query instanceof QueryParameters) {
        request.query = new QueryParameters(request.query.text, FORMER_NAMES);
      }
      const { "content-length": length = 0, expect } = request.headers;
      if (request.raw.method === "POST" && expect !== undefined && Number(length) <= routeOptions.bodyLimit) {
        reply.raw.writeContinue();
      }
      done();
    }
  });
  server.addHook("preHandler", (request, reply, done) => {
    const isDirect = isPrompt(request.routeOptions.url);
    const rejection = isDirect ? undefined : wire().findOverload();
    if (rejection !== undefined) {
      sendError(reply, rejection, request.id);
    } else if (isDirect) {
      done();
    } else {
      addTurn(done);
    }
  });
  server.addHook("onSend", (_request, reply, payload, done) => {
    addHeaders(reply, wire());
    done(null, payload);
  });
}

/** Whether a route gets its response whatever else waits: probes and v1, whose operations are all cheap. */
function isPrompt(url = ""): boolean {
  return url.startsWith("/health/") || url.startsWith("/api/v1/");
}

/** Rejects a request that the router can't read, for which Fastify runs no hooks. */
export function rejectBadUrl(reply: FastifyReply, wire: Wire): void {
  const { rejection } = exchangeOf(reply.request.raw);
  addHeaders(reply, wire);
  const error = rejection ?? new ApiError("bad_request", "The path has an invalid percent-encoding.");
  sendError(reply, error, reply.request.id);
}

/** Why a request doesn't reach its handler; undefined if it does, or if it is a permitted OPTIONS. */
function rejectionOf(
  is404: boolean,
  { url: pattern = "", config }: FastifyRequest["routeOptions"],
  exchange: Exchange,
  wire: Wire,
): ApiError | undefined {
  const { method, rejection } = exchange;
  if (rejection !== undefined) {
    return rejection;
  }
  if (is404 || !isLiteral(pattern, exchange.path)) {
    return errorOfStatus(404);
  }
  if (config.allow !== undefined) {
    return method === "OPTIONS" ? undefined : methodNotAllowed(method, config.allow);
  }
  exchange.route = pattern;
  return wire.count(exchange);
}

/** Whether a path matches a pattern as it is written: the router also decodes it, and takes empty parameters. */
function isLiteral(pattern: string, path: string): boolean {
  if (pattern === path) {
    return true;
  }
  const segments = path.split("/");
  return pattern
    .split("/")
    .every((part, index) => (part.startsWith(":") ? segments[index] !== "" : part === segments[index]));
}

/** Adds the headers of every response. Those that a route has set stay. */
function addHeaders(reply: FastifyReply, wire: Wire): void {
  const exchange = exchangeOf(reply.request.raw);
  for (const [name, value] of headerPairs(wire.commonHeaders(exchange, reply.statusCode))) {
    const own = reply.getHeader(name);
    if (own === undefined || name === "Vary") {
      reply.header(name, own === undefined ? value : `${value}, ${String(own)}`);
    }
  }
}
