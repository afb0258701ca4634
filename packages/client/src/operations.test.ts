import { describe, expect, test } from "vitest";
import { operationPath, searchOf } from "./operations.js";

describe("the path of an operation", () => {
  test.for([
    ["hyperstack", "/api/v1/providers/hyperstack/images"],
    ["a/b?c#d%e f", "/api/v1/providers/a%2Fb%3Fc%23d%25e%20f/images"],
    ["...", "/api/v1/providers/.../images"],
    ["日本", "/api/v1/providers/%E6%97%A5%E6%9C%AC/images"],
    ["{provider}", "/api/v1/providers/%7Bprovider%7D/images"],
  ] as const)("has its parameter as one segment: %s", ([provider, path]) => {
    expect(operationPath("listOsImages", { provider })).toBe(path);
    expect(new URL(path, "http://offers.example").pathname).toBe(path);
  });

  test.for(["", ".", "..", "\udc00", undefined, 5])("does not exist for %j", (provider) => {
    expect(() => operationPath("listOsImages", { provider: provider as string })).toThrow(/^provider must /);
  });

  test("without parameters is the one in the table", () => {
    expect(operationPath("getBalance", {})).toBe("/api/v1/account/balance");
  });
});

test("a query string has the given parameters, percent-encoded", () => {
  expect(searchOf([])).toBe("");
  expect(searchOf([["a", undefined]])).toBe("");
  expect(
    searchOf([
      ["a", "x&y=z +"],
      ["b", 1],
      ["c", undefined],
    ]),
  ).toBe("?a=x%26y%3Dz%20%2B&b=1");
  expect(() => searchOf([["a", "\ud800"]])).toThrow("a must not contain a lone surrogate.");
});
