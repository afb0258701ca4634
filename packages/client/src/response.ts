import { errorBodySchema } from "@gpu-offers/domain";
import type * as z from "zod";
import { ResponseError, ServiceError } from "./errors.js";
import { retryAfterMsOf, type RawResponse } from "./exchange.js";

// Parses responses: a value of the interface, one of its errors, or something else.

/**
 * Parses the value of a 200. New fields are dropped, new values of open fields are accepted.
 * @throws ResponseError if it isn't JSON, or doesn't match the schema.
 */
export function readValue<Value>(response: Pick<RawResponse, "url" | "text">, schema: z.ZodType<Value>): Value {
  const facts = { url: response.url, status: 200 };
  return check(parse(response.text, facts), schema, facts);
}

/**
 * Throws the error of a response other than 200.
 * @param apiKey Redacted if the response repeats it.
 * @throws ServiceError for status 400 or above with the interface's error body, otherwise ResponseError.
 */
export function throwError(response: RawResponse, apiKey: string | undefined): never {
  const { url, status, headers, text } = response;
  const facts = { url, status, retryAfterMs: retryAfterMsOf(headers) };
  if (status < 400) {
    throw new ResponseError("has a status that the API does not define", facts);
  }
  const redact = (_: string, value: unknown): unknown =>
    typeof value === "string" && apiKey !== undefined ? value.replaceAll(apiKey, "***") : value;
  throw new ServiceError(check(parse(text, facts, redact), errorBodySchema, facts), facts);
}

type Facts = ConstructorParameters<typeof ResponseError>[1];

function parse(text: string, facts: Facts, revive?: (key: string, value: unknown) => unknown): unknown {
  try {
    return JSON.parse(text, revive);
  } catch {
    // The engine's error is not set as cause, because it quotes the text, which may contain the key.
    throw new ResponseError(
      `is not JSON${text.trimStart().startsWith("<") ? " but looks like a web page" : ""}`,
      facts,
    );
  }
}

function check<Value>(value: unknown, schema: z.ZodType<Value>, facts: Facts): Value {
  const result = schema.safeParse(value);
  if (result.success) {
    return result.data;
  }
  const [first] = result.error.issues;
  const place = first === undefined || first.path.length === 0 ? "body" : first.path.join(".");
  throw new ResponseError(`does not match the API: ${place}: ${first?.message}`, { ...facts, cause: result.error });
}
