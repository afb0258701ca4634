import { expect, test } from "vitest";
import { findTables, TABLE_NAMES } from "./provider-tables.js";
import { providerKey } from "@gpu-offers/domain";

test.each([
  ["aws", "aws", undefined],
  ["digitalocean", "do", undefined],
  ["oracle-cloud", "oci", undefined],
  ["latitude.sh", "latitude", undefined],
  ["runpod", "runpod", undefined],
  ["my-aws", undefined, "aws"],
  ["azure-eu", undefined, "azure"],
  ["lamda", undefined, "lambda"],
  ["runpods", undefined, "runpod"],
  ["hypers", undefined, "hyperstack"],
  ["somebody", undefined, undefined],
  ["__proto__", undefined, undefined],
])("the tables of %s are %s, the closest name %s", (provider, name, nearest) => {
  expect(findTables(provider)).toEqual({ name, nearest });
});

test("every table is found by its own name", () => {
  for (const name of TABLE_NAMES) {
    expect(providerKey(name)).toBe(name);
  }
});
