import { ERRORS, errorBodySchema } from "@gpu-offers/domain";
import * as z from "zod";
import type { HttpResponse } from "@gpu-offers/testkit/http";

const strictBodySchema = z.strictObject(errorBodySchema.shape);

/** Returns what is wrong with a response of 400 or above; undefined if it has the one documented form. */
export function errorProblem({
  status,
  headers,
  text,
}: Pick<HttpResponse, "status" | "headers" | "text">): string | undefined {
  if (headers["content-type"] !== "application/json; charset=utf-8") {
    return `status ${status} has the content type ${headers["content-type"]}: ${text.slice(0, 100)}`;
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return `status ${status} has a body that is not JSON: ${text.slice(0, 100)}`;
  }
  const { success, data, error } = strictBodySchema.safeParse(json);
  if (!success) {
    return `status ${status} has an undocumented body: ${error.message}`;
  }
  const documented = new Map(Object.entries(ERRORS)).get(data.code)?.status;
  if (documented !== status) {
    return `status ${status} has the code ${data.code}, which is documented with ${documented}`;
  }
  if (data.message === "") {
    return `status ${status} has no message`;
  }
  return headers["x-request-id"] === data.requestId
    ? undefined
    : `the request id in the body differs from the header: ${String(headers["x-request-id"])}`;
}
