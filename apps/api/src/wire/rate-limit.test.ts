import { expect, test } from "vitest";
import { networkOf, RateLimit } from "./rate-limit.js";

test.each([
  ["192.0.2.7", "192.0.2.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["2001:0DB8:0:0000::1", "2001:db8:0:0::/64"],
  ["2001:db8:0:0:0:0:192.0.2.1", "2001:db8:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["fe80::", "fe80:0:0:0::/64"],
  ["unknown", "no address"],
  ["6f1c2a0e-8f5b-4d0a-9f43-1d2f3a4b5c6d", "no address"],
])("the caller at %s is counted as %s", (address, network) => {
  expect(networkOf(address)).toBe(network);
});

test("a response that is as much work as many requests also uses those of the following windows", () => {
  let nowMs = 0;
  const limit = new RateLimit(10, () => nowMs);
  expect(limit.count("a")).toMatchObject({ isOver: false, remaining: 9 });
  // 1 of the request and 34 more: all of three windows, and half of the fourth.
  expect(limit.charge("a", 34)).toMatchObject({ remaining: 0, resetSeconds: 180 });
  for (const [atMs, isOver, resetSeconds] of [
    [59_999, true, 121],
    [60_000, true, 120],
    [179_999, true, 1],
    [180_000, false, 60],
  ] as const) {
    nowMs = atMs;
    expect(limit.count("a")).toMatchObject({ isOver, resetSeconds });
  }
  expect(limit.count("a").remaining).toBe(3);
  // Rejected requests use nothing of later windows.
  nowMs = 240_000;
  expect(limit.count("a")).toMatchObject({ isOver: false, remaining: 9 });
});

test("who owes is charged nothing more, and what a request didn't use comes back", () => {
  const limit = new RateLimit(10, () => 0);
  limit.count("a");
  limit.count("a");
  expect(limit.charge("a", 20)).toMatchObject({ isOver: false, remaining: 0, resetSeconds: 120 });
  expect(limit.charge("a", 1)).toMatchObject({ isOver: true, resetSeconds: 120 });
  expect(limit.correct("a", -15)).toMatchObject({ isOver: false, remaining: 3, resetSeconds: 60 });
  expect(limit.charge("a", 3)).toMatchObject({ isOver: false, remaining: 0 });
  expect(limit.correct("a", 5)).toMatchObject({ remaining: 0, resetSeconds: 60 });
  expect(limit.charge("a", 1).isOver).toBe(true);
});

test("a caller with nothing left isn't forgotten while 20,000 others come", () => {
  let nowMs = 0;
  const limit = new RateLimit(2, () => nowMs);
  for (let count = 0; count < 3; count++) {
    limit.count("a");
  }
  for (let other = 0; other < 20_000; other++) {
    limit.count(`b${other}`);
  }
  expect(limit.count("a").isOver).toBe(true);
  nowMs = 60_000;
  expect(limit.count("a")).toMatchObject({ isOver: false, remaining: 1 });
});
