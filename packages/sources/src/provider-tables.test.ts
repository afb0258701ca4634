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
  expect(findTables(provider)).toMatchObject({ name, nearest });
});

test("clouds that need no tables are known, too", () => {
  expect(["hyperbolic", "shadeform", "fluidstack", "aws"].map((name) => findTables(name).isKnown)).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(["my-aws", "somebody"].map((name) => findTables(name).isKnown)).toEqual([false, false]);
});

test("every table is found by its own name", () => {
  for (const name of TABLE_NAMES) {
    expect(providerKey(name)).toBe(name);
  }
});
