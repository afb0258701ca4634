import { expect, test } from "vitest";
import { parseRetryAfter } from "./error.js";

const date = "Wed, 21 Oct 2026 07:28:00 GMT";
const nowMs = Date.UTC(2026, 9, 21, 8);

test.for<[number | undefined, { date?: string; retryAfter?: string }]>([
  [undefined, {}],
  [0, { retryAfter: "0" }],
  [120_000, { retryAfter: "120" }],
  [120_000, { retryAfter: " 120 " }],
  [90_000, { date, retryAfter: "Wed, 21 Oct 2026 07:29:30 GMT" }],
  [0, { date, retryAfter: "Wed, 21 Oct 2026 07:27:00 GMT" }],
  [undefined, { date, retryAfter: "Wed, 99 Oct 2026 07:27:00 GMT" }],
  [undefined, { retryAfter: "" }],
  [undefined, { retryAfter: "-1" }],
  [undefined, { retryAfter: "1.5" }],
  [undefined, { retryAfter: "1e3" }],
  [undefined, { retryAfter: "9999999999" }],
  [undefined, { retryAfter: "soon 5" }],
  [undefined, { retryAfter: "2026-10-21" }],
])("is %s ms for %j", ([expected, { retryAfter, date: sentAt }]) => {
  expect(parseRetryAfter({ retryAfter, date: sentAt }, nowMs)).toBe(expected);
});

test("is relative to this machine's clock if the response has no date", () => {
  const retryAfter = new Date(nowMs + 60_000).toUTCString();
  expect(parseRetryAfter({ retryAfter, date: undefined }, nowMs)).toBe(60_000);
  expect(parseRetryAfter({ retryAfter, date: "today" }, nowMs)).toBe(60_000);
});
