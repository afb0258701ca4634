import * as fc from "fast-check";
import { expect, test } from "vitest";
import { newApiKey } from "@gpu-offers/store/api-key.store";
import { redactKeys } from "./redact-keys.js";

test("a key is replaced, with its prefix or without, in any position", () => {
  fc.assert(
    fc.property(
      fc.constantFrom("", "?x=", "/a/", "&b=1&c="),
      fc.constantFrom("", "&d=2", "/e", " "),
      (before, after) => {
        const key = newApiKey();
        expect(redactKeys(`${before}${key}${after}`)).toBe(`${before}gpo_***${after}`);
        expect(redactKeys(`${before}${key.slice(4)}${after}`)).toBe(`${before}***${after}`);
      },
    ),
    { seed: 5, numRuns: 50 },
  );
});

test("other texts with the length of a key stay unchanged", () => {
  const texts = [
    "a".repeat(36),
    "0123456789abcdefghijABCDEFGHIJ012345",
    "6f1c2a0e8f5b4d0a9f431d2f3a4b5c6d",
    "x".repeat(500),
  ];
  for (const text of texts) {
    expect(redactKeys(text)).toBe(text);
  }
});
