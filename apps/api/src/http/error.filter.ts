import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from "@nestjs/common";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import { NoCatalogError } from "../catalog/catalog.js";
import { isUnreachable } from "../store/database-error.js";
import { ApiError, errorOfStatus } from "../wire/api-error.js";

/** Converts everything thrown by our code, Nest or Fastify into the standard error body. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(private readonly logger: Logger) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const error = toApiError(thrown);
    if (error !== thrown && error.status >= 500) {
      this.logger.error({ err: thrown, requestId: request.id }, error.code);
    }
    sendError(reply, error, request.id);
  }
}

/** Converts a thrown value into an API error. */
export function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) {
    return thrown;
  }
  if (thrown instanceof NoCatalogError || isUnreachable(thrown)) {
    return errorOfStatus(503);
  }
  if (thrown instanceof HttpException) {
    return errorOfStatus(thrown.getStatus());
  }
  const status = typeof thrown === "object" && thrown !== null && "statusCode" in thrown ? thrown.statusCode : 500;
  return errorOfStatus(typeof status === "number" ? status : 500);
}

/** Sends an error as the response to a request. */
export function sendError(reply: FastifyReply, error: ApiError, requestId: string): void {
  if (reply.sent) {
    return;
  }
  void reply
    .code(error.status)
    .headers({ "Cache-Control": "no-store", ...error.headers })
    .type("application/json; charset=utf-8")
    .send(JSON.stringify(error.toBody(requestId)));
}
