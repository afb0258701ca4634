import { ERRORS, errorBodySchema } from "@gpu-offers/domain";
import { z } from "zod";

const strictBodySchema = z.strictObject(errorBodySchema.shape);

/** An answer of any layer, as far as its error is looked at. */
export interface ErrorAnswer {
  status: number;
  text: string;
  header: (name: string) => string | undefined;
}

/** What is wrong with an answer of 400 and above; undefined when it is the one documented shape. */
export function errorFault({ status, text, header }: ErrorAnswer): string | undefined {
  if (header("content-type") !== "application/json; charset=utf-8") {
    return `status ${status} has the content type ${header("content-type")}: ${text.slice(0, 100)}`;
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return `status ${status} has a body that is no JSON: ${text.slice(0, 100)}`;
  }
  const { success, data, error } = strictBodySchema.safeParse(json);
  if (!success) {
    return `status ${status} has another body than documented: ${error.message}`;
  }
  const documented = new Map(Object.entries(ERRORS)).get(data.code)?.status;
  if (documented !== status) {
    return `status ${status} has the code ${data.code}, which is documented with ${documented}`;
  }
  if (data.message === "") {
    return `status ${status} has no message`;
  }
  return header("x-request-id") === data.requestId
    ? undefined
    : `the request id of the body is not that of the header: ${header("x-request-id")}`;
}
