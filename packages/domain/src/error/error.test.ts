import { describe, expect, test } from "vitest";
import {
  ERROR_CODES,
  errorBodySchema,
  errorDetailSchema,
  ERRORS,
  OFFER_NOT_FOUND,
  PROVIDER_NOT_FOUND,
} from "../index.js";

const detail = { in: "query", name: "size", reason: "must be a whole number from 1 to 100" };
const body = { code: "invalid_parameter", message: "size must be a whole number.", requestId: "r-1" };

describe("the table of errors", () => {
  test("has exactly these codes, with these statuses", () => {
    expect(ERROR_CODES.map((code) => `${code} ${ERRORS[code].status}`)).toEqual([
      "bad_request 400",
      "invalid_parameter 400",
      "unauthorized 401",
      "not_found 404",
      "method_not_allowed 405",
      "request_timeout 408",
      "uri_too_long 414",
      "expectation_failed 417",
      "rate_limited 429",
      "headers_too_large 431",
      "internal_error 500",
      "unavailable 503",
    ]);
  });

  test("describes every code in a sentence", () => {
    for (const code of ERROR_CODES) {
      expect(ERRORS[code].meaning).toMatch(/^[A-Z].+[^.]\.$/);
    }
  });

  test("has the exact messages of the 404 errors", () => {
    expect(OFFER_NOT_FOUND).toBe("Offer not found.");
    expect(PROVIDER_NOT_FOUND).toBe("Provider not found.");
  });
});

describe("the body of an error", () => {
  test("is a code, a message and a request id, with optional details", () => {
    expect(errorBodySchema.parse({ ...body, help: "x" })).toEqual(body);
    expect(errorBodySchema.parse({ ...body, details: [detail] })).toEqual({ ...body, details: [detail] });
  });

  test("may have an unknown code", () => {
    expect(errorBodySchema.parse({ ...body, code: "teapot" }).code).toBe("teapot");
  });

  test.each([
    { code: 400 },
    { code: undefined },
    { message: null },
    { message: undefined },
    { requestId: undefined },
    { details: null },
    { details: ["size"] },
    { details: [{ ...detail, reason: undefined }] },
  ])("must not have %j", (change) => {
    expect(errorBodySchema.safeParse({ ...body, ...change }).success).toBe(false);
  });
});

describe("a detail of an error", () => {
  test("has a location, a name and a reason", () => {
    expect(errorDetailSchema.parse({ ...detail, got: "1000" })).toEqual(detail);
    for (const field of ["in", "name", "reason"]) {
      expect(errorDetailSchema.safeParse({ ...detail, [field]: undefined }).success).toBe(false);
    }
  });
});
