import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import * as errors from "./errors.js";
import { isClientError, type ClientError } from "./errors.js";

const url = "http://offers.example/api/v1/offers";
const cause = new Error("deeper");
const body = { code: "internal_error", message: "The service failed.", requestId: "r" };

const examples: Record<errors.ClientErrorKind, ClientError> = {
  argument: new errors.ArgumentError([{ in: "query", name: "size", reason: "is wrong" }], cause),
  service: new errors.ServiceError(body, { url, status: 500, cause }),
  connection: new errors.ConnectionError({ url, cause }),
  timeout: new errors.TimeoutError(10, { url, cause }),
  response: new errors.ResponseError("is not JSON", { url, status: 200, cause }),
  changed: new errors.CatalogChangedError(8),
};

test("every error class has its own kind, its name, and an example here", () => {
  const classes = Object.values(errors).filter((value) => value.prototype instanceof Error);
  expect(Object.values(examples).map((error) => error.constructor)).toEqual(expect.arrayContaining(classes));
  for (const [kind, error] of Object.entries(examples)) {
    expect(error).toMatchObject({ kind, name: error.constructor.name });
    expect(isClientError(error)).toBe(true);
  }
});

test("nothing else is a client error", () => {
  for (const other of [new Error("x"), new DOMException("x", "TimeoutError"), { kind: "service" }, null, "timeout"]) {
    expect(isClientError(other)).toBe(false);
  }
});

describe("a cause", () => {
  test("is passed on", () => {
    const { changed: _, ...caused } = examples;
    for (const error of Object.values(caused)) {
      expect(error.cause).toBe(cause);
    }
  });

  test("is not shown if there is none", () => {
    expect(inspect(new errors.ResponseError("is not JSON", { url, status: 200 }))).not.toContain("[cause]");
  });

  test("that is deepest explains a failed connection", () => {
    const deep = new TypeError("fetch failed", { cause: new Error("outer", { cause }) });
    expect(new errors.ConnectionError({ url, cause: deep }).message).toBe(
      "No response from http://offers.example: deeper.",
    );
    for (const silent of [undefined, "text", new Error("")]) {
      const { message } = new errors.ConnectionError({ url, cause: silent });
      expect(message).toBe("No response from http://offers.example: fetch failed.");
    }
  });
});
