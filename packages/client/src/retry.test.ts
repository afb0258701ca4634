import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ResponseError, ArgumentError, ConnectionError, ServiceError, TimeoutError } from "./errors.js";
import { backoffMs, retryDelayMs, withRetries } from "./retry.js";

const url = "http://offers.example/api/v1/offers";
const seed = 20_261_120;

const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

function serviceError(status: number, retryAfterMs?: number): ServiceError {
  return new ServiceError({ code: "unavailable", message: "Not now.", requestId: "r" }, { url, status, retryAfterMs });
}

describe("the wait before another attempt", () => {
  test("is random, up to twice as long after each failure, and never longer than 8 s", () => {
    fc.assert(
      fc.property(fc.nat(2_000), chance, (failures, part) => {
        const delayMs = backoffMs(failures, () => part);
        expect(delayMs).toBeGreaterThanOrEqual(0);
        expect(delayMs).toBeLessThan(Math.min(8_000, 250 * 2 ** failures));
      }),
      { seed },
    );
    expect([0, 1, 2, 5, 6].map((failures) => backoffMs(failures, () => 0.5))).toEqual([125, 250, 500, 4_000, 4_000]);
  });

  test("is never shorter than Retry-After, and skipped if that is longer than 30 s", () => {
    fc.assert(
      fc.property(fc.nat(40_000), fc.nat(10), chance, (retryAfterMs, failures, part) => {
        const delayMs = retryDelayMs(serviceError(503, retryAfterMs), failures, () => part);
        const isWaitedFor = retryAfterMs <= 30_000;
        expect(delayMs !== undefined).toBe(isWaitedFor);
        expect(delayMs ?? retryAfterMs).toBeGreaterThanOrEqual(retryAfterMs);
        expect(delayMs ?? retryAfterMs).toBeLessThanOrEqual(retryAfterMs + 250);
      }),
      { seed },
    );
  });

  test.for<[boolean, string, unknown]>([
    [true, "no connection", new ConnectionError({ url })],
    [true, "a timeout", new TimeoutError(10, { url })],
    [true, "too many requests", serviceError(429)],
    [true, "an unavailable service", serviceError(503)],
    [true, "a gateway's web page", new ResponseError("is not JSON", { url, status: 502 })],
    [false, "a wrong parameter", serviceError(400)],
    [false, "a missing key", serviceError(401)],
    [false, "a failed service", serviceError(500)],
    [false, "a web page", new ResponseError("is not JSON", { url, status: 200 })],
    [false, "a wrong call", new ArgumentError([])],
    [false, "anything else", new Error("unknown")],
    [false, "no error at all", undefined],
  ])("is made: %s, for %s", ([isMade, , error]) => {
    expect(retryDelayMs(error, 0, () => 0.5)).toBe(isMade ? 125 : undefined);
  });
});

describe("retrying", () => {
  test("ends with the first result", async () => {
    let attempts = 0;
    const attempt = async () => {
      attempts++;
      return attempts < 3 ? Promise.reject(new ConnectionError({ url })) : attempts;
    };
    expect(await withRetries(attempt, { retries: 2, signal: undefined })).toBe(3);
  });

  test.for([0, 1, 2])("makes one attempt plus %i retries, and rejects with the last error", async (retries) => {
    const errors: Error[] = [];
    const attempt = async () => {
      errors.push(new ConnectionError({ url }));
      throw errors.at(-1);
    };
    await expect(withRetries(attempt, { retries, signal: undefined })).rejects.toSatisfy(
      (error) => error === errors.at(-1),
    );
    expect(errors).toHaveLength(retries + 1);
  });

  test("rejects with the signal's reason if it aborts before the wait", async () => {
    const abort = new AbortController();
    const attempt = async () => {
      abort.abort("enough");
      throw serviceError(503, 30_000);
    };
    await expect(withRetries(attempt, { retries: 2, signal: abort.signal })).rejects.toBe("enough");
  });
});
