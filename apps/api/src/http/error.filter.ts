import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from "@nestjs/common";
import type { FastifyReply, FastifyRequest } from "fastify";
import { codeOf } from "@gpu-offers/domain";
import { NoCatalogError } from "../catalog/catalog.js";
import { Foundation } from "../foundation.js";
import { isUnreachable } from "@gpu-offers/store/database-error";
import { KeyCheckError } from "./access.guard.js";
import { ApiError, errorOfStatus } from "../wire/api-error.js";
import { errorResponse } from "../wire/error-page.js";

/** Converts everything thrown by our code, Nest or Fastify into the standard error body. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(private readonly foundation: Foundation) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    if (request.raw.destroyed && !request.raw.complete) {
      // The client disconnected while it sent a body, so no response can reach it. The wire logs that.
      return;
    }
    const error = toApiError(thrown);
    if (error !== thrown && error.status >= 500) {
      this.foundation.log.logger.error({ err: thrown, requestId: request.id }, error.code);
    }
    sendError(reply, error, request.id);
  }
}

/** Messages for bodies that Fastify rejects, by its error code. */
const BODY_MESSAGES: Readonly<Record<string, string>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: "The body is larger than 16 KiB.",
  FST_ERR_CTP_EMPTY_JSON_BODY: "The body is empty; it must be JSON.",
  FST_ERR_CTP_INVALID_JSON_BODY: "The body is not JSON.",
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "The body must be JSON, sent with Content-Type: application/json.",
};

/** Converts a thrown value into an API error. */
export function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) {
    return thrown;
  }
  if (thrown instanceof NoCatalogError || thrown instanceof KeyCheckError || isUnreachable(thrown)) {
    return errorOfStatus(503);
  }
  if (thrown instanceof HttpException) {
    const message = thrown.cause instanceof Error ? BODY_MESSAGES[codeOf(thrown.cause)] : undefined;
    return message === undefined ? errorOfStatus(thrown.getStatus()) : new ApiError("bad_request", message);
  }
  const status = typeof thrown === "object" && thrown !== null && "statusCode" in thrown ? thrown.statusCode : 500;
  return errorOfStatus(typeof status === "number" ? status : 500);
}

export function sendError(reply: FastifyReply, error: ApiError, requestId: string): void {
  if (reply.sent) {
    return;
  }
  const { raw } = reply.request;
  const { body, headers } = errorResponse(error, requestId, { url: raw.url ?? "", accept: raw.headers.accept });
  void reply.code(error.status).headers(headers).send(body);
}
