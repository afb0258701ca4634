import { hashApiKey, newApiKey } from "@gpu-offers/store/api-key.store";
import { describe, expect, test } from "vitest";
import { countHeader, RecentKey } from "./bearer-key.js";

const key = newApiKey();

const requestOf = (authorization: string, rawHeaders = ["Host", "localhost", "Authorization", authorization]) => ({
  headers: { authorization },
  rawHeaders,
});

describe("the key of a request", () => {
  test.each([`Bearer ${key}`, `bearer  ${key} `, `BEARER ${key}`])("is read from %j", (authorization) => {
    expect(new RecentKey().hashOf(requestOf(authorization))).toBe(hashApiKey(key));
  });

  test.each([
    `Basic ${key}`,
    `x Bearer ${key}`,
    `Bearer${key}`,
    `Bearer ${key} x`,
    `Bearer ${key}x`,
    "Bearer",
    key,
    "",
  ])("is not read from %j", (authorization) => {
    expect(new RecentKey().hashOf(requestOf(authorization))).toBeUndefined();
  });

  test("is none without a header, or with two", () => {
    expect(new RecentKey().hashOf({ headers: {}, rawHeaders: [] })).toBeUndefined();
    const authorization = `Bearer ${key}`;
    const twice = ["authorization", authorization, "Authorization", authorization];
    expect(new RecentKey().hashOf(requestOf(authorization, twice))).toBeUndefined();
  });

  test("is that of each request of a connection, also after others", () => {
    const recent = new RecentKey();
    const other = newApiKey();
    expect(recent.hashOf(requestOf(`Bearer ${key}`))).toBe(hashApiKey(key));
    expect(recent.hashOf(requestOf(`Bearer ${other}`))).toBe(hashApiKey(other));
    expect(recent.hashOf({ headers: {}, rawHeaders: [] })).toBeUndefined();
    expect(recent.hashOf(requestOf(`Bearer ${other}`))).toBe(hashApiKey(other));
    expect(recent.hashOf(requestOf("Bearer x"))).toBeUndefined();
  });
});

test("headers are counted by their name in any case, not by values", () => {
  expect(countHeader(["Host", "b", "HOST", "c", "Cost", "host"], "host")).toBe(2);
  expect(countHeader(["Host"], "host")).toBe(1);
  expect(countHeader([], "host")).toBe(0);
});
