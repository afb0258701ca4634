import { expect, test } from "vitest";
import { readRetryAfterMs } from "./retry-after.js";

const date = "Wed, 21 Oct 2026 07:28:00 GMT";

test.for<[number | undefined, Record<string, string>]>([
  [undefined, {}],
  [0, { "Retry-After": "0" }],
  [120_000, { "Retry-After": "120" }],
  [120_000, { "Retry-After": " 120 " }],
  [90_000, { Date: date, "Retry-After": "Wed, 21 Oct 2026 07:29:30 GMT" }],
  [0, { Date: date, "Retry-After": "Wed, 21 Oct 2026 07:27:00 GMT" }],
  [undefined, { Date: date, "Retry-After": "Wed, 99 Oct 2026 07:27:00 GMT" }],
  [undefined, { "Retry-After": "" }],
  [undefined, { "Retry-After": "-1" }],
  [undefined, { "Retry-After": "1.5" }],
  [undefined, { "Retry-After": "1e3" }],
  [undefined, { "Retry-After": "9999999999" }],
  [undefined, { "Retry-After": "soon 5" }],
  [undefined, { "Retry-After": "2026-10-21" }],
])("is %s ms for %j", ([expected, headers]) => {
  expect(readRetryAfterMs(new Headers(headers))).toBe(expected);
});

test("is relative to this machine's clock if the response has no date", () => {
  const retryAfterMs = readRetryAfterMs(new Headers({ "Retry-After": new Date(Date.now() + 60_000).toUTCString() }));
  // HTTP dates have whole seconds.
  expect(retryAfterMs).toBeGreaterThan(50_000);
  expect(retryAfterMs).toBeLessThanOrEqual(60_000);
});
